"""pdfplumber tells where the ruled tables of a page are.

pdfplumber reads a page many times slower than PDFium, so it sees only pages on which
PDFium found lines that could make up a table.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO

import pdfplumber
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from pdfplumber.pdf import PDF
from pdfplumber.table import Table
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from retrieval.errors import UnreadableDocument
from retrieval.parsing.pdf.text import PageGeometry, Rectangle

THIN = 3.0
"""Points: a path no thicker is a line."""
_SHORTEST = 15.0
"""Points: shorter lines across are parts of drawings or underline a word."""
_LOWEST = 6.0
"""Points: LaTeX draws the upright lines of a table row by row, and no row of text is lower."""
MOST_PATHS = 5000
"""A page with more is a map or a drawing, on which a search for tables takes minutes."""
_DEEPEST_FORM = 5


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

    @property
    def box(self) -> Rectangle:
        """Around its cells."""
        lefts, tops, rights, bottoms = zip(*self.cells.values(), strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


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
    """They are found in one file, which is opened when it is first asked."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._closing = ExitStack()
        self._document: PDF | None = None

    def __enter__(self) -> "RuledTables":
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def on(self, number: int, geometry: PageGeometry) -> tuple[Grid, ...]:
        """The tables of at least two columns on a page, counted from 0.

        Raise `UnreadableDocument` for a damaged file of which pdfplumber does not find what
        PDFium found, such as a page.
        """
        with _readable():
            if self._document is None:
                opened = pdfplumber.open(BytesIO(self._content))
                self._document = self._closing.enter_context(opened)
            page = self._document.pages[number]
            tables = [_ruled(table, geometry.media_offset()) for table in page.find_tables()]
            page.close()
            return tuple(table for table in tables if len(table.edges) > 1)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (MalformedPDFException, PdfminerException, IndexError) as error:
        raise UnreadableDocument(
            "has tables that cannot be read; print it to a new PDF, and add that"
        ) from error


def _ruled(table: Table, offset: tuple[float, float]) -> Grid:
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
    return Grid(edges, len(rows), cells)
