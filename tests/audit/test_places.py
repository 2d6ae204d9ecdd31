"""A place in a file, as people read it."""

from dataclasses import replace

import pytest

from audit.places import Place

MISREAD = "read by text recognition and may be misread"
SHEET = Place(page=2, section_path=("Fees",), page_label="sheet Fees")


@pytest.mark.parametrize(
    ("location", "words"),
    [
        (Place(line_start=3, line_end=3), "pay.md, line 3"),
        (Place(line_start=3), "pay.md, line 3"),
        (Place(line_start=3, line_end=5), "pay.md, lines 3-5"),
        (Place(page=2, line_start=3, line_end=5), "pay.md, page 2, lines 3-5"),
        (Place(paragraph=4, section_path=("Pay", "Late")), "pay.md, paragraph 4 (Pay > Late)"),
        (Place(paragraph=4, page_label="table 2, row 3"), "pay.md, table 2, row 3"),
        (Place(section_path=("Pay", " ")), "pay.md (Pay)"),
        (Place(), "pay.md"),
        (Place(page=2, section_path=("Pay",), misread=True), f"pay.md, page 2, {MISREAD} (Pay)"),
        (Place(page=3, section_path=("Late",), page_label="slide 3"), "pay.md, slide 3 (Late)"),
        (replace(SHEET, cell_range="B7"), "pay.md, sheet Fees, cell B7"),
        (replace(SHEET, cell_range="B7:D7"), "pay.md, sheet Fees, cells B7:D7"),
        (Place(line_start=7, line_end=7, cell_range="B7:D7"), "pay.md, line 7, cells B7:D7"),
    ],
)
def test_a_place_is_said_after_its_file(location: Place, words: str) -> None:
    assert location.in_words("pay.md") == words


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert Place().in_words() == ""
    assert Place(line_start=3, line_end=3).in_words() == "line 3"
