"""Claims about documents are checked by what they cite, with bounds of docs/measurements.md."""

import json
from pathlib import Path

import pytest

from bot.answering.verification import ClaimVerifier
from bot.errors import BadConfiguration
from bot.lab.claims import Passing, load_claims, passing
from retrieval.models.cross_encoders import BundledCrossEncoder, CrossEncoderEntailment

CLAIMS = Path(__file__).parents[2] / "fixtures" / "claims.jsonl"
TRUE_AT_LEAST = {
    "beside another's name": 0.7,
    "heading": 0.9,
    "list lead": 0.85,
    "organisation": 0.9,
    "pointing words": 0.9,
    "table": 0.85,
}
FALSE_AT_MOST = {
    "beside another's name": 0.5,
    "heading": 0.42,
    "inference": 0.0,
    "list lead": 0.2,
    "organisation": 0.28,
    "pointing words": 0.1,
    "table": 0.1,
}


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, bool], Passing]:
    verifier = ClaimVerifier(CrossEncoderEntailment(BundledCrossEncoder("entailment")))
    found = passing(load_claims(CLAIMS), verifier, lambda *_: None)
    return {(row.kind, row.supported): row for row in found}


@pytest.mark.parametrize(("kind", "share"), TRUE_AT_LEAST.items())
def test_true_claims_pass(rows: dict[tuple[str, bool], Passing], kind: str, share: float) -> None:
    assert rows[kind, True].by_both >= share


@pytest.mark.parametrize(("kind", "share"), FALSE_AT_MOST.items())
def test_false_claims_are_held_back(
    rows: dict[tuple[str, bool], Passing], kind: str, share: float
) -> None:
    assert rows[kind, False].by_both <= share


def test_a_sentence_that_the_document_does_not_have_is_named(tmp_path: Path) -> None:
    line = {"kind": "a", "document": "# A\n\nYou may park.\n", "cites": ["You must"], "claim": "b"}
    file = tmp_path / "claims.jsonl"
    file.write_text(json.dumps(line | {"supported": True}))
    verifier = ClaimVerifier(CrossEncoderEntailment(BundledCrossEncoder("entailment")))
    with pytest.raises(BadConfiguration, match="begins with 'You must'"):
        passing(load_claims(file), verifier, lambda *_: None)
