"""A table row is read by people and models as a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.language.table_rows import as_sentence


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ("Grade: B; Mark from: 70; Points: 3.0", "Grade B: Mark from 70, Points 3.0."),
        ("Region: Europe; Receipts: no", "Region Europe: Receipts: no."),
        ("Event: Term ends; 2025/26: 15 May", "Event Term ends: 2025/26: 15 May."),
        (
            "Aid: Extra time; For: Injury, pain; By: Office",
            "Aid Extra time: For Injury, pain; By Office.",
        ),
        ("Fee: Late; Paid: at once.", "Fee Late: Paid at once."),
    ],
)
def test_a_row_is_read_with_the_names_of_its_columns(kept: str, read: str) -> None:
    assert as_sentence(kept) == read


@pytest.mark.parametrize(
    "text",
    [
        "The office opens at 9:30; it closes at 17:00.",
        "Note: bring a form.",
        "Monday; Tuesday: closed",
        "Open: 9 to 5; closed on Sundays",
        "",
    ],
)
def test_what_is_no_row_stays_as_it_is(text: str) -> None:
    assert as_sentence(text) == text


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=2, max_size=5))
def test_no_cell_is_lost(cells: list[tuple[str, str]]) -> None:
    read = as_sentence("; ".join(f"{column}: {text}" for column, text in cells))
    assert all(text.removesuffix(".") in read for _, text in cells)
