"""Plain text has paragraphs, lists, and headings where they cannot be mistaken."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from retrieval.language.sentences import sentence_spans
from retrieval.parsing.decoding import decode
from retrieval.parsing.draft import Draft, number_in
from retrieval.parsing.drawn_tables import drawn_rows
from retrieval.parsing.limits import LONGEST_HEADING, LONGEST_SENTENCE
from retrieval.parsing.placed import Lines, PlacedText, item_spans
from retrieval.parsing.tables import Cell, RowText, have_numbers, looks_like_header, row_texts
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
    """Lines without blank ones between them."""
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
    """The level of a heading with a line drawn below it, or 0."""
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
