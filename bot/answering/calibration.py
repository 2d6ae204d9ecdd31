"""Calibrations: what scores mean, fitted on labelled questions and shipped or named."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.answering.gate import GateCalibration
from bot.errors import BadConfiguration
from retrieval.rerank import UNCALIBRATED, RelevanceCalibration

SHIPPED = Path(__file__).parent / "calibration.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of the reranker's scores and of the gate's confidence, made in one run."""

    name: str
    relevance: RelevanceCalibration
    gate: GateCalibration


NONE = Calibration("uncalibrated", UNCALIBRATED, GateCalibration())
"""Plain sigmoids: for models that nobody has calibrated."""


def load_calibration(path: Path) -> Calibration:
    """Read a file made by `vouch calibrate`; raise `BadConfiguration` for any other."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Calibration(
            values["name"],
            RelevanceCalibration(**values["relevance"]),
            GateCalibration(**values["gate"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadConfiguration(
            f"The calibration {path} cannot be read ({error}). Make it anew with "
            "`vouch calibrate`, or leave VOUCH_CALIBRATION out for the shipped one."
        ) from error


def save_calibration(calibration: Calibration, path: Path) -> None:
    path.write_text(json.dumps(asdict(calibration), indent=2) + "\n", encoding="utf-8")


def shipped_calibration(*, bundled_reranker: bool) -> Calibration:
    """The shipped one belongs to the bundled reranker; any other is uncalibrated."""
    return load_calibration(SHIPPED) if bundled_reranker else NONE
