"""Retrieval, read from top to bottom."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from retrieval.context import neighbours_of
from retrieval.documents.library import Library
from retrieval.errors import IndexUnavailable
from retrieval.filters import permits
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Embedder, Match, PassageIndex, Reranker, RerankPair
from retrieval.ranking import (
    SpeaksToTheSame,
    first_of_each_text,
    organisational_order,
    recency_points,
    reciprocal_rank_fusion,
)
from retrieval.rerank import CloseReader
from retrieval.timing import Stages
from retrieval.types import Evidence, Hit, Metadata, Passage, QuestionPart, Scope, Scores, Stream


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The numbers of the pipeline; the defaults are the published system's."""

    candidates: int = 50
    """How many fused passages the reranker reads."""
    rrf_k: int = 60
    threshold: float = 0.7
    """A passage less probable to answer than this is no evidence."""
    most_hits: int = 5
    recency_points: float = 15.0
    recency_years: float = 5.0
    same_thing: float = 0.6
    """Cosine from which on two relevant passages of different documents speak to the same
    thing. In the sample organisation rules on one subject lie at 0.60 to 0.81, others that
    pass the threshold together at 0.47 to 0.60."""
    own_rule: float = 0.5
    """Share of the threshold from which a passage of the reader's own unit is evidence all the
    same, where one of a wider unit that passes speaks to the same thing: nobody shall be told
    a general rule because their own is worded further from the question."""
    read_closely: int = 6
    """How many of the reranked are read again, sentence by sentence."""
    dense: bool = True
    lexical: bool = True
    rerank: bool = True
    """Off, the fusion's order stands and its best are the evidence: only to compare."""


