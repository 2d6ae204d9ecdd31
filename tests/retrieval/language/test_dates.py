"""Dates that a question names."""

from datetime import date

import pytest

from retrieval.language.dates import named_dates


@pytest.mark.parametrize(
    ("asked", "first", "without"),
    [
        ("how much is it in February 2027?", date(2027, 2, 1), "how much is it?"),
        ("on 3 March 2027, what does it cost", date(2027, 3, 3), ", what does it cost"),
        ("what holds from the 1st of Jan. 2027", date(2027, 1, 1), "what holds"),
        ("fee on March 15th, 2027?", date(2027, 3, 15), "fee?"),
        ("fee as of 2027-02-01", date(2027, 2, 1), "fee"),
        ("the fee in 2025 and later", date(2025, 1, 1), "the fee and later"),
        ("what changes in 2027", date(2027, 1, 1), "what changes"),
    ],
)
def test_a_date_is_found(asked: str, first: date, without: str) -> None:
    found = next(named_dates(asked))
    assert (found.first, found.without) == (first, without)


def test_a_month_and_a_year_end_with_their_last_day() -> None:
    assert next(named_dates("in February 2028")).last == date(2028, 2, 29)
    assert next(named_dates("in 2027")).last == date(2027, 12, 31)
    assert next(named_dates("on 3 March 2027")).last == date(2027, 3, 3)


@pytest.mark.parametrize(
    "asked", ["how much is it", "may I come in February", "form 2027b", "CS20271", "room 2.017"]
)
def test_where_none_is_named_with_its_year_there_is_none(asked: str) -> None:
    assert list(named_dates(asked)) == []


def test_a_day_that_no_calendar_has_is_none() -> None:
    assert all(found.first.day == 1 for found in named_dates("on 31 February 2027"))
