"""Confidences are measured each by something of its own; calibrations say what scores mean.

A confidence that nothing measured is None: it is shown as not measured, and its weight is shared by
the others. A calibration, fitted on labelled questions, and shipped or named, maps the composite to
a probability.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import TypeAdapter

from audit.record import Confidence
from bot.answering.gate import UNCALIBRATED as GATE_UNCALIBRATED
from bot.answering.gate import GateCalibration, Risk
from bot.answering.values import Claim, Draft
from bot.errors import BadConfiguration
from retrieval.search.calibration import UNCALIBRATED, RelevanceCalibration
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


SHIPPED = Path(__file__).parent / "calibration.json"
FOR_LANGUAGE_MODELS = "calibration-openai.json"
"""Beside it, made of a large language model's drafts; where it does not ship there is none for such
a writer."""
COPYING = "extractive"
"""The writer that copies; any other one's name begins with that of its kind."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A calibration is of the reranker's scores and of the gate's confidence, made in one run."""

    name: str
    relevance: RelevanceCalibration
    gate: GateCalibration = GATE_UNCALIBRATED
    models: Mapping[str, str] = field(default_factory=dict)
    """The names of the models whose scores it was fitted on, by what they do."""
    writer: str = COPYING
    """Who drafted: a copied sentence's entailment means something else than a written one's."""
    risk: Risk | None = None
    """What the gate's part keeps to; None where nobody measured it."""
    provenance: str = ""
    """Where the drafts came from that it was fitted on, in words; empty where nobody said."""


_FORM = TypeAdapter(Calibration)
_FORMERLY = ("look", "reranking")
"""By which files of 0.3 and before are known, whose relevance weighed several scores."""
NONE = Calibration("uncalibrated", UNCALIBRATED)
"""Plain sigmoids: for models that nobody has calibrated."""


def load_calibration(path: Path) -> Calibration:
    """Read a file made by `vouch calibrate`; raise `BadConfiguration` for any other."""
    try:
        read = json.loads(path.read_bytes())
        if any(former in _relevance_in(read) for former in _FORMERLY):
            raise ValueError("it was fitted on scores that no longer decide")
        return _FORM.validate_python(read)
    except (OSError, ValueError) as error:  # pydantic's and json's are such
        raise BadConfiguration(
            f"The calibration {path} cannot be read ({error}). Make it anew with "
            "`vouch calibrate`, or leave VOUCH_CALIBRATION out for the shipped one."
        ) from error


def _relevance_in(read: Any) -> Mapping[str, Any]:  # whatever JSON a file holds
    relevance = read.get("relevance") if isinstance(read, dict) else None
    return relevance if isinstance(relevance, dict) else {}


def save_calibration(calibration: Calibration, path: Path) -> None:
    path.write_bytes(_FORM.dump_json(calibration, indent=2) + b"\n")
