"""Some of a ranking becomes evidence, in an order of its own; its context is read beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.search.ranking import (
    SpeaksToTheSame,
    first_of_each_text,
    headed_alike,
    organisational_order,
)
from retrieval.search.scores import HIERARCHY, RELEVANT, relevance_of
from retrieval.types import Eligibility, Evidence, Hit, Passage, Stream


class PassageVectors(Protocol):
    def vectors(self, passage_ids: Sequence[str], /) -> Mapping[str, NDArray[np.float32]]:
        """By passage id; what is not there is left out. Raise `IndexUnavailable`."""
        ...


class Selection(Protocol):
    """It makes evidence of a ranking."""

    def judged(self, hit: Hit) -> Hit:
        """The hit with whether it is eligible by itself; raise nothing."""
        ...

    def __call__(
        self, ranked: Sequence[Hit], index: PassageVectors, /
    ) -> tuple[list[Hit], list[Hit]]:
        """The evidence in the order to trust it, and the duplicates that were left out of it.

        `ranked` has judged hits best first, each passage once. Both are empty where nothing is
        eligible; an implementation says how many it takes at most. Raise `IndexUnavailable`.
        """
        ...


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
    same_heading: float = 0.4
    """The same, where one's heading has all the words of the other's: "Late coursework" and "Late
    coursework and late tokens". In the sample organisation rules on one subject under such
    headings lay at 0.42 to 0.94, others ("Time limits", "Examiners") under 0.13."""
    own_rule: float = 0.5
    """Share of the threshold, 0 to 1, from which a passage of the reader's own unit is evidence
    all the same, where one of a wider unit that passes speaks to the same thing. Not measured;
    chosen so that nobody is told a general rule because their own is worded further from the
    question."""
    floor: float | None = None
    """Relevance, 0 to 1, from which a passage under the threshold is evidence as well, for a writer
    that tells by itself what answers. None: for one that does not."""

    def judged(self, hit: Hit) -> Hit:
        if hit.eligibility is Eligibility.NOT_REREAD:
            return hit
        return replace(hit, eligibility=self._eligibility(relevance_of(hit.scores)))

    def _eligibility(self, relevance: float) -> Eligibility:
        if relevance >= self.threshold:
            return Eligibility.OVER_THRESHOLD
        if self.floor is not None and relevance >= self.floor:
            return Eligibility.OVER_FLOOR
        return Eligibility.UNDER_THRESHOLD

    def __call__(self, ranked: Sequence[Hit], index: PassageVectors) -> tuple[list[Hit], list[Hit]]:
        """A paragraph that stands in several documents counts once; the others come apart.

        What is less probable than a rule that overrides comes last and overrides nothing: too
        little is known of what it speaks to. What overrides one passage of a section overrides
        the others that were found: they are one rule.
        """
        least = self.threshold * self.own_rule
        silent = (Eligibility.OF_ANOTHER, Eligibility.NOT_ENGLISH)
        ranked = [hit for hit in ranked if hit.eligibility not in silent]
        likely = [hit for hit in ranked if relevance_of(hit.scores) >= least]
        same = self._same_thing(index.vectors([hit.passage.passage_id for hit in likely]))
        chosen = [hit for hit in likely if _is_chosen(hit)]
        evidence = [
            hit if _is_chosen(hit) else replace(hit, eligibility=Eligibility.NEARER_RULE)
            for hit in likely
            if _is_chosen(hit) or _is_nearer_rule(hit, chosen, same)
        ]
        ordered = organisational_order(evidence, same)
        prevailing = {hit.overridden_by for hit in ordered}
        holding = [
            hit for hit in ordered if _is_chosen(hit) or hit.passage.passage_id in prevailing
        ]
        unlikely = [hit for hit in ranked if _is_chosen(hit) and relevance_of(hit.scores) < least]
        first, duplicates = first_of_each_text([*holding, *unlikely])
        return first[: self.most], duplicates

    def _same_thing(self, vectors: Mapping[str, NDArray[np.float32]]) -> SpeaksToTheSame:
        def same(one: Passage, other: Passage) -> bool:
            if one.document.document_id == other.document.document_id:
                return bool(one.section_path) and one.section_path == other.section_path
            vector, another = vectors.get(one.passage_id), vectors.get(other.passage_id)
            if vector is None or another is None:
                return False
            cosine = float(vector @ another)
            return cosine >= self.same_thing or (
                cosine >= self.same_heading and headed_alike(one, other)
            )

        return same


def without_floor(evidence: Evidence, threshold: float) -> Evidence:
    """What of the evidence is such for a writer that copies; `threshold` is the selection's."""
    parts = tuple(
        replace(part, covered=part.covered and part.relevance >= threshold)
        for part in evidence.parts
    )
    over = tuple(
        hit for hit in evidence.duplicates if hit.eligibility is not Eligibility.OVER_FLOOR
    )
    return replace(evidence, hits=evidence.plain, duplicates=over, parts=parts)


