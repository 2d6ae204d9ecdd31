"""What is copied says what it says in its source, and is true without the rest of it."""

import pytest
from answering_values import SCOPE, passage
from fakes import SameEntailment, StatedReranker, WordsEmbedder
from hypothesis import given
from hypothesis import strategies as st

from audit.record import Status
from bot.answering.values import Brief
from bot.answering.verification import Verification
from bot.answering.writers.extractive import ExtractiveWriter
from retrieval.types import Evidence, Hit, Part, Passage, Scores

WRITER = ExtractiveWriter(StatedReranker(), WordsEmbedder())


def copied(*passages: Passage) -> list[str]:
    """What is drafted of passages in which sentences state how well they answer."""
    hits = tuple(Hit(each, Scores(relevance=0.9)) for each in passages)
    found = Evidence("q", SCOPE, hits, hits, (Part("q", 0.9, True),))
    drafted = WRITER.write(Brief("q", found, None))
    checked = Verification(SameEntailment(0.0))(drafted)
    assert all(claim.status is Status.VERIFIED for claim in checked)  # word for word
    return [claim.text for claim in drafted.claims]


def test_a_sentence_is_copied_alone_where_it_stands_alone() -> None:
    assert copied(passage("a", "Bring a form.", "Leave is granted in May, 0.9.", "Go home.")) == [
        "Leave is granted in May, 0.9."
    ]


@pytest.mark.parametrize(
    "leaning",
    [
        "These must be handed in by May, 0.9.",
        "They are due in May, 0.9.",
        "It costs 5 euros, 0.9.",
        "However, not in May, 0.9.",
        "If so, you get 0.9 of it.",
        "In this case you pay 0.9 of it.",
    ],
)
def test_what_a_sentence_leans_on_comes_with_it(leaning: str) -> None:
    source = passage("a", "Other things.", "Applications have three forms.", leaning, "Go home.")
    assert copied(source) == [f"Applications have three forms. {leaning}"]


@pytest.mark.parametrize(
    "alone",
    ["It is possible to leave early, 0.9.", "It takes 0.9 days to grow.", "If you go, take 0.9."],
)
def test_a_word_that_points_at_what_follows_leans_on_nothing(alone: str) -> None:
    assert copied(passage("a", "Applications have three forms.", alone)) == [alone]


def test_leaning_goes_back_until_something_stands() -> None:
    source = passage("a", "Interns get a card.", "It opens doors.", "This works in May, 0.9.")
    assert copied(source) == ["Interns get a card. It opens doors. This works in May, 0.9."]


@pytest.mark.parametrize(
    "exception",
    [
        "Except on Sundays.",
        "However, visitors may not.",
        "Unless it rains.",
        "This does not apply to interns.",
        "Exceptions are listed below.",
    ],
)
def test_an_exception_stays_with_its_rule(exception: str) -> None:
    source = passage("a", "Other things.", "Staff may park here, 0.9.", exception)
    assert copied(source) == [f"Staff may park here, 0.9. {exception}"]


def test_a_sentence_is_copied_once_though_two_need_it() -> None:
    source = passage("a", "Leave is granted, 0.88.", "It ends in May, 0.9.", "It is paid, 0.89.")
    assert copied(source) == ["Leave is granted, 0.88. It ends in May, 0.9. It is paid, 0.89."]


words = st.sampled_from(["This", "Except", "It", "Leave", "is", "paid", "0.9", "0.8", "They"])
sentence = st.lists(words, min_size=1, max_size=5).map(lambda some: f"{' '.join(some)}.")


@given(st.lists(sentence, min_size=1, max_size=6, unique=True))
def test_nothing_is_copied_twice_and_all_of_it_stands_in_the_source(texts: list[str]) -> None:
    source = passage("a", *texts)
    drafted = copied(source)
    assert all(text in source.text for text in drafted)
    assert sum(len(text) for text in drafted) <= len(source.text)
