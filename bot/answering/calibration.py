"""Calibrations: what scores mean, fitted on labelled questions and shipped or named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bot.answering.gate import UNCALIBRATED as GATE_UNCALIBRATED
from bot.answering.gate import GateCalibration, Risk
from bot.errors import BadConfiguration
from retrieval.calibration import UNCALIBRATED, RelevanceCalibration

SHIPPED = Path(__file__).parent / "calibration.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of the reranker's scores and of the gate's confidence, made in one run."""

    name: str
    relevance: RelevanceCalibration
    gate: GateCalibration = GATE_UNCALIBRATED
    models: Mapping[str, str] = field(default_factory=dict)
    """The names of the models whose scores it was fitted on, by what they do."""
    writer: str = "extractive"
    """Who drafted: a copied sentence's entailment means something else than a written one's."""
    index: str = "lancedb"
    """The engine that found the passages: another one's BM25 means something else. Files of
    before it was noted were fitted with this one."""
    risk: Risk | None = None
    """What the gate's part keeps to; None where nobody measured it."""


_FORM = TypeAdapter(Calibration)
NONE = Calibration("uncalibrated", UNCALIBRATED)
"""Plain sigmoids: for models that nobody has calibrated."""


def load_calibration(path: Path) -> Calibration:
    """Read a file made by `vouch calibrate`; raise `BadConfiguration` for any other."""
    try:
        return _FORM.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadConfiguration(
            f"The calibration {path} cannot be read ({error}). Make it anew with "
            "`vouch calibrate`, or leave VOUCH_CALIBRATION out for the shipped one."
        ) from error


def save_calibration(calibration: Calibration, path: Path) -> None:
    path.write_bytes(_FORM.dump_json(calibration, indent=2) + b"\n")
