"""A Word document says how text looks, by styles, and where its colours come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from typing import NamedTuple

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.hiding import Rgb, rgb_of
from retrieval.parsing.office import related, theme_colours

_WORD_2010 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_OFF = frozenset({"0", "false", "off", "none"})
_THEME_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("background1", "light1", "bg1"), "lt1"),
    **dict.fromkeys(("text1", "dark1", "tx1"), "dk1"),
    **dict.fromkeys(("background2", "light2", "bg2"), "lt2"),
    **dict.fromkeys(("text2", "dark2", "tx2"), "dk2"),
    "hyperlink": "hlink",
    "followedHyperlink": "folHlink",
}
_HIGHLIGHTS: Mapping[str, str] = {
    "black": "000000",
    "blue": "0000FF",
    "cyan": "00FFFF",
    "green": "00FF00",
    "magenta": "FF00FF",
    "red": "FF0000",
    "yellow": "FFFF00",
    "white": "FFFFFF",
    "darkBlue": "000080",
    "darkCyan": "008080",
    "darkGreen": "008000",
    "darkMagenta": "800080",
    "darkRed": "800000",
    "darkYellow": "808000",
    "darkGray": "808080",
    "lightGray": "C0C0C0",
}
_LEAST_OPAQUE = 95_000
"""Thousandths of a percent that shine through: text of that alpha is not seen."""


@dataclass(frozen=True, slots=True)
class Shade:
    """It is what is behind text: a colour, or None where it is not known which."""

    rgb: Rgb | None


@dataclass(frozen=True, slots=True)
class Ink:
    """Letters are drawn in a colour, or in one that is chosen to be seen: None."""

    rgb: Rgb | None = None
    is_clear: bool = False


class Looks(NamedTuple):
    """Properties state so much; None where they state nothing."""

    vanishes: bool | None = None
    is_struck: bool | None = None
    is_struck_twice: bool | None = None
    ink: Ink | None = None
    size: int | None = None
    """In half points."""
    width: int | None = None
    """Of each character, in percent."""
    shade: Shade | None = None
    apart: int | None = None
    """Twips between letters, beside the usual."""
    raised: int | None = None
    """Half points above the line."""
    font: str | None = None
    """Of Latin letters, by its name; empty for one of the theme."""
    set_as: str | None = None
    """"superscript", "subscript", or "baseline"."""

    def over(self, other: "Looks") -> "Looks":
        """These, and the other's where these state nothing."""
        pairs = zip(self, other, strict=True)
        return Looks._make(behind if own is None else own for own, behind in pairs)


NOTHING = Looks()


class StyleSheet:
    """It has the styles of a document by their ids, each with what it is based on."""

    def __init__(self, document: Document) -> None:
        self.theme = theme_colours(related(document.part, RELATIONSHIP_TYPE.THEME, parse_xml))
        root = document.styles.element
        self._styles = {style.get(qn("w:styleId")): style for style in root.iter(qn("w:style"))}
        # Of the thousands of runs that share a style, each asks once.
        self.text = cache(self._text)
        self.paragraph_shade = cache(self._paragraph_shade)
        self._together = cache(self._of_both)
        defaults = root.find(f"{qn('w:docDefaults')}/{qn('w:rPrDefault')}/{qn('w:rPr')}")
        self.defaults = looks_of(defaults, self.theme)
        self._of_paragraphs = {
            name: style.get(qn("w:default"), "0") not in _OFF
            for name, style in self._styles.items()
            if style.get(qn("w:type"), "paragraph") == "paragraph"
        }
        """The ids of those, and whether it is the usual one; of several the last is."""
        usual = [name for name, is_usual in self._of_paragraphs.items() if is_usual]
        self._usual = usual[-1] if usual else ""

    def _text(self, name: str) -> Looks:
        looks = (looks_of(style.find(qn("w:rPr")), self.theme) for style in self.lineage(name))
        return reduce(Looks.over, looks, NOTHING)

    def paragraph_style(self, paragraph: BaseOxmlElement) -> str:
        """The id of a paragraph's style: the usual one where it names none that there is."""
        name = style_of(paragraph.find(qn("w:pPr")), "w:pStyle")
        return name if name in self._of_paragraphs else self._usual

    def of_run(self, properties: BaseOxmlElement | None, paragraph_style: str) -> Looks:
        """All that is stated for a run, by its properties, its style and that of its paragraph."""
        own = looks_of(properties, self.theme)
        styled = self._together(style_of(properties, "w:rStyle"), paragraph_style)
        return styled if own is NOTHING else own.over(styled)

    def _of_both(self, run_style: str, paragraph_style: str) -> Looks:
        """Toggles that both styles state cancel each other out (ISO 29500-1, 17.7.3)."""
        of_run, of_paragraph = self.text(run_style), self.text(paragraph_style)
        toggled = Looks(
            vanishes=_toggled(of_run.vanishes, of_paragraph.vanishes, self.defaults.vanishes),
            is_struck=_toggled(of_run.is_struck, of_paragraph.is_struck, self.defaults.is_struck),
        )
        return toggled.over(of_run).over(of_paragraph).over(self.defaults)

    def _paragraph_shade(self, name: str) -> Shade | None:
        shades = (shade_of(style.find(qn("w:pPr")), self.theme) for style in self.lineage(name))
        return next((shade for shade in shades if shade is not None), None)

    def paragraph_properties(self, name: str) -> Iterator[BaseOxmlElement | None]:
        """Of the paragraphs of a style, and of those that it is based on, nearest first."""
        return (style.find(qn("w:pPr")) for style in self.lineage(name))

    def shades_tables(self, name: str) -> bool:
        """Whether a style of tables paints any cells; which ones, is not looked at."""
        return any(style.find(f".//{qn('w:shd')}") is not None for style in self.lineage(name))

    def lineage(self, name: str) -> Iterator[BaseOxmlElement]:
        """A style and those it is based on, nearest first."""
        done: set[str] = set()
        while name in self._styles and name not in done:
            done.add(name)
            yield self._styles[name]
            based_on = self._styles[name].find(qn("w:basedOn"))
            name = "" if based_on is None else based_on.get(qn("w:val"), "")


