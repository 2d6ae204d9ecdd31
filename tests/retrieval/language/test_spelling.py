"""A misspelt word proposes what it was meant to be, and what may be something else nothing."""

import pytest

from retrieval.search.query_understanding import SpellingProposals, beyond_doubt, replaced


@pytest.fixture(scope="module")
def spelling() -> SpellingProposals:
    return SpellingProposals()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pasword", "password"),
        ("laeve", "leave"),
        ("holdiay", "holiday"),
        ("reimbursment", "reimbursement"),
        ("attendence", "attendance"),
        ("oclock", "o'clock"),
    ],
)
def test_a_misspelt_word_proposes_the_word_that_was_meant(
    spelling: SpellingProposals, typed: str, meant: str
) -> None:
    assert spelling.may_be_misspelt(f"where is my {typed}?") == [typed]
    assert next(iter(spelling.proposals(typed))) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "who is Jonh Smtih, and where is CS2O1",
        "mail jonh.smtih@exmaple.org or see www.exmaple.org/laeve and laeve.md",
        "#genreal and @jonhny said re-evalaution, it's o'haraa's",
        "does it except or accept unpaid leave, or paid",
        "whats due, I didnt and wasnt and couldnt",
        "hte 4/10s dont thru",
    ],
)
def test_names_codes_addresses_and_words_that_exist_are_never_misspelt(
    spelling: SpellingProposals, typed: str
) -> None:
    assert spelling.may_be_misspelt(typed) == []


def test_the_first_and_the_last_letter_are_not_what_changes(spelling: SpellingProposals) -> None:
    assert "canvas" not in spelling.proposals("canva")
    assert "asana" not in spelling.proposals("sauna")


@pytest.mark.parametrize(
    ("proposals", "meant"),
    [
        ({"leave": 100, "lease": 1}, "leave"),
        ({"leave": 100, "lease": 90}, ""),
        ({"student": 100, "students": 90}, "student"),
        ({"unpaid": 100_000, "paid": 1}, ""),
        ({"paid": 100_000, "unpaid": 1}, ""),
        ({}, ""),
    ],
)
def test_what_may_be_another_word_or_its_opposite_is_in_doubt(
    proposals: dict[str, int], meant: str
) -> None:
    assert beyond_doubt(proposals) == meant


def test_a_word_is_replaced_where_it_stands_alone() -> None:
    typed = "my laeve, see laeve.md and re-laeve: laeve?"
    assert replaced(typed, {"laeve": "leave"}) == "my leave, see laeve.md and re-laeve: leave?"
