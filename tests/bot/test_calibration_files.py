"""Files of calibrations, those of earlier versions too."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.calibration import SHIPPED, load_calibration, save_calibration
from bot.answering.confidence import Composite
from bot.answering.gate import GateCalibration
from bot.errors import BadConfiguration


def test_a_calibration_of_before_is_read_with_what_it_called_close_reading(
    tmp_path: Path,
) -> None:
    weights = {"bias": -1.0, "weights": {"logit": 2.0, "bm25": 0.1}}
    old = {"name": "old", "relevance": {"look": weights, "close_reading": weights, "near": 0.2}}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    relevance = load_calibration(path).relevance
    assert relevance.sentence_reranking is not None
    assert relevance.sentence_reranking.weights == {"logit": 2.0, "bm25": 0.1}
    assert relevance.near == 0.2


def test_what_is_saved_is_read_again_as_it_was(tmp_path: Path) -> None:
    shipped = load_calibration(SHIPPED)
    save_calibration(shipped, tmp_path / "again.json")
    assert "close_reading" not in (tmp_path / "again.json").read_text()
    assert load_calibration(tmp_path / "again.json") == shipped


def test_a_gate_that_names_no_composite_was_fitted_on_the_former_one(tmp_path: Path) -> None:
    old = json.loads(SHIPPED.read_bytes())
    old["gate"].pop("composite", None)
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    assert load_calibration(path).gate.composite is Composite.LIFTED
    now = replace(load_calibration(path), gate=GateCalibration(1.0, 0.0))
    save_calibration(now, path)
    assert load_calibration(path).gate.composite is Composite.MEASURED


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"relevance": 3}', '{"relevance": {}}', "1"])
def test_what_is_no_calibration_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadConfiguration, match="cannot be read"):
        load_calibration(tmp_path / "bad.json")
