"""Some of a ranking becomes evidence, in an order of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import PassageIndex
from retrieval.ranking import SpeaksToTheSame, first_of_each_text, organisational_order
from retrieval.scores import HIERARCHY, relevance_of
from retrieval.thresholds import RELEVANT
from retrieval.types import Eligibility, Hit, Passage, Stream


class Selection(Protocol):
    """It makes evidence of a ranking."""

    def judged(self, hit: Hit) -> Hit:
        """The hit with whether it is eligible by itself; raise nothing."""
        ...

    def __call__(
        self, ranked: Sequence[Hit], index: PassageIndex, /
    ) -> tuple[list[Hit], list[Hit]]:
        """The evidence in the order to trust it, and the duplicates that were left out of it.

        `ranked` has judged hits best first, each passage once. Both are empty where nothing is
        eligible; an implementation says how many it takes at most. Raise `IndexUnavailable`.
        """
        ...


@dataclass(frozen=True, slots=True)
class BestOfOrder:
    """It takes the first of a ranking that nobody judged."""

    most: int = 5

    def judged(self, hit: Hit) -> Hit:
        return hit

    def __call__(self, ranked: Sequence[Hit], _: PassageIndex) -> tuple[list[Hit], list[Hit]]:
        return list(ranked[: self.most]), []


@dataclass(frozen=True, slots=True)
class OrganisationalSelection:
    """It takes what passes the threshold, as the organisation itself would order it."""

    threshold: float = RELEVANT
    """A passage less probable to answer than this is no evidence."""
    most: int = 5
    same_thing: float = 0.6
    """Cosine, -1 to 1, from which on two relevant passages of different documents speak to the
    same thing. Measured in the sample organisation with all-MiniLM-L6-v2, which the present
    embedder came from: rules on one subject lay at 0.60 to 0.81, others that pass the threshold
    together at 0.47 to 0.60."""
    own_rule: float = 0.5
    """Share of the threshold, 0 to 1, from which a passage of the reader's own unit is evidence
    all the same, where one of a wider unit that passes speaks to the same thing. Not measured;
    chosen so that nobody is told a general rule because their own is worded further from the
    question."""

    def judged(self, hit: Hit) -> Hit:
        if hit.eligibility is Eligibility.NOT_REREAD:
            return hit
        over = relevance_of(hit.scores) >= self.threshold
        eligibility = Eligibility.OVER_THRESHOLD if over else Eligibility.UNDER_THRESHOLD
        return replace(hit, eligibility=eligibility)

    def __call__(self, ranked: Sequence[Hit], index: PassageIndex) -> tuple[list[Hit], list[Hit]]:
        """A paragraph that stands in several documents counts once; the others come apart."""
        least = self.threshold * self.own_rule
        likely = [hit for hit in ranked if relevance_of(hit.scores) >= least]
        same = self._same_thing(index.vectors([hit.passage.passage_id for hit in likely]))
        over = [hit for hit in likely if hit.eligibility is Eligibility.OVER_THRESHOLD]
        evidence = [
            hit
            if hit.eligibility is Eligibility.OVER_THRESHOLD
            else replace(hit, eligibility=Eligibility.NEARER_RULE)
            for hit in likely
            if hit.eligibility is Eligibility.OVER_THRESHOLD or _is_nearer_rule(hit, over, same)
        ]
        ordered = organisational_order(evidence, same)
        prevailing = {hit.overridden_by for hit in ordered}
        first, duplicates = first_of_each_text(
            [
                hit
                for hit in ordered
                if hit.eligibility is Eligibility.OVER_THRESHOLD
                or hit.passage.passage_id in prevailing
            ]
        )
        return first[: self.most], duplicates

    def _same_thing(self, vectors: Mapping[str, NDArray[np.float32]]) -> SpeaksToTheSame:
        def same(one: Passage, other: Passage) -> bool:
            if one.document.document_id == other.document.document_id:
                return False
            vector, another = vectors.get(one.passage_id), vectors.get(other.passage_id)
            if vector is None or another is None:
                return False
            return float(vector @ another) >= self.same_thing

        return same


def _is_nearer_rule(hit: Hit, over: Sequence[Hit], same: SpeaksToTheSame) -> bool:
    """Whether it is of a unit nearer to the reader than one that passes and says the same."""
    rules = (other for other in over if _is_rule(other) and _is_rule(hit))
    return any(
        hit.scores.get(HIERARCHY, 0.0) > other.scores.get(HIERARCHY, 0.0)
        and same(other.passage, hit.passage)
        for other in rules
    )


def _is_rule(hit: Hit) -> bool:
    return hit.passage.document.metadata.stream is not Stream.ACADEMIC
