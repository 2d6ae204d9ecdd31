"""A claim cites a table row, and gives one column what stands under another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answering.exact.comparison import objections

EUROPE = "Region: Europe; Half day: 24 EUR; Full day: 48 EUR; Receipts: no"
REPORTS = "Direct reports: 5; Hours a week: 16; Assistants: 1"
GRADE = "Grade: B; From: 60; To: 69; Points: 3.0"
DAY = "Absence: Full day of 24 hours; Home country: 42 euros; Elsewhere in Europe: 58 euros"
EXAMS = "Period: January examinations; 2025/26: 12-30 January 2026; 2026/27: 11-29 January 2027"
COURIER = "How it reaches you: Courier to another country; Time: 9 working days; Fee: none"


@pytest.mark.parametrize(
    ("row", "claim"),
    [
        (EUROPE, "A full day in Europe is paid with 48 EUR."),
        (EUROPE, "In Europe a half day is 24 EUR, a full day 48 EUR."),
        (EUROPE, "In Europe 24 EUR are paid for half a day and 48 EUR for a full day."),
        (EUROPE, "No receipts are needed in Europe."),
        (REPORTS, "With 5 direct reports there are 16 hours a week."),
        (REPORTS, "5 direct reports: 16 hours a week and 1 assistant."),
        (REPORTS, "The hours for somebody with 5 direct reports are 16 a week."),
        (GRADE, "Grade B is given from 60 to 69."),
        (GRADE, "A grade of B counts 3 points."),
        (DAY, "The allowance for a full day of 24 hours elsewhere in Europe is 58 euros."),
        (EXAMS, "The January examinations of 2026/27 are on 11-29 January 2027."),
        (COURIER, "By courier to another country it takes 9 working days until it reaches you."),
    ],
)
def test_what_stands_under_its_column_is_borne_out(row: str, claim: str) -> None:
    assert not [each for each in objections(claim, [row]) if "under" in each]


@pytest.mark.parametrize(
    ("row", "claim", "told"),
    [
        (EUROPE, "A full day in Europe is 24 EUR.", "“24” stands under “Half day”"),
        (EUROPE, "In Europe a half day is 48 EUR.", "“48” stands under “Full day”"),
        (EUROPE, "Receipts are needed in Europe.", "under “Receipts” stands “no”"),
        (REPORTS, "With 16 direct reports there are 5 hours a week.", "“16” stands under"),
        (GRADE, "Grade B counts 60 points.", "“60” stands under “From”"),
        (DAY, "A full day of 24 hours elsewhere in Europe is 42 euros.", "“42” stands under"),
        (EXAMS, "The January examinations of 2026/27 are on 12-30 January 2026.", "“12” stands"),
        (GRADE, "Grade A is given from 60 to 69.", "does not say “A”"),
    ],
)
def test_what_stands_under_another_column_is_not(row: str, claim: str, told: str) -> None:
    assert any(told in each for each in objections(claim, [row]))


def test_an_amount_that_another_sentence_says_is_left_to_the_model() -> None:
    beside = "A full day without a hotel is 24 EUR."
    assert not objections("A full day in Europe is 24 EUR.", [EUROPE, beside])


def test_of_two_rows_one_must_bear_it_out() -> None:
    other = "Region: Asia; Half day: 48 EUR; Full day: 96 EUR; Receipts: no"
    claim = "A half day in Asia is 48 EUR, in Europe 24 EUR."
    assert not [each for each in objections(claim, [EUROPE, other]) if "under" in each]


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_brings_it_down(claim: str, row: str) -> None:
    objections(claim, [row, f"A: {row}; B: {claim}"])
