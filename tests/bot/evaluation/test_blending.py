"""Passages are found by a blend of their own cosine and their document's nearest question."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from fakes import lance_index
from numpy.typing import NDArray

import bot.lab.published.index_rag
from bot.lab.published.index_rag import BlendedRetriever
from retrieval.index.lance_index import LanceIndex
from retrieval.ports import TEXT_SPACE, EntryKind, IndexEntry
from retrieval.search.retrievers import Query
from retrieval.types import AccessRule, Scope

EVERYONE, HR = AccessRule(), AccessRule((("departments", ("hr",)),))
GUEST = Scope({}, date(2026, 3, 2))
OF_HR = Scope({"departments": frozenset({"hr"})}, date(2026, 3, 2))


def at(cosine: float) -> NDArray[np.float32]:
    """A unit vector of that cosine to the one that is searched for."""
    return np.array([cosine, (1 - cosine**2) ** 0.5], dtype=np.float32)


@pytest.fixture
def index(tmp_path: Path) -> LanceIndex:
    return lance_index(tmp_path / "index", dimension=2, made_by={EntryKind.QUESTION: "a test"})


def passage(passage_id: str, cosine: float, rule: AccessRule = EVERYONE) -> IndexEntry:
    document_id = passage_id.partition("-")[0]
    return IndexEntry(passage_id, passage_id, document_id, rule, {TEXT_SPACE: at(cosine)}, "words")


def question(passage_id: str, cosine: float, rule: AccessRule = EVERYONE) -> IndexEntry:
    document_id, entry_id = passage_id.partition("-")[0], f"{passage_id}:question:{cosine}"
    vectors = {TEXT_SPACE: at(cosine)}
    return IndexEntry(entry_id, passage_id, document_id, rule, vectors, kind=EntryKind.QUESTION)


def found(index: LanceIndex, most: int = 50, scope: Scope = GUEST) -> list[tuple[str, float]]:
    matches = BlendedRetriever(index, most)(Query("", {TEXT_SPACE: at(1)}), scope)
    return [(match.passage_id, round(match.score, 4)) for match in matches]


def test_six_tenths_are_of_the_passage_and_four_of_the_best_question(index: LanceIndex) -> None:
    index.upsert([passage("a-0", 0.5), question("a-0", 0.2), question("a-0", 0.9)])
    assert found(index) == [("a-0", 0.66)]


def test_a_document_without_questions_keeps_the_score_of_its_passage(index: LanceIndex) -> None:
    index.upsert([passage("a-0", 0.5), passage("b-0", 0.6), question("b-0", 0.1)])
    assert found(index) == [
        ("a-0", 0.5),
        ("b-0", 0.4),
    ]


def test_a_question_of_one_passage_speaks_for_its_whole_document(index: LanceIndex) -> None:
    index.upsert([passage("a-0", 0.5), passage("a-1", 0.7), question("a-0", 0.9)])
    assert found(index) == [
        ("a-1", 0.78),
        ("a-0", 0.66),
    ]


def test_a_document_that_only_its_question_finds_is_scored_by_its_best_passage(
    index: LanceIndex,
) -> None:
    """Two passages are nearer, so that neither of its own is among the most near."""
    nearer = [passage("b-0", 0.8), passage("c-0", 0.8)]
    index.upsert([*nearer, passage("a-0", 0.1), passage("a-1", 0.7), question("a-0", 1.0)])
    assert found(index, most=2)[0] == ("a-1", 0.82)


def test_a_question_that_is_far_is_not_taken_for_none(index: LanceIndex) -> None:
    """Its question is not among the most near, and it would be first without."""
    index.upsert([passage("a-0", 0.9), question("a-0", 0.0), passage("b-0", 0.85)])
    index.upsert([question("b-0", 0.8), question("c-0", 0.9), passage("c-0", 0.2)])
    assert [each for each, _ in found(index, most=2)] == ["b-0", "a-0"]


def test_a_document_of_many_passages_crowds_no_other_out(
    index: LanceIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.lab.published.index_rag, "AT_ONCE", 3)
    index.upsert(
        [each for n in range(20) for each in (passage(f"a-{n}", 0.9), question(f"a-{n}", 0.9))]
    )
    index.upsert([passage("b-0", 0.8), question("b-0", 0.3), passage("c-0", 0.7)])
    scores = dict(found(index))
    assert scores["b-0"] == 0.6
    assert scores["c-0"] == 0.7
    assert len(scores) == 22


def test_what_is_closed_is_not_found_nor_does_its_question_count(index: LanceIndex) -> None:
    closed = [passage("pay-0", 1.0, HR), question("pay-0", 1.0, HR)]
    index.upsert([*closed, passage("a-0", 0.5), question("a-0", 0.5)])
    assert [each for each, _ in found(index, most=1)] == ["a-0"]
    assert [each for each, _ in found(index)] == ["a-0"]
    assert [each for each, _ in found(index, scope=OF_HR)] == ["pay-0", "a-0"]


def test_an_empty_index_has_nothing_to_blend(index: LanceIndex) -> None:
    assert found(index) == []
