"""A place in a file, as people read it."""

import pytest

from retrieval.types import Location


@pytest.mark.parametrize(
    ("location", "words"),
    [
        (Location(line_start=3, line_end=3), "pay.md, line 3"),
        (Location(line_start=3), "pay.md, line 3"),
        (Location(line_start=3, line_end=5), "pay.md, lines 3-5"),
        (Location(page=2, line_start=3, line_end=5), "pay.md, page 2, lines 3-5"),
        (
            Location(paragraph=4, section_path=("Pay", "Overtime")),
            "pay.md, paragraph 4 (Pay > Overtime)",
        ),
        (Location(section_path=("Pay", " ")), "pay.md (Pay)"),
        (Location(), "pay.md"),
        (
            Location(page=2, line_start=3, section_path=("Pay",), misread=True),
            "pay.md, page 2, line 3, read by text recognition and may be misread (Pay)",
        ),
        (
            Location(page=3, section_path=("Overtime",), page_label="slide 3"),
            "pay.md, slide 3 (Overtime)",
        ),
        (
            Location(page=2, page_label="sheet Fees", cell_range="B7"),
            "pay.md, sheet Fees, cell B7",
        ),
        (
            Location(page=2, section_path=("Fees",), page_label="sheet Fees", cell_range="B7:D7"),
            "pay.md, sheet Fees, cells B7:D7",
        ),
        (
            Location(line_start=7, line_end=7, cell_range="B7:D7"),
            "pay.md, line 7, cells B7:D7",
        ),
    ],
)
def test_a_place_is_said_after_its_file(location: Location, words: str) -> None:
    assert location.in_words("pay.md") == words


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert Location().in_words() == ""
    assert Location(line_start=3, line_end=3).in_words() == "line 3"
