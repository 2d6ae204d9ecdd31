"""The sentences of a reply with the numbers of their sources.

A reply has a handful. Should a writer make very many, the middle ones are left out and
the reply says so: the evidence has all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.record import CitationRecord, ClaimKind, ClaimRecord, Status
from bot.slack.blocks.elements import RichPiece, bullets, line, rich, words
from bot.slack.blocks.limits import ELLIPSIS, Ends, ends, fit, weight
from bot.slack.blocks.sources import Key, distinct, marks, numbered, source_in_words
from bot.wording import BECAUSE, CONCLUDED, UNSUPPORTED_MARK
from bot.wording import slack as wording

MOST_STATED = 16
MOST_CONCLUDED = 4
_BLANK = ""


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is stated in documents, apart from what was concluded from that."""

    stated: Ends[ClaimRecord]
    concluded: Ends[ClaimRecord]
    places: Mapping[Key, CitationRecord]
    """Of those that are shown, in the order of their numbers."""

    @classmethod
    def of(cls, claims: Sequence[ClaimRecord]) -> "Sentences":
        stated = ends([each for each in claims if each.kind is ClaimKind.CITED], MOST_STATED)
        others = [each for each in claims if each.kind is not ClaimKind.CITED]
        concluded = ends(others, MOST_CONCLUDED)
        return cls(stated, concluded, distinct((*stated.kept, *concluded.kept)))

    @property
    def kept(self) -> tuple[ClaimRecord, ...]:
        return self.stated.kept + self.concluded.kept

    def parts(self, room: int) -> list[RichPiece]:
        """Give each a line, weighing at most `room` together; only the longest are cut."""
        texts = [text for claim in self.kept for text in (_said(claim), claim.reasoning)]
        return self._laid_out(fit(texts, room - self._frame(_BLANK)))

    def least(self) -> int:
        """Return what the lines weigh where every text is cut to nothing."""
        return self._frame(ELLIPSIS)

    def _frame(self, text: str) -> int:
        return weight(rich(*self._laid_out([text] * (2 * len(self.kept)))))

    def aloud(self, room: int) -> list[str]:
        numbers = numbered(self.places)
        texts = fit([_said(claim) for claim in self.kept], room)
        lines = [
            f"{text} {marks(claim, numbers)}" for claim, text in zip(self.kept, texts, strict=True)
        ]
        if self.concluded.kept:
            lines.insert(len(self.stated.kept), f"{CONCLUDED}:")
        return lines

    def sources_aloud(self, room: int) -> list[str]:
        """List the numbered sources as one text; none where nothing is cited."""
        places = [source_in_words(each) for each in self.places.values()]
        listed = "; ".join(f"[{n}] {place}" for n, place in enumerate(places, start=1))
        return fit([listed], room) if listed else []

    def _laid_out(self, texts: Sequence[str]) -> list[RichPiece]:
        """Lay out the sentences; `texts`: of each sentence itself and why it follows."""
        numbers = numbered(self.places)
        pairs = zip(texts[::2], texts[1::2], strict=True)
        lines = [
            _line(claim, text, reasoning, numbers)
            for claim, (text, reasoning) in zip(self.kept, pairs, strict=True)
        ]
        split = len(self.stated.kept)
        parts = _listed(self.stated, lines[:split])
        if self.concluded.kept:
            parts.append(line(words(f"{CONCLUDED}:", italic=True)))
            parts += _listed(self.concluded, lines[split:])
        return parts


def _said(claim: ClaimRecord) -> str:
    unsupported = claim.status is Status.UNSUPPORTED
    return f"{UNSUPPORTED_MARK if unsupported else ''}{claim.text}"


def _line(claim: ClaimRecord, text: str, reasoning: str, numbers: Mapping[Key, int]) -> RichPiece:
    sentence = words(f"{text} {marks(claim, numbers)}")
    if not claim.reasoning.strip():
        return line(sentence)
    return line(sentence, words(f"\n{BECAUSE}: {reasoning}", italic=True))


def _listed(shown: Ends[ClaimRecord], lines: Sequence[RichPiece]) -> list[RichPiece]:
    if len(lines) < 2:
        return list(lines)
    if not shown.omitted:
        return [bullets(lines)]
    split = len(shown.first)
    omission = line(words(wording.omitted_sentences(shown.omitted), italic=True))
    return [bullets(lines[:split]), omission, bullets(lines[split:])]
