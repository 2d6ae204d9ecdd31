"""What was found for another day may hold then alone, or till then."""

from dataclasses import replace
from datetime import date

from retrieval.filters import permits
from retrieval.types import Evidence


def first_begun(evidence: Evidence, after: date, near: float) -> date | None:
    """The first day, after a day, of a rule in evidence of a later one; None without such a rule.

    Where nothing is evidence, what came nearest counts, if it is as relevant as `near`.
    """
    prevailing = [hit for hit in evidence.plain if hit.overridden_by is None]
    if not prevailing and any(part.relevance >= near for part in evidence.parts):
        prevailing = list(evidence.candidates[:1])
    starts = (hit.passage.document.metadata.access.valid_from for hit in prevailing)
    return min((each for each in starts if each and each > after), default=None)


def over_by(day: date, evidence: Evidence) -> bool:
    """Whether there is evidence, and none of it holds any more on a later day."""
    rules = [hit.passage.document.metadata.access for hit in evidence.plain]
    then = replace(evidence.scope, on=day)
    return bool(rules) and not any(permits(rule, then) for rule in rules)
