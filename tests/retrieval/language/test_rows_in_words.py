"""A single row of a table is read by a cross-encoder in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.language.table_rows import in_words


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ("Zone: Blue; Fee: 4 EUR", "The fee of the zone Blue is 4 EUR."),
        (
            "Grade: B; Points: 3.0; GPA: 3",
            "The points of the grade B is 3.0. The GPA of the grade B is 3.",
        ),
        ("Fee: Late; Paid: at once.", "The paid of the fee Late is at once."),
    ],
)
def test_each_cell_is_read_with_its_column_and_what_its_row_is_about(kept: str, read: str) -> None:
    assert in_words(kept) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what do nurses get", "The bonus of the staff Nurses is 35 EUR."),
        ("who gets 35 EUR", "The staff of the bonus 35 EUR is Nurses."),
        ("what do porters get", "The staff of the bonus 35 EUR is Nurses."),
    ],
)
def test_a_row_is_about_the_cell_that_the_question_names_else_about_its_first(
    question: str, read: str
) -> None:
    assert in_words("Bonus: 35 EUR; Staff: Nurses", question) == read


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
    assert in_words(text) == text


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=2, max_size=5))
def test_no_cell_is_lost(cells: list[tuple[str, str]]) -> None:
    read = in_words("; ".join(f"{column}: {text}" for column, text in cells))
    assert all(text.removesuffix(".") in read for _, text in cells)
