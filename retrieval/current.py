"""A question about somebody's current courses is answered from these before others.

Who may read what does not change: completed courses stay readable, and a search is only ever
narrowed. Where nobody knows which courses are current, nothing is narrowed.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from retrieval.filters import EVERYONE
from retrieval.types import Eligibility, Hit, Metadata, Scope

_COURSES = r"(?:courses?|modules?|class(?:es)?|subjects?|lectures?|seminars?)"
_TERM = r"(?:semester|term|trimester|quarter)"
_NOW = rf"(?:now|currently|at the moment|right now|this {_TERM})"
_NAMED = re.compile(
    rf"\b(?:my|our) (?:current|present|ongoing) {_COURSES}\b"
    rf"|\b(?:my|our) {_COURSES} {_NOW}\b"
    rf"|\bthis {_TERM}'?s {_COURSES}\b"
    rf"|\b{_COURSES} (?:that |which )?(?:i'?m|i am|we'?re|we are) (?:currently |now )?"
    r"(?:taking|attending|doing|enrolled in|enrolled on|signed up for)\b"
    rf"|\b{_COURSES} (?:that |which )?i (?:currently|now) (?:take|attend|do)\b",
    re.IGNORECASE,
)
_NOW_ALONE = re.compile(rf"\b(?:this|the current|the present|my current) {_TERM}\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:not|except|besides|beside|apart from|other than|instead of|outside(?: of)?|unlike"
    r"|compared (?:to|with)) (?:in |of |for |with |from )?(?:the |any of )?(?:my|our|this|those) "
    rf"|\b(?:previous|past|earlier|former|completed|finished|passed|last {_TERM})\b",
    re.IGNORECASE,
)
"""Then what is over is asked for as well, or alone."""


class AsksOfCurrent(StrEnum):
    """How far a question is about what somebody takes now."""

    NO = "no"
    FIRST = "first"
    """It names the present semester: what is current is likelier to be meant."""
    ONLY = "only"
    """It names the current courses themselves."""


def asks_of_current(question: str) -> AsksOfCurrent:
    """By its form; where it names what is over as well, nothing is made of it."""
    text = " ".join(question.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if _OTHERS.search(text):
        return AsksOfCurrent.NO
    if _NAMED.search(text):
        return AsksOfCurrent.ONLY
    return AsksOfCurrent.FIRST if _NOW_ALONE.search(text) else AsksOfCurrent.NO


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
