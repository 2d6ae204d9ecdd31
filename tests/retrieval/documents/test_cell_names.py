"""Cells as people name them; openpyxl names them by its own means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter, range_boundaries

from retrieval.documents.cells import MOST_NAMED, CellRange, named, range_of, reference

columns, rows = st.integers(1, 16_384), st.integers(1, 1_048_576)


@given(columns, rows)
def test_a_cell_is_named_as_in_a_spreadsheet(column: int, row: int) -> None:
    assert reference(column, row) == f"{get_column_letter(column)}{row}"
    assert CellRange.of(reference(column, row)) == CellRange(column, row, column, row)


@given(st.lists(st.tuples(columns, rows), min_size=1))
def test_a_range_is_the_rectangle_around_its_cells(cells: list[tuple[int, int]]) -> None:
    around = range_of(reference(*cell) for cell in cells)
    numbers, lines = [column for column, _ in cells], [row for _, row in cells]
    expected = (min(numbers), min(lines), max(numbers), max(lines))
    assert range_boundaries(around) == expected
    assert str(CellRange.of(around)) == around


def test_around_no_cells_there_is_no_range() -> None:
    assert range_of(()) == ""


@pytest.mark.parametrize("text", ["", "B", "7", "B0", "b7", "B7:", "B7:D", "B7 D9", "\u0042\u0667"])
def test_what_names_no_cell_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no cells"):
        CellRange.of(text)


@pytest.mark.parametrize(
    ("meant", "whole", "said"),
    [
        (["B7"], "A7:D7", "B7"),
        (["C7", "A7"], "A7:D7", "A7, C7"),
        (["A7", "B7", "D7"], "A7:D7", "A7:B7, D7"),
        (["B7:C7"], "A7:D7", "B7:C7"),
        (["B7", "B8"], "A7:D8", "B7, B8"),
        (["B7"], "A7:D8", "A7:D8"),  # the whole of row 8 may be meant
        ([], "A7:D7", "A7:D7"),
        (["", "B7"], "A7:D7", "B7"),
        (["B7"], "", ""),
        ([f"{column}7" for column in "ABCDEFG"], "A7:Z7", "A7:Z7"),
        (["B7"], "A1:B9999999999", "A1:B9999999999"),
    ],
)
def test_cells_that_are_meant_are_named_and_else_their_range(
    meant: list[str], whole: str, said: str
) -> None:
    assert named(meant, whole) == said


@given(st.lists(st.tuples(columns, rows), min_size=1, max_size=MOST_NAMED, unique=True))
def test_all_cells_that_are_named_are_meant(cells: list[tuple[int, int]]) -> None:
    references = [reference(*cell) for cell in cells]
    whole = range_of(references)
    said = named(references, whole)
    listed = [
        (column, row)
        for each in said.split(", ")
        for around in [CellRange.of(each)]
        for row in range(around.first_row, min(around.last_row, around.first_row + 9) + 1)
        for column in range(
            around.first_column, min(around.last_column, around.first_column + 9) + 1
        )
    ]
    assert said == whole or sorted(listed) == sorted(cells)
