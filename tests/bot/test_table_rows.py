"""A claim about a table cites the right row and cells, and a question names the right row."""

from dataclasses import replace
from typing import Any

import pytest
from answering_values import SCOPE, cites, claimed, passage
from hypothesis import given
from hypothesis import strategies as st

from audit.values import ClaimRecord
from bot.answering.as_json import claim_as_json
from bot.answering.exact.comparison import objections
from bot.answering.exact.table_rows import cited_boxes, cited_cells, value_of
from bot.answering.outcome import claim_record
from bot.answering.writers.named_rows import rows_in_range, rows_not_meant
from retrieval.language.table_rows import cells_of
from retrieval.types import Box, Cell, Sentence

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
def test_no_text_brings_the_reading_of_ranges_down(question: str, cell: str) -> None:
    held(question, f"A: {cell}; B: 1", f"A: {question}; B: 2")


ROW = "Machine: Laser cutter; Hours: 60; Fee: 7.25; Open: yes"


def row(text: str = ROW) -> Sentence:
    cells, start = [], 0
    for number, piece in enumerate(text.split("; ")):
        name, _, value = piece.partition(": ")
        first = start + len(name) + 2
        box = Box(3, 50.0 * number, 100.0, 50.0 * number + 50, 112.0)
        cells.append(Cell(first, first + len(value), name, f"{'ABCD'[number]}7", box))
        start += len(piece) + 2
    boxes = tuple(cell.box for cell in cells if cell.box)
    return Sentence(text, 0, len(text), 9, 9, page=3, boxes=boxes, cells=tuple(cells))


def cited(claim: str, sentence: Sentence | None = None) -> list[str]:
    held = sentence or row()
    return [value_of(cell, held) for cell in cited_cells(claim, held)]


@pytest.mark.parametrize(
    ("claim", "cells"),
    [
        ("The laser cutter costs 7.25 an hour.", ["Laser cutter", "7.25"]),
        ("An hour costs 7.25.", ["7.25"]),
        ("It is open for 60 hours, at 7.25.", ["60", "7.25"]),
        ("It costs 7.2 or 17.25, or 7.250.", []),
        ("It runs 160 hours, 60.5 of them alone.", []),
        ("Everybody may use the laser cutter.", []),
        ("Nothing of it is here.", []),
        (ROW, []),
    ],
)
def test_cells_are_cited_whose_values_a_claim_says(claim: str, cells: list[str]) -> None:
    assert cited(claim) == cells
    assert cited(claim, Sentence(ROW, 0, len(ROW))) == [], "a sentence of no table has none"


def test_a_grade_is_told_by_its_case() -> None:
    grades = row("Level: 2; Grade: A; From: 70")
    assert cited("A grade of A is given from 70 on.", grades) == ["A", "70"]
    assert cited("It takes a mark from 70 on.", grades) == ["70"]


@given(st.text(max_size=80))
def test_cited_cells_are_some_of_the_row_in_order(claim: str) -> None:
    found = cited_cells(claim, row())
    assert len(found) < len(row().cells)
    assert [cell for cell in row().cells if cell in found] == list(found)


def recorded(text: str) -> ClaimRecord:
    held = passage("fees", "Fees are paid monthly.", ROW)
    first, second = held.sentences
    placed = replace(row(), char_start=second.char_start, char_end=second.char_end)
    held = replace(held, sentences=(first, placed))
    return claim_record(claimed(text, cites(held, 0, 1)))


def test_a_citation_is_boxed_at_its_cells_and_still_tells_the_line_of_the_row() -> None:
    claim = recorded("The laser cutter costs 7.25 an hour.")
    [kept] = claim.citations
    assert [(cell.name, cell.value, cell.reference, cell.sentence) for cell in kept.cells] == [
        ("Machine", "Laser cutter", "A7", 1),
        ("Fee", "7.25", "C7", 1),
    ]
    assert [(box.page, box.x0) for box in kept.boxes] == [(3, 0.0), (3, 100.0)]
    assert kept.place.line_end == 9
    assert kept.quote.endswith(ROW)
    said: Any = claim_as_json(claim)["citations"]
    assert said[0]["cells"][1] == {"name": "Fee", "value": "7.25", "reference": "C7"}
    assert [box["bbox"][0] for box in said[0]["boxes"]] == [0.0, 100.0]
    [whole] = recorded("Everybody may use the laser cutter.").citations
    assert (whole.cells, len(whole.boxes)) == ((), 4), "which says no value"


def test_cells_behind_a_row_that_is_read_in_parts_are_told_of_their_own_row() -> None:
    held = passage("fees", ROW, ROW, ROW)
    part, _, below = held.sentences
    rows = (
        replace(row(), char_start=each.char_start, char_end=each.char_end)
        for each in (part, part, below)
    )
    held = replace(held, sentences=tuple(rows))
    [kept] = claim_record(claimed("An hour costs 7.25.", cites(held, 0, 2))).citations
    assert [(cell.value, cell.sentence) for cell in kept.cells] == [
        ("7.25", 0),
        ("7.25", 0),
        ("7.25", 1),
    ]


def test_the_caption_of_a_picture_is_boxed_with_its_picture() -> None:
    lines, picture = (Box(1, 0, 210, 90, 220), Box(1, 0, 222, 40, 232)), Box(1, 0, 0, 90, 200)
    caption = Sentence("Figure 2: Days by year.", 0, 23, boxes=lines)
    assert cited_boxes("Days.", caption) == lines
    assert cited_boxes("Days.", replace(caption, picture=picture)) == (*lines, picture)
