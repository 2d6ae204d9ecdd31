"""Which calibration is used with which writer, and what is said of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.calibration import (
    FOR_LANGUAGE_MODELS,
    NONE,
    SHIPPED,
    Calibration,
    load_calibration,
    save_calibration,
)
from bot.answering.gate import (
    ANSWER_AT,
    PARTIAL_AT,
    UNCALIBRATED,
    GateCalibration,
)
from bot.settings.models import BUNDLED
from bot.wiring.fitted import fitted_calibration, gate_of_copies
from bot.wiring.models import Models
from retrieval.calibration import LogisticWeights

MODELS = Models(BUNDLED, BUNDLED, BUNDLED, threads=1).names
INDEX = "lancedb"
GATE = GateCalibration(0.0, 2.0)


@pytest.fixture(scope="module")
def of_copies() -> Calibration:
    return load_calibration(SHIPPED)


@pytest.fixture
def shipped(tmp_path: Path, of_copies: Calibration) -> Path:
    """A shipped calibration, and beside it one for language models."""
    save_calibration(of_copies, tmp_path / SHIPPED.name)
    made = replace(of_copies, name="of drafts", gate=GATE, writer="openai large")
    said = replace(made, provenance="answers of a large model, collected in batches")
    save_calibration(said, tmp_path / FOR_LANGUAGE_MODELS)
    return tmp_path / SHIPPED.name


def test_what_ships_for_language_models_is_for_any_and_says_whose_drafts_it_was_made_of(
    shipped: Path,
) -> None:
    fitted = fitted_calibration(None, MODELS, "openai small", INDEX, shipped)
    assert (fitted.calibration.name, fitted.calibration.gate) == ("of drafts", GATE)
    assert fitted.misfit == ""
    assert "answers of a large model, collected in batches" in fitted.note
    assert "vouch calibrate --gate-alone" in fitted.note
    own = fitted_calibration(None, MODELS, "openai large", INDEX, shipped)
    assert (own.misfit, own.note) == ("", "")


def test_copies_keep_the_calibration_that_was_made_of_copies(
    shipped: Path, of_copies: Calibration
) -> None:
    fitted = fitted_calibration(None, MODELS, "extractive", INDEX, shipped)
    assert fitted.calibration == of_copies


def test_where_none_ships_for_language_models_the_gate_is_uncalibrated_and_that_is_said(
    tmp_path: Path, of_copies: Calibration
) -> None:
    save_calibration(of_copies, tmp_path / SHIPPED.name)
    fitted = fitted_calibration(None, MODELS, "openai small", INDEX, tmp_path / SHIPPED.name)
    gate = fitted.calibration.gate
    for composite in (0.01, 0.5, 0.99):
        assert PARTIAL_AT < gate.probability(composite) < ANSWER_AT, "probable, and never sure"
    assert fitted.calibration.relevance == of_copies.relevance
    assert "not fitted with the writer openai small in use" in fitted.misfit


@pytest.mark.parametrize("writer", ["extractive", "openai large"])
def test_of_another_index_only_raw_scores_by_words_do_not_fit(
    shipped: Path, of_copies: Calibration, writer: str
) -> None:
    fitted = fitted_calibration(None, MODELS, writer, "another engine", shipped)
    assert fitted.calibration.relevance == of_copies.relevance
    assert fitted.misfit == ""
    assert "with the index lancedb; another engine" in fitted.note

    raw = LogisticWeights(0.0, {"bm25": 1.0})
    weighing = replace(of_copies, relevance=replace(of_copies.relevance, answering=raw))
    save_calibration(weighing, shipped.with_name("own.json"))
    own = fitted_calibration(
        shipped.with_name("own.json"), MODELS, "extractive", "another engine", shipped
    )
    assert "not fitted with the index another engine in use" in own.misfit
    assert own.calibration.relevance == NONE.relevance


def test_a_copy_in_a_models_place_meets_the_gate_of_copies(
    tmp_path: Path, of_copies: Calibration
) -> None:
    named = tmp_path / "mine.json"
    save_calibration(replace(of_copies, gate=GATE, writer="openai small"), named)
    copies = gate_of_copies(named, MODELS, INDEX, of_copies.relevance)
    assert copies.gate == of_copies.gate


def test_a_gate_of_copies_found_by_another_relevance_is_left_out(of_copies: Calibration) -> None:
    copies = gate_of_copies(None, MODELS, INDEX, of_copies.relevance.shifted(1.0))
    assert copies.gate == UNCALIBRATED
    assert copies.name == f"{of_copies.name}, gate uncalibrated"
