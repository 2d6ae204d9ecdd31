"""The sentences of a reply with marks of their sources: as lines, lists and small tables.

A reply has a handful. Should a writer make very many, the middle ones are left out and the reply
says so: the evidence has all of them. Steps stay an ordered list with the document's numbers.
Bullets stand in where there are several claims. Slack takes one table in a message.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, takewhile

from audit.record import AuditRecord
from audit.values import CellRecord, CitationRecord, ClaimKind, ClaimRecord, Status
from bot.answering.citations.layout import (
    Page,
    cited_by_line,
    has_lines,
    in_one_text,
    page_of,
)
from bot.slack.blocks.elements import (
    ELLIPSIS,
    Block,
    Element,
    Ends,
    RichPiece,
    ends,
    fit,
    in_line,
    line,
    listed,
    rich,
    weight,
    words,
)
from bot.slack.blocks.sources import (
    CitedSource,
    linked_marks,
    marks,
    plain_marks,
    source_in_words,
    sources_of,
)
from bot.wording import BECAUSE, CONCLUDED, UNSUPPORTED_MARK
from bot.wording import slack as wording


@dataclass(frozen=True, slots=True)
class ReplyRow:
    """It is a sentence of a reply, or a line of a list, and cites its sources."""

    text: str
    sources: tuple[CitedSource, ...]
    reasoning: str = ""
    number: int | None = None
    in_list: bool = False
    depth: int = 0
    of_several: bool = False

    def laid_out(self, text: str, reasoning: str, marks: Sequence[Element]) -> RichPiece:
        sentence = [words(f"{text} "), *marks]
        if not self.reasoning.strip():
            return line(*sentence)
        return line(*sentence, words(f"\n{BECAUSE}: {reasoning}", italic=True))


def rows_of(claim: ClaimRecord, cited: Sequence[CitedSource], *, alone: bool) -> list[ReplyRow]:
    """The rows of a claim; `cited`: each citation's source; `alone`: there is no other claim."""
    if not has_lines(claim, alone=alone):
        mark = UNSUPPORTED_MARK if claim.status is Status.UNSUPPORTED else ""
        return [ReplyRow(f"{mark}{claim.text}", once(cited), claim.reasoning)]
    of_several = len(claim.lines) > 1
    rows = [
        ReplyRow(
            each.text,
            once(some),
            number=each.number,
            in_list=each.in_list,
            depth=each.depth,
            of_several=of_several,
        )
        for each, some in zip(claim.lines, cited_by_line(claim.lines, cited), strict=True)
    ]
    return [*rows[:-1], replace(rows[-1], reasoning=claim.reasoning)]


def once(cited: Sequence[CitedSource]) -> tuple[CitedSource, ...]:
    return tuple({each.number: each for each in cited}.values())


def pieces(
    rows: Sequence[ReplyRow], lines: Sequence[RichPiece], *, several: bool
) -> list[RichPiece]:
    """Lines and lists of a reply; `several`: there are claims enough for a bullet each."""
    found: list[RichPiece] = []
    laid_out = zip(_layouts(rows, several=several), lines, strict=True)
    for layout, some in groupby(laid_out, key=lambda each: each[0]):
        of_list = [each for _, each in some]
        style = "bullet" if layout.before is None else "ordered"
        as_list = (style, layout.indent, layout.before or 0)
        found += [listed(of_list, *as_list)] if layout.is_list else of_list
    return found


@dataclass(frozen=True, slots=True)
class _ListLayout:
    """Rows of one layout are one list, or lines of their own."""

    is_list: bool
    indent: int = 0
    before: int | None = None
    """Of an ordered list one less than its first number."""
    begins_at: int = 0
    """Tells apart two ordered lists that begin with the same number."""


def _layouts(rows: Sequence[ReplyRow], *, several: bool) -> Iterator[_ListLayout]:
    layout = _ListLayout(is_list=False)
    expected: int | None = None
    for index, row in enumerate(rows):
        if row.number is None or row.depth:
            indent = int(several and row.of_several and row.in_list) + row.depth
            in_list = row.in_list or (several and bool(row.sources))  # a lead cites nothing
            layout, expected = _ListLayout(in_list, indent), None
        else:  # not indented: Slack counts an indented list by letters
            if row.number != expected:
                layout = _ListLayout(True, before=row.number - 1, begins_at=index)
            expected = row.number + 1
        yield layout


