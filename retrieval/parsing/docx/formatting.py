"""A Word document says how text looks, by styles, and where its colours come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.hiding import Rgb

_Stated = TypeVar("_Stated")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WORD_2010 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_OFF = frozenset({"0", "false", "off", "none"})
_THEME_NAMES: Mapping[str, str] = {
    "background1": "lt1",
    "light1": "lt1",
    "text1": "dk1",
    "dark1": "dk1",
    "background2": "lt2",
    "light2": "lt2",
    "text2": "dk2",
    "dark2": "dk2",
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
class Looks:
    """Properties state so much; None where they state nothing."""

    vanishes: bool | None = None
    is_struck: bool | None = None
    is_struck_twice: bool | None = None
    colour: Rgb | None = None
    is_automatic: bool = False
    """The colour is chosen to be seen."""
    size: int | None = None
    """In half points."""
    width: int | None = None
    """Of each character, in percent."""
    is_clear: bool = False
    """Drawn with nothing."""
    shade: Shade | None = None
    apart: int | None = None
    """Twips between letters, beside the usual."""
    raised: int | None = None
    """Half points above the line."""
    font: str | None = None
    """Of Latin letters, by its name; empty for one of the theme."""

    def over(self, other: "Looks") -> "Looks":
        """These, and the other's where these state nothing."""
        has_colour = self.colour is not None or self.is_automatic or self.is_clear
        colours = self if has_colour else other
        return Looks(
            _nearest(self.vanishes, other.vanishes),
            _nearest(self.is_struck, other.is_struck),
            _nearest(self.is_struck_twice, other.is_struck_twice),
            colours.colour,
            colours.is_automatic,
            _nearest(self.size, other.size),
            _nearest(self.width, other.width),
            colours.is_clear,
            self.shade or other.shade,
            _nearest(self.apart, other.apart),
            _nearest(self.raised, other.raised),
            _nearest(self.font, other.font),
        )


def _nearest(own: _Stated | None, other: _Stated | None) -> _Stated | None:
    return own if own is not None else other


NOTHING = Looks()


class StyleSheet:
    """It has the styles of a document by their ids, each with what it is based on."""

    def __init__(self, document: Document) -> None:
        self.theme = _theme(document)
        root = document.styles.element
        self._styles = {style.get(qn("w:styleId")): style for style in root.iter(qn("w:style"))}
        self._text: dict[str, Looks] = {}
        self._pairs: dict[tuple[str, str], Looks] = {}
        self._shades: dict[str, Shade | None] = {}
        defaults = root.find(f"{qn('w:docDefaults')}/{qn('w:rPrDefault')}/{qn('w:rPr')}")
        self.defaults = looks_of(defaults, self.theme)
        self.default_paragraph = self._default("paragraph")

    def _default(self, kind: str) -> str:
        for name, style in self._styles.items():
            is_default = style.get(qn("w:default"), "0") not in _OFF
            if name is not None and style.get(qn("w:type")) == kind and is_default:
                return str(name)
        return ""

    def text(self, name: str) -> Looks:
        """Of text in a style."""
        if name not in self._text:
            found = NOTHING
            for style in self._lineage(name):
                found = found.over(looks_of(style.find(qn("w:rPr")), self.theme))
            self._text[name] = found
        return self._text[name]

    def paragraph_style(self, paragraph: BaseOxmlElement) -> str:
        """The name of a paragraph's style."""
        return style_of(paragraph.find(qn("w:pPr")), "w:pStyle") or self.default_paragraph

    def styled(self, own: Looks, run_style: str, paragraph_style: str) -> Looks:
        """All that is stated for a run, by itself, its style and that of its paragraph.

        As in Word, a style of characters and one of paragraphs that both say that text vanishes,
        or is struck, cancel each other out (ISO 29500-1, 17.7.3).
        """
        pair = run_style, paragraph_style
        if pair not in self._pairs:
            self._pairs[pair] = self._together(self.text(run_style), self.text(paragraph_style))
        return self._pairs[pair] if own is NOTHING else own.over(self._pairs[pair])

    def _together(self, of_run: Looks, of_paragraph: Looks) -> Looks:
        toggled = Looks(
            vanishes=_toggled(of_run.vanishes, of_paragraph.vanishes, self.defaults.vanishes),
            is_struck=_toggled(of_run.is_struck, of_paragraph.is_struck, self.defaults.is_struck),
        )
        return toggled.over(of_run).over(of_paragraph).over(self.defaults)

    def paragraph_shade(self, name: str) -> Shade | None:
        """Behind the paragraphs of a style."""
        if name not in self._shades:
            shades = (
                shade_of(style.find(qn("w:pPr")), self.theme) for style in self._lineage(name)
            )
            self._shades[name] = next((shade for shade in shades if shade is not None), None)
        return self._shades[name]

    def paragraph_properties(self, name: str) -> Iterator[BaseOxmlElement | None]:
        """Of the paragraphs of a style, and of those that it is based on, nearest first."""
        return (style.find(qn("w:pPr")) for style in self._lineage(name))

    def shades_tables(self, name: str) -> bool:
        """Whether a style of tables paints any cells; which ones, is not looked at."""
        return any(style.find(f".//{qn('w:shd')}") is not None for style in self._lineage(name))

    def _lineage(self, name: str) -> Iterator[BaseOxmlElement]:
        """A style and those it is based on, nearest first."""
        done: set[str] = set()
        while name in self._styles and name not in done:
            done.add(name)
            yield self._styles[name]
            based_on = self._styles[name].find(qn("w:basedOn"))
            name = "" if based_on is None else based_on.get(qn("w:val"), "")


