"""Which calibration is used with which writer, and what is said of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.gate import (
    ANSWER_AT,
    FOR_LANGUAGE_MODELS,
    NONE,
    PARTIAL_AT,
    SHIPPED,
    UNCALIBRATED,
    Calibration,
    GateCalibration,
    load_calibration,
    save_calibration,
)
from bot.settings.answering import BUNDLED
from bot.wiring.calibration import fitted_calibration, gate_of_copies
from bot.wiring.models import Models

MODELS = Models(BUNDLED, BUNDLED, BUNDLED, threads=1).names
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
    fitted = fitted_calibration(None, MODELS, "openai small", shipped)
    assert (fitted.calibration.name, fitted.calibration.gate) == ("of drafts", GATE)
    assert fitted.misfit == ""
    assert "answers of a large model, collected in batches" in fitted.note
    assert "vouch calibrate --gate-alone" in fitted.note
    own = fitted_calibration(None, MODELS, "openai large", shipped)
    assert (own.misfit, own.note) == ("", "")


def test_copies_keep_the_calibration_that_was_made_of_copies(
    shipped: Path, of_copies: Calibration
) -> None:
    fitted = fitted_calibration(None, MODELS, "extractive", shipped)
    assert fitted.calibration == of_copies


def test_where_none_ships_for_language_models_the_gate_is_uncalibrated_and_that_is_said(
    tmp_path: Path, of_copies: Calibration
) -> None:
    save_calibration(of_copies, tmp_path / SHIPPED.name)
    fitted = fitted_calibration(None, MODELS, "openai small", tmp_path / SHIPPED.name)
    gate = fitted.calibration.gate
    for composite in (0.01, 0.5, 0.99):
        assert PARTIAL_AT < gate.probability(composite) < ANSWER_AT, "probable, and never sure"
    assert fitted.calibration.relevance == of_copies.relevance
    assert "not fitted with the writer openai small in use" in fitted.misfit


def test_embedders_only_choose_candidates_and_may_be_others(
    shipped: Path, of_copies: Calibration
) -> None:
    others = {**MODELS, "embedder": "another", "embedder 2": "a further one"}
    fitted = fitted_calibration(None, others, "extractive", shipped)
    assert (fitted.calibration, fitted.misfit) == (of_copies, "")


@pytest.mark.parametrize("which", ["reranker", "entailment"])
def test_what_judges_must_be_what_it_was_fitted_with(
    shipped: Path, of_copies: Calibration, which: str
) -> None:
    fitted = fitted_calibration(None, {**MODELS, which: "another"}, "extractive", shipped)
    assert f"not fitted with the {which} another in use" in fitted.misfit
    assert fitted.calibration.gate == UNCALIBRATED
    kept = of_copies if which == "entailment" else NONE
    assert fitted.calibration.relevance == kept.relevance


def test_a_copy_in_a_models_place_meets_the_gate_of_copies(
    tmp_path: Path, of_copies: Calibration
) -> None:
    named = tmp_path / "mine.json"
    save_calibration(replace(of_copies, gate=GATE, writer="openai small"), named)
    copies = gate_of_copies(named, MODELS, of_copies.relevance)
    assert copies.gate == of_copies.gate


def test_a_gate_of_copies_found_by_another_relevance_is_left_out(of_copies: Calibration) -> None:
    copies = gate_of_copies(None, MODELS, of_copies.relevance.shifted(1.0))
    assert copies.gate == UNCALIBRATED
    assert copies.name == f"{of_copies.name}, gate uncalibrated"
