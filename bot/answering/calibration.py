"""Calibrations say what scores mean: fitted on labelled questions, and shipped or named."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bot.answering.confidence import Composite
from bot.answering.gate import UNCALIBRATED as GATE_UNCALIBRATED
from bot.answering.gate import GateCalibration, Risk
from bot.errors import BadConfiguration
from retrieval.calibration import UNCALIBRATED, RelevanceCalibration

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
    index: str = "lancedb"
    """The engine that found the passages: another one's BM25 means something else. Files of
    before it was noted were fitted with this one."""
    risk: Risk | None = None
    """What the gate's part keeps to; None where nobody measured it."""
    provenance: str = ""
    """Where the drafts came from that it was fitted on, in words; empty where nobody said."""


_FORM = TypeAdapter(Calibration)
_FORMERLY = {"look": "reranking", "close_reading": "sentence_reranking"}
"""What files of 0.2 and before call the parts of the relevance."""
NONE = Calibration("uncalibrated", UNCALIBRATED)
"""Plain sigmoids: for models that nobody has calibrated."""


def load_calibration(path: Path) -> Calibration:
    """Read a file made by `vouch calibrate`; raise `BadConfiguration` for any other."""
    try:
        return _FORM.validate_python(_as_named_now(json.loads(path.read_bytes())))
    except (OSError, ValueError) as error:  # pydantic's and json's are such
        raise BadConfiguration(
            f"The calibration {path} cannot be read ({error}). Make it anew with "
            "`vouch calibrate`, or leave VOUCH_CALIBRATION out for the shipped one."
        ) from error


def _as_named_now(read: Any) -> Any:  # whatever JSON a file holds; it is validated next
    """Return what was read with each of the relevance's parts under its present name.

    A gate that names no composite is of 0.3 or before, when there was but one.
    """
    if not isinstance(read, dict):
        return read
    relevance, gate = read.get("relevance"), read.get("gate")
    if isinstance(relevance, dict):
        relevance = {_FORMERLY.get(key, key): relevance[key] for key in relevance}
        read = {**read, "relevance": relevance}
    if isinstance(gate, dict):
        read = {**read, "gate": {"composite": Composite.LIFTED, **gate}}
    return read


def save_calibration(calibration: Calibration, path: Path) -> None:
    path.write_bytes(_FORM.dump_json(calibration, indent=2) + b"\n")
