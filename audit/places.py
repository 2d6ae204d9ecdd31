"""Where something stands in a file: one value, from the parser to the record and every door.

Plain, for parsers make very many in processes that should be small; yet kept as strictly as all
else in a record.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

_CELL = "[A-Z]{1,7}[1-9][0-9]{0,9}"
CELLS: Final = rf"^({_CELL}(:{_CELL})?)?$"
"""A name such as `B7`, or `B7:D9` for all cells between; empty for none."""
STRICT: Final[Mapping[str, object]] = {
    "extra": "forbid",
    "allow_inf_nan": False,
    "revalidate_instances": "always",
}
"""How a record keeps a plain value: it refuses what `audit.values.Value` refuses."""
_ROW = re.compile(r"\btable \d+, row \d+$")
"""Of a table in a text, whose paragraph is the one above the table."""
MISREAD = "read by text recognition and may be misread"


@dataclass(frozen=True, slots=True)
class Box:
    __pydantic_config__: ClassVar = STRICT
    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file a run of sentences stands, under one heading; all counts are from 1."""

    __pydantic_config__: ClassVar = STRICT
    page: int | None = None
    line_start: int | None = None
    line_end: int | None = None
    paragraph: int | None = None
    """Of the first sentence."""
    section_path: tuple[str, ...] = ()
    page_label: str = ""
    """What people call the page where that is not "page N": "slide 3", "sheet Fees", "pages 3-4",
    or what a paragraph or a row is called: "clause 2.2 (a)", "table 2, row 3".
    Older records lack it, as the next."""
    cell_range: str = ""
    """Such as `B7` or `B7:D9` in a spreadsheet; empty elsewhere. Raise `ValueError` for others."""
    misread: bool = False
    """Whether text recognition read a word of it so unsurely that it may have misread it."""

    def __post_init__(self) -> None:
        if not re.fullmatch(CELLS, self.cell_range):
            raise ValueError(f"{self.cell_range!r} names no cells")

    def in_words(self, file: str = "", cells: str = "") -> str:
        """Such as `pay.md, page 2, lines 3-5 (Pay > Overtime)`; empty where nothing is known.

        `cells`: which are meant of its range. Every door says a place with these words.
        """
        has_own = self.paragraph is not None and not _ROW.search(self.page_label)
        paragraph = f"paragraph {self.paragraph}" if has_own else ""
        misread = MISREAD if self.misread else ""
        named = " ".join(file.splitlines())
        cells = _cells(cells or self.cell_range)
        known = (named, self._page(), self._lines(), cells, paragraph, misread)
        section = " > ".join(name for name in self.section_path if self._adds(name))
        return " ".join(filter(None, (", ".join(filter(None, known)), section and f"({section})")))

    def _adds(self, name: str) -> bool:
        """Whether a heading says more than the page's label, as that of a sheet does not."""
        return bool(name.strip()) and self.page_label != f"sheet {name}"

    def _page(self) -> str:
        return self.page_label or ("" if self.page is None else f"page {self.page}")

    def _lines(self) -> str:
        if self.line_start is None:
            return ""
        if self.line_end in (None, self.line_start):
            return f"line {self.line_start}"
        return f"lines {self.line_start}-{self.line_end}"


def _cells(names: str) -> str:
    kind = "cells" if ":" in names or "," in names else "cell"
    return f"{kind} {names}" if names else ""
