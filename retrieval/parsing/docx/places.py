"""Text of a Word document that stands off the page, or in a place without room.

Word lays a document out, and this does not: only what a frame, a box, a cell or a paragraph says of
its own place is looked at.
"""

from dataclasses import dataclass

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.css.cascade import declared
from retrieval.parsing.css.visibility import Visibility, below
from retrieval.parsing.hiding import SMALLEST_TYPE, Way

_TWIPS, _EMU = 20, 12_700
"""In a point."""
_NO_ROOM = SMALLEST_TYPE * _TWIPS
"""Twips: letters of what is no higher or wider are not read."""
_PAPER = 12_240, 15_840
"""Twips: Letter, where a document says nothing."""
_DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_VML = "{urn:schemas-microsoft-com:vml}"
ROW, CELL, PARAGRAPH = (qn(name) for name in ("w:tr", "w:tc", "w:p"))
Verdict = tuple[Way, bool]
"""How text is hidden, and whether it is left out; in doubt it is read."""


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
        if element.tag == PARAGRAPH:
            return self.of_paragraph(element.find(qn("w:pPr")))
        if element.tag == ROW:
            heights = element.iterfind(f"{qn('w:trPr')}/{qn('w:trHeight')}")
            return (Way.CUT_AWAY, True) if any(map(_is_exactly_low, heights)) else None
        if element.tag == CELL:
            return _of_cell(element)
        if element.tag == qn("w:tbl"):
            return self._of_table(element.find(qn("w:tblPr")))
        if element.tag in (f"{_DRAWN}anchor", f"{_DRAWN}inline"):
            return self._of_drawing(element)
        if str(element.tag).startswith(_VML) and element.get("style"):
            values, _ = declared({"style": element.get("style")}, (), {}, lambda _: None)
            way = below(Visibility(), {}, values).way
            return (way, way is not Way.NOT_FOLLOWED) if way else None
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
            return Way.AWAY, True
        if frame is not None and self._is_off(
            _number(frame, "w:x"), _number(frame, "w:y"), _number(frame, "w:w"), frame
        ):
            return Way.AWAY, True
        is_low = _is_exactly_low(frame, "w:h") or _is_exactly_low(lines, "w:line", "w:lineRule")
        return (Way.CUT_AWAY, True) if is_low else None

    def _of_table(self, properties: BaseOxmlElement | None) -> Verdict | None:
        if properties is None:
            return None
        indent, frame = properties.find(qn("w:tblInd")), properties.find(qn("w:tblpPr"))
        moved = abs(_number(indent, "w:w") or 0) >= self.width
        if frame is not None:
            at = _number(frame, "w:tblpX"), _number(frame, "w:tblpY")
            moved = moved or self._is_off(*at, None, frame)
        return (Way.AWAY, True) if moved else None

    def _is_off(
        self, x: int | None, y: int | None, width: int | None, frame: BaseOxmlElement
    ) -> bool:
        on_page = "page" in (frame.get(qn("w:hAnchor")), frame.get(qn("w:horzAnchor")))
        across = x is not None and (
            x >= self.width or x + (width or 0) <= (0 if on_page and width else -self.width)
        )
        return across or (y is not None and abs(y) >= self.height)

    def _of_drawing(self, drawing: BaseOxmlElement) -> Verdict | None:
        extent = drawing.find(f"{_DRAWN}extent")
        wide, high = (_number(extent, name, prefixed=False) for name in ("cx", "cy"))
        least = SMALLEST_TYPE * _EMU
        if any(side is not None and side <= least for side in (wide, high)):
            return Way.CUT_AWAY, True
        for name, paper, size in (("H", self.width, wide), ("V", self.height, high)):
            for place in drawing.iterfind(f"{_DRAWN}position{name}/{_DRAWN}posOffset"):
                moved = int(place.text or 0) / _EMU * _TWIPS
                on_page = place.getparent().get("relativeFrom") == "page"
                end = moved + (size or 0) / _EMU * _TWIPS
                if moved >= paper or end <= (0 if on_page else -paper):
                    return Way.AWAY, True
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
    return Way.CUT_AWAY, next(layouts, "autofit") == "fixed"


def _is_exactly_low(
    stated: BaseOxmlElement | None, height: str = "w:val", rule: str = "w:hRule"
) -> bool:
    size = _number(stated, height)
    is_exact = stated is not None and stated.get(qn(rule)) == "exact"
    return is_exact and size is not None and size <= _NO_ROOM


def _number(element: BaseOxmlElement | None, name: str, *, prefixed: bool = True) -> int | None:
    value = "" if element is None else str(element.get(qn(name) if prefixed else name, ""))
    return int(value) if value.lstrip("-").isdecimal() and len(value) < 12 else None
