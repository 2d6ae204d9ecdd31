"""The default writer: copies the sentences and lists that best answer. No key, no network.

It cannot say what the sources do not say; what it must get right is the choice, so each
of them is read by the reranker together with the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from bot.answering.anchors import anchor
from bot.answering.corroboration import repeats
from bot.answering.exact.opposition import opposed
from bot.answering.values import Brief, Draft, DraftClaim
from bot.answering.writers.stretches import stretch
from bot.answering.writers.units import Unit, text_of, units
from retrieval.ports import Embedder, Reranker, RerankPair
from retrieval.types import Hit, Passage


@dataclass(frozen=True, slots=True)
class Scored:
    """What could be copied, the probability that it answers, and that of its passage.

    The first tells what of a passage answers, but not whether: on the questions of the
    calibration it adds nothing to the second (weights of 0.02 and 0.85 in a logistic regression
    of both on whether the answer is right), which therefore is the draft's `answering`.
    """

    passage: Passage
    unit: Unit
    answers: float
    passage_answers: float

    @property
    def worth(self) -> float:
        """Among others. A sentence seldom says all by itself, so its passage counts as well."""
        return (self.answers + self.passage_answers) / 2

    @property
    def text(self) -> str:
        return text_of(self.passage, self.unit)

    def says_what(self, other: "Scored") -> bool:
        """Whether it is a part of the other, or repeats it in another document."""
        (first, last), (start, end) = self.unit, other.unit
        if self.passage is other.passage:
            return first <= end and start <= last
        return self.text == other.text or repeats(self.text, other.text)


@dataclass(frozen=True, slots=True)
class ExtractiveWriter:
    """Implements `bot.answering.writers.port.Writer`."""

    reranker: Reranker
    embedder: Embedder
    most: int = 3
    """Sentences or lists for one part of a question."""
    close: float = 0.8
    """A further one of the same passage is worth at least this share of the best one."""
    close_elsewhere: float = 0.95
    """One of another passage: most answers stand in one place, and a citation that does not
    answer costs its reader more than a second one brings."""
    name: str = "extractive"

    def write(self, brief: Brief) -> Draft:
        chosen: list[Scored] = []
        hits = [hit for hit in brief.evidence.hits if hit.overridden_by is None]
        for part in brief.evidence.parts:
            if part.covered:
                chosen += self._choose(part.text, hits, chosen)
        passages = list(dict.fromkeys(scored.passage for scored in chosen))
        numbers = {passage.passage_id: n for n, passage in enumerate(passages, start=1)}
        claims = [
            _copied(passage, first, last, numbers[passage.passage_id])
            for passage in passages
            for first, last in _stretches(passage, chosen)
        ]
        answering = fmean(scored.passage_answers for scored in chosen) if chosen else None
        return Draft(
            claims=tuple(claims),
            passages=tuple(passages),
            answering=answering,
            raw="\n".join(claim.text for claim in claims),
        )

    def _choose(self, question: str, hits: Sequence[Hit], before: Sequence[Scored]) -> list[Scored]:
        """What is best for one part, unless it was chosen or said before."""
        scored = sorted(self._scored(question, hits), key=lambda each: -each.worth)
        close = self._close(scored, before)
        chosen: list[Scored] = []
        for each in close:
            if len(chosen) == self.most:
                break
            if not any(each.says_what(other) for other in (*before, *chosen)):
                chosen.append(each)
        return chosen

    def _close(self, scored: Sequence[Scored], before: Sequence[Scored]) -> list[Scored]:
        """Those nearly as good as the best; where that was said before, others must do."""
        if not scored:
            return []
        best = scored[0]
        said = any(best.says_what(other) for other in before)
        elsewhere = self.close if said else self.close_elsewhere
        return [each for each in scored if self._is_close(each, best, elsewhere)]

    def _is_close(self, one: Scored, best: Scored, elsewhere: float) -> bool:
        """What says otherwise need not be so close: it may be what holds."""
        if one.worth < best.worth * self.close:
            return False
        near = one.passage is best.passage or one.worth >= best.worth * elsewhere
        return near or bool(opposed(best.text, one.text))

    def _scored(self, question: str, hits: Sequence[Hit]) -> list[Scored]:
        places = [(hit, unit) for hit in hits for unit in units(hit.passage)]
        if not places:
            return []
        texts = [f"{hit.passage.heading}\n{text_of(hit.passage, unit)}" for hit, unit in places]
        vectors = self.embedder.embed([question, *texts])
        cosines = vectors[1:] @ vectors[0]
        pairs = [
            RerankPair(question, text, cosine=float(cosine), bm25=hit.scores.bm25 or 0.0)
            for text, cosine, (hit, _) in zip(texts, np.asarray(cosines), places, strict=True)
        ]
        return [
            Scored(hit.passage, unit, score.relevance, hit.scores.relevance or 0.0)
            for (hit, unit), score in zip(places, self.reranker.scores(pairs), strict=True)
        ]


def _stretches(passage: Passage, chosen: Sequence[Scored]) -> list[tuple[int, int]]:
    """What is copied of a passage, as it stands: each chosen unit with what it needs."""
    needed = sorted({stretch(passage, each.unit) for each in chosen if each.passage is passage})
    joined: list[tuple[int, int]] = []
    for first, last in needed:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _copied(passage: Passage, first: int, last: int, number: int) -> DraftClaim:
    return DraftClaim(
        text_of(passage, (first, last)),
        tuple(anchor(number, n + 1) for n in range(first, last + 1)),
    )
