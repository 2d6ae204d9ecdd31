"""Why one document was cited before another that speaks to the same thing, of what may be read."""

from collections.abc import Iterator

from audit.record import Candidate
from audit.values import ClaimRecord, Prevails
from bot.access.reading import RecordView
from bot.wording.evidence import preferred_because


def preferences(view: RecordView, *, alone: bool) -> list[str]:
    """In words, each once; `alone`: nobody but who asked reads it.

    Nothing is said of what is withheld, nor of what is shown as contradicting already.
    """
    read = (*view.candidates(used=True), *view.candidates(used=False))
    candidates = {each.passage_id: each for each in read}
    told = [
        preferred_because(why, view.title(first), view.title(other), alone=alone)
        for claim in view.record.claims
        for first, other, why in _pairs(claim, candidates)
        if other.document_id not in view.contradicting
    ]
    return list(dict.fromkeys(told))


def _pairs(
    claim: ClaimRecord, candidates: dict[str, Candidate]
) -> Iterator[tuple[Candidate, Candidate, Prevails]]:
    """What is cited first, what comes after it, and why."""
    cited = (candidates.get(each.passage_id) for each in claim.citations if not each.also)
    also = [candidates.get(each.passage_id) for each in claim.citations if each.also]
    for first in filter(None, cited):
        for other in candidates.values():
            if other.overridden_by == first.passage_id:
                yield first, other, Prevails.OWN_UNIT
        for other in filter(None, also):
            if (why := _over(first, other)) is not Prevails.NEITHER:
                yield first, other, why


def _over(first: Candidate, other: Candidate) -> Prevails:
    """Why one prevails over another that says the same, by its level and then by its day."""
    one, two = first.scores, other.scores
    hierarchy = one.hierarchy or 0.0, two.hierarchy or 0.0
    return Prevails.of(hierarchy, is_newer=(one.recency or 0.0) > (two.recency or 0.0))
