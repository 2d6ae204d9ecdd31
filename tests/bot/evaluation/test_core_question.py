"""Somebody tells their situation before they ask."""

from pathlib import Path

import pytest
from shelves import GUEST, Shelves

from bot.evaluation.core_question import core_of, with_core
from retrieval.search import SearchSettings
from retrieval.timing import Stages


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("my flight is at six, how late does the desk open", "how late does the desk open"),
        ("I lost my card. Who prints a new card? Thanks", "Who prints a new card? Thanks"),
        ("how late does the desk open, my flight is at six", ""),
        ("I am off next week, can I?", ""),
        ("opening hours", ""),
    ],
)
def test_the_core_is_what_is_asked_after_something_is_told(question: str, core: str) -> None:
    assert core_of(question) == core


def test_what_the_core_alone_finds_is_found_too_as_one_part(tmp_path: Path) -> None:
    """One candidate is read of each, so what is told crowds the answer out."""
    shelves = Shelves(tmp_path)
    shelves.add("flights", "My flight is at six, my flight is at six, 0.1.")
    shelves.add("desk", "The desk opens late, 0.9.")
    search = shelves.composed(SearchSettings(candidates=1))
    question = "my flight is at six and my flight is at six, how late does the desk open"
    assert not search(question, GUEST, Stages()).hits
    found = with_core(search)(question, GUEST, Stages())
    assert [hit.passage.passage_id for hit in found.hits] == ["desk-0"]
    assert [part.text for part in found.parts] == [question]
    assert found.parts[0].covered


def test_a_question_of_several_parts_is_searched_as_ever(tmp_path: Path) -> None:
    shelves = Shelves(tmp_path)
    shelves.add("desk", "The desk opens late, 0.9.")
    search, parts = shelves.composed(), ("the desk", "a flight")
    told = "my flight is at six, how late does the desk open"
    with_parts = with_core(search)(told, GUEST, Stages(), parts)
    assert with_parts == search(told, GUEST, Stages(), parts)
