"""What is read of real documents, such as those of Debian's packages, kind by kind."""

import gzip
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from bot.lab.tables import table_of
from retrieval.errors import UnreadableDocument
from retrieval.types import FragmentKind, ParsedDocument

if TYPE_CHECKING:
    from retrieval.ingest.parser_pool import ParserPool

_MOST_OF_A_KIND = 40
"""Documents; those that come first by their path."""
_MOST_BYTES = 10_000_000
_CHARACTERS_OF_A_PAGE = 3_000
"""Of a kind that has no pages."""


@dataclass(slots=True)
class _Read:
    """Of one kind; cells are those of tables, named those under the name of their column."""

    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, parsed: ParsedDocument, seconds: float) -> None:
        self.seconds += seconds
        rows = (each for each in parsed.fragments if each.kind is FragmentKind.TABLE_ROW)
        cells = [cell for row in rows for sentence in row.sentences for cell in sentence.cells]
        pages = len(parsed.pages) or -(-len(parsed.source) // _CHARACTERS_OF_A_PAGE)
        self.counts += Counter(
            read=1, pages=pages, cells=len(cells), named=sum(bool(cell.name) for cell in cells)
        )

    def row(self) -> Iterator[str]:
        counts = self.counts
        yield from (str(counts[name]) for name in ("files", "read", "pages", "cells", "named"))
        yield f"{self.seconds / max(counts['pages'], 1):.3f}"


def documents_table(folders: Sequence[Path], pool: "ParserPool") -> Table:
    """By kind: of how many files how many were read, their pages and cells, seconds a page."""
    kinds: dict[str, _Read] = defaultdict(_Read)
    with pool.of(1) as reading:
        for name, content in _documents(folders):
            kind = kinds[Path(name).suffix.lower()]
            kind.counts["files"] += 1
            start = time.perf_counter()
            try:
                parsed = reading.parse(name, content)
            except UnreadableDocument:
                continue
            kind.add(parsed, time.perf_counter() - start)
    head = ("kind", "files", "read", "pages", "cells", "under a name", "seconds a page")
    rows = ([suffix, *kind.row()] for suffix, kind in sorted(kinds.items()))
    return table_of(head, rows, "Real documents")


def _documents(folders: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Name and content of each, those that are packed by gzip unpacked."""
    from retrieval.parsing import is_read

    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(each for folder in folders for each in folder.rglob("*")):
        name = path.name.removesuffix(".gz")
        if is_read(name) and path.is_file() and not path.is_symlink():
            found[Path(name).suffix.lower()].append(path)
    for paths in found.values():
        for path in islice((p for p in paths if p.stat().st_size <= _MOST_BYTES), _MOST_OF_A_KIND):
            content = path.read_bytes()
            is_packed = path.suffix == ".gz"
            yield path.name.removesuffix(".gz"), gzip.decompress(content) if is_packed else content
