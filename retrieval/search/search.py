"""Retrieval reads from top to bottom here."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.port import LibraryReader
from retrieval.errors import IndexUnavailable
from retrieval.language.numbered import is_about_others
from retrieval.metadata.access import permits
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Embedder, ListwiseReranker, Match, PassageIndex, Reranker, RerankPair
from retrieval.search.completeness import missing
from retrieval.search.query_understanding import narrowed
from retrieval.search.ranking import (
    Query,
    Retriever,
    best_of,
    best_relevance,
    reciprocal_rank_fusion,
    standing,
)
from retrieval.search.reranking import REREAD, Ranking, WindowReranker, read_whole, reranked
from retrieval.search.scores import (
    COSINE,
    DENSE_RANK,
    FUSION,
    LOGIT,
    RELEVANCE,
    relevance_of,
)
from retrieval.search.selection import (
    Around,
    Neighbours,
    OrganisationalSelection,
    PassageVectors,
    Selection,
    ends_of_lists,
    neighbours_of,
)
from retrieval.search.timing import Stages
from retrieval.types import Eligibility, Evidence, Hit, Passage, QuestionPart, Scope

PUBLISHED_SELECTION = OrganisationalSelection()


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The numbers of the pipeline are those of published systems where it says so."""

    candidates: int = 50
    """How many fused passages are candidates; their recall stands in `docs/measurements.md`."""
    rrf_k: int = 60
    """The constant of reciprocal rank fusion, in ranks; of its paper, see `ranking`."""
    reranked: int = 16
    """How many of those the reranker reads."""
    reread: int = REREAD
    """How many of the reranked are reread by their windows; each costs its reading."""
    attached: int = 8
    """How many of what is attached to a question the reranker reads, on top; not measured."""
    listwise: int = 10
    """How many of those a language model rereads, all in one request."""


