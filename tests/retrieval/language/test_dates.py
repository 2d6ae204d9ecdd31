"""When a question asks about, by its words and the day on which it is asked."""

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

import retrieval.training
from retrieval.language.dates import times_of

NOVEMBER = date(2026, 11, 26)
ASKED_BY_OTHERS = ("asked_unread.jsonl", "followups.jsonl")
"""What people asked of public handbooks who had not read them, and what they asked next."""


@pytest.mark.parametrize(
    ("asked", "first", "without"),
    [
        ("how much is it in February 2027?", date(2027, 2, 1), "how much is it?"),
        ("on 3 March 2027, what does it cost", date(2027, 3, 3), ", what does it cost"),
        ("what holds from the 1st of Jan. 2027", date(2027, 1, 1), "what holds"),
        ("fee on March 15th, 2027?", date(2027, 3, 15), "fee?"),
        ("fee as of 2027-02-01", date(2027, 2, 1), "fee"),
        ("fee as of 1.2.2027", date(2027, 2, 1), "fee"),
        ("fee in 2027-02?", date(2027, 2, 1), "fee?"),
        ("the fee in 2027 and later", date(2027, 1, 1), "the fee and later"),
        ("what changes in 2027", date(2027, 1, 1), "what changes"),
        ("the fee from March 2027 on?", date(2027, 3, 1), "the fee?"),
        ("the fee from 2027 onwards", date(2027, 1, 1), "the fee"),
        ("2027 fees", date(2027, 1, 1), "fees"),
        ("what do new students of 2027 pay", date(2027, 1, 1), "what do new students pay"),
        ("re-sit fee 2027?", date(2027, 1, 1), "re-sit fee?"),
        ("rules 2027", date(2027, 1, 1), "rules"),
        ("my FY 2027 budget", date(2027, 1, 1), "my FY budget"),
        ("the fee at the end of March 2027", date(2027, 3, 31), "the fee"),
    ],
)
def test_a_time_ahead_is_found_by_its_year(asked: str, first: date, without: str) -> None:
    times = times_of(asked, NOVEMBER)
    assert (times.ahead, times.undated) == (first, without)


@pytest.mark.parametrize(
    ("asked", "on", "first"),
    [
        ("the fee from January?", NOVEMBER, date(2027, 1, 1)),
        ("what does it cost in december", NOVEMBER, date(2026, 12, 1)),
        ("Is parking allowed from 15 March on?", NOVEMBER, date(2027, 3, 15)),
        ("and starting March 1st?", NOVEMBER, date(2027, 3, 1)),
        ("the fee next June", NOVEMBER, date(2027, 6, 1)),
        ("what is due by May?", date(2026, 2, 1), date(2026, 5, 1)),
        ("may I park there tomorrow", NOVEMBER, date(2026, 11, 27)),
        ("may I park there the day after tomorrow", NOVEMBER, date(2026, 11, 28)),
        ("and next week?", NOVEMBER, date(2026, 11, 30)),
        ("next month?", date(2026, 12, 31), date(2027, 1, 1)),
        ("the fee in the new year", NOVEMBER, date(2027, 1, 1)),
        ("what about next year", NOVEMBER, date(2027, 1, 1)),
        ("the fee next academic year", NOVEMBER, date(2027, 10, 1)),
        ("the fee next academic year", date(2026, 8, 1), date(2026, 10, 1)),
    ],
)
def test_without_its_year_the_next_one_is_meant(asked: str, on: date, first: date) -> None:
    assert times_of(asked, on).ahead == first


@pytest.mark.parametrize(
    "asked",
    [
        "I started in January, when do I get leave?",
        "our build broke in january, why",
        "what was the fee in May?",
        "someone got promoted in march, who pays",
        "how long is it free, until January?",
        "does the fee hold until the end of March 2027",
        "what did it cost in November?",
        "may I come in",
        "who under 18 may use the lab",
        "who of the 20 may apply",
        "do I get next year's budget",
        "what happened on 6 March 1849",
    ],
)
def test_what_is_over_or_ends_then_is_not_asked_of_a_day_ahead(asked: str) -> None:
    times = times_of(asked, NOVEMBER)
    assert (times.ahead, times.undated) == (None, asked)


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("tuition in 2026/27", None),
        ("tuition in 2026-27?", None),
        ("tuition 2026/2027", None),
        ("tuition 2026\N{EN DASH}27", None),
        ("tuition in 2027/28", date(2027, 10, 1)),
        ("tuition in 2027\N{EN DASH}2028", date(2027, 10, 1)),
    ],
)
def test_an_academic_year_stays_whole(asked: str, first: date | None) -> None:
    times = times_of(asked, NOVEMBER)
    assert (times.ahead, times.undated) == (first, asked)
    assert times.present is (first is None)


@pytest.mark.parametrize(
    "asked",
    [
        "Can I claim 2050 euros?",
        "who approves 2027 dollars",
        "at most 2026 words?",
        "EUR 2027 or more",
        "is \N{EURO SIGN}2027 too much",
        "a 2050 developer licence",
        "Where is room 2026?",
        "where is Room no. 2041",
        "are rooms 2026 and 3041 free",
        "extension 2041",
        "form 2027, please",
        "form 2027b",
        "CS 2027 exam",
        "CS20271",
        "room 2.017",
        "is CVE-2027-0464 fixed",
        "same question for 2027-27191",
        "on 01/02/2027",
        "from 2026/30",
        "fee on 31 February 2027",
        "is 2041 prime",
    ],
)
def test_what_is_no_time_stays_as_it_is(asked: str) -> None:
    times = times_of(asked, NOVEMBER)
    assert (times.ahead, times.present, times.undated) == (None, False, asked)


def test_of_two_times_that_are_compared_none_is_left_out() -> None:
    asked = "what is the difference between the deposit in 2025 and in 2026?"
    assert times_of(asked, date(2026, 11, 29)).undated == asked


@pytest.mark.parametrize(
    ("asked", "without"),
    [
        ("parking in 2026", "parking"),
        ("the 2026 fee", "fee"),
        ("what does it cost in November 2026?", "what does it cost?"),
        ("what does it cost today?", "what does it cost today?"),
        ("what does it cost this semester", "what does it cost this semester"),
    ],
)
def test_the_time_of_asking_is_told_and_is_not_ahead(asked: str, without: str) -> None:
    times = times_of(asked, NOVEMBER)
    assert (times.ahead, times.present, times.undated) == (None, True, without)


def test_now_and_later_may_be_asked_about_together() -> None:
    times = times_of("What is the fee now and from January?", NOVEMBER)
    assert (times.ahead, times.present) == (date(2027, 1, 1), True)


def test_of_what_people_ask_only_what_names_a_time_ahead_is_read_so() -> None:
    """Of the 46 two are none: "the CVE from October", and "how do I write 3 March"."""
    folder = Path(retrieval.training.__file__).parent
    asked = [
        json.loads(line)["question"]
        for name in ASKED_BY_OTHERS
        for line in (folder / name).read_text(encoding="utf-8").splitlines()
    ]
    read = Counter(
        "ahead" if times.ahead else "same" if times.undated == question else "changed"
        for question in asked
        for times in (times_of(question, NOVEMBER),)
    )
    assert (len(asked), dict(read)) == (5268, {"same": 5222, "ahead": 46})
