"""People ask what stands in a book, on slides or in a spreadsheet and are led to its place there;
who may not read it learns nothing of it, and what people do not see of it nobody does."""

import json
from dataclasses import dataclass
from typing import Any

import decks
import pytest
from books import Item, chapter, parts, xhtml, zipped
from vouch_home import STRICT, Home, write
from workbooks import Rows, saved, workbook

RATES: Rows = [
    ["Rates of pay for casual staff"],
    [],
    ["Role", "Hourly rate", "Weekly hours"],
    ["Lab demonstrator", 18.5, 12],
    ["Library assistant", 14.25, 20],
]


@dataclass(frozen=True)
class Held:
    """A file for staff of one department alone."""

    file: str
    asked: str
    said: str
    place: dict[str, Any]
    """Of the citation, as JSON tells it."""
    shown: str
    """The place, as a terminal tells it behind the file."""
    names: str
    """What else would tell of the file."""
    asked_of_hidden: str
    hidden: str


HELD = [
    Held(
        "staff.epub",
        "how many days a week may staff work remotely",
        "3 days",
        {"page": 3, "page_label": "chapter 3", "line_start": 7, "cell_range": ""},
        "chapter 3, line 7",
        "Remote work",
        "how many days of remote work are planned from January",
        "4 days from January",
    ),
    Held(
        "induction.pptx",
        "how many visitors may each employee bring into the building",
        "5 visitors",
        {"page": 3, "page_label": "slide 3", "line_start": None, "cell_range": ""},
        "slide 3",
        "Visitors at the gate",
        "how many visitors are planned from March",
        "9 from March",
    ),
    Held(
        "rates.xlsx",
        "hourly rate of a lab demonstrator",
        "18.50 euros",
        {"page": 1, "page_label": "sheet Casual staff", "line_start": None, "cell_range": "A4:C4"},
        "sheet Casual staff, cells A4:C4 (Rates of pay for casual staff)",
        "Casual staff",
        "how much will lab demonstrators earn",
        "99 euros",
    ),
]
each_file = pytest.mark.parametrize("held", HELD, ids=lambda held: held.file)


def book() -> bytes:
    """With a chapter out of its reading order, and text that a style hides."""
    spine = [
        chapter(1, "<h1>Welcome</h1>\n<p>Thank you for joining us.</p>"),
        Item("plan.xhtml", xhtml("<p>Remote work: 4 days from January.</p>"), linear="no"),
        chapter(
            3,
            "<h1>Remote work</h1>\n<p>Staff may work remotely for 3 days per week.</p>\n"
            '<p class="plan">Remote work: 4 days from January.</p>',
            '<link rel="stylesheet" href="a.css"/>',
        ),
    ]
    return zipped({**parts(spine), "OEBPS/text/a.css": ".plan { display: none }"})


def slides() -> bytes:
    """With a hidden one, and with notes."""
    made = decks.deck()
    decks.slide(made, "Welcome", "Thank you for joining us.")
    planned = decks.slide(made, "Planned", "Visitors at the gate: 9 from March.")
    planned._element.set("show", "0")  # noqa: SLF001
    shown = decks.slide(
        made, "Visitors at the gate", "Each employee may bring 5 visitors into the building."
    )
    shown.notes_slide.notes_text_frame.text = "Do not say yet: visitors, 9 from March."
    return decks.saved(made)


def spreadsheet() -> bytes:
    """With a sheet that is very hidden."""
    made = workbook({"Casual staff": RATES, "Planned": [["Lab demonstrators will earn 99 euros."]]})
    for row in (4, 5):
        made["Casual staff"].cell(row, 2).number_format = '0.00" euros"'
    made["Planned"].sheet_state = "veryHidden"
    return saved(made)


@pytest.fixture(scope="module")
def told(shared_home: Home) -> Home:
    restricted = "".join(f"{each.file}:\n  audience: {{departments: [hr]}}\n" for each in HELD)
    hours = "Place,Opens,Closes\nReading room,8:00,21:00\nCanteen,11:30,14:00\n"
    docs = write(
        shared_home.path.parent / "docs", {"metadata.yaml": restricted, "hours.csv": hours}
    )
    for each, content in zip(HELD, (book(), slides(), spreadsheet()), strict=True):
        (docs / each.file).write_bytes(content)
    shared_home.people({"id": "hana", "departments": ["hr"]}, {"id": "ben", "departments": ["cs"]})
    shared_home.ingest(docs)
    return shared_home


def everything(home: Home, question: str, *asker: str, **settings: str) -> str:
    """The reply with all that came near, and the whole audit record."""
    reply = home.ask(question, *asker, **settings)
    return json.dumps([reply, home.record(reply["audit_id"])])


@each_file
def test_a_sentence_is_cited_by_its_place(told: Home, held: Held) -> None:
    reply = told.ask(held.asked, "--as", "hana", **STRICT)
    (claim,) = reply["claims"]
    assert held.said in claim["text"]
    (cited,) = claim["citations"]
    assert cited["file"] == held.file
    assert {name: cited[name] for name in held.place} == held.place
    assert {box["page"] for box in cited["boxes"]} == ({3} if "pptx" in held.file else set())
    kept = told.record(reply["audit_id"])["claims"][0]["citations"][0]["place"]
    assert {name: kept[name] for name in held.place} == held.place
    said = " ".join(told.vouch("ask", held.asked, "--as", "hana", **STRICT).said.split())
    shown = " ".join(told.vouch("audit", "show", reply["audit_id"]).said.split())
    for each in (said, shown):
        assert f"{held.file}, {held.shown}" in each
        assert "page 3" not in each


@each_file
def test_who_may_not_read_it_learns_nothing_of_it(told: Home, held: Held) -> None:
    for asker in (("--as", "ben"), ()):
        seen = everything(told, held.asked, *asker, **STRICT)
        assert not [each for each in (held.file, held.said, held.names) if each in seen]


@each_file
def test_what_people_do_not_see_of_it_is_in_nothing_that_anybody_reads(
    told: Home, held: Held
) -> None:
    seen = everything(told, held.asked_of_hidden, "--as", "hana")
    assert held.file in seen, "the rest of it is"
    assert held.hidden not in seen
    assert "Planned" not in seen
    assert not any(held.hidden in text for text in told.texts().values())


def test_a_row_of_a_file_of_values_is_cited_by_its_line(told: Home) -> None:
    reply = told.ask("when does the canteen close", **STRICT)
    (cited,) = reply["claims"][0]["citations"]
    assert (cited["file"], cited["line_start"], cited["cell_range"]) == ("hours.csv", 3, "A3:C3")
    assert cited["quote"] == "Canteen,11:30,14:00"
