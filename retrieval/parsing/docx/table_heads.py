"""Which rows of a Word table name its columns."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.styles.style import BaseStyle

from retrieval.parsing.docx.styles import Styles
from retrieval.parsing.docx.text import is_bold
from retrieval.parsing.tables import (
    Cell,
    filled,
    have_numbers,
    heads_where_merged,
    looks_like_header,
)


def head_count(
    table: BaseOxmlElement,
    rows: Sequence[Sequence[tuple[Cell, str]]],
    style: BaseStyle | None,
    styles: Styles,
) -> int:
    """How many rows at the top name the columns; `rows` as `rows_of` gives them.

    `style` is the table's. None where a cell of theirs goes on below, unless numbers there say that
    they are names.
    """
    marked = len(list(takewhile(_is_marked, table.tr_lst)))
    if 1 < marked < len(rows):
        return marked
    cells = [[cell for cell, _ in row] for row in rows]
    own = list(filled([[replace(cell, text=text) for cell, text in row] for row in rows]))
    bold = _are_bold(table, styles)
    heads = heads_where_merged(cells, own, stand_out=bold == [True, True, False])
    if marked == 1 < len(rows):
        return heads
    texts = [[cell.text for cell in row] for row in cells]
    stands_out = _is_set_off(table, style) or [*bold[:1], *bold[heads : heads + 1]] == [True, False]
    if not looks_like_header([*texts[:1], *texts[heads:]], stands_out):
        return 0
    goes_on = any(cell.text and not text for cell, text in rows[heads])
    return 0 if goes_on and not have_numbers(own[heads:]) else heads


def _is_marked(row: BaseOxmlElement) -> bool:
    """Whether Word repeats the row at the top of each page."""
    return row.trPr is not None and row.trPr.find(qn("w:tblHeader")) is not None


def _is_set_off(table: BaseOxmlElement, style: BaseStyle | None) -> bool:
    """Whether the table's style sets its first row off."""
    look = table.tblPr.find(qn("w:tblLook"))
    first_row = look is not None and look.get(qn("w:firstRow"), "1") in ("1", "true")
    conditional = style.element.iter(qn("w:tblStylePr")) if style else ()
    return first_row and any(part.get(qn("w:type")) == "firstRow" for part in conditional)


def _are_bold(table: BaseOxmlElement, styles: Styles) -> list[bool]:
    """Whether the first three rows are."""
    rows = ((p for cell in row.tc_lst for p in cell.p_lst) for row in table.tr_lst[:3])
    return [all(is_bold(p, styles) for p in row if p.text.strip()) for row in rows]
