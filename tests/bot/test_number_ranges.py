"""A question names a table's row by a number that falls into its range."""

import pytest
from answering_values import SCOPE, passage
from hypothesis import given
from hypothesis import strategies as st

from bot.answering.writers.named_rows import rows_in_range, rows_not_meant
from retrieval.language.table_rows import cells_of

MARKS = (
    "Grade: A; Mark from: 85; Mark to: 100",
    "Grade: B; Mark from: 70; Mark to: 84",
    "Grade: C; Mark from: 60; Mark to: 69",
)
AVERAGES = (
    "Average mark: 70-79; Waived: a quarter",
    "Average mark: 80-89; Waived: half",
    "Average mark: 90-100; Waived: all",
)
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
ORDERS = (
    "Order value in dollars: up to 250; Approved by: the team leader",
    "Order value in dollars: 251 to 2,000; Approved by: the head of department",
    "Order value in dollars: over 2,000; Approved by: the board",
)
SERVICE = (
    "Years of service: 0-2; Days of leave: 22",
    "Years of service: 3-5; Days of leave: 25",
    "Years of service: 6 or more; Days of leave: 28",
)


def held(question: str, *rows: str) -> set[int]:
    return set(rows_in_range(question, {n: cells_of(row) for n, row in enumerate(rows)}))


@pytest.mark.parametrize(
    ("question", "rows", "row"),
    [
        ("What grade is a mark of 72?", MARKS, {1}),
        ("what grade is a 72", MARKS, {1}),
        ("I got 91 marks, what grade is that?", MARKS, {0}),
        ("which grades are marks of 72 and 61", MARKS, {1, 2}),
        ("what grade is a mark of 42", MARKS, set()),
        ("my average is 93, how much is waived", AVERAGES, {2}),
        ("my coursework is 30 hours late, how many points do I lose", LATE, {1}),
        ("coursework handed in late by 4 days, how many marks lost", LATE, {2}),
        ("what if I hand in 5 days late", LATE, set()),
        ("I need a 4 day extension, who do I ask", EXTENSION, {1}),
        ("extension of 3 days, who decides?", EXTENSION, {0}),
        ("who decides on an extension of 2 weeks", EXTENSION, {2}),
        ("who approves an order of 1,500 dollars?", ORDERS, {1}),
        ("who approves a $5,000 order?", ORDERS, {2}),
        ("how many quotes for an order of 1500", ORDERS, {1}),
        ("can I buy a chair for 180 dollars?", ORDERS, {0}),
        ("how much leave after 7 years of service", SERVICE, {2}),
        ("I have worked here 4 years, how many days of leave do I get?", SERVICE, {1}),
        ("how many days after 84 months of service", SERVICE, {2}),
    ],
)
def test_a_number_falls_into_the_row_whose_range_holds_it(
    question: str, rows: tuple[str, ...], row: set[int]
) -> None:
    assert held(question, *rows) == row


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what mark do I need for grade B in course 85", MARKS),
        ("which grade do I get in May 72", MARKS),
        ("what grade do 72 hours of work give", MARKS),
        ("the exam is 5 days long, who decides?", EXTENSION),
        ("how much leave do staff on GS-13 get?", SERVICE),
        ("how many days do I get in building 7?", SERVICE),
        ("can I carry over leave for 2 years?", SERVICE),
        ("how many days can I take with 4 colleagues?", SERVICE),
    ],
)
def test_a_number_that_names_or_counts_something_else_picks_no_row(
    question: str, rows: tuple[str, ...]
) -> None:
    assert held(question, *rows) == set()


def test_where_two_ranges_meet_both_rows_are_meant() -> None:
    rows = ("Absence: under 8 hours; Paid: none", "Absence: 8 to 24 hours; Paid: 14 euros")
    assert held("an absence of 8 hours", *rows) == {0, 1}


def test_the_other_rows_are_not_meant_unless_the_number_is_beyond_all() -> None:
    table = passage("marks", "The grade follows from the mark.", *MARKS)
    assert rows_not_meant("what grade is a mark of 72?", table, SCOPE.on) == {1, 3}
    assert rows_not_meant("what grade is a mark of 42?", table, SCOPE.on) == set()
    assert rows_not_meant("what grade is a good mark?", table, SCOPE.on) == set()


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_brings_it_down(question: str, cell: str) -> None:
    held(question, f"A: {cell}; B: 1", f"A: {question}; B: 2")
