"""pdfplumber tells where the ruled tables of a page are.

pdfplumber reads a page many times slower than PDFium, so it sees only pages on which
PDFium found lines that could make up a table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pdfplumber
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from pdfplumber.pdf import PDF
from pdfplumber.table import Table
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from retrieval.errors import UnreadableDocument
from retrieval.parsing.pdf.characters import PageGeometry
from retrieval.parsing.pdf.drawing import MOST_PATHS, THIN
from retrieval.parsing.rectangles import Rectangle, spanned

_SHORTEST = 15.0
"""Points: shorter lines across are parts of drawings or underline a word."""
_LOWEST = 6.0
"""Points: LaTeX draws the upright lines of a table row by row, and no row of text is lower."""
_DEEPEST_FORM = 5
_LEAST_UPRIGHTS = 3
MOST_UPRIGHTS = 500
"""On a page with more it is not looked for rules that are not drawn."""


@dataclass(frozen=True)
class Grid:
    """It is a grid of cells; (row, column), from 0, to the cell's box as it is shown."""

    edges: tuple[float, ...]
    """The left edge of each column."""
    row_count: int
    cells: Mapping[tuple[int, int], Rectangle]
    rights: tuple[float, ...] = ()
    """The right edge of each column, of a table that is told by its words."""
    header_rows: int | None = None
    """At its top, which name the columns; None where that is not told by lines."""
    shaded: frozenset[tuple[int, int]] = frozenset()
    """The cells that stand on a coloured area."""

    @property
    def box(self) -> Rectangle:
        """Around its cells."""
        return spanned(*self.cells.values())


def may_hold_tables(page: pdfium.PdfPage) -> bool:
    """Whether there are lines both ways, or a box."""
    across = upright = boxes = paths = 0
    for path in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=_DEEPEST_FORM):
        left, bottom, right, top = path.get_bounds()
        wide, high = right - left >= _SHORTEST, top - bottom >= _SHORTEST
        across += wide and top - bottom <= THIN
        upright += top - bottom >= _LOWEST and right - left <= THIN
        boxes += wide and high
        paths += 1
    return paths <= MOST_PATHS and (boxes > 0 or (across > 1 and upright > 1))


class RuledTables:
    def __init__(self, content: bytes, closing: ExitStack) -> None:
        self._content = content
        self._closing = closing
        self._document: PDF | None = None

    def on(self, number: int, geometry: PageGeometry) -> tuple[Grid, ...]:
        """The tables of at least two columns on a page, counted from 0.

        Raise `UnreadableDocument` for a damaged file of which pdfplumber does not find what
        PDFium found, such as a page.
        """
        try:
            if self._document is None:
                opened = pdfplumber.open(BytesIO(self._content))
                self._document = self._closing.enter_context(opened)
            page = self._document.pages[number]
            ends: list[Any] = list(_where_uprights_end(page.edges))
            settings = {"explicit_horizontal_lines": ends} if ends else None
            found = page.find_tables(settings)
            areas = [each for each in page.rects if each["fill"] and not _is_white(each)]
            tables = [_ruled(table, areas, geometry.media_offset()) for table in found]
            page.close()
            return tuple(table for table in tables if len(table.edges) > 1)
        except (MalformedPDFException, PdfminerException, IndexError) as error:
            raise UnreadableDocument(
                "has tables that cannot be read; print it to a new PDF, and add that"
            ) from error


def _where_uprights_end(edges: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Rules that are not drawn: where a row is cut in two by a page's end, or goes on from one.

    All upright lines of a table end or begin there, and none goes through.
    """
    uprights = [edge for edge in edges if edge["orientation"] == "v"]
    across = [edge for edge in edges if edge["orientation"] == "h"]
    if len(uprights) > MOST_UPRIGHTS:
        return
    ends = sorted({round(edge[side]) for edge in uprights for side in ("top", "bottom")})
    for y in ends:
        met = [each for each in uprights if min(abs(each[s] - y) for s in ("top", "bottom")) < THIN]
        left, right = min(each["x0"] for each in met), max(each["x1"] for each in met)
        passing = any(
            each["top"] + THIN < y < each["bottom"] - THIN and left <= each["x0"] <= right
            for each in uprights
        )
        ruled = any(
            abs(each["top"] - y) < THIN and each["x0"] < right and each["x1"] > left
            for each in across
        )
        apart = len({round(each["x0"] / THIN) for each in met})
        if apart >= _LEAST_UPRIGHTS and not passing and not ruled:
            places = {"x0": left, "x1": right, "top": y, "bottom": y}
            yield {"object_type": "line", "width": right - left, "height": 0, **places}


def _is_white(area: Mapping[str, Any]) -> bool:
    """In grey or RGB, or without ink; what is not told counts as such."""
    colour = area["non_stroking_color"]
    parts = colour if isinstance(colour, list | tuple) else (colour,)
    return set(parts) <= {0 if len(parts) == 4 else 1, None}


def _is_on(box: Rectangle, areas: Iterable[Mapping[str, Any]]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(a["x0"] < x < a["x1"] and a["top"] < y < a["bottom"] for a in areas)


def _ruled(table: Table, areas: Sequence[Mapping[str, Any]], offset: tuple[float, float]) -> Grid:
    dx, dy = offset
    rows: Sequence[Sequence[Rectangle | None]] = [row.cells for row in table.rows]
    cells = {
        (row, column): (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy)
        for row, boxes in enumerate(rows)
        for column, box in enumerate(boxes)
        if box is not None
    }
    lefts: dict[int, float] = {}
    for (_, column), box in cells.items():
        lefts[column] = min(box[0], lefts.get(column, box[0]))
    width = max(lefts, default=-1) + 1
    edges = tuple(lefts.get(column, 0.0) for column in range(width))
    shaded = frozenset(
        (row, column)
        for row, boxes in enumerate(rows)
        for column, box in enumerate(boxes)
        if box is not None and _is_on(box, areas)
    )
    return Grid(edges, len(rows), cells, shaded=shaded)
