"""An abstention quotes what came nearest, in its own words; nobody vouches for it as an answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.answering.corroboration import repeats
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from retrieval.ports import Reranker, RerankPair
from retrieval.scores import relevance_of
from retrieval.types import Evidence, Location, Passage

MOST_QUOTED = 3
LEAST_WORDS = 3
"""Of a quotation: a heading's word or a channel's name tells nobody anything. Not measured."""
MOST_WORDS = 60
"""Of a quotation that is made longer by the sentences beside it. Not measured: what is read at a
glance; a list or a sentence that is longer by itself is quoted in full."""
LIKELY = 0.3
"""Relevance, 0 to 1, from which what begins on a day ahead is what was asked about."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation is a run of whole sentences of a passage."""

    passage: Passage
    first: int
    """Index of the first sentence, from 0; so is the last's, inclusive."""
    last: int

    @property
    def text(self) -> str:
        """What people read of it, white space folded and without markup."""
        return text_of(self.passage, (self.first, self.last))

    @property
    def shown(self) -> str:
        """The same, with the numbers of its steps where it has several."""
        sentences = self.passage.sentences[self.first : self.last + 1]
        if sum(each.item_number is not None for each in sentences) < 2:
            return self.text
        texts = [text_of(self.passage, (n, n)) for n in range(self.first, self.last + 1)]
        return " ".join(
            text if each.item_number is None else f"{each.item_number}. {text}"
            for each, text in zip(sentences, texts, strict=True)
        )

    @property
    def recognised(self) -> float | None:
        """How surely text recognition read it; None where it did not."""
        return self.passage.recognised(self.first, self.last)

    @property
    def quote(self) -> str:
        """The same as it stands in the source."""
        return self.passage.quote(self.first, self.last)

    @property
    def location(self) -> Location:
        return self.passage.location(self.first, self.last)


Quote = Callable[[Evidence], tuple[Quotation, ...]]
"""What came nearest to the question, best first, `MOST_QUOTED` at most; none where nothing did."""


@dataclass(frozen=True, slots=True)
class NearestQuoter:
    """It quotes, of what the asker may read, what answers most probably."""

    reranker: Reranker
    near: float
    """The relevance from which a passage is about the question; fitted by `vouch calibrate`."""

    def __call__(self, evidence: Evidence) -> tuple[Quotation, ...]:
        """Passages of one document too, unless one repeats another."""
        quoted: list[Quotation] = []
        for hit in evidence.candidates:
            if len(quoted) == MOST_QUOTED:
                break
            if relevance_of(hit.scores) < self.near:
                continue
            found = self._quotation(evidence.query, hit.passage)
            if found and not any(_say_the_same(found, other) for other in quoted):
                quoted.append(found)
        return tuple(quoted)

    def _quotation(self, question: str, passage: Passage) -> Quotation | None:
        """The sentences nearest to the question, with what they cannot stand without.

        None where all that could be shown is kept out, or leads to something else.
        """
        whole = [whole_span(passage, span) for span in answer_spans(passage)]
        said = {span: text_of(passage, span) for span in whole}
        spans = [span for span, text in said.items() if len(text.split()) >= LEAST_WORDS]
        if not spans:
            return None
        texts = [f"{passage.heading}\n{said[span]}" for span in spans]
        scores = self.reranker.scores([RerankPair(question, text) for text in texts])
        nearness = {span: score.logit for span, score in zip(spans, scores, strict=True)}
        return Quotation(passage, *_lengthened(passage, nearness))


def _lengthened(passage: Passage, nearness: Mapping[AnswerSpan, float]) -> AnswerSpan:
    """The nearest span with what stands beside it, the nearer first, in `MOST_WORDS` words."""
    span = max(nearness, key=nearness.__getitem__)
    others = sorted(nearness, key=nearness.__getitem__, reverse=True)
    while longer := [both for other in others if (both := _joined(passage, span, other))]:
        span = longer[0]
    return span


def _joined(passage: Passage, span: AnswerSpan, other: AnswerSpan) -> AnswerSpan | None:
    """Both as one run, where no sentence lies between them and it is not too long; else None."""
    (first, last), (start, end) = span, other
    if end < first - 1 or start > last + 1:
        return None
    both = min(first, start), max(last, end)
    words = len(text_of(passage, both).split())
    return both if both != span and words <= MOST_WORDS else None


def _say_the_same(one: Quotation, other: Quotation) -> bool:
    return one.text == other.text or repeats(one.text, other.text)
