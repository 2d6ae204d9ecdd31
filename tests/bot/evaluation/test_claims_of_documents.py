"""Labelled claims, on texts and on documents, are checked as replies are."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.answering.verification import ClaimVerifier
from bot.errors import BadConfiguration
from bot.lab.claims import LabelledClaim, Passing, balanced_accuracy, load_claims, passing
from retrieval.models.cross_encoders import BundledCrossEncoder, CrossEncoderEntailment
from retrieval.ports import EntailmentPair

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


SOURCE = "Leave\nYou may carry over 14 days. Ask your manager first."
ON_TEXTS = [
    LabelledClaim(
        kind="number", premise=SOURCE, claim="You may carry over 14 days.", supported=True
    ),
    LabelledClaim(
        kind="number", premise=SOURCE, claim="You may carry over 40 days.", supported=False
    ),
    LabelledClaim(kind="topic", premise=SOURCE, claim="Cats sleep.", supported=False),
]


class SharedWords:
    """Stands for a model that finds everything entailed which shares a word with its premise."""

    name = "words"

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [
            float(bool(set(pair.claim.lower().split()) & set(pair.premise.lower().split())))
            for pair in pairs
        ]


def test_shares_are_told_of_the_model_alone_and_with_exact_comparison() -> None:
    rows = passing(ON_TEXTS, ClaimVerifier(SharedWords()), lambda *_: None)
    assert [(r.kind, r.supported, r.claims, r.by_model, r.by_both) for r in rows] == [
        ("number", False, 1, 1.0, 0.0),
        ("number", True, 1, 1.0, 1.0),
        ("topic", False, 1, 0.0, 0.0),
    ]
    assert balanced_accuracy(rows) == {"number": (0.5, 1.0)}


@pytest.mark.parametrize(
    "line", [{"kind": "number"}, {"kind": "a", "claim": "on nothing", "supported": True}]
)
def test_a_line_that_is_no_claim_or_on_nothing_is_named(
    line: dict[str, object], tmp_path: Path
) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text(f"{ON_TEXTS[0].model_dump_json()}\n{json.dumps(line)}\n")
    with pytest.raises(BadConfiguration, match="line 2"):
        load_claims(file)


def test_a_text_may_hold_any_other_break(tmp_path: Path) -> None:
    broken = ON_TEXTS[0].model_copy(update={"premise": "Leave\nOne.\u2028Two.\x85Three."})
    file = tmp_path / "claims.jsonl"
    file.write_text(f"{json.dumps(broken.model_dump(), ensure_ascii=False)}\n", encoding="utf-8")
    assert load_claims(file) == [broken]


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="cannot be read"):
        load_claims(tmp_path / "none.jsonl")
