"""The sentences of a reply with the numbers of their sources.

A reply has a handful. Should a writer make very many, the middle ones are left out and
the reply says so: the evidence has all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from audit.record import ClaimKind, ClaimRecord, Status
from bot.claim_lines import in_one_text
from bot.pages import Page
from bot.slack.blocks.elements import Element, RichPiece, line, rich, words
from bot.slack.blocks.limits import ELLIPSIS, Ends, ends, fit, weight
from bot.slack.blocks.rows import Row, pieces, rows_of
from bot.slack.blocks.sources import (
    Source,
    cited_by,
    linked_marks,
    marks,
    page_of,
    plain_marks,
    source_in_words,
    sources_of,
)
from bot.wording import CONCLUDED, UNSUPPORTED_MARK
from bot.wording import slack as wording

MOST_STATED = 16
MOST_CONCLUDED = 4
MOST_LINES = 40
"""Of lists, each with its marks: more would leave no room for the words."""
_BLANK = ""
MarksOf = Callable[[Sequence[Source]], list[Element]]
"""Lays out the numbers behind a sentence."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is stated in documents, apart from what was concluded from that."""

    stated: Ends[ClaimRecord]
    concluded: Ends[ClaimRecord]
    sources: Mapping[Page, Source]
    """Of those that are shown, in the order of their numbers."""

    @classmethod
    def of(cls, claims: Sequence[ClaimRecord]) -> "Sentences":
        stated = ends([each for each in claims if each.kind is ClaimKind.CITED], MOST_STATED)
        others = [each for each in claims if each.kind is not ClaimKind.CITED]
        concluded = ends(others, MOST_CONCLUDED)
        return cls(stated, concluded, sources_of((*stated.kept, *concluded.kept)))

    @property
    def kept(self) -> tuple[ClaimRecord, ...]:
        return self.stated.kept + self.concluded.kept

    @property
    def numbers(self) -> Mapping[Page, int]:
        """Return the number of each page that the shown ones cite."""
        return {page: source.number for page, source in self.sources.items()}

    def parts(self, room: int) -> list[RichPiece]:
        """Give each a line, weighing at most `room` together; only the longest are cut.

        Their numbers are links where there is room left for that: the sources below have the
        links, too.
        """
        texts = [text for row in self._rows() for text in (row.text, row.reasoning)]
        fitted = fit(texts, room - self._frame(_BLANK))
        linked = self._laid_out(fitted, linked_marks)
        return linked if weight(rich(*linked)) <= room else self._laid_out(fitted, plain_marks)

    def least(self) -> int:
        """Return what the lines weigh where every text is cut to nothing."""
        return self._frame(ELLIPSIS)

    def _frame(self, text: str) -> int:
        return weight(rich(*self._laid_out([text] * (2 * len(self._rows())), plain_marks)))

    def aloud(self, room: int) -> list[str]:
        texts = fit([_said(claim) for claim in self.kept], room)
        lines = [
            f"{text} {marks(cited_by(claim, self.sources))}"
            for claim, text in zip(self.kept, texts, strict=True)
        ]
        if self.concluded.kept:
            lines.insert(len(self.stated.kept), f"{CONCLUDED}:")
        return lines

    def sources_aloud(self, room: int) -> list[str]:
        """List the numbered sources as one text; none where nothing is cited."""
        listed = "; ".join(f"{each.mark} {source_in_words(each)}" for each in self.sources.values())
        return fit([listed], room) if listed else []

    def _laid_out(self, texts: Sequence[str], marked: MarksOf) -> list[RichPiece]:
        """Lay out the rows; `texts`: of each row itself and why it follows."""
        fitted = iter(zip(texts[::2], texts[1::2], strict=True))
        parts: list[RichPiece] = []
        for shown in (self.stated, self.concluded):
            if shown is self.concluded and shown.kept:
                parts.append(line(words(f"{CONCLUDED}:", italic=True)))
            several = len(shown.kept) > 1
            for claims in (shown.first, shown.last):
                rows = [row for claim in claims for row in self._rows_of(claim)]
                lines = [row.laid_out(*next(fitted), marked(row.sources)) for row in rows]
                parts += pieces(rows, lines, several=several)
                if shown.omitted and claims is shown.first:
                    omitted = wording.omitted_sentences(shown.omitted)
                    parts.append(line(words(omitted, italic=True)))
        return parts

    def _rows(self) -> list[Row]:
        return [row for claim in self.kept for row in self._rows_of(claim)]

    def _rows_of(self, claim: ClaimRecord) -> list[Row]:
        """A claim's lines, unless all claims together have more than a message takes."""
        if sum(len(each.lines) for each in self.kept) > MOST_LINES:
            claim = claim.model_copy(update={"text": in_one_text(claim), "lines": ()})
        cited = [self.sources[page_of(each)] for each in claim.citations]
        return rows_of(claim, cited, alone=len(self.kept) == 1)


def _said(claim: ClaimRecord) -> str:
    unsupported = claim.status is Status.UNSUPPORTED
    return f"{UNSUPPORTED_MARK if unsupported else ''}{in_one_text(claim)}"
