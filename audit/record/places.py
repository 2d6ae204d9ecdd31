"""Where something stands in a file."""

from typing import Annotated

from pydantic import Field

from audit.record.base import Value

_CELL = r"[A-Z]{1,7}[1-9][0-9]{0,9}"
CellRange = Annotated[str, Field(pattern=rf"^({_CELL}(:{_CELL})?)?$")]
"""Such as `B7` or `B7:D9` in a spreadsheet; empty elsewhere."""


class BoundingBox(Value):
    """A box is a rectangle on a page, in points from the page's top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class SourcePlace(Value):
    """A place in a file counts pages, lines and paragraphs from 1; None where it has none."""

    page: int | None = None
    line_start: int | None = None
    line_end: int | None = None
    paragraph: int | None = None
    section_path: tuple[str, ...] = ()
    page_label: str = ""
    """What people call the page where that is not "page N"; older records lack it, as the next."""
    cell_range: CellRange = ""
    misread: bool = False
    """Whether text recognition read a word so unsurely that it may have misread it."""
