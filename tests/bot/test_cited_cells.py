"""A claim about a table rests on cells of a row, where it says their values."""

from dataclasses import replace
from typing import Any

import pytest
from answering_values import cites, claimed, passage
from hypothesis import given
from hypothesis import strategies as st

from audit.values import ClaimRecord
from bot.answering.as_json import claim_as_json
from bot.answering.exact.table_rows import cited_boxes, cited_cells, value_of
from bot.answering.outcome import claim_record
from retrieval.types import Box, Cell, Sentence

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