MOST_ROWS = 20
MOST_COLUMNS = 6
"""A phone shows no more; what has more is read as sentences."""
_ROOM = 5_000
_LONGEST_CELL = 200
_NOTHING = "–"
_YEARS = re.compile(r"\b(20\d\d)(?:\s?[/\N{EN DASH}-]\s?(?:20)?(\d\d))?\b")
_NEW_YEAR = 8
"""The month from which on of "2026/27" the first year counts."""


MarksByColumn = Mapping[str, Sequence[Element]]


def table(
    rows: Sequence[Sequence[CellRecord]], marks: Sequence[MarksByColumn], on: date
) -> Block | None:
    """Lay rows out under their columns' names, `marks` beside them; None for what is too large."""
    names = list(dict.fromkeys(cell.name for row in rows for cell in row))
    if not rows or len(rows) > MOST_ROWS or not 1 < len(names) <= MOST_COLUMNS or "" in names:
        return None
    names[1:] = sorted(names[1:], key=lambda name: not _is_current(name, on))
    marked = sorted(
        zip(rows, marks, strict=True),
        key=lambda each: not any(_is_current(cell.value, on) for cell in each[0]),
    )
    laid_out: Block = {
        "type": "table",
        "column_settings": [{"is_wrapped": True} for _ in names],
        "rows": [[_cell(name) for name in names], *(_row(names, *each) for each in marked)],
    }
    return laid_out if weight(laid_out) <= _ROOM else None


def _row(names: Sequence[str], row: Sequence[CellRecord], marks: MarksByColumn) -> list[Block]:
    values = {cell.name: cell.value for cell in row}
    return [_cell(values.get(name, _NOTHING), marks.get(name, ())) for name in names]


def _cell(text: str, marks: Sequence[Element] = ()) -> Block:
    shown = in_line(text, _LONGEST_CELL)
    if marks:
        return rich(line(words(f"{shown} "), *marks))
    return {"type": "raw_text", "text": shown}


def _is_current(text: str, on: date) -> bool:
    return any(_holds(int(each[1]), each[2], on) for each in _YEARS.finditer(text))


def _holds(first: int, second: str | None, on: date) -> bool:
    if not second:
        return first == on.year
    return first == (on.year if on.month >= _NEW_YEAR else on.year - 1)


