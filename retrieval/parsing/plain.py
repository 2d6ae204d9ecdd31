"""Plain text has paragraphs, lists, drawn tables, and headings where they cannot be mistaken."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from retrieval.language.sentences import sentence_spans
from retrieval.parsing.decoding import decode
from retrieval.parsing.draft import Draft, number_in
from retrieval.parsing.limits import LONGEST_HEADING, LONGEST_SENTENCE
from retrieval.parsing.placed import Lines, PlacedText, item_spans
from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import (
    Cell,
    RowText,
    have_numbers,
    heads_and_names,
    looks_like_header,
    row_texts,
)
from retrieval.types import FragmentKind, ParsedDocument, Sentence

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)")
_UNDERLINE = re.compile(r"\s*(={3,}|-{3,})\s*")
_GAP = re.compile(r"(?<=\S)(?:\t| {2,}|(?<![.?]) ?\.{4,} ?)\s*(?=\S)")
_PIECE = re.compile(r"\S+(?: \S+)*")
_SENTENCE_ENDS = re.compile(r"[.!?;,][\"')\]]*(?: {2,3})(?=\S)")
"""As people type them, with two spaces."""
_RULE = re.compile(r"\s*[-=_*~#.]{3,}\s*")
_FEW = 2
"""Pieces: of so few, as many lines may be labels with their values."""
_FAR = 2
"""Spaces: more are between columns."""
_LONGEST_CAPITALS = 80
"""Characters: a longer line in capitals is a warning, not a heading."""
_NUMBERED_SECTION = re.compile(r"\d{1,2}\.\s")


def parse(content: bytes) -> ParsedDocument:
    """Read a text file; raise `UnreadableDocument` for what is not text."""
    source = decode(content)
    writer = _Writer(source)
    for block in _blocks(source):
        writer.block(block)
    return writer.draft.document(source)


def _blocks(source: str) -> Iterator[list[PlacedText]]:
    lines = (PlacedText.verbatim(found[0], found.start()) for found in _LINE.finditer(source))
    for is_blank, block in groupby(lines, lambda line: not line.text.strip()):
        if not is_blank:
            yield list(block)


class _Writer:
    def __init__(self, source: str) -> None:
        self.draft = Draft()
        self._lines = Lines(source)

    def block(self, lines: list[PlacedText]) -> None:
        """A heading and what stands right below it, a list, or a paragraph."""
        if len(lines) > 1 and (level := _underlined(*lines[:2])):
            self._heading(level, lines[0])
            lines = lines[2:]
        elif _in_capitals(lines):
            self._heading(2, lines[0])
            lines = lines[1:]
        part: list[PlacedText] = []
        for line in lines:
            if _RULE.fullmatch(line.text):
                self._part(part)
                part = []
            elif _ITEM.match(line.text) or (part and _ends(part[0], line)):
                self._part(part)
                part = [line]
            else:
                part.append(line)
        self._part(part)

    def _heading(self, level: int, line: PlacedText) -> None:
        """`line` holds more than white space."""
        start, text = line.start + len(line.text) - len(line.text.lstrip()), line.text.strip()
        number = self._lines.at(start)
        place = Sentence(" ".join(text.split()), start, start + len(text), number, number)
        self.draft.heading(level, place.text, place)

    def _part(self, lines: list[PlacedText]) -> None:
        if not lines:
            return
        text = PlacedText.verbatim("".join(line.text for line in lines), lines[0].start)
        marker = _ITEM.match(text.text)
        if marker:
            item = text[marker.end() :].folded()
            number = number_in(text.text[: marker.end()])
            self.draft.item(number, self._placed(item, item_spans(item.text) if item else []))
        elif drawn := drawn_rows([line.text for line in lines]):
            for numbers, read in drawn:
                held = "".join(lines[number].text for number in numbers)
                folded = PlacedText.verbatim(held, lines[numbers[0]].start).folded()
                [place] = self._placed(folded, [(0, len(folded.text))])
                told = replace(place, text=read.text, cells=read.placed())
                kind = FragmentKind.PARAGRAPH if read.is_line else FragmentKind.TABLE_ROW
                self.draft.fragment(kind, [told] if read.text else [])
        elif _are_columns(lines):
            whole = [line.folded() for line in lines]
            printed = [row for each in whole for row in self._placed(each, [(0, len(each.text))])]
            rows = _rows(lines)
            for row, read in zip(printed[1:], rows, strict=False):
                told = replace(row, text=read.text, cells=read.placed())
                self.draft.fragment(FragmentKind.TABLE_ROW, [told])
            self.draft.fragment(FragmentKind.PARAGRAPH, [] if rows else printed)
        else:
            folded = text.folded()
            sentences = self._placed(folded, sentence_spans(folded.text))
            self.draft.fragment(FragmentKind.PARAGRAPH, sentences)

    def _placed(self, text: PlacedText, spans: list[tuple[int, int]]) -> list[Sentence]:
        sentences = []
        for first, last in spans:
            start, end = text.span(first, last)
            lines = self._lines.at(start), self._lines.at(end - 1)
            sentences.append(Sentence(text.text[first:last], start, end, *lines))
        return sentences


def _ends(first: PlacedText, line: PlacedText) -> bool:
    """Whether a line begins a sentence, further out than the item before it."""
    begins = _ITEM.match(first.text) is not None and not line.text.lstrip()[:1].islower()
    return begins and _indent(line) < _indent(first)


def _indent(line: PlacedText) -> int:
    text = line.text.expandtabs()
    return len(text) - len(text.lstrip())


def _underlined(line: PlacedText, below: PlacedText) -> int:
    drawn = _UNDERLINE.fullmatch(below.text)
    length = len(line.text.strip())
    if drawn is None or length > LONGEST_HEADING or abs(len(drawn[1]) - length) > 2:
        return 0
    return 1 if drawn[1].startswith("=") else 2


def _are_columns(lines: list[PlacedText]) -> bool:
    """Whether lines have columns, with spaces between: each is a row, as it is printed.

    Each has several pieces beside its first, or most have and what the others hold stands under one
    piece each; or all have one, of which the gaps or dots before it tell that it is a value.
    """
    texts = [line.text.strip() for line in lines]
    gaps = [len(_GAP.findall(text)) for text in texts]
    if len(lines) < 2 or not all(gaps) or any(len(text) > LONGEST_SENTENCE for text in texts):
        return False
    if min(gaps) > 1:
        return True
    table = _pieces(lines)
    if any(_SENTENCE_ENDS.search(text) for text in texts):
        return False
    if max(gaps) == 1:
        return all("...." in text for text in texts) or _are_even(table)
    several = sum(gap > 1 for gap in gaps)
    return 2 * several >= len(gaps) and all(_placed_under(row, table[0]) for row in table[1:])


Pieces = list[re.Match[str]]


def _pieces(lines: list[PlacedText]) -> list[Pieces]:
    return [list(_PIECE.finditer(line.text.expandtabs())) for line in lines]


def _are_even(table: list[Pieces]) -> bool:
    """Whether the second of two pieces begins or ends at one place, some of them far behind."""
    if any(len(row) != 2 for row in table):
        return False
    is_far = any(row[1].start() - row[0].end() > _FAR for row in table)
    starts, ends = ({place(row[1]) for row in table} for place in (re.Match.start, re.Match.end))
    return is_far and 1 in (len(starts), len(ends))


def _rows(lines: list[PlacedText]) -> list[RowText]:
    """What each line but the first reads as, where that names the columns; none in doubt.

    Each piece of a line stands under one head, between those beside that, the first under the
    first, and all others are numbers.
    """
    table = _pieces(lines)
    heads = table[0]
    placed = [_placed_under(row, heads) for row in table[1:]]
    if not all(0 in row for row in placed) or len(table) <= len(heads) == _FEW:
        return []
    texts = [[row.get(at, "") for at in range(len(heads))] for row in placed]
    numbers = (have_numbers([[row[at]] for row in texts]) for at in range(1, len(heads)))
    names = [head[0] for head in heads]
    if not (looks_like_header([names, *texts], stands_out=False) and all(numbers)):
        return []
    return list(row_texts([list(map(Cell, row)) for row in texts], names))


def _placed_under(row: Pieces, heads: Pieces) -> dict[int, str]:
    """By head, what of a line stands under it; nothing where that is in doubt."""
    starts, ends = [head.start() for head in heads], [head.end() for head in heads]
    before, after = [0, *ends], [*starts[1:], math.inf]
    are_even = len(row) == len(heads)
    placed = {}
    for number, piece in enumerate(row):
        first, last = bisect_right(ends, piece.start()), bisect_left(starts, piece.end()) - 1
        at = number if are_even else first
        if not are_even and first != last:
            return {}
        if piece.start() < before[at] or piece.end() > after[at]:
            return {}
        placed[at] = piece[0]
    return placed if len(placed) == len(row) else {}


def _in_capitals(lines: list[PlacedText]) -> bool:
    """Whether a block begins with a line in capitals that names what stands below it."""
    text, below = lines[0].text.strip(), lines[1:]
    named = _NUMBERED_SECTION.sub("", text)
    return (
        text.isupper()
        and sum(map(str.isalpha, text)) >= 4
        and len(text) <= _LONGEST_CAPITALS
        and text[-1] not in ".!?:;,"
        and (not _ITEM.match(text) or bool(_NUMBERED_SECTION.match(text)))
        and (not below or (_only_names(named) and _are_sentences(below)))
    )


def _only_names(text: str) -> bool:
    """Whether a line says no value: "FEE 30 EUR" above more of it is no heading."""
    return not (any(map(str.isdigit, text)) or ":" in text or _GAP.search(text))


def _are_sentences(lines: list[PlacedText]) -> bool:
    first, last = lines[0].text.strip(), lines[-1].text.strip()
    return not first.isupper() and not first[0].islower() and last.endswith((".", "!", "?"))


_DRAWN = re.compile(r"[\s|+\u2500-\u256c=-]*")
_STROKE = re.compile(r"[─━═=-]{3,}")
_COUNT = re.compile(r"\s*\(\d+ rows?\)\s*")
"""What psql prints below a table."""
_BAR = re.compile("[|│║]")
_CELL_GAP = re.compile(r"\S(?: {2,}|\t)\S")
DrawnRow = tuple[Sequence[int], RowText]
"""The lines on which it stands, by index, and what it reads as."""


def drawn_rows(lines: Sequence[str]) -> list[DrawnRow]:
    """The rows of a table below that which names its columns; none where it is no such table."""
    drawn = drawn_cells(lines)
    cells = [list(map(Cell, texts)) for _, texts in drawn]
    heads, names = heads_and_names(cells, 1)
    read = told_rows(cells[heads:], names)
    return [
        (numbers, text) for (numbers, _), text in zip(drawn[heads:], read, strict=True) if heads
    ]


def drawn_cells(lines: Sequence[str]) -> list[tuple[Sequence[int], list[str]]]:
    """The cells of each row, and on which lines it stands; none where it is no such table.

    Each line is a row, but what lacks its first cell and another one goes on the line above, as
    does all that stands between two drawn lines of several, and what has a first cell alone, in
    small letters. That the first row names the columns is sure where "=" is drawn below it, or one
    line alone and several rows.
    """
    drawn = [
        n
        for n, line in enumerate(lines)
        if (_DRAWN.fullmatch(line) and _STROKE.search(line)) or _COUNT.fullmatch(line)
    ]
    cells = _cells(lines, drawn)
    widths = {len(each) for each in cells.values()}
    if len(cells) < 2 or len(widths) != 1 or not all(widths):
        return []
    blocks: list[list[int]] = [[min(cells)]]
    for before, number in pairwise(sorted(cells)):
        if number - before > 1:
            blocks.append([])
        blocks[-1].append(number)
    parted = [_rows_drawn(block, cells, is_ruled=len(blocks) > 2) for block in blocks]
    rows = [row for each in parted for row in each] if all(parted) else []
    texts = [_joined([cells[number] for number in row]) for row in rows]
    if len(blocks) < 2 or not rows or rows[0] != blocks[0]:
        return []
    below = lines[blocks[0][-1] + 1]
    is_sure = "=" in below or "═" in below or (len(blocks) == 2 and len(rows) > 2)
    return list(zip(rows, texts, strict=True)) if looks_like_header(texts, is_sure) else []


def _cells(lines: Sequence[str], drawn: Sequence[int]) -> dict[int, list[str]]:
    """By line, of those that are not drawn; empty where some line stands in no columns."""
    apart = frozenset(drawn)
    written = {n: line for n, line in enumerate(lines) if n not in apart}
    if not drawn or not written or min(written) > max(drawn):
        return {}
    if all(_BAR.search(line) for line in written.values()):
        return _between_bars(written)
    starts = [stroke.start() for stroke in _STROKE.finditer(lines[drawn[0]].expandtabs())]
    if len(starts) < 2 or any(_BAR.search(line) for line in lines):
        return {}
    return {n: _below(starts, line.expandtabs()) for n, line in written.items()}


def _between_bars(lines: Mapping[int, str]) -> dict[int, list[str]]:
    """A bar that ends every line frames the table; one that ends some stands before no value."""
    cells = {n: [cell.strip() for cell in _BAR.split(line)] for n, line in lines.items()}
    first = int(not any(each[0] for each in cells.values()))
    last = None if any(each[-1] for each in cells.values()) else -1
    return {n: each[first:last] for n, each in cells.items()}


def _below(starts: Sequence[int], line: str) -> list[str]:
    """Nothing at all where what it says does not keep to the columns."""
    crosses = any(line[at - 1 : at].strip() for at in starts[1:])
    pairs = zip(starts, [*starts[1:], len(line)], strict=True)
    cells = [line[start:end].strip() for start, end in pairs]
    is_astray = crosses or line[: starts[0]].strip() or any(map(_CELL_GAP.search, cells))
    return [] if is_astray else cells


def _rows_drawn(
    block: Sequence[int], cells: Mapping[int, list[str]], *, is_ruled: bool
) -> list[list[int]]:
    """The lines of each row; none where it is not sure to which one a line belongs."""
    led = sum(bool(cells[number][0]) for number in block)
    if is_ruled and cells[block[0]][0] and led == 1:
        return [list(block)]
    if is_ruled and sum(all(cells[number]) for number in block) <= 1:
        return []
    rows: list[list[int]] = []
    is_small = any(cells[n][0][:1].islower() and any(cells[n][1:]) for n in block)
    for number in block:
        first, *others = cells[number]
        if first and (any(others) or not rows or is_small or not first[0].islower()):
            rows.append([number])
        elif rows and not all(others):
            rows[-1].append(number)
        else:
            return []
    return rows


def _joined(lines: Sequence[list[str]]) -> list[str]:
    return [" ".join(filter(None, parts)) for parts in zip(*lines, strict=True)]
