"""What is asked of an amount, without who wants it."""

import time

import pytest

from retrieval.language.amount_questions import amount_alone


@pytest.mark.parametrize(
    ("asked", "alone"),
    [
        ("how many days of leave do I have?", "how many days of leave"),
        ("How much annual leave do we get per year?", "How much annual leave per year"),
        ("how many interlibrary loans am I allowed", "how many interlibrary loans"),
        ("how much CPU-time can I claim in a month?", "how much CPU-time in a month"),
        ("if I'm ill, how many days of pay am I entitled to", "if I'm ill, how many days of pay"),
    ],
)
def test_who_has_or_gets_an_amount_is_no_part_of_what_is_looked_for(asked: str, alone: str) -> None:
    assert amount_alone(asked) == alone


@pytest.mark.parametrize(
    "asked",
    [
        "how many do I get?",
        "how much do I have?",
        "how many of them do I have?",
        "how many days do we have to retain app logs",
        "how many days do I have before I must hand it in",
        "how many weeks of leave do I get if my father is ill",
        "do I have leave?",
        "how long do I have?",
        "how many people do I ask?",
        "",
    ],
)
def test_what_says_more_than_who_wants_it_stays(asked: str) -> None:
    assert amount_alone(asked) == asked


def test_a_long_run_of_such_words_is_read_in_no_time() -> None:
    began = time.process_time()
    amount_alone("how many " * 5_000)
    assert time.process_time() - began < 5
