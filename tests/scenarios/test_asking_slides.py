"""People ask what stands on a slide and are led to it; who may not read it learns nothing of it."""

import json
from pathlib import Path

import decks
import pytest
from vouch_home import STRICT, Home, write

ASKED = "how many days a week may staff work remotely"
DOUBT = "4 days from January"


@pytest.fixture
def told(home: Home, tmp_path: Path) -> Home:
    """Slides for staff of one department alone, with a hidden one and with notes."""
    made = decks.deck()
    decks.slide(made, "Welcome", "Thank you for joining us.")
    decks.slide(made, "Planned", f"Remote work: {DOUBT}.")._element.set("show", "0")  # noqa: SLF001
    shown = decks.slide(made, "Remote work", "Staff may work remotely for 3 days per week.")
    shown.notes_slide.notes_text_frame.text = f"Do not say yet: remote work, {DOUBT}."
    docs = write(
        tmp_path / "docs",
        {"metadata.yaml": "induction.pptx:\n  audience: {departments: [hr]}\n"},
    )
    (docs / "induction.pptx").write_bytes(decks.saved(made))
    home.people({"id": "hana", "departments": ["hr"]}, {"id": "ben", "departments": ["cs"]})
    home.ingest(docs)
    return home


def test_a_sentence_is_cited_by_its_slide_and_its_box(told: Home) -> None:
    reply = told.ask(ASKED, "--as", "hana", **STRICT)
    (claim,) = reply["claims"]
    (cited,) = claim["citations"]
    assert (cited["page"], cited["page_label"], cited["line_start"]) == (3, "slide 3", None)
    assert [box["page"] for box in cited["boxes"]] == [3]
    said = " ".join(told.vouch("ask", ASKED, "--as", "hana", **STRICT).said.split())
    assert "induction.pptx, slide 3" in said
    shown = " ".join(told.vouch("audit", "show", reply["audit_id"]).said.split())
    assert "induction.pptx, slide 3" in shown
    assert "page 3" not in said + shown


def test_who_may_not_read_the_slides_learns_nothing_of_them(told: Home) -> None:
    for asker in (("--as", "ben"), ()):
        reply = told.ask(ASKED, *asker, **STRICT)
        seen = json.dumps([reply, told.record(reply["audit_id"])])
        assert "induction" not in seen
        assert "3 days" not in seen


def test_hidden_slides_and_notes_are_in_nothing_that_anybody_reads(told: Home) -> None:
    reply = told.ask("how many days of remote work are planned from January", "--as", "hana")
    seen = json.dumps([reply["text"], reply["ranked"], reply["nearest"], reply["claims"]])
    assert DOUBT not in seen
    assert not any(DOUBT in text for text in told.texts().values())
