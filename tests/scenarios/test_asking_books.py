"""People ask what stands in a book and are led to its chapter; others learn nothing of it."""

import json
from pathlib import Path

import pytest
from books import Item, chapter, parts, xhtml, zipped
from vouch_home import STRICT, Home, write

ASKED = "how many days a week may staff work remotely"
DOUBT = "4 days from January"


@pytest.fixture
def told(home: Home, tmp_path: Path) -> Home:
    """A book for staff of one department alone, with a chapter out of its reading order."""
    spine = [
        chapter(1, "<h1>Welcome</h1>\n<p>Thank you for joining us.</p>"),
        Item("plan.xhtml", xhtml(f"<p>Remote work: {DOUBT}.</p>"), linear="no"),
        chapter(
            3,
            "<h1>Remote work</h1>\n<p>Staff may work remotely for 3 days per week.</p>\n"
            f'<p class="plan">Remote work: {DOUBT}.</p>',
            '<link rel="stylesheet" href="a.css"/>',
        ),
    ]
    held = {**parts(spine), "OEBPS/text/a.css": ".plan { display: none }"}
    docs = write(
        tmp_path / "docs", {"metadata.yaml": "staff.epub:\n  audience: {departments: [hr]}\n"}
    )
    (docs / "staff.epub").write_bytes(zipped(held))
    home.people({"id": "hana", "departments": ["hr"]}, {"id": "ben", "departments": ["cs"]})
    home.ingest(docs)
    return home


def test_a_sentence_is_cited_by_its_chapter_and_its_line(told: Home) -> None:
    reply = told.ask(ASKED, "--as", "hana", **STRICT)
    (claim,) = reply["claims"]
    (cited,) = claim["citations"]
    assert (cited["page"], cited["page_label"], cited["line_start"]) == (3, "chapter 3", 7)
    said = " ".join(told.vouch("ask", ASKED, "--as", "hana", **STRICT).said.split())
    assert "staff.epub, chapter 3, line 7" in said
    shown = " ".join(told.vouch("audit", "show", reply["audit_id"]).said.split())
    assert "staff.epub, chapter 3, line 7" in shown
    assert "page 3" not in said + shown


def test_who_may_not_read_the_book_learns_nothing_of_it(told: Home) -> None:
    for asker in (("--as", "ben"), ()):
        reply = told.ask(ASKED, *asker, **STRICT)
        seen = json.dumps([reply, told.record(reply["audit_id"])])
        assert "staff.epub" not in seen
        assert "3 days" not in seen


def test_what_people_do_not_see_of_a_book_is_in_nothing_that_anybody_reads(told: Home) -> None:
    reply = told.ask("how many days of remote work are planned from January", "--as", "hana")
    seen = json.dumps([reply["text"], reply["ranked"], reply["nearest"], reply["claims"]])
    assert DOUBT not in seen
    assert not any(DOUBT in text for text in told.texts().values())