def _toggled(of_run: bool | None, of_paragraph: bool | None, by_default: bool | None) -> bool:
    return bool(of_run) != bool(of_paragraph) or bool(by_default)


def _theme(document: Document) -> Mapping[str, str]:
    """Colours of the theme by name, in hexadecimal."""
    try:
        part = document.part.part_related_by(RELATIONSHIP_TYPE.THEME)
        root = parse_xml(part.blob)
    except (KeyError, ValueError, SyntaxError):
        return {}
    scheme = root.find(f".//{_DRAWING}clrScheme")
    found: dict[str, str] = {}
    for colour in () if scheme is None else scheme:
        for value in colour:
            name = str(colour.tag).removeprefix(_DRAWING)
            found[name] = value.get("lastClr") or value.get("val") or ""
    return found


def looks_of(properties: BaseOxmlElement | None, theme: Mapping[str, str]) -> Looks:
    """What the properties of a run state."""
    if properties is None or not len(properties):
        return NOTHING
    colour = properties.find(qn("w:color"))
    rgb = None if colour is None else _stated(colour, "w:val", "w:theme", theme)
    fill = properties.find(f"{_WORD_2010}textFill")
    filled, is_clear = (None, False) if fill is None else _filled(fill, theme)
    return Looks(
        vanishes=_switched(properties, "w:vanish", "w:specVanish"),
        is_struck=_switched(properties, "w:strike"),
        is_struck_twice=_switched(properties, "w:dstrike"),
        colour=filled or rgb,
        is_automatic=colour is not None and rgb is None and filled is None,
        size=_number(properties, "w:sz"),
        width=_number(properties, "w:w"),
        is_clear=is_clear,
        apart=_number(properties, "w:spacing"),
        raised=_number(properties, "w:position"),
        shade=_highlight(properties) or shade_of(properties, theme),
        font=_font(properties),
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


def _switched(properties: BaseOxmlElement, *names: str) -> bool | None:
    for name in names:
        found = properties.find(qn(name))
        if found is not None:
            return found.get(qn("w:val"), "1") not in _OFF
    return None


def _number(properties: BaseOxmlElement, name: str) -> int | None:
    found = properties.find(qn(name))
    value = "" if found is None else found.get(qn("w:val"), "").removesuffix("%")
    return int(value) if value.lstrip("-").isdecimal() and len(value) < 9 else None


def _stated(
    element: BaseOxmlElement, value: str, theme_prefix: str, theme: Mapping[str, str]
) -> Rgb | None:
    """The theme's colour where one is named, as Word does, unless it is toned."""
    kind = "Fill" if value == "w:fill" else ""
    name = element.get(qn(f"{theme_prefix}{kind or 'Color'}"))
    toned = any(element.get(qn(f"{theme_prefix}{kind}{tone}")) for tone in ("Tint", "Shade"))
    if name is not None and not toned:
        found = _rgb(theme.get(_THEME_NAMES.get(name, name), ""))
        if found is not None:
            return found
    return _rgb(element.get(qn(value), ""))


def _rgb(text: str) -> Rgb | None:
    """Of six hexadecimal digits."""
    try:
        number = int(text, 16) if len(text) == 6 else None
    except ValueError:
        return None
    if number is None:
        return None
    return (number >> 16) / 255, (number >> 8 & 255) / 255, (number & 255) / 255


def _filled(fill: BaseOxmlElement, theme: Mapping[str, str]) -> tuple[Rgb | None, bool]:
    """The colour that Word 2010 and later fill letters with, and whether they fill with none."""
    if fill.find(f"{_WORD_2010}noFill") is not None:
        return None, True
    solid = fill.find(f"{_WORD_2010}solidFill")
    for colour in () if solid is None else solid:
        alpha = colour.find(f"{_WORD_2010}alpha")
        value = "0" if alpha is None else alpha.get(f"{_WORD_2010}val", "0")
        is_clear = value.isdecimal() and int(value[:9]) >= _LEAST_OPAQUE
        named = colour.get(f"{_WORD_2010}val", "")
        names = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
        return _rgb(theme.get(names.get(named, named), named)), is_clear
    return None, False


def _highlight(properties: BaseOxmlElement) -> Shade | None:
    found = properties.find(qn("w:highlight"))
    name = "none" if found is None else found.get(qn("w:val"), "none")
    return None if name == "none" else Shade(_rgb(_HIGHLIGHTS.get(name, "")))


def shade_of(properties: BaseOxmlElement | None, theme: Mapping[str, str]) -> Shade | None:
    """Behind a run, a paragraph or a cell; None where nothing is painted."""
    found = None if properties is None else properties.find(qn("w:shd"))
    if found is None:
        return None
    pattern = found.get(qn("w:val"), "clear")
    if pattern in ("clear", "nil"):
        rgb = _stated(found, "w:fill", "w:theme", theme)
        return None if rgb is None else Shade(rgb)
    return Shade(_stated(found, "w:color", "w:theme", theme) if pattern == "solid" else None)