@dataclass(frozen=True, slots=True)
class Search:
    """Text and a scope in, evidence out."""

    library: Library
    index: PassageIndex
    embedder: Embedder
    reranker: Reranker
    ontology: Ontology
    settings: SearchSettings = SearchSettings()
    close_reader: CloseReader | None = None
    """None where the calibration has no weights for it."""

    def __call__(
        self,
        query: str,
        scope: Scope,
        stages: Stages,
        parts: Sequence[str] = (),
        imagined: str = "",
    ) -> Evidence:
        """Search for a question; where it has `parts`, for each of them too.

        A hit's relevance is then that for what it answers best. An `imagined` passage that
        would answer only helps to find candidates (HyDE); what they are worth is judged by
        the question alone.
        """
        with stages.stage("embed"):
            vector = self.embedder.embed([query])[0]
            sought = self._between(vector, imagined)
        with stages.stage("search"):
            candidates = self._candidates(query, vector, sought, scope)
            if not candidates:
                self._require_whole_index()
        with stages.stage("rerank"):
            ranked = self._rerank(query, vector, candidates)
            judged = {part: self._judged(part, scope) for part in parts}
            ranked = _best_of([ranked, *judged.values()])[: self.settings.candidates]
        with stages.stage("order"):
            hits, duplicates = self._prevailing(ranked)
            context = neighbours_of(hits, self.library)
        return Evidence(
            query,
            scope,
            candidates=tuple(ranked),
            hits=tuple(hits),
            duplicates=tuple(duplicates),
            parts=tuple(
                self._part(text, seen) for text, seen in (judged or {query: ranked}).items()
            ),
            context=context,
        )

    def _between(self, vector: NDArray[np.float32], imagined: str) -> NDArray[np.float32]:
        """Halfway to what was imagined, of length 1; the question's vector where nothing was.

        HyDE averages the question with what was imagined as well (section 3.2).
        """
        if not imagined:
            return vector
        both = vector + self.embedder.embed([imagined])[0]
        return np.asarray(both / np.linalg.norm(both), dtype=np.float32)

    def _judged(self, part: str, scope: Scope) -> list[Hit]:
        """What is found for one part, as if it were asked alone.

        Among what the whole question finds, what answers the part may be missing, and its
        rank there says little of the part.
        """
        vector = self.embedder.embed([part])[0]
        return self._rerank(part, vector, self._candidates(part, vector, vector, scope))

    def _part(self, text: str, judged: Sequence[Hit]) -> QuestionPart:
        best = max((_relevance(hit) for hit in judged), default=0.0)
        return QuestionPart(text, best, covered=best >= self.settings.threshold)

    def _candidates(
        self,
        query: str,
        vector: NDArray[np.float32],
        sought: NDArray[np.float32],
        scope: Scope,
    ) -> list[Hit]:
        """The best of both searches by reciprocal rank fusion."""
        most = self.settings.candidates
        dense = self.index.nearest(sought, scope, most) if self.settings.dense else []
        lexical = self.index.lexical(query, scope, most) if self.settings.lexical else []
        fused = reciprocal_rank_fusion([_ids(dense), _ids(lexical)], self.settings.rrf_k)
        best = sorted(fused, key=lambda passage_id: (-fused[passage_id], passage_id))[:most]
        if sought is not vector:  # what was imagined finds passages, and counts for no more
            dense = self.index.nearest(vector, scope, most) if self.settings.dense else []
            fused = reciprocal_rank_fusion([_ids(dense), _ids(lexical)], self.settings.rrf_k)
        passages = self.library.passages(best)
        cosines = self._cosines(vector, dense, best)
        dense_ranks, lexical_ranks = _ranks(dense), _ranks(lexical)
        bm25 = {match.passage_id: match.score for match in lexical}
        return [
            Hit(
                passages[passage_id],
                self._with_standing(
                    Scores(
                        cosine=cosines.get(passage_id),
                        dense_rank=dense_ranks.get(passage_id),
                        bm25=bm25.get(passage_id),
                        bm25_rank=lexical_ranks.get(passage_id),
                        fusion=fused.get(passage_id, 0.0),
                    ),
                    passages[passage_id].document.metadata,
                    scope,
                ),
            )
            for passage_id in best
            if self._may_be_read(passages.get(passage_id), scope)
        ]

    def _require_whole_index(self) -> None:
        """Nothing was found: tell a lost index from documents without words.

        Otherwise every question would be answered by a plausible "I don't know".
        """
        if lost := len(self.library.passage_ids() - self.index.ids()):
            raise IndexUnavailable(
                f"{lost} passages of the library are missing from the index. "
                "Run `vouch ingest` on any folder to mend it."
            )

    @staticmethod
    def _may_be_read(passage: Passage | None, scope: Scope) -> bool:
        """Whether library and scope still agree with what the index returned.

        While an ingest runs the index may be a step ahead of the library.
        """
        return passage is not None and permits(passage.document.metadata.access, scope)

    def _cosines(
        self, vector: NDArray[np.float32], dense: Sequence[Match], passage_ids: Sequence[str]
    ) -> dict[str, float]:
        cosines = {match.passage_id: match.score for match in dense}
        others = [passage_id for passage_id in passage_ids if passage_id not in cosines]
        for passage_id, other in self.index.vectors(others).items():
            cosines[passage_id] = float(other @ vector)
        return cosines

    def _with_standing(self, scores: Scores, metadata: Metadata, scope: Scope) -> Scores:
        return replace(
            scores,
            hierarchy=self.ontology.hierarchy_score(metadata, scope),
            recency=recency_points(
                metadata.effective,
                scope.on,
                self.settings.recency_points,
                self.settings.recency_years,
            ),
        )

    def _rerank(self, query: str, vector: NDArray[np.float32], candidates: list[Hit]) -> list[Hit]:
        """All candidates by their probability to answer, or unchanged without a reranker.

        What was not among the best few, and so not read closely, is no evidence by itself.
        """
        if not self.settings.rerank:
            return candidates
        ranked = sorted(self._looked_at(query, candidates), key=lambda hit: -_relevance(hit))
        if self.close_reader is None:
            return ranked
        few = self.settings.read_closely
        read = self.close_reader(query, vector, ranked[:few])
        under = math.nextafter(self.settings.threshold, 0.0)
        return [*read, *(_at_most(under, hit) for hit in ranked[few:])]

    def _looked_at(self, query: str, candidates: Sequence[Hit]) -> list[Hit]:
        """With what the reranker makes of each by itself."""
        scores = self.reranker.scores(
            [
                RerankPair(
                    query,
                    f"{hit.passage.heading}\n{hit.passage.text}",
                    cosine=hit.scores.cosine or 0.0,
                    bm25=hit.scores.bm25 or 0.0,
                )
                for hit in candidates
            ]
        )
        return [
            replace(hit, scores=replace(hit.scores, logit=score.logit, relevance=score.relevance))
            for hit, score in zip(candidates, scores, strict=True)
        ]

    def _prevailing(self, ranked: list[Hit]) -> tuple[list[Hit], list[Hit]]:
        """What passes the threshold, as the organisation itself would order it.

        A paragraph that stands in several documents counts once; the others come apart.
        """
        if not self.settings.rerank:
            return ranked[: self.settings.most_hits], []
        threshold = self.settings.threshold
        likely = [h for h in ranked if _relevance(h) >= threshold * self.settings.own_rule]
        vectors = self.index.vectors([hit.passage.passage_id for hit in likely])

        def same(one: Passage, other: Passage) -> bool:
            if one.document.document_id == other.document.document_id:
                return False
            vector, another = vectors.get(one.passage_id), vectors.get(other.passage_id)
            if vector is None or another is None:
                return False
            return float(vector @ another) >= self.settings.same_thing

        over = [hit for hit in likely if _relevance(hit) >= threshold]
        evidence = [hit for hit in likely if hit in over or _is_nearer_rule(hit, over, same)]
        ordered = organisational_order(evidence, same)
        prevailing = {hit.overridden_by for hit in ordered}
        kept = [
            hit
            for hit in ordered
            if _relevance(hit) >= threshold or hit.passage.passage_id in prevailing
        ]
        first, duplicates = first_of_each_text(kept)
        return first[: self.settings.most_hits], duplicates


def _is_nearer_rule(hit: Hit, over: Sequence[Hit], same: SpeaksToTheSame) -> bool:
    """Whether it is of a unit nearer to the reader than one that passes and says the same."""
    rules = (other for other in over if _is_rule(other) and _is_rule(hit))
    return any(
        hit.scores.hierarchy > other.scores.hierarchy and same(other.passage, hit.passage)
        for other in rules
    )


def _is_rule(hit: Hit) -> bool:
    return hit.passage.document.metadata.stream is not Stream.ACADEMIC


def _relevance(hit: Hit) -> float:
    return hit.scores.relevance or 0.0


def _at_most(relevance: float, hit: Hit) -> Hit:
    return replace(hit, scores=replace(hit.scores, relevance=min(relevance, _relevance(hit))))


def _best_of(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Every hit once, by the best of its places and with the best of its relevances."""
    places: dict[str, int] = {}
    best: dict[str, Hit] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking):
            passage_id = hit.passage.passage_id
            places[passage_id] = min(place, places.get(passage_id, place))
            if passage_id not in best or _relevance(hit) > _relevance(best[passage_id]):
                best[passage_id] = hit
    return sorted(best.values(), key=lambda h: (places[h.passage.passage_id], -_relevance(h)))


def _ids(matches: Sequence[Match]) -> list[str]:
    return [match.passage_id for match in matches]


def _ranks(matches: Sequence[Match]) -> dict[str, int]:
    return {match.passage_id: rank for rank, match in enumerate(matches, start=1)}
