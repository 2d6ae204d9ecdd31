"""A reranker that somebody names learns what its scores mean from questions that ship."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.wiring.calibration import kept_or_fitted
from retrieval.language.words import FUNCTION_WORDS, words_of
from retrieval.models.cross_encoders import BundledCrossEncoder
from retrieval.search.reranking import fitted_on_labelled
from retrieval.search.scores import RELEVANT


class SharedWords:
    """Its logit is a multiple of the share of the question's words that the text has."""

    def __init__(self, times: float = 20.0, name: str = "shared words") -> None:
        self.name = name
        self.asked = 0
        self._times = times

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.asked += 1
        return np.array([[self._times * _shared(*pair)] for pair in pairs], np.float32)


def _shared(question: str, text: str) -> float:
    asked = set(words_of(question)) - FUNCTION_WORDS
    return len(asked & set(words_of(text))) / max(1, len(asked))


def test_whatever_the_scale_of_its_logits_as_few_near_misses_pass() -> None:
    small, large = (fitted_on_labelled(SharedWords(times), RELEVANT) for times in (2.0, 40.0))
    assert small is not None
    assert large is not None
    assert small.slope / large.slope == pytest.approx(20, rel=0.05)
    assert small.relevance(2.0) == pytest.approx(large.relevance(40.0), abs=0.01)


def test_wherever_the_threshold_lies_the_same_logit_reaches_it() -> None:
    lax, strict = (fitted_on_labelled(SharedWords(), each) for each in (0.5, 0.9))
    assert lax is not None
    assert strict is not None
    reached = (math.log(0.9 / 0.1) - strict.intercept) / strict.slope
    assert strict.relevance(reached) == pytest.approx(0.9)
    assert lax.relevance(reached) == pytest.approx(0.5)


def test_one_that_ranks_the_wrong_way_round_is_not_trusted() -> None:
    assert fitted_on_labelled(SharedWords(-20.0)) is None


@pytest.mark.exhaustive
@pytest.mark.slow
def test_the_bundled_one_means_much_the_same_by_these_questions_as_by_those_it_ships_with() -> None:
    fitted = fitted_on_labelled(BundledCrossEncoder("reranker"), most=30)
    assert fitted is not None
    assert 0.3 < fitted.slope < 1.5


def test_what_was_found_out_is_kept_for_the_same_model_and_threshold(tmp_path: Path) -> None:
    file, model = tmp_path / "home" / "reranker.json", SharedWords()
    first = kept_or_fitted(model, RELEVANT, file)
    asked = model.asked
    assert kept_or_fitted(model, RELEVANT, file) == first
    assert model.asked == asked
    kept_or_fitted(model, 0.8, file)
    assert model.asked == 2 * asked
    another = SharedWords(name="another")
    kept_or_fitted(another, 0.8, file)
    assert another.asked == asked


@pytest.mark.parametrize("content", [b"", b"{", b'{"reranker": 1}', b"\xff"])
def test_a_kept_file_that_is_damaged_is_made_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "reranker.json"
    file.write_bytes(content)
    assert kept_or_fitted(SharedWords(), RELEVANT, file) is not None
    assert b"shared words" in file.read_bytes()


def test_that_one_tells_nothing_is_found_out_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, model = tmp_path / "reranker.json", SharedWords(-1.0)
    assert kept_or_fitted(model, RELEVANT, file) is None
    assert "VOUCH_RERANKER" in caplog.text
    caplog.clear()
    asked = model.asked
    assert kept_or_fitted(model, RELEVANT, file) is None
    assert (model.asked, caplog.text) == (asked, "")
    assert kept_or_fitted(SharedWords(), RELEVANT, file) is None, "it has the same name"
    assert kept_or_fitted(SharedWords(name="another"), RELEVANT, file) is not None
