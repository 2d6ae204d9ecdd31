"""An administrator asks why somebody may, or may not, read a document."""

from pathlib import Path

import pytest
from vouch_home import Home, write

TEXT = "The reading room closes at nine in the evening."
FILES = {
    "open.md": "The canteen opens at noon.",
    "hr/pool.md": TEXT,
    "hr/metadata.yaml": '"*": {audience: {departments: [hr]}, valid_to: 2026-12-31}',
    "cs/pool.md": f"---\ntitle: The pool\naudience: {{departments: [cs, is]}}\n---\n{TEXT}",
    "broken.md": f"---\nvisibility: internal\n---\n{TEXT}",
}


@pytest.fixture
def asked(home: Home, tmp_path: Path) -> Home:
    home.people({"id": "ana", "name": "Ana Silva", "email": "ana@x.org", "departments": ["hr"]})
    assert home.vouch("ingest", "--for=everyone", write(tmp_path / "docs", FILES)).status == 1
    return home


def test_each_answer_names_the_rule_and_where_it_stands(asked: Home, tmp_path: Path) -> None:
    why = asked.does("why", "Ana Silva", "hr/pool.md", "--on", "2026-06-01")
    assert why.out.splitlines() == [
        "Ana Silva may read hr/pool.md.",
        "It is for departments hr; until 2026-12-31.",
        "That stands in hr/metadata.yaml under `*`.",
    ]
    late = asked.vouch("why", "ana", "hr/pool.md", "--on", "2027-01-01").said
    assert "Ana Silva may not read hr/pool.md." in late
    assert "It held only until 2026-12-31; asked for 2027-01-01." in late
    both = asked.vouch("why", "ana@x.org", "pool.md", "--on", "2026-06-01").said
    assert "Ana Silva may read hr/pool.md." in both
    assert "Ana Silva may not read cs/pool.md." in both
    assert "departments: it needs cs or is; Ana Silva has hr." in both
    assert "That stands in its front matter." in both
    path = asked.vouch("why", "guest", tmp_path / "docs" / "open.md").said
    assert path == "A guest may read open.md. It is for everyone, at any time."


def test_it_says_what_an_answer_then_does(asked: Home) -> None:
    for person, file in (("ana", "hr/pool.md"), ("guest", "hr/pool.md"), ("guest", "cs/pool.md")):
        [told] = asked.vouch("why", person, file, "--on", "2026-06-01", "--json").json
        who = () if person == "guest" else ("--as", person)
        reply = asked.ask("when does the reading room close?", *who, "--on", "2026-06-01")
        read = {each["file"] for each in asked.record(reply["audit_id"])["candidates"]}
        assert told["may_read"] == (file in read)


def test_what_is_kept_out_is_said_to_be_so_with_the_reason(asked: Home) -> None:
    said = asked.vouch("why", "ana", "broken.md").said
    assert "Nobody reads broken.md: it is kept out." in said
    assert "states `visibility: internal` in its front matter" in said


def test_nobody_and_nothing_are_told_apart(asked: Home) -> None:
    assert asked.vouch("why", "nobody", "open.md").status == 2
    asked.refuses("No document is called 'nothing.md'", "why", "ana", "nothing.md")
