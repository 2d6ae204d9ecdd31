"""Cells as people name them; openpyxl names them by its own means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter, range_boundaries

from retrieval.cells import CellRange, range_of, reference

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