MOST_STATED = 16
MOST_CONCLUDED = 4
MOST_LINES = 40
"""Of lists, each with its marks: more would leave no room for the words."""
_BLANK = ""
MarksOf = Callable[[Sequence[CitedSource]], list[Element]]
"""Lays out the marks behind a sentence."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is stated in documents, apart from what was concluded from that."""

    stated: Ends[ClaimRecord]
    concluded: Ends[ClaimRecord]
    sources: Mapping[Page, CitedSource]
    """Of those that are shown, in the order in which they are first cited."""
    table: Block | None = None
    """What is stated first, or last, where that is rows of one table: else it is lines."""
    tabled: tuple[ClaimRecord, ...] = ()
    """Of which it is made."""

    @classmethod
    def of(cls, record: AuditRecord) -> "Sentences":
        claims = record.claims
        stated = ends(
            [each for each in claims if each.kind is not ClaimKind.INFERENCE], MOST_STATED
        )
        others = [each for each in claims if each.kind is ClaimKind.INFERENCE]
        concluded = ends(others, MOST_CONCLUDED)
        sources = sources_of((*stated.kept, *concluded.kept))
        lines = cls(stated, concluded, sources)
        tabled = lines._rows_of_one_table()
        rows = lines._as_table(tabled, record.filter.on)
        return replace(lines, table=rows, tabled=tabled) if rows else lines

    def _rows_of_one_table(self) -> tuple[ClaimRecord, ...]:
        """The copies of rows with which it begins, or ends: no table stands among sentences."""
        stated = () if self.stated.omitted else self.stated.kept
        first = tuple(takewhile(_has_rows, stated))
        if first or self.concluded.kept:
            return first
        return tuple(takewhile(_has_rows, reversed(stated)))[::-1]

    def _as_table(self, claims: Sequence[ClaimRecord], on: date) -> Block | None:
        rows = [row for claim in claims for row in claim.rows]
        if len({row[0].name for row in rows}) != 1:
            return None
        marked = [self._marks(each, row) for each in claims for row in each.rows]
        return table(rows, marked, on)

    def _marks(self, claim: ClaimRecord, row: Sequence[CellRecord]) -> MarksByColumn:
        """Behind its first cell, or behind each that cites places of its own."""
        own = {
            cell.name: [claim.citations[each] for each in cell.citations]
            for cell in row
            if cell.citations
        } or {row[0].name: list(claim.citations)}
        return {
            name: linked_marks(
                once(self._cited(claim.model_copy(update={"citations": tuple(cited)})))
            )
            for name, cited in own.items()
        }

    @property
    def begins_with_table(self) -> bool:
        return self.stated.kept[:1] == self.tabled[:1]

    @property
    def kept(self) -> tuple[ClaimRecord, ...]:
        return self.stated.kept + self.concluded.kept

    def mark_of(self, citation: CitationRecord) -> str:
        """Return the mark of what is cited, such as `[1]`; empty where no shown one cites it."""
        source = self.sources.get(page_of(citation))
        return source.mark if source else ""

    def _cited(self, claim: ClaimRecord) -> list[CitedSource]:
        """Return the source of each of its citations, so with repeats.

        As far as this claim cites it: a link leads to what this sentence rests on.
        """
        keys = [page_of(each) for each in claim.citations]
        own = {
            key: tuple(c for c, of in zip(claim.citations, keys, strict=True) if of == key)
            for key in keys
        }
        return [replace(self.sources[key], citations=own[key]) for key in keys]

    def rich_lines(self, room: int) -> list[RichPiece]:
        """Give each a line, linked where there is room; at most `room`, only the longest cut."""
        texts = [text for row in self._rows() for text in (row.text, row.reasoning)]
        fitted = fit(texts, room - self._frame(_BLANK))
        linked = self._laid_out(fitted, linked_marks)
        return linked if weight(rich(*linked)) <= room else self._laid_out(fitted, plain_marks)

    def least(self) -> int:
        return self._frame(ELLIPSIS)

    def _frame(self, text: str) -> int:
        return weight(rich(*self._laid_out([text] * (2 * len(self._rows())), plain_marks)))

    def aloud(self, room: int) -> list[str]:
        texts = fit([_said(claim) for claim in self.kept], room)
        lines = [
            f"{text} {marks(once(self._cited(claim)))}"
            for claim, text in zip(self.kept, texts, strict=True)
        ]
        if self.concluded.kept:
            lines.insert(len(self.stated.kept), f"{CONCLUDED}:")
        return lines

    def sources_aloud(self, room: int) -> list[str]:
        listed = "; ".join(f"{each.mark} {source_in_words(each)}" for each in self.sources.values())
        return fit([listed], room) if listed else []

    def _laid_out(self, texts: Sequence[str], marked: MarksOf) -> list[RichPiece]:
        """Lay out the rows; `texts`: of each row itself and why it follows."""
        fitted = iter(zip(texts[::2], texts[1::2], strict=True))
        parts: list[RichPiece] = []
        for shown in (self.stated, self.concluded):
            if shown is self.concluded and shown.kept:
                parts.append(line(words(f"{CONCLUDED}:", italic=True)))
            several = len(self._in_lines(shown.kept)) > 1
            for claims in (shown.first, shown.last):
                rows = [row for claim in self._in_lines(claims) for row in self._rows_of(claim)]
                lines = [row.laid_out(*next(fitted), marked(row.sources)) for row in rows]
                parts += pieces(rows, lines, several=several)
                if shown.omitted and claims is shown.first:
                    omitted = wording.omitted_sentences(shown.omitted)
                    parts.append(line(words(omitted, italic=True)))
        return parts

    def _in_lines(self, claims: Sequence[ClaimRecord]) -> list[ClaimRecord]:
        return [claim for claim in claims if claim not in self.tabled]

    def _rows(self) -> list[ReplyRow]:
        return [row for claim in self._in_lines(self.kept) for row in self._rows_of(claim)]

    def _rows_of(self, claim: ClaimRecord) -> list[ReplyRow]:
        """A claim's lines, unless all claims together have more than a message takes."""
        if sum(len(each.lines) for each in self.kept) > MOST_LINES:
            claim = claim.model_copy(update={"text": in_one_text(claim), "lines": ()})
        return rows_of(claim, self._cited(claim), alone=len(self.kept) == 1)


def _has_rows(claim: ClaimRecord) -> bool:
    return bool(claim.rows)


def _said(claim: ClaimRecord) -> str:
    unsupported = claim.status is Status.UNSUPPORTED
    return f"{UNSUPPORTED_MARK if unsupported else ''}{in_one_text(claim)}"