@dataclass(frozen=True, slots=True)
class Search:
    """Text and a scope go in, evidence comes out; a recipe composes its stages or omits one."""

    library: LibraryReader
    index: PassageIndex
    embedder: Embedder
    ontology: Ontology
    retrievers: Sequence[Retriever]
    reranker: Reranker | None
    """None: the order of the fusion stands."""
    window_reranker: WindowReranker | None = None
    """None: the order of the reranker stands."""
    listwise_reranker: ListwiseReranker | None = None
    """None where no language model is asked what is relevant."""
    selection: Selection = PUBLISHED_SELECTION
    context: Around = neighbours_of
    """What is beside the evidence, to understand it by."""
    settings: SearchSettings = SearchSettings()
    is_understood: Callable[[str, Passage], bool] = lambda *_: True
    """Whether question and passage are in a language of which its models know what answers."""
    attached: Sequence[Passage] = ()
    """Of files that came with one question: candidates of that one search, in no index, so that
    no other finds them. Who asks may read them all."""

    def __call__(
        self,
        query: str,
        scope: Scope,
        stages: Stages,
        parts: Sequence[str] = (),
    ) -> Evidence:
        """Search for a question, and each of its `parts`; a hit counts for what it answers best."""
        with stages.stage("embed"):
            vector = self._vector(query)
        with stages.stage("search"):
            candidates = self._candidates(query, vector, scope)
            if not candidates:
                self._require_whole_index()
        with stages.stage("rerank", **self._counted(candidates)):
            listwise = self.listwise_reranker
            whole = self._rerank(query, candidates, listwise)
            judged = {
                each: self._rerank(each, self._found(each, scope), listwise) for each in parts
            }
        with stages.stage("order"):
            return self._whole(query, scope, whole, judged, self.index, self._neighbours)

    def again(
        self,
        query: str,
        scope: Scope,
        stages: Stages,
        found: Sequence[Hit],
        parts: Sequence[str],
        vectors: PassageVectors,
        neighbours: Neighbours,
    ) -> Evidence:
        """Judge anew what a search found once, best first; nothing is looked for."""
        hits = [
            replace(
                hit, scores={**hit.scores, **standing(self.ontology, hit.passage.document, scope)}
            )
            for hit in found
            if self._may_be_read(hit.passage, scope)
        ]
        with stages.stage("rerank", **self._counted(hits)):
            whole = self._rerank(query, hits, self.listwise_reranker)
            judged = {each: self._rerank(each, hits, self.listwise_reranker) for each in parts}
        with stages.stage("order"):
            return self._whole(query, scope, whole, judged, vectors, neighbours)

    def _whole(
        self,
        query: str,
        scope: Scope,
        whole: Ranking,
        judged: Mapping[str, Ranking],
        vectors: PassageVectors,
        neighbours: Neighbours,
    ) -> Evidence:
        evidence = self._evidence(query, scope, whole, judged, vectors)
        around = self.context(evidence.hits, neighbours)
        ends = ends_of_lists(evidence.hits, neighbours)
        return replace(
            evidence,
            context=tuple(each for each in around if self._may_be_read(each, scope)),
            following={
                passage_id: after
                for passage_id, after in ends.items()
                if all(self._may_be_read(each, scope) for each in after)
            },
        )

    def _counted(self, candidates: Sequence[Hit]) -> dict[str, int]:
        documents = {hit.passage.document.document_id for hit in candidates}
        return {
            "passages": len(candidates),
            "documents": len(documents),
            "read": min(len(candidates), self._most_reranked),
        }

    def beside(
        self,
        query: str,
        scope: Scope,
        known: Scope,
        parts: Sequence[str] = (),
    ) -> Evidence:
        """What a scope finds, where it finds something that the known one may not read.

        Else it is without hits, and no model is asked. Models that remember read only what the
        known scope's own search did not; a language model reads none of it, for no reply will
        show it.
        """
        found = {text: self._found(text, scope) for text in parts}
        whole = self._found(query, scope)
        best = (hit for hits in (whole, *found.values()) for hit in hits[: self._most_reranked])
        if all(self._may_be_read(hit.passage, known) for hit in best):
            unread = tuple(self._part(text, ()) for text in parts or [query])
            return Evidence(query, scope, candidates=(), hits=(), parts=unread)
        judged = {text: self._rerank(text, hits, None) for text, hits in found.items()}
        ranking = self._rerank(query, whole, None)
        return self._evidence(query, scope, ranking, judged, self.index)

    def _found(self, text: str, scope: Scope) -> list[Hit]:
        """For one text as if asked alone: a whole question may find no answer to its part."""
        return self._candidates(text, self._vector(text), scope)

    def _evidence(
        self,
        query: str,
        scope: Scope,
        whole: Ranking,
        judged: Mapping[str, Ranking],
        vectors: PassageVectors,
    ) -> Evidence:
        """Without what is beside the hits; `judged` by part, empty where one thing is asked."""
        rankings = [whole, *judged.values()]
        ranked = best_of([each.hits for each in rankings])[: self.settings.candidates]
        hits, duplicates = self.selection(ranked, vectors)
        return Evidence(
            query,
            scope,
            candidates=tuple(ranked),
            hits=tuple(hits),
            duplicates=tuple(duplicates),
            parts=tuple(
                self._part(text, found.hits) for text, found in (judged or {query: whole}).items()
            ),
            tokens=dict(sum((Counter(each.tokens) for each in rankings), Counter[str]())),
            degraded=next((each.degraded for each in rankings if each.degraded), ""),
        )

    def _vector(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.embedder.embed([text])[0])

    def _part(self, text: str, judged: Sequence[Hit]) -> QuestionPart:
        covered = any(hit.eligibility and hit.eligibility.eligible for hit in judged)
        return QuestionPart(text, best_relevance(judged), covered, best=next(iter(judged), None))

    def _candidates(self, query: str, vector: NDArray[np.float32], scope: Scope) -> list[Hit]:
        """The best of all retrievers by reciprocal rank fusion."""
        scope = narrowed(query, scope)
        asked = Query(query, vector)
        found = [(retriever, retriever(asked, scope)) for retriever in self.retrievers]
        rankings = [[match.passage_id for match in matches] for _, matches in found]
        fused = reciprocal_rank_fusion(rankings, self.settings.rrf_k)
        best = sorted(fused, key=lambda passage_id: (-fused[passage_id], passage_id))
        best = best[: self.settings.candidates]
        passages = self.library.passages(best)
        scores = self._scored(found, vector, best)
        in_library = [
            Hit(
                passages[passage_id],
                {
                    FUSION: fused[passage_id],
                    **scores.get(passage_id, {}),
                    **standing(self.ontology, passages[passage_id].document, scope),
                },
            )
            for passage_id in best
            if self._may_be_read(passages.get(passage_id), scope)
        ]
        return [*self._attached(vector, scope), *in_library]

    def _attached(self, vector: NDArray[np.float32], scope: Scope) -> list[Hit]:
        """The closest of what is attached, as if a retriever of its own had found it."""
        if not self.attached:
            return []
        cosines = self.embedder.embed([each.with_heading for each in self.attached]) @ vector
        closest = [int(at) for at in np.argsort(-cosines, kind="stable")]
        return [
            Hit(
                self.attached[at],
                {
                    FUSION: 1 / (self.settings.rrf_k + rank),
                    COSINE: float(cosines[at]),
                    DENSE_RANK: rank,
                    **standing(self.ontology, self.attached[at].document, scope),
                },
            )
            for rank, at in enumerate(closest[: self.settings.attached], start=1)
            if self._may_be_read(self.attached[at], replace(scope, documents=None))
        ]

    @property
    def _most_reranked(self) -> int:
        """What is attached takes the place of nothing that the index found."""
        return self.settings.reranked + min(self.settings.attached, len(self.attached))

    def _neighbours(self, passage: Passage, distance: int) -> Sequence[Passage]:
        """As the library has them; of what is attached, among that."""
        document_id = passage.document.document_id
        of_one = [each for each in self.attached if each.document.document_id == document_id]
        if not of_one:
            return self.library.neighbours(passage, distance)
        return [each for each in of_one if 0 < abs(each.ordinal - passage.ordinal) <= distance]

    def _scored(
        self,
        found: Sequence[tuple[Retriever, Sequence[Match]]],
        vector: NDArray[np.float32],
        passage_ids: Sequence[str],
    ) -> dict[str, dict[str, float]]:
        """By passage, what each retriever that found it gave; `passage_ids` have a cosine."""
        scores: dict[str, dict[str, float]] = {}
        for retriever, matches in found:
            for rank, match in enumerate(matches, start=1):
                given = {retriever.score: match.score, retriever.rank: rank}
                scores.setdefault(match.passage_id, {}).update(given)
        others = [each for each in passage_ids if COSINE not in scores.get(each, {})]
        for passage_id, other in self.index.vectors(others).items():
            scores.setdefault(passage_id, {})[COSINE] = float(other @ vector)
        return scores

    def _require_whole_index(self) -> None:
        """Nothing was found: tell a lost index from documents without words."""
        if lost := missing(self.library, self.index):
            raise IndexUnavailable(
                f"{lost} passages of the library are missing from the index. "
                "Run `vouch ingest` on any folder to mend it."
            )

    @staticmethod
    def _may_be_read(passage: Passage | None, scope: Scope) -> bool:
        """Whether library and scope agree with the index, which an ingest may have ahead."""
        if passage is None or not permits(passage.document.metadata.access, scope):
            return False
        return scope.documents is None or passage.document.document_id in scope.documents

    def _rerank(
        self, query: str, candidates: list[Hit], listwise: ListwiseReranker | None
    ) -> Ranking:
        """The best candidates by their probability to answer, or all without a reranker."""
        if self.reranker is None:
            return Ranking(candidates)
        most = self._most_reranked
        scored = self._reranked(self.reranker, query, candidates[:most])
        ranked = sorted(scored, key=lambda hit: -relevance_of(hit.scores))
        if self.window_reranker is not None:
            few = self.settings.reread
            reread = self.window_reranker(query, ranked[:few])
            ranked = [*reread, *_not_reread(ranked[few:])]
        ranked = [*ranked, *_not_reread(candidates[most:])]
        ranking = Ranking(ranked)
        if listwise is not None:
            ranking = reranked(listwise, query, ranked, self.settings.listwise)
        return replace(ranking, hits=[self._judged_for(query, hit) for hit in ranking.hits])

    def _judged_for(self, query: str, hit: Hit) -> Hit:
        if is_about_others(query, hit.passage):
            return replace(hit, eligibility=Eligibility.OF_ANOTHER)
        judged = self.selection.judged(hit)
        eligible = judged.eligibility is not None and judged.eligibility.eligible
        if eligible and not self.is_understood(query, hit.passage):
            return replace(hit, eligibility=Eligibility.NOT_ENGLISH)
        return judged

    @staticmethod
    def _reranked(reranker: Reranker, query: str, candidates: Sequence[Hit]) -> list[Hit]:
        """With what the reranker makes of each by itself."""
        scores = reranker.scores(
            [RerankPair(query, read_whole(query, hit.passage), hit.scores) for hit in candidates]
        )
        return [
            replace(hit, scores={**hit.scores, LOGIT: score.logit, RELEVANCE: score.relevance})
            for hit, score in zip(candidates, scores, strict=True)
        ]


def _not_reread(hits: Sequence[Hit]) -> Iterator[Hit]:
    return (replace(hit, eligibility=Eligibility.NOT_REREAD) for hit in hits)