def _toggled(of_run: bool | None, of_paragraph: bool | None, by_default: bool | None) -> bool:
    return bool(of_run) != bool(of_paragraph) or bool(by_default)


def looks_of(properties: BaseOxmlElement | None, theme: Mapping[str, str]) -> Looks:
    if properties is None or not len(properties):
        return NOTHING
    colour = properties.find(qn("w:color"))
    rgb = None if colour is None else _stated(colour, "w:val", theme)
    fill = properties.find(f"{_WORD_2010}textFill")
    filled = None if fill is None else _filled(fill, theme)
    return Looks(
        vanishes=switched(properties, "w:vanish", "w:specVanish"),
        is_struck=switched(properties, "w:strike"),
        is_struck_twice=switched(properties, "w:dstrike"),
        ink=filled or (None if colour is None else Ink(rgb)),
        size=_number(properties, "w:sz"),
        width=_number(properties, "w:w"),
        apart=_number(properties, "w:spacing"),
        raised=_number(properties, "w:position"),
        shade=_highlight(properties) or shade_of(properties, theme),
        font=_font(properties),
        set_as=style_of(properties, "w:vertAlign") or None,
    )


def _font(properties: BaseOxmlElement) -> str | None:
    fonts = properties.find(qn("w:rFonts"))
    if fonts is None:
        return None
    by_theme = fonts.get(qn("w:asciiTheme")) is not None
    return "" if by_theme else fonts.get(qn("w:ascii"))


def style_of(properties: BaseOxmlElement | None, kind: str) -> str:
    """The name of the style that some properties state; empty for none."""
    found = None if properties is None else properties.find(qn(kind))
    return "" if found is None else str(found.get(qn("w:val"), ""))


def switched(properties: BaseOxmlElement | None, *names: str) -> bool | None:
    """Whether the first of some properties that is stated is on; None where none is."""
    for name in names:
        found = None if properties is None else properties.find(qn(name))
        if found is not None:
            return found.get(qn("w:val"), "1") not in _OFF
    return None


def _number(properties: BaseOxmlElement, name: str) -> int | None:
    found = properties.find(qn(name))
    value = "" if found is None else found.get(qn("w:val"), "").removesuffix("%")
    return int(value) if value.lstrip("-").isdecimal() and len(value) < 9 else None


def _stated(element: BaseOxmlElement, value: str, theme: Mapping[str, str]) -> Rgb | None:
    """The theme's colour where one is named, as Word does, unless it is toned."""
    kind = "Fill" if value == "w:fill" else ""
    name = element.get(qn(f"w:theme{kind or 'Color'}"))
    toned = any(element.get(qn(f"w:theme{kind}{tone}")) for tone in ("Tint", "Shade"))
    if name is not None and not toned:
        found = rgb_of(theme.get(_THEME_NAMES.get(name, name), ""))
        if found is not None:
            return found
    return rgb_of(element.get(qn(value), ""))


def _filled(fill: BaseOxmlElement, theme: Mapping[str, str]) -> Ink | None:
    """What Word 2010 and later fill letters with; None where it is not known."""
    if fill.find(f"{_WORD_2010}noFill") is not None:
        return Ink(is_clear=True)
    solid = fill.find(f"{_WORD_2010}solidFill")
    for colour in () if solid is None else solid:
        alpha = colour.find(f"{_WORD_2010}alpha")
        value = "0" if alpha is None else alpha.get(f"{_WORD_2010}val", "0")
        is_clear = value.isdecimal() and int(value[:9]) >= _LEAST_OPAQUE
        named = colour.get(f"{_WORD_2010}val", "")
        rgb = rgb_of(theme.get(_THEME_NAMES.get(named, named), named))
        return Ink(rgb, is_clear) if rgb or is_clear else None
    return None


def _highlight(properties: BaseOxmlElement) -> Shade | None:
    found = properties.find(qn("w:highlight"))
    name = "none" if found is None else found.get(qn("w:val"), "none")
    return None if name == "none" else Shade(rgb_of(_HIGHLIGHTS.get(name, "")))


def shade_of(properties: BaseOxmlElement | None, theme: Mapping[str, str]) -> Shade | None:
    """Behind a run, a paragraph or a cell; None where nothing is painted."""
    found = None if properties is None else properties.find(qn("w:shd"))
    if found is None:
        return None
    pattern = found.get(qn("w:val"), "clear")
    if pattern in ("clear", "nil"):
        rgb = _stated(found, "w:fill", theme)
        return None if rgb is None else Shade(rgb)
    return Shade(_stated(found, "w:color", theme) if pattern == "solid" else None)