def _is_chosen(hit: Hit) -> bool:
    """Whether it is evidence by itself."""
    return hit.eligibility in (Eligibility.OVER_THRESHOLD, Eligibility.OVER_FLOOR)


def _is_nearer_rule(hit: Hit, chosen: Sequence[Hit], same: SpeaksToTheSame) -> bool:
    """Whether it is of a unit nearer to the reader than one that is chosen and says the same."""
    rules = (other for other in chosen if _is_rule(other) and _is_rule(hit))
    return any(
        hit.scores.get(HIERARCHY, 0.0) > other.scores.get(HIERARCHY, 0.0)
        and same(other.passage, hit.passage)
        for other in rules
    )


def _is_rule(hit: Hit) -> bool:
    return hit.passage.document.metadata.stream is not Stream.ACADEMIC


NEIGHBOURS = 2
"""On each side of a hit."""
SECTION_WORDS = 1_500
"""Of a section at most, with the hit: about the 2,000 tokens of published parent retrieval."""
FOLLOWING = 2
"""Passages in which the end of a list is sought that was cut: some 300 words more."""
_REACH = 40
"""Passages on each side among which the rest of a section is sought."""
Neighbours = Callable[[Passage, int], Sequence[Passage]]
"""Up to so many passages of its document on each side, in reading order, as a library has them."""
Around = Callable[[Sequence[Hit], Neighbours], tuple[Passage, ...]]
"""Passages around hits, once each, none of them a hit itself; empty where there are none."""


def neighbours_of(hits: Sequence[Hit], neighbours: Neighbours) -> tuple[Passage, ...]:
    """Passages around the academic hits: a proof seldom fits one paragraph."""
    academic = (hit for hit in hits if hit.passage.document.metadata.stream is Stream.ACADEMIC)
    around = (neighbours(hit.passage, NEIGHBOURS) for hit in academic)
    return _once([passage for each in around for passage in each], hits)


def sections_of(hits: Sequence[Hit], neighbours: Neighbours) -> tuple[Passage, ...]:
    """What else the section of each hit says, as parent retrieval has it."""
    return _once([each for hit in hits for each in _section(hit.passage, neighbours)], hits)


def nothing_around(_hits: Sequence[Hit], _neighbours: Neighbours) -> tuple[Passage, ...]:
    return ()


def ends_of_lists(hits: Sequence[Hit], neighbours: Neighbours) -> dict[str, tuple[Passage, ...]]:
    """By passage id of a hit that ends within a list, the passages up to the end of that list.

    None where it is not ended by the next `FOLLOWING`, where they are of another version, or
    repeat what stands in the one before, as passages do that overlap.
    """
    cut = (hit.passage for hit in hits if hit.passage.sentences[-1].list_goes_on)
    return {each.passage_id: after for each in cut if (after := _end_of_list(each, neighbours))}


def _end_of_list(passage: Passage, neighbours: Neighbours) -> tuple[Passage, ...]:
    found = [passage]
    for each in neighbours(passage, FOLLOWING):
        if each.ordinal < passage.ordinal:
            continue
        before = found[-1]
        of_one = each.document.version == passage.document.version
        repeats = each.sentences[0].char_start < before.sentences[-1].char_end
        if not of_one or repeats or each.section_path != passage.section_path:
            return ()
        found.append(each)
        if not each.sentences[-1].list_goes_on:
            return tuple(found[1:])
    return ()


def _once(around: Sequence[Passage], hits: Sequence[Hit]) -> tuple[Passage, ...]:
    hit_ids = {hit.passage.passage_id for hit in hits}
    unique = {passage.passage_id: passage for passage in around}
    return tuple(p for passage_id, p in unique.items() if passage_id not in hit_ids)


def _section(passage: Passage, neighbours: Neighbours) -> list[Passage]:
    """The rest of its section, and what is below that, in reading order; the nearest as it fits."""
    around = neighbours(passage, _REACH)
    before = [each for each in reversed(around) if each.ordinal < passage.ordinal]
    after = [each for each in around if each.ordinal > passage.ordinal]

    def is_inside(other: Passage) -> bool:
        path = passage.section_path
        return other.section_path[: len(path)] == path if path else not other.section_path

    inside = [*takewhile(is_inside, before), *takewhile(is_inside, after)]
    nearest = sorted(inside, key=lambda each: abs(each.ordinal - passage.ordinal))
    return sorted(_fitting(passage, nearest), key=lambda each: each.ordinal)


def _fitting(passage: Passage, nearest: Sequence[Passage]) -> Iterator[Passage]:
    words = len(passage.text.split())
    for each in nearest:
        words += len(each.text.split())
        if words > SECTION_WORDS:
            return
        yield each
