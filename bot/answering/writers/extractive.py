"""The default writer: copies the sentences that best answer. No key, no network.

It cannot say what the sources do not say; what it must get right is the choice, so each
sentence is read by the reranker together with the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from bot.answering.anchors import anchor
from bot.answering.machine_talk import speaks_to_a_machine
from bot.answering.values import Brief, Draft, DraftClaim
from bot.answering.writers.stretches import stretch
from retrieval.ports import Embedder, Reranker, RerankPair
from retrieval.types import Hit, Passage

Place = tuple[Passage, int]
"""A passage and the index of one of its sentences."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence, the probability that it answers, and that of its passage."""

    place: Place
    answers: float
    passage_answers: float

    @property
    def worth(self) -> float:
        """A sentence seldom says all by itself, so its passage counts as well."""
        return (self.answers + self.passage_answers) / 2


@dataclass(frozen=True, slots=True)
class ExtractiveWriter:
    """Implements `bot.answering.writers.port.Writer`."""

    reranker: Reranker
    embedder: Embedder
    most_sentences: int = 3
    """For one part of a question."""
    close: float = 0.8
    """A further sentence is worth at least this share of the best one."""
    name: str = "extractive"

    def write(self, brief: Brief) -> Draft:
        chosen: list[Scored] = []
        hits = [hit for hit in brief.evidence.hits if hit.overridden_by is None]
        for part in brief.evidence.parts:
            if part.covered:
                chosen += self._choose(part.text, hits)
        passages = list(dict.fromkeys(scored.place[0] for scored in chosen))
        numbers = {passage.passage_id: n for n, passage in enumerate(passages, start=1)}
        claims = [
            _copied(passage, first, last, numbers[passage.passage_id])
            for passage in passages
            for first, last in _stretches(passage, chosen)
        ]
        answering = fmean(scored.answers for scored in chosen) if chosen else None
        return Draft(
            claims=tuple(claims),
            passages=tuple(passages),
            answering=answering,
            raw="\n".join(claim.text for claim in claims),
        )

    def _choose(self, question: str, hits: Sequence[Hit]) -> list[Scored]:
        """The best sentences for one part, from passages that nothing overrides."""
        scored = sorted(self._scored(question, hits), key=lambda each: -each.worth)
        if not scored:
            return []
        enough = scored[0].worth * self.close
        chosen: list[Scored] = []
        texts: set[str] = set()
        for each in scored:
            text = each.place[0].sentences[each.place[1]].text
            if each.worth >= enough and text not in texts:
                chosen.append(each)
                texts.add(text)
        return chosen[: self.most_sentences]

    def _scored(self, question: str, hits: Sequence[Hit]) -> list[Scored]:
        places = [
            (hit, index)
            for hit in hits
            for index, sentence in enumerate(hit.passage.sentences)
            if _may_answer(sentence.text)
        ]
        if not places:
            return []
        texts = [
            f"{hit.passage.heading}\n{hit.passage.sentences[index].text}" for hit, index in places
        ]
        vectors = self.embedder.embed([question, *texts])
        cosines = vectors[1:] @ vectors[0]
        pairs = [
            RerankPair(question, text, cosine=float(cosine), bm25=hit.scores.bm25 or 0.0)
            for text, cosine, (hit, _) in zip(texts, np.asarray(cosines), places, strict=True)
        ]
        return [
            Scored((hit.passage, index), score.relevance, hit.scores.relevance or 0.0)
            for (hit, index), score in zip(places, self.reranker.scores(pairs), strict=True)
        ]


def _may_answer(sentence: str) -> bool:
    """What ends in a colon leads to an answer and is none."""
    return not sentence.endswith(":") and not speaks_to_a_machine(sentence)


def _stretches(passage: Passage, chosen: Sequence[Scored]) -> list[tuple[int, int]]:
    """What is copied of a passage, as it stands: each chosen sentence with what it needs."""
    places = [s.place for s in chosen if s.place[0].passage_id == passage.passage_id]
    needed = sorted({stretch(*place) for place in places})
    joined: list[tuple[int, int]] = []
    for first, last in needed:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _copied(passage: Passage, first: int, last: int, number: int) -> DraftClaim:
    text = " ".join(sentence.text for sentence in passage.sentences[first : last + 1])
    return DraftClaim(text, tuple(anchor(number, n + 1) for n in range(first, last + 1)))
