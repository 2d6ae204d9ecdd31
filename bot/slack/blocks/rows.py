"""The rows of a reply: a sentence each, or a line of a list that was copied.

Steps stay an ordered list with the document's numbers. Bullets stand in where there are several
claims.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from audit.record.claims import ClaimRecord, Status
from bot.citation_style import CitationStyle
from bot.claim_lines import cited_by_line, has_lines
from bot.slack.blocks.elements import Element, RichPiece, line, listed, words
from bot.slack.blocks.sources import Source
from bot.wording import BECAUSE, UNSUPPORTED_MARK


@dataclass(frozen=True, slots=True)
class Row:
    """A row is a sentence of a reply, or a line of a list, and cites its sources."""

    text: str
    sources: tuple[Source, ...]
    reasoning: str = ""
    closing: str = ""
    """What stands behind the marks, such as ` [inference]`."""
    number: int | None = None
    """Of an item of an ordered list."""
    in_list: bool = False
    of_several: bool = False
    """Whether its claim has other lines."""

    def laid_out(self, text: str, reasoning: str, marks: Sequence[Element]) -> RichPiece:
        """As one line; both texts as they were cut."""
        closing = [words(self.closing)] if self.closing else []
        sentence = [words(f"{text} "), *marks, *closing]
        if not self.reasoning.strip():
            return line(*sentence)
        return line(*sentence, words(f"\n{BECAUSE}: {reasoning}", italic=True))


def rows_of(
    claim: ClaimRecord, cited: Sequence[Source], style: CitationStyle, *, alone: bool
) -> list[Row]:
    """The rows of a claim; `cited`: the source of each of its citations, so with repeats.

    `alone`: the reply has no other claim.
    """
    closing = style.closing(claim.kind)
    if not has_lines(claim, alone=alone):
        mark = UNSUPPORTED_MARK if claim.status is Status.UNSUPPORTED else ""
        return [Row(f"{mark}{claim.text}", once(cited), claim.reasoning, closing)]
    of_several = len(claim.lines) > 1
    rows = [
        Row(
            each.text,
            once(some),
            number=each.number,
            in_list=each.in_list,
            of_several=of_several,
        )
        for each, some in zip(claim.lines, cited_by_line(claim.lines, cited), strict=True)
    ]
    return [*rows[:-1], replace(rows[-1], reasoning=claim.reasoning, closing=closing)]


def once(cited: Sequence[Source]) -> tuple[Source, ...]:
    """Each source once, in the order in which it is cited."""
    return tuple({each.name: each for each in cited}.values())


def pieces(rows: Sequence[Row], lines: Sequence[RichPiece], *, several: bool) -> list[RichPiece]:
    """Lines and lists of a reply; `several`: there are claims enough for a bullet each."""
    found: list[RichPiece] = []
    places = zip(_places(rows, several=several), lines, strict=True)
    for place, some in groupby(places, key=lambda each: each[0]):
        of_list = [each for _, each in some]
        in_order = "bullet" if place.before is None else "ordered"
        layout = (in_order, place.indent, place.before or 0)
        found += [listed(of_list, *layout)] if place.is_list else of_list
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Rows of one place are one list, or lines of their own."""

    is_list: bool
    indent: int = 0
    before: int | None = None
    """Of an ordered list one less than its first number."""
    begins_at: int = 0
    """Tells apart two ordered lists that begin with the same number."""


def _places(rows: Sequence[Row], *, several: bool) -> Iterator[_Place]:
    place = _Place(is_list=False)
    expected: int | None = None
    for index, row in enumerate(rows):
        if row.number is None:
            indent = int(several and row.of_several and row.in_list)
            place, expected = _Place(several or row.in_list, indent), None
        else:  # not indented: Slack counts an indented list by letters
            if row.number != expected:
                place = _Place(True, before=row.number - 1, begins_at=index)
            expected = row.number + 1
        yield place
