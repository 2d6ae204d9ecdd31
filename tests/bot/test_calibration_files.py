"""Files of calibrations, those of earlier versions too."""

import json
from pathlib import Path

import pytest

from bot.answering.calibration import Calibration, load_calibration, save_calibration
from bot.answering.gate import GateCalibration
from bot.errors import BadConfiguration
from retrieval.search.reranking import RelevanceCalibration


@pytest.mark.parametrize("former", ["look", "reranking"])
def test_one_that_weighed_several_scores_is_refused_and_it_is_said_what_to_do(
    tmp_path: Path, former: str
) -> None:
    weights = {"bias": -1.0, "weights": {"logit": 2.0, "cosine": 0.1}}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"name": "old", "relevance": {former: weights, "near": 0.2}}))
    with pytest.raises(BadConfiguration, match=r"no longer decide.*`vouch calibrate`"):
        load_calibration(path)


def test_what_is_saved_is_read_again_as_it_was(tmp_path: Path) -> None:
    fitted = RelevanceCalibration(2.0, -1.0, near=0.2)
    made = Calibration("mine", fitted, GateCalibration(1.5, 0.5), {"reranker": "words"})
    save_calibration(made, tmp_path / "mine.json")
    assert load_calibration(tmp_path / "mine.json") == made


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"relevance": 3}', '{"relevance": {}}', "1"])
def test_what_is_no_calibration_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadConfiguration, match="cannot be read"):
        load_calibration(tmp_path / "bad.json")
