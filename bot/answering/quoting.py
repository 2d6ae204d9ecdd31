"""An abstention quotes what came nearest, in its own words; nobody vouches for it as an answer."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bot.answering.corroboration import repeats
from bot.answering.prompt_injection import is_prompt_injection
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from retrieval.ports import Embedder
from retrieval.scores import COSINE
from retrieval.types import Evidence, Location, Passage

MOST_QUOTED = 3
LEAST_WORDS = 3
"""Of a quotation: a heading's word or a channel's name tells nobody anything. Not measured."""


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

    embedder: Embedder
    near: float
    """The cosine from which a passage is about the question; fitted by `vouch calibrate`."""

    def __call__(self, evidence: Evidence) -> tuple[Quotation, ...]:
        """Passages of one document too, unless one repeats another."""
        quoted: list[Quotation] = []
        for hit in evidence.candidates:
            if len(quoted) == MOST_QUOTED:
                break
            if hit.scores.get(COSINE, self.near) < self.near:
                continue
            found = self._quotation(evidence.query, hit.passage)
            if found and not any(_say_the_same(found, other) for other in quoted):
                quoted.append(found)
        return tuple(quoted)

    def _quotation(self, question: str, passage: Passage) -> Quotation | None:
        """The sentences nearest to the question, with what they cannot stand without.

        None where all that could be shown speaks to a machine, or leads to something else.
        """
        whole = [whole_span(passage, span) for span in answer_spans(passage)]
        spans = [span for span in dict.fromkeys(whole) if _is_worth_reading(passage, span)]
        if not spans:
            return None
        texts = [f"{passage.heading}\n{text_of(passage, span)}" for span in spans]
        vectors = self.embedder.embed([question, *texts])
        first, last = spans[int(np.argmax(vectors[1:] @ vectors[0]))]
        return Quotation(passage, first, last)


def _is_worth_reading(passage: Passage, span: AnswerSpan) -> bool:
    """Whether it says enough, and nothing to a machine."""
    first, last = span
    says_enough = len(text_of(passage, span).split()) >= LEAST_WORDS
    return says_enough and not any(
        is_prompt_injection(s.text) for s in passage.sentences[first : last + 1]
    )


def _say_the_same(one: Quotation, other: Quotation) -> bool:
    return one.text == other.text or repeats(one.text, other.text)
