"""What is named by its number, and what a row of a table says in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.language.numbered import items_called, numbered_in, of_another
from retrieval.language.table_rows import in_words


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Room 2041 is free.", [("room", 2041, 2041)]),
        ("Room: 2041; Seats: 12", [("room", 2041, 2041)]),
        ("rooms 2026, 2027 and 3041", [("room", n, n) for n in (2026, 2027, 3041)]),
        ("rooms 2000 to 2099", [("room", 2000, 2099)]),
        ("for deals of stage 1-3", [("stage", 1, 3)]),
        ("form no. 27 and form #28", [("form", 27, 27), ("form", 28, 28)]),
        ("Room number: 2041; Seats: 12", [("room", 2041, 2041)]),
        ("ext. 4410", [("ext", 4410, 4410)]),
    ],
)
def test_a_number_names_what_stands_before_it(text: str, named: list[tuple[str, int, int]]) -> None:
    assert [(each.kind, each.first, each.last) for each in numbered_in(text)] == named


@pytest.mark.parametrize(
    "text",
    [
        "rules 2027",
        "the rooms 20 minutes from here",
        "order 2 laptops",
        "in case 3 people are ill",
        "Rooms seat 12 people.",
        "room 2.017",
        "form 27b",
        "level 50%",
        "they wait 5 days",
    ],
)
def test_what_counts_or_measures_names_nothing(text: str) -> None:
    assert list(numbered_in(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Room 2026 seats 24 people.",
        "Rooms 2026 and 3041 have projectors.",
        "Room: 3041; Keys: Ben Carter",
        "Rooms 2000 to 2040 are on the second floor.",
    ],
)
def test_what_is_said_of_other_rooms_is_of_another(text: str) -> None:
    assert of_another("Does room 2041 have a projector?", text)


@pytest.mark.parametrize(
    "text",
    [
        "Room 2041 seats 30 people, room 2026 seats 24.",
        "Rooms 2000 to 2099 have projectors.",
        "Rooms 2026 and above have projectors.",
        "Room 2026 is locked. All rooms have projectors.",
        "Room 2026 is locked. Any other room is open.",
        "Projectors stand in every lecture hall.",
        "See form 2026.",
    ],
)
def test_what_may_be_said_of_the_room_is_not(text: str) -> None:
    assert not of_another("Does room 2041 have a projector?", text)


def test_who_names_nothing_by_number_is_told_of_any() -> None:
    assert not of_another("Which room has a projector?", "Room 2026 has a projector.")
    assert not of_another("In 2026, which room is free?", "Room 3041 is free.")


@pytest.mark.parametrize(
    ("asked", "called"),
    [
        ("What is step 9?", "step"),
        ("and step nine?", "step"),
        ("what does rule 3 say", "rule"),
        ("where is room 9", ""),
        ("which step is next", ""),
        ("steps 2027", ""),
    ],
)
def test_items_are_called_as_the_question_calls_the_one_it_names(asked: str, called: str) -> None:
    assert items_called(asked) == called


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
