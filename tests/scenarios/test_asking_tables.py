"""People ask what stands in a table of the sample organisation."""

import pytest
from vouch_home import STRICT, Home

TODAY = ("--on", "2026-11-24")


@pytest.mark.parametrize(
    ("person", "question", "rows"),
    [
        (
            "tomas",
            "daily allowance for a full day abroad in europe",
            [
                "Absence: Full day of 24 hours; Within the country: 42 euros; "
                "Elsewhere in Europe: 58 euros; Outside Europe: 75 euros"
            ],
        ),
        (
            "ana",
            "when is the second instalment due",
            ["Instalment: Second instalment; Share of tuition: 30 %; Due date: 15 January 2027"],
        ),
        (
            "ana",
            "when does the semester end",
            [
                "Event: First semester ends; 2025/26: 19 December 2025; "
                "2026/27: 18 December 2026; 2027/28: 17 December 2027",
                "Event: Second semester ends; 2025/26: 15 May 2026; "
                "2026/27: 14 May 2027; 2027/28: 12 May 2028",
            ],
        ),
    ],
)
def test_the_rows_that_are_asked_about_are_told_with_the_names_of_their_columns(
    university: Home, person: str, question: str, rows: list[str]
) -> None:
    reply = university.ask(question, "--as", person, *TODAY, **STRICT)
    assert [claim["text"] for claim in reply["claims"]] == rows
