"""A question names a table's row by a number that falls into its range."""

import pytest
from answering_values import passage
from hypothesis import given
from hypothesis import strategies as st

from bot.answering.writers.named_rows import rows_not_meant
from bot.answering.writers.number_ranges import rows_in_range
from retrieval.language.table_rows import cells_of

MARKS = (
    "Grade: A; Mark from: 85; Mark to: 100",
    "Grade: B; Mark from: 70; Mark to: 84",
    "Grade: C; Mark from: 60; Mark to: 69",
)
LEAVE = (
    "Service: under 3 years; Days: 13",
    "Service: 3-15 years; Days: 20",
    "Service: 15 years or more; Days: 26",
)
REPORTS = (
    "Direct reports: 1-3; Utilization: 65 %; Hours: 20-26 hours",
    "Direct reports: 4-6; Utilization: 60 %; Hours: 18-24 hours",
    "Direct reports: 7+; Utilization: 30 %; Hours: 10-16 hours",
)


def held(question: str, *rows: str) -> set[int]:
    return set(rows_in_range(question, {n: cells_of(row) for n, row in enumerate(rows)}))


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("what grade is a 72", {1}),
        ("what grade is a 70 and what is an 84", {1}),
        ("which grades are 72 and 61", {1, 2}),
        ("what grade is a 42", set()),
        ("what is an A", set()),
        ("which grade do I get in May 72", set()),
        ("what grade do 72 hours of work give", set()),
    ],
)
def test_a_mark_falls_into_the_row_from_and_to_which_it_counts(
    question: str, row: set[int]
) -> None:
    assert held(question, *MARKS) == row


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("how many days do I get after 2 years", {0}),
        ("how many days do I get after 3 years", {1}),
        ("been here 30 months, how many days", {0}),
        ("with 40 years of service?", {2}),
        ("been here 5 days", set()),
        ("does 5 say anything", set()),
    ],
)
def test_units_count_and_an_end_may_be_open(question: str, row: set[int]) -> None:
    rows = (LEAVE[0], "Service: 3-14 years; Days: 20", LEAVE[2])
    assert held(question, *rows) == row


def test_ranges_that_overlap_tell_no_rows_apart() -> None:
    """Fifteen years would be two rows'; of seven hours three rows might be meant."""
    assert held("after 15 years", *LEAVE) == set()
    assert held("I have 19 hours", *REPORTS) == set()


def test_a_cell_may_hold_its_range_itself() -> None:
    assert held("utilization with 2 direct reports", *REPORTS) == {0}
    assert held("I lead 5 people, what am I held to", *REPORTS) == {1}
    assert held("with 12 of them", *REPORTS) == {2}


YEARS = (
    "Years of service: 0-2; Days: 13",
    "Years of service: 3-5; Days: 20",
    "Years of service: 6 or more; Days: 26",
)
SCORES = ("Score: under 3; Band: A", "Score: 3-5; Band: B", "Score: 6 or more; Band: C")


LATE = (
    "Handed in late by: Up to 24 hours; Marks lost: 8 points",
    "Handed in late by: Up to 48 hours; Marks lost: 16 points",
    "Handed in late by: Up to 96 hours; Marks lost: 32 points",
)
EXTENSION = (
    "Length of extension: Up to 3 days; Who decides: Teaching assistant",
    "Length of extension: 4 to 10 days; Who decides: Module leader",
    "Length of extension: More than 10 days; Who decides: Dean",
)


@pytest.mark.parametrize(
    ("question", "rows", "row"),
    [
        ("my coursework is 30 hours late, how many points do I lose", LATE, {1}),
        ("late by 4 days, marks lost", LATE, {2}),
        ("what if I hand in 24 hours late", LATE, {0}),
        ("what if I hand in 5 days late", LATE, set()),
        ("I need a 4 day extension, who do I ask", EXTENSION, {1}),
        ("extension of 3 days, who decides?", EXTENSION, {0}),
        ("who decides on an extension of 10 days", EXTENSION, {1}),
        ("who decides on an extension of 2 weeks", EXTENSION, {2}),
    ],
)
def test_each_row_goes_up_to_its_own_end_from_that_of_the_row_before(
    question: str, rows: tuple[str, ...], row: set[int]
) -> None:
    assert held(question, *rows) == row


def test_no_row_is_meant_where_the_number_is_beyond_all_of_them() -> None:
    table = passage("late", "Late work costs marks.", *LATE)
    assert rows_not_meant("how many points do I lose when I am 6 days late", table) == {1, 2, 3}
    assert rows_not_meant("how many points do I lose when I am late", table) == set()


@pytest.mark.parametrize("rows", [YEARS, SCORES])
@pytest.mark.parametrize(
    "question",
    [
        "How much leave do staff on GS-13 get?",
        "How many days do I get in building 7?",
        "do they count in buildings 7 and 8",
        "Form 12: how many days?",
        "which band is it by 2027",
        "which band is 2027",
        "which band am I, on grade 4",
        "am I grade 4",
        "two of us ask how many days we get",
        "which band, with 4 colleagues",
        "I took course 5, which band is that",
    ],
)
def test_a_number_that_names_or_counts_something_else_picks_no_row(
    question: str, rows: tuple[str, ...]
) -> None:
    assert held(question, *rows) == set()


def test_a_course_of_that_number_is_no_mark() -> None:
    assert held("What mark do I need for grade B in course 85", *MARKS) == set()
    assert held("what grade is a mark of 85 in course 72", *MARKS) == {0}


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("which band is a 4", {1}),
        ("which band does a score of 7 give", {2}),
        ("with score 2, which band", {0}),
        ("which bands are 2, 4 and 7", {0, 1, 2}),
    ],
)
def test_a_number_beside_the_name_of_its_column_picks_the_row(question: str, row: set[int]) -> None:
    assert held(question, *SCORES) == row


def test_a_unit_may_stand_in_the_name_of_the_column() -> None:
    assert held("how many days do I get after 4 years", *YEARS) == {1}
    assert held("how many days after 84 months of service", *YEARS) == {2}
    assert held("I lead 4 people, how many days do I get", *YEARS) == set()


@pytest.mark.parametrize(
    "question",
    ["Can I carry over leave for 2 years?", "how many days can I carry over for 2 years"],
)
def test_years_that_are_asked_for_pick_no_row(question: str) -> None:
    rows = ("Service: 0-2 years; Days: 13", "Service: 3-5 years; Days: 20")
    assert held(question, *rows) == set()
    assert rows_not_meant(question, passage("leave", *rows)) == set()


def test_of_marks_the_row_is_meant_that_holds_the_number() -> None:
    table = passage("marks", "The grade follows from the mark.", *MARKS)
    assert rows_not_meant("what grade is a mark of 72?", table) == {1, 3}
    assert rows_not_meant("what grade is a mark of 42?", table) == {1, 2, 3}
    assert rows_not_meant("what grade is a good mark?", table) == set()


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_brings_it_down(question: str, cell: str) -> None:
    held(question, f"A: {cell}; B: 1", f"A: {question}; B: 2")
