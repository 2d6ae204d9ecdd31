"""People ask what stands in a spreadsheet, and are led to its cells; who may not read it is not."""

import json
from pathlib import Path

import pytest
from vouch_home import STRICT, Home, write
from workbooks import Rows, saved, workbook

PAY = "hourly rate of a lab demonstrator"
RATES: Rows = [
    ["Rates of pay for casual staff"],
    [],
    ["Role", "Hourly rate", "Weekly hours"],
    ["Lab demonstrator", 18.5, 12],
    ["Library assistant", 14.25, 20],
]


@pytest.fixture
def paid(home: Home, tmp_path: Path) -> Home:
    """Rates for staff alone, with a hidden sheet, and opening hours for everyone."""
    made = workbook({"Casual staff": RATES, "Planned": [["Lab demonstrators will earn 99 euros."]]})
    for row in (4, 5):
        made["Casual staff"].cell(row, 2).number_format = '0.00" euros"'
    made["Planned"].sheet_state = "veryHidden"
    docs = write(
        tmp_path / "docs",
        {
            "hours.csv": "Place,Opens,Closes\nReading room,8:00,21:00\nCanteen,11:30,14:00\n",
            "metadata.yaml": "rates.xlsx:\n  audience: {departments: [hr]}\n",
        },
    )
    (docs / "rates.xlsx").write_bytes(saved(made))
    home.people({"id": "hana", "departments": ["hr"]}, {"id": "ben", "departments": ["cs"]})
    home.ingest(docs)
    return home


def test_a_row_is_cited_by_its_sheet_and_its_cells(paid: Home) -> None:
    reply = paid.ask(PAY, "--as", "hana", **STRICT)
    (claim,) = reply["claims"]
    assert "18.50 euros" in claim["text"]
    (cited,) = claim["citations"]
    assert (cited["file"], cited["page"], cited["page_label"], cited["cell_range"]) == (
        *("rates.xlsx", 1, "sheet Casual staff"),
        "A4:C4",
    )
    place = paid.record(reply["audit_id"])["claims"][0]["citations"][0]["place"]
    assert (place["page_label"], place["cell_range"]) == ("sheet Casual staff", "A4:C4")
    said = paid.vouch("ask", PAY, "--as", "hana", **STRICT).said
    assert "sheet Casual staff, cells A4:C4 (Rates of pay for casual staff)" in " ".join(
        said.split()
    )


def test_who_may_not_read_a_workbook_learns_nothing_of_it(paid: Home) -> None:
    for asker in (("--as", "ben"), ()):
        reply = paid.ask(PAY, *asker, **STRICT)
        seen = json.dumps([reply, paid.record(reply["audit_id"])])
        assert "rates.xlsx" not in seen
        assert "18.50" not in seen
        assert "Casual staff" not in seen


def test_a_very_hidden_sheet_is_in_nothing_that_anybody_reads(paid: Home) -> None:
    reply = paid.ask("how much will lab demonstrators earn", "--as", "hana")
    places = [{k: v for k, v in each.items() if k != "score"} for each in reply["ranked"]]
    quotes = [each["text"] for each in reply["nearest"]]
    assert "99" not in json.dumps([reply["text"], places, quotes])
    seen = json.dumps([reply, paid.record(reply["audit_id"])])
    assert "99 euros" not in seen
    assert "Planned" not in seen
    assert not any("99 euros" in text for text in paid.texts().values())


def test_a_row_of_a_file_of_values_is_cited_by_its_line(paid: Home) -> None:
    reply = paid.ask("when does the canteen close", **STRICT)
    (cited,) = reply["claims"][0]["citations"]
    assert (cited["file"], cited["line_start"], cited["cell_range"]) == ("hours.csv", 3, "A3:C3")
    assert cited["quote"] == "Canteen,11:30,14:00"
