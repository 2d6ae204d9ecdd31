"""A question about somebody's current courses is answered from these before others.

Who may read what does not change: completed courses stay readable, and a search is only ever
narrowed. Where nobody knows which courses are current, nothing is narrowed.
"""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.filters import EVERYONE
from retrieval.language.current import AsksOfCurrent, asks_of_current
from retrieval.types import Eligibility, Hit, Metadata, Scope


def narrowed(query: str, scope: Scope) -> Scope:
    """The scope without completed courses where the question names the current ones.

    What is for no course in particular stays. Where nothing is current there is nothing to
    narrow to.
    """
    current = {facet: values for facet, values in scope.current.items() if values}
    if not current or asks_of_current(query) is not AsksOfCurrent.ONLY:
        return scope
    held = {
        facet: values & current[facet] if facet in current else values
        for facet, values in scope.facets.items()
    }
    return replace(scope, facets=held)


def current_first(query: str, scope: Scope, ranked: Sequence[Hit]) -> list[Hit]:
    """What is of a current course before all else that may be evidence, where it is asked for."""
    if not scope.current or asks_of_current(query) is AsksOfCurrent.NO:
        return list(ranked)
    return sorted(ranked, key=lambda hit: not (_may_be_evidence(hit) and _is_current(hit, scope)))


def _may_be_evidence(hit: Hit) -> bool:
    judged: Eligibility | None = hit.eligibility
    return judged is None or judged.eligible


def _is_current(hit: Hit, scope: Scope) -> bool:
    metadata: Metadata = hit.passage.document.metadata
    return any(
        not scope.current.get(facet, frozenset()).isdisjoint(set(values) - {EVERYONE})
        for facet, values in metadata.access.audience
    )
