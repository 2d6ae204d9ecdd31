"""What people do not see of a Word document is taken out of it, before it is read.

Nothing is laid out: only what a frame, a box, a cell or a paragraph says of its own place counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.css.visibility import verdict_of
from retrieval.parsing.docx.formatting import (
    Ink,
    Looks,
    Shade,
    StyleSheet,
    shade_of,
    style_of,
    switched,
)
from retrieval.parsing.docx.text import DRAWING, MATH_RUN, MATH_TEXT, NOT_READ, NOTES, SYMBOL, sign
from retrieval.parsing.hiding import SMALLEST_TYPE, WHITE, Verdict, Way, verdict_on
from retrieval.types import HiddenText

_TWIPS, _EMU = 20, 12_700
"""In a point."""
_NO_ROOM = SMALLEST_TYPE * _TWIPS
"""Twips: letters of what is no higher or wider are not read."""
_PAPER = 12_240, 15_840
"""Twips: Letter, where a document says nothing."""
_VML = "{urn:schemas-microsoft-com:vml}"
_ROW, _CELL, _PARAGRAPH = (qn(name) for name in ("w:tr", "w:tc", "w:p"))


@dataclass(frozen=True, slots=True)
class Places:
    """The largest page of a document, in twips."""

    width: int
    height: int

    @classmethod
    def of(cls, document: Document) -> "Places":
        sizes = [
            (_number(size, "w:w") or _PAPER[0], _number(size, "w:h") or _PAPER[1])
            for size in document.element.iter(qn("w:pgSz"))
        ] or [_PAPER]
        return cls(max(width for width, _ in sizes), max(height for _, height in sizes))

    def verdict(self, element: BaseOxmlElement) -> Verdict | None:
        """How an element hides what is in it, by its place; None where it does not."""
        if element.tag == _PARAGRAPH:
            return self.of_paragraph(element.find(qn("w:pPr")))
        if element.tag == _ROW:
            heights = element.iterfind(f"{qn('w:trPr')}/{qn('w:trHeight')}")
            return Verdict(Way.CUT_AWAY) if any(map(_is_exactly_low, heights)) else None
        if element.tag == _CELL:
            return _of_cell(element)
        if element.tag == qn("w:tbl"):
            return self._of_table(element.find(qn("w:tblPr")))
        if element.tag in (f"{DRAWING}anchor", f"{DRAWING}inline"):
            return self._of_drawing(element)
        if str(element.tag).startswith(_VML) and element.get("style"):
            return verdict_of(element.get("style"))
        return None

    def is_moved_away(self, raised: int | None) -> bool:
        """Whether letters stand so many half points above or below their line."""
        return raised is not None and abs(raised) * _TWIPS / 2 >= self.height

    def of_paragraph(self, properties: BaseOxmlElement | None) -> Verdict | None:
        """By its own properties, or by those of its style."""
        if properties is None:
            return None
        indent, frame = properties.find(qn("w:ind")), properties.find(qn("w:framePr"))
        lines = properties.find(qn("w:spacing"))
        lefts = [_number(indent, name) for name in ("w:left", "w:start")]
        if any(left is not None and abs(left) >= self.width for left in lefts):
            return Verdict(Way.AWAY)
        if frame is not None and self._is_off(
            _number(frame, "w:x"), _number(frame, "w:y"), _number(frame, "w:w"), frame
        ):
            return Verdict(Way.AWAY)
        is_low = _is_exactly_low(frame, "w:h") or _is_exactly_low(lines, "w:line", "w:lineRule")
        return Verdict(Way.CUT_AWAY) if is_low else None

    def _of_table(self, properties: BaseOxmlElement | None) -> Verdict | None:
        if properties is None:
            return None
        indent, frame = properties.find(qn("w:tblInd")), properties.find(qn("w:tblpPr"))
        moved = abs(_number(indent, "w:w") or 0) >= self.width
        if frame is not None:
            at = _number(frame, "w:tblpX"), _number(frame, "w:tblpY")
            moved = moved or self._is_off(*at, None, frame)
        return Verdict(Way.AWAY) if moved else None

    def _is_off(
        self, x: int | None, y: int | None, width: int | None, frame: BaseOxmlElement
    ) -> bool:
        on_page = "page" in (frame.get(qn("w:hAnchor")), frame.get(qn("w:horzAnchor")))
        across = x is not None and (
            x >= self.width or x + (width or 0) <= (0 if on_page and width else -self.width)
        )
        return across or (y is not None and abs(y) >= self.height)

    def _of_drawing(self, drawing: BaseOxmlElement) -> Verdict | None:
        extent = drawing.find(f"{DRAWING}extent")
        wide, high = _number(extent, "cx"), _number(extent, "cy")
        least = SMALLEST_TYPE * _EMU
        if any(side is not None and side <= least for side in (wide, high)):
            return Verdict(Way.CUT_AWAY)
        for name, paper, size in (("H", self.width, wide), ("V", self.height, high)):
            for place in drawing.iterfind(f"{DRAWING}position{name}/{DRAWING}posOffset"):
                moved = int(place.text or 0) / _EMU * _TWIPS
                on_page = place.getparent().get("relativeFrom") == "page"
                end = moved + (size or 0) / _EMU * _TWIPS
                if moved >= paper or end <= (0 if on_page else -paper):
                    return Verdict(Way.AWAY)
        return None


def _of_cell(cell: BaseOxmlElement) -> Verdict | None:
    """Whether it is too narrow; where Word fits columns to what they hold, it may not be."""
    width = cell.find(f"{qn('w:tcPr')}/{qn('w:tcW')}")
    if width is None or width.get(qn("w:type"), "dxa") != "dxa":
        return None
    if (stated := _number(width, "w:w")) is None or stated > _NO_ROOM:
        return None
    layouts = (
        layout.get(qn("w:type"))
        for table in cell.iterancestors(qn("w:tbl"))
        for layout in table.iterfind(f"{qn('w:tblPr')}/{qn('w:tblLayout')}")
    )
    return Verdict(Way.CUT_AWAY, next(layouts, "autofit") == "fixed")


def _is_exactly_low(
    stated: BaseOxmlElement | None, height: str = "w:val", rule: str = "w:hRule"
) -> bool:
    size = _number(stated, height)
    is_exact = stated is not None and stated.get(qn(rule)) == "exact"
    return is_exact and size is not None and size <= _NO_ROOM


def _number(element: BaseOxmlElement | None, name: str) -> int | None:
    value = "" if element is None else str(element.get(qn(name) if ":" in name else name, ""))
    return int(value) if value.lstrip("-").isdecimal() and len(value) < 12 else None


_SMALLEST_SIZE = int(SMALLEST_TYPE * 2)
"""Half points."""
_LEAST_APART = -4
"""Twips between letters, for each half point of their size: nearer ones lie over each other."""
_USUAL_SIZE = 20
_NARROWEST = 5
"""Percent of the usual width of a character."""
_RUNS, _TEXTS = (qn("w:r"), MATH_RUN), (qn("w:t"), MATH_TEXT, SYMBOL)
_BEHIND_TEXT = f".//{DRAWING}anchor[@behindDoc='1']/{DRAWING}wrapNone"
"""A drawing that text runs across; LibreOffice says of others as well that they are behind it."""
_SHAPE = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_UNKNOWN = Shade(None)


@dataclass(frozen=True, slots=True)
class _Hidden:
    run: BaseOxmlElement
    way: Way
    left_out: bool
    paragraph: int

    @property
    def said(self) -> str:
        return _text(self.run, own=self.way not in _WITH_ALL)


def take_out_hidden(document: Document, styles: StyleSheet) -> tuple[HiddenText, ...]:
    """Remove hidden runs and rows; return what they said, and what may be hidden."""
    found = list(_Eye(document, styles).hidden())
    pieces = [
        HiddenText(text, way.value, f"paragraph {paragraph}", left_out)
        for (way, left_out, paragraph), group in groupby(
            found, key=lambda each: (each.way, each.left_out, each.paragraph)
        )
        if (text := " ".join("".join(each.said for each in group).split()))
    ]
    for each in found:
        if each.left_out:
            _remove(each)
    return tuple(pieces)


_WITH_ALL = (Way.MARKED, Way.AWAY, Way.CUT_AWAY)
"""Ways in which what hangs on a run is hidden with it."""


def _text(run: BaseOxmlElement, *, own: bool = False) -> str:
    """`own`: without that of the text boxes that hang on it."""
    texts = run.iterchildren(*_TEXTS) if own else run.iter(*_TEXTS)
    return "".join(sign(text) if text.tag == SYMBOL else text.text or "" for text in texts)


def _remove(hidden: _Hidden) -> None:
    """What is marked as hidden takes what hangs on it along."""
    if hidden.way in _WITH_ALL:
        hidden.run.getparent().remove(hidden.run)
        return
    for text in list(hidden.run.iterchildren(*_TEXTS)):
        hidden.run.remove(text)


class _Eye:
    """It looks at all runs of a document, once."""

    def __init__(self, document: Document, styles: StyleSheet) -> None:
        self._body = document.element.body
        self._styles = styles
        # Of paragraphs and rows that may hold tens of thousands of runs, each is asked once.
        self._name = cache(styles.paragraph_style)
        self._ground = cache(self._ground_of)
        self._hides = cache(self._verdict_of)
        self._places = Places.of(document)
        is_plain = self._is_on_white(document) and self._body.find(_BEHIND_TEXT) is None
        self._page = Shade(WHITE) if is_plain else _UNKNOWN

    def _is_on_white(self, document: Document) -> bool:
        """Whether pages are white; another background is not shown everywhere."""
        background = document.element.find(qn("w:background"))
        return background is None or (
            set(background.attrib.values()) == {"FFFFFF"} and not len(background)
        )

    def hidden(self) -> Iterator[_Hidden]:
        paragraph = 0
        for child in self._body:
            paragraph += child.tag == _PARAGRAPH
            for run in child.iter(*_RUNS):
                above = list(run.iterancestors())
                if _text(run).strip() and not any(each.tag in NOT_READ for each in above):
                    verdict = self._verdict(run, above)
                    if verdict is not None:
                        yield _Hidden(run, *verdict, max(1, paragraph))

    def _verdict(self, run: BaseOxmlElement, above: list[BaseOxmlElement]) -> Verdict | None:
        """How a run is hidden, and whether it is left out."""
        paragraph = next((each for each in above if each.tag == _PARAGRAPH), None)
        if paragraph is None:
            return None
        styled = self._styles.of_run(run.find(qn("w:rPr")), self._name(paragraph))
        if styled.vanishes:
            return Verdict(Way.MARKED)
        found = [each for each in map(self._hides, above) if each is not None]
        if found:  # by one that hides for sure, where there is one
            return max(found, key=lambda each: each.left_out)
        return self._of_looks(styled, paragraph) if _text(run, own=True).strip() else None

    def _of_looks(self, styled: Looks, paragraph: BaseOxmlElement) -> Verdict | None:
        if styled.is_struck or styled.is_struck_twice:
            return Verdict(Way.STRUCK)
        ink = styled.ink or Ink()
        if ink.is_clear:
            return Verdict(Way.TRANSPARENT)
        if _at_most(styled.size, _SMALLEST_SIZE) or _at_most(styled.width, _NARROWEST):
            return Verdict(Way.TINY)
        if _at_most(styled.apart, _LEAST_APART * (styled.size or _USUAL_SIZE)):
            return Verdict(Way.TINY)
        if self._places.is_moved_away(styled.raised):
            return Verdict(Way.AWAY)
        if ink.rgb is None:
            return None
        return verdict_on([ink.rgb], (styled.shade or self._ground(paragraph)).rgb)

    def _verdict_of(self, element: BaseOxmlElement) -> Verdict | None:
        """How an element hides what is in it."""
        verdict = Verdict(Way.MARKED) if _is_marked(element) else self._places.verdict(element)
        if verdict is None and element.tag == _PARAGRAPH:
            lineage = self._styles.paragraph_properties(self._name(element))
            return next(filter(None, map(self._places.of_paragraph, lineage)), None)
        return verdict

    def _ground_of(self, element: BaseOxmlElement) -> Shade:
        """What is behind a paragraph, a cell or what holds them."""
        if (painted := self._painted(element)) is not None:
            return painted
        above = element.getparent()
        return self._page if above is None or element is self._body else self._ground(above)

    def _painted(self, element: BaseOxmlElement) -> Shade | None:
        theme = self._styles.theme
        if element.tag == _PARAGRAPH:
            own = shade_of(element.find(qn("w:pPr")), theme)
            return own or self._styles.paragraph_shade(self._name(element))
        if element.tag == _CELL:
            return shade_of(element.find(qn("w:tcPr")), theme)
        if element.tag == qn("w:tbl"):
            properties = element.find(qn("w:tblPr"))
            if self._styles.shades_tables(style_of(properties, "w:tblStyle")):
                return _UNKNOWN
            return shade_of(properties, theme)
        if element.tag in NOTES:
            return self._page
        return _fill_of(element) if element.tag == qn("w:txbxContent") else None


def _at_most(value: int | None, limit: int) -> bool:
    return value is not None and value <= limit


def _is_marked(element: BaseOxmlElement) -> bool:
    """Whether it is a row or a drawing that Word does not show."""
    if element.tag == _ROW:
        return bool(switched(element.find(qn("w:trPr")), "w:hidden"))
    if element.tag in (f"{DRAWING}anchor", f"{DRAWING}inline"):
        properties = element.find(f"{DRAWING}docPr")
        return properties is not None and properties.get("hidden", "0") in ("1", "true")
    return False


def _fill_of(box: BaseOxmlElement) -> Shade | None:
    """Of the shape that a text box stands in; None where it has none."""
    shape = next((each for each in box.iterancestors() if each.tag == f"{_SHAPE}wsp"), None)
    properties = None if shape is None else shape.find(f"{_SHAPE}spPr")
    if properties is not None and properties.find(f"{_MAIN}noFill") is not None:
        return None
    return _UNKNOWN
