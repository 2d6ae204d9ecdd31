"""CSV and TSV: a table as text, a record for each row (RFC 4180).

Nothing of a file says what stands between its values, so that is tried. A record is cited by its
lines in the file, and by the cells that a spreadsheet program shows it in.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice

from retrieval.errors import UnreadableDocument
from retrieval.parsing.decoding import decode, windows_1252
from retrieval.parsing.draft import Draft
from retrieval.parsing.embedded_metadata import FIRST_LINES, stated_in_columns
from retrieval.parsing.limits import MOST_PLACES, require_at_most
from retrieval.parsing.placed import PlacedText, join
from retrieval.parsing.spreadsheet import GridCell, GridRow, GridWriter, Place
from retrieval.types import ParsedDocument

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_STATED = re.compile(r"sep=([,;|\t])[\r\n]*", re.IGNORECASE)
"""What Excel takes a first line for that states what stands between values."""
_BETWEEN = (",", ";", "\t", "|")
_TRIED = 50
"""Records by which it is told what stands between values."""


@dataclass(frozen=True, slots=True)
class _Record:
    values: list[str]
    first_line: int
    """From 1; `last_line` is inclusive."""
    last_line: int


def parse(content: bytes) -> ParsedDocument:
    """Read a file of values with commas, semicolons, tabs or bars between them.

    Raise `UnreadableDocument` for what is not text in UTF-8 or surely in Windows-1252,
    or has a quotation that does not end.
    """
    source = _decoded(content)
    lines = _LINE.findall(source)
    stated = _STATED.fullmatch(lines[0])
    skipped = 1 if stated else 0
    between = stated[1] if stated else _between(lines)
    starts = [0, *accumulate(map(len, lines))]
    draft = Draft()
    records = list(_records(lines[skipped:], between))  # all are counted before any is placed
    draft.state(stated_in_columns([each.values for each in records[:FIRST_LINES]]))
    rows = [
        _row(number, record, skipped, starts, source)
        for number, record in enumerate(records, start=1)
    ]
    GridWriter(draft, Place(), names_columns=True).write(rows)
    if draft.is_empty:
        raise UnreadableDocument("holds no values; add some, or remove it")
    return draft.document(source)


def _decoded(content: bytes) -> str:
    """Excel saves values in Windows-1252 unless it is asked for UTF-8."""
    try:
        return decode(content)
    except UnreadableDocument:
        text = windows_1252(content)
        if text is None:
            raise
        return text


def _row(number: int, record: _Record, skipped: int, starts: Sequence[int], source: str) -> GridRow:
    first, last = record.first_line + skipped, record.last_line + skipped
    start, end = starts[first - 1], starts[last]
    end = start + len(source[start:end].rstrip("\r\n"))
    cells, at = [], start
    for column, value in enumerate(record.values, start=1):
        placed = _placed(value, source, at, end)
        at = placed.end if placed else at
        if text := placed.folded():
            cells.append(GridCell(column, text))
    return GridRow(number, tuple(cells), start, end, (first, last))


def _placed(value: str, source: str, start: int, end: int) -> PlacedText:
    """A value where it stands in its record, in which its quotation marks may be doubled."""
    if not value:
        return PlacedText()
    doubled = source.find(value.replace('"', '""'), start, end)
    if doubled >= 0 and '"' in value:
        return join(list(_undoubled(value, doubled)))
    found = source.find(value, start, end)
    if found < 0:
        return PlacedText.in_place_of(value, start, end)
    return PlacedText.verbatim(value, found)


def _undoubled(value: str, at: int) -> Iterator[PlacedText]:
    for number, part in enumerate(value.split('"')):
        if number:
            yield PlacedText.in_place_of('"', at, at + 2)
            at += 2
        yield PlacedText.verbatim(part, at)
        at += len(part)


def _records(lines: Sequence[str], between: str) -> Iterator[_Record]:
    reader = csv.reader(lines, delimiter=between, strict=True)
    places = line = 0
    try:
        for values in reader:
            places += len(values)
            require_at_most(places, MOST_PLACES, "values")
            yield _Record(values, line + 1, reader.line_num)
            line = reader.line_num
    except csv.Error as error:
        raise UnreadableDocument(
            f"has a record that cannot be told from the next, at line {line + 1} ({error}); put a "
            'value that holds quotation marks between others, and double each within: "a ""b"" c"'
        ) from error


def _between(lines: Sequence[str]) -> str:
    """What splits the first records into several values, and most alike."""
    return max(_BETWEEN, key=lambda each: _likeness(lines, each))


def _likeness(lines: Sequence[str], between: str) -> tuple[float, int]:
    """The share of records that have as many values as most have, and how many these are."""
    widths: Counter[int] = Counter()
    with suppress(csv.Error):  # what is wrong is told once the file is read
        records = islice(csv.reader(lines, delimiter=between), _TRIED)
        widths.update(len(values) for values in records if values)
    if not widths:
        return 0.0, 0
    width, count = max(widths.items(), key=lambda each: (each[1], each[0]))
    return (count / widths.total(), width) if width > 1 else (0.0, 1)
