"""Calibrations say what scores mean: fitted on labelled questions, and shipped or named."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bot.answering.gate import UNCALIBRATED as GATE_UNCALIBRATED
from bot.answering.gate import GateCalibration, Risk
from bot.errors import BadConfiguration
from retrieval.search.reranking import UNCALIBRATED, RelevanceCalibration

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
