"""Styles of OpenDocument say what is seen of a text, and what it is."""

from collections.abc import Iterator, Mapping

from odfdo import Document, Element, XmlPart

from retrieval.parsing.limits import DEEPEST_STYLE

_PROPERTIES: Mapping[str, str] = {
    "text:display": "display",
    "fo:color": "color",
    "fo:background-color": "background-color",
    "fo:font-size": "font-size",
    "fo:font-weight": "font-weight",
    "style:text-line-through-style": "text-decoration",
    "style:text-position": "vertical-align",
}
_LINE_THROUGH = "text-decoration"
_SETTING = "vertical-align"
_ROW_GROUPS = ("table:table-row-group", "table:table-rows", "table:table-header-rows")
_WHERE = ("content.xml", "styles.xml")
Css = Mapping[str, str]


class Styles:
    """Those of the document, by family ("paragraph", "text", "table-cell") and name."""

    def __init__(self, document: Document) -> None:
        self._elements: dict[tuple[str, str], Element] = {}
        self._lists: dict[str, Element] = {}
        for part in _WHERE:
            for each in elements_in(document, part, "descendant::style:style"):
                key = said(each, "style:family"), said(each, "style:name")
                self._elements.setdefault(key, each)
            for each in elements_in(document, part, "descendant::text:list-style"):
                self._lists.setdefault(said(each, "style:name"), each)
        self._css: dict[tuple[str, str], Css] = {}

    def css(self, family: str, name: str) -> Css:
        """The declarations of a style with those that it is based on; none for no style."""
        key = family, name
        if key not in self._css:
            found: dict[str, str] = {}
            for style in self._based_on(family, name):
                for properties in style.children:
                    if properties.tag.endswith("-properties"):
                        found = {**dict(_declared(properties)), **found}
            self._css[key] = found
        return self._css[key]

    def outline_level(self, name: str) -> int:
        """Of the heading that a paragraph of this style is; 0 for none."""
        for style in self._based_on("paragraph", name):
            if level := said(style, "style:default-outline-level"):
                return int(level) if level.isdecimal() else 0
        return 0

    def is_named(self, name: str, *names: str) -> bool:
        """Whether a paragraph's style is one of these, or based on it."""
        return any(said(each, "style:name") in names for each in self._based_on("paragraph", name))

    def states(self, family: str, name: str, attribute: str) -> str:
        """What the properties of a style say in an attribute; empty for nothing."""
        for style in self._based_on(family, name):
            for properties in style.children:
                if value := said(properties, attribute):
                    return value
        return ""

    def is_numbered(self, list_style: str, level: int) -> bool:
        """Whether items of a list have numbers at a level, from 1."""
        style = self._lists.get(list_style)
        levels = style.children if style is not None else ()
        return any(
            each.tag == "text:list-level-style-number"
            and said(each, "text:level") == str(level)
            and said(each, "style:num-format") == "1"
            for each in levels
        )

    def _based_on(self, family: str, name: str) -> Iterator[Element]:
        for _ in range(DEEPEST_STYLE):
            style = self._elements.get((family, name))
            if style is None:
                return
            yield style
            name = said(style, "style:parent-style-name")


def count(element: Element, attribute: str, most: int) -> int:
    """The number in an attribute, from 1 to so many; 1 where it has none."""
    value = said(element, attribute)
    return max(1, min(int(value), most)) if value.isdecimal() else 1


def rows_in(parent: Element, *, in_head: bool = False) -> Iterator[tuple[Element, bool]]:
    """Those of a table, each once, and whether they stand among those that name columns."""
    for child in parent.children:
        if child.tag == "table:table-row":
            yield child, in_head
        elif child.tag in _ROW_GROUPS:
            yield from rows_in(child, in_head=in_head or child.tag == "table:table-header-rows")


def in_a_line(css: Css) -> str:
    """As an attribute `style` has them."""
    return "; ".join(f"{name}: {value}" for name, value in css.items())


def _declared(properties: Element) -> Iterator[tuple[str, str]]:
    for attribute, name in _PROPERTIES.items():
        if value := said(properties, attribute):
            if name == _LINE_THROUGH:
                value = "none" if value == "none" else "line-through"
            elif name == _SETTING:
                value = _set_as(value)
            yield name, value


def _set_as(position: str) -> str:
    """Of "super 58%", or "33% 58%" above the line and "-33% 58%" below."""
    place = next(iter(position.split()), "")
    if place in ("super", "sub"):
        return place
    return "sub" if place.startswith("-") else "super" if place.strip("0%") else "baseline"


def elements_in(document: Document, name: str, path: str) -> list[Element]:
    """Those at a path in a part of XML; none where there is no such part."""
    part = document.get_part(name)
    return part.root.get_elements(path) if isinstance(part, XmlPart) else []


def said(element: Element, attribute: str) -> str:
    """The value of an attribute; empty where there is none."""
    return element.get_attribute_string(attribute) or ""
