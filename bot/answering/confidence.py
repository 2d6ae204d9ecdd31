"""Four confidences, each measured by something of its own, and the composite of them.

One that nothing measured is None: it is shown as not measured, and its weight is shared by the
others. A calibration maps the composite to a probability.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from audit.record import Confidence
from bot.answering.values import Claim, Draft
from retrieval.search.ranking import best_relevance
from retrieval.search.scores import relevance_of
from retrieval.types import Evidence

WEIGHTS = {"retrieval": 0.35, "entailment": 0.35}
"""Shares of the composite, of their sum. Not measured: the published system does not state its own.
Chosen so that whether the right passage was found and whether it bears the answer out count most.
Coverage has none, for a missing part makes the reply PARTIAL and is named there, but takes nothing
from the answer to another part."""


def measured(evidence: Evidence, draft: Draft, claims: Sequence[Claim]) -> Confidence:
    """What was measured of a draft, each from 0 to 1; None for what nothing measured.

    `claims`: those of the draft, checked, whether or not they are posted. Entailment is of a writer
    that could have written anything.
    """
    score = fmean(claim.score for claim in claims) if claims and not draft.only_copies else None
    relevance = _mean_relevance(evidence, claims)
    return Confidence(retrieval=relevance, entailment=score)


def composite(confidences: Mapping[str, float | None]) -> float:
    """The weighted mean, 0 to 1, of those that have a weight and were measured.

    `retrieval` is always measured.
    """
    return weighted_mean(WEIGHTS, confidences)


def weighted_mean(weights: Mapping[str, float], values: Mapping[str, float | None]) -> float:
    """Of those that were measured, one at least, by their shares."""
    known = {name: value for name in weights if (value := values.get(name)) is not None}
    weight = sum(weights[name] for name in known)
    return sum(weights[name] * value for name, value in known.items()) / weight


def _mean_relevance(evidence: Evidence, claims: Sequence[Claim]) -> float:
    """Of the passages that claims cite; where nothing was written, the best candidate's.

    What ends a list that was cut counts as the passage that the list began in.
    """
    relevance = {hit.passage.passage_id: relevance_of(hit.scores) for hit in evidence.candidates}
    cited = {
        evidence.continued_from(c.passage.passage_id) for claim in claims for c in claim.citations
    }
    if cited:
        return fmean(relevance.get(passage_id, 0.0) for passage_id in cited)
    return best_relevance(evidence.candidates)
