"""Somebody asks the sample organisation, and holds the answer against its documents."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest
from at_length import first
from vouch_home import SAMPLE, STRICT, Home, cited_files

DOCUMENTS = SAMPLE / "documents"
ON = ("--on", "2026-11-21")
LATE = "how late may i hand in coursework, and what does it cost me?"

REPLY = {"audit_id", "decision", "text", "claims", "dropped", "missing", "confidence", "latency_ms"}
CLAIM = {"text", "status", "kind", "reasoning", "citations"}
CITATION = {
    *("passage_id", "document_id", "file", "version", "status", "score", "page", "line_start"),
    *("line_end", "section_path", "boxes", "paragraph", "quote"),
}
CONFIDENCE = {"retrieval", "coverage", "entailment", "consistency", "overall"}


def folded(text: str) -> str:
    return " ".join(text.split())


def stands_there(citation: Mapping[str, Any]) -> bool:
    """Whether a quote is found verbatim where its citation says, read with other eyes."""
    path, quote = DOCUMENTS / citation["file"], citation["quote"]
    if path.suffix == ".docx":
        return folded(quote) in folded(
            docx.Document(str(path)).paragraphs[citation["paragraph"] - 1].text
        )
    if path.suffix == ".pdf":
        return stands_in_boxes(path, citation)
    lines = path.read_text(encoding="utf-8").splitlines()
    return quote in "\n".join(lines[citation["line_start"] - 1 : citation["line_end"]])


def stands_in_boxes(path: Path, citation: Mapping[str, Any]) -> bool:
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[citation["page"] - 1]
        text, height = page.get_textpage(), page.get_height()
        found = []
        for box in citation["boxes"]:
            assert box["page"] == citation["page"]
            left, top, right, bottom = box["bbox"]
            assert 0 <= left < right <= page.get_width()
            assert 0 <= top < bottom <= height
            found.append(
                text.get_text_bounded(left - 1, height - bottom - 1, right + 1, height - top + 1)
            )
    return folded(citation["quote"]) in folded(" ".join(found))


CITED = {
    "computer-science/labs-and-laptops.md": ("ana", "how long can i borrow a laptop for"),
    "faculty-of-computing/laptop-loans.txt": (
        "ben",
        "how much is the deposit for a faculty laptop",
    ),
    "university/exams/examination-day.html": ("mei", "how late can i arrive for an exam"),
    "university/regulations/academic-regulations-2025.pdf": (
        "priya",
        "whats the penalty for late coursework",
    ),
    "computer-science/msc-handbook.docx": (
        "mei",
        "how long does the msc thesis take, max how many words",
    ),
}
"""A question for each format, and who asks it."""


@pytest.mark.parametrize("file", first(2, CITED))
def test_every_quote_stands_verbatim_where_its_citation_says(university: Home, file: str) -> None:
    person, question = CITED[file]
    reply = university.ask(question, "--as", person, *ON)
    assert file in cited_files(reply)
    for claim in reply["claims"]:
        assert claim["status"] == "VERIFIED"
        for citation in claim["citations"]:
            assert stands_there(citation), citation


def test_the_json_of_a_reply_has_the_promised_form(university: Home) -> None:
    reply = university.ask(LATE, "--as", "ana", *ON)
    assert reply.keys() >= REPLY
    assert reply["decision"] in ("ANSWER", "PARTIAL")
    assert reply["text"]
    assert isinstance(reply["latency_ms"], int)
    assert reply["confidence"].keys() == CONFIDENCE
    assert all(score is None or 0 <= score <= 1 for score in reply["confidence"].values())
    assert reply["confidence"]["consistency"] is None, "one run of a writer agrees with nothing"
    assert reply["claims"]
    for claim in (*reply["claims"], *reply["dropped"]):
        assert claim.keys() >= CLAIM
        assert claim["status"] in ("VERIFIED", "UNSUPPORTED", "BROKEN")
        assert claim["kind"] in ("cited", "inference")
        assert claim["citations"]
        for citation in claim["citations"]:
            assert citation.keys() >= CITATION
            assert 0 <= citation["score"] <= 1
            assert isinstance(citation["section_path"], list)
            assert all(len(box["bbox"]) == 4 for box in citation["boxes"])
            assert (citation["page"] is None) == (not citation["boxes"])


def test_how_do_i_is_answered_in_the_numbered_steps_of_the_document(university: Home) -> None:
    asked = "How do I apply for a re-evaluation?", "--as", "ana", *ON
    said = university.vouch("ask", *asked).said
    steps = ["1. Read your script first", "2. Fill in the re-evaluation form", "3. Pay the fee"]
    assert [said.find(step) for step in steps] == sorted(said.find(step) for step in steps)
    assert all(step in said for step in steps)
    reply = university.ask(*asked)
    [claim] = reply["claims"]
    assert [line["number"] for line in claim["lines"]] == [1, 2, 3]
    assert all(stands_there(citation) for citation in claim["citations"])


def test_a_department_rule_prevails_for_its_own_student_and_for_nobody_else(
    university: Home,
) -> None:
    days = {"ana": "3 calendar days", "ben": "5 calendar days", "priya": "7 calendar days"}
    replies = {person: university.ask(LATE, "--as", person, *ON) for person in days}
    for person, due in days.items():
        said = " ".join(claim["text"] for claim in replies[person]["claims"])
        assert due in said
        assert not [other for other in days.values() if other != due and other in said]
        for found in replies[person]["contradictions"]:
            assert found["prevails"] == "own unit"
            assert found["holds"]["level"] in ("department", "faculty")
    record = university.record(replies["ana"]["audit_id"])
    overridden = {c["file"] for c in record["candidates"] if c["overridden_by"]}
    assert "faculty-of-computing/coursework-and-attendance.html" in overridden


def test_an_unknown_person_is_wrong_use_and_never_a_guest(university: Home) -> None:
    before = university.vouch("audit", "verify", "--json").json["records"]
    for name in ("nobody", "", "guest"):
        finished = university.vouch("ask", LATE, "--as", name, "--json")
        assert (finished.status, finished.out) == (2, "")
        assert "people.yaml" in finished.err
    assert university.vouch("audit", "verify", "--json").json["records"] == before


def test_a_follow_up_that_says_too_little_alone_is_searched_with_the_question_before(
    university: Home,
) -> None:
    between = {"VOUCH_RELEVANCE_THRESHOLD": "0.65", "VOUCH_PARTIAL_AT": "0.3"}
    question, before = "can you renew online", "how long can I borrow a laptop for"
    alone = university.ask(question, "--as", "ben", *ON, **between)
    assert alone["decision"] == "ABSTAIN"
    asked = (question, "--after", before, "--after", "thanks!", "--as", "ben")
    reply = university.ask(*asked, *ON, **between)
    record = university.record(reply["audit_id"])
    assert record["standalone_question"] == f"{before}: {question}"
    assert "laptop" in " ".join(cited_files(reply))


def test_without_evidence_it_quotes_the_closest_and_says_why_and_whom_to_ask(
    university: Home,
) -> None:
    question = "How much is a parking permit?"
    reply = university.ask(question, "--as", "mei", *ON, **STRICT)
    assert (reply["decision"], reply["claims"]) == ("ABSTAIN", [])
    assert reply["text"].startswith("Not sure: the closest I found:\n- ")
    near = reply["nearest"][0]
    assert f"- “{near['text']}” (Getting to campus and around it, {near['file']}" in reply["text"]
    assert stands_there(near)
    why, whom = reply["text"].splitlines()[-2:]
    assert why == "I am not sure that this answers your question."
    assert "campus@example.org" in whom
    record = university.record(reply["audit_id"])
    assert (record["decision"], record["reply"]) == ("ABSTAIN", reply["text"])
    assert record["candidates"]


def test_an_empty_library_is_a_failure_that_says_what_to_do(home: Home) -> None:
    finished = home.vouch("ask", "when does the library open?", "--json")
    assert (finished.status, finished.out) == (1, "")
    assert "vouch ingest" in finished.err
    assert home.vouch("audit", "list", "--json").json == []


def test_a_question_may_hold_anything(university: Home) -> None:
    question = "[/bold] parking?\n<c>1.1</c> 'x') OR 1=1 -- \x1b[31m ☂ " + "very " * 30
    university.does("ask", question, *ON)
    assert university.vouch("audit", "list", "--json").json[0]["question"] == question


@pytest.mark.exhaustive
def test_a_question_that_is_no_utf_8_is_wrong_use(university: Home) -> None:
    for arguments in ((b"caf\xe9?",), (b"and?", b"--after", b"caf\xe9?"), (b"?", b"--as", b"\xe9")):
        finished = university.vouch_apart("ask", *map(os.fsdecode, arguments))
        assert (finished.status, finished.out) == (2, "")
        assert "not UTF-8" in finished.err


def test_at_a_terminal_each_sentence_shows_its_source(university: Home) -> None:
    said = university.vouch("ask", LATE, "--as", "ana", *ON).said
    assert "3 calendar days after the deadline. [" in said
    assert "computer-science/coursework-rules.md, lines 21-23" in said
    assert "(Late coursework)" in said


def test_questions_typed_one_after_another_lean_on_those_before(own_university: Home) -> None:
    typed = "how much is a colour page a4\n\nwhat about a3?\nQuit\nwhat about a5?\n"
    finished = own_university.does("ask", "--as", "ben", *ON, typed=typed)
    assert "Ask away, as Ben Okafor" in finished.said
    newest = own_university.vouch("audit", "list", "--limit", "1", "--json").json[0]
    assert newest["question"] == "what about a3?"
    previous = own_university.record(newest["audit_id"])["previous_questions"]
    assert previous == ["how much is a colour page a4"]


def test_at_a_terminal_a_follow_up_tells_how_it_was_understood(university: Home) -> None:
    question, before = "what about a3?", "how much is a colour page a4"
    asked = (question, "--after", before, "--as", "ben", *ON)
    meant = f"{before}: {question}"
    assert f"Understood as: {meant}" in university.vouch("ask", *asked).said
    assert university.ask(*asked)["standalone_question"] == meant
    assert "Understood as" not in university.vouch("ask", before, "--as", "ben", *ON).said


@pytest.mark.exhaustive
def test_the_tour_answers_three_people_and_leaves_ones_own_people_alone(home: Home) -> None:
    home.people({"id": "mine"})
    home.refuses("Set VOUCH_HOME to a new folder", "tour", SAMPLE)
    (home.path / "people.yaml").unlink()
    pages = "https://vouch.example.org"
    finished = home.does("tour", SAMPLE, VOUCH_WEB_URL=pages, COLUMNS="200", **STRICT)
    asked = home.vouch("audit", "list", "--json").json
    opening = [f"{pages}/cited/{record['audit_id']}/" in finished.said for record in asked]
    assert opening[1:] == [True, True], "sources are opened as those of any other reply"
    assert [record["person_id"] for record in reversed(asked)] == ["ana", "ben", "mei"]
    assert asked[0]["decision"] == "ABSTAIN"
    assert asked[0]["question"] in finished.said


def test_a_document_is_read_from_its_first_day_to_its_last(home: Home) -> None:
    rule = "---\nvalid_from: 2026-01-01\nvalid_to: 2026-12-31\n---\n\n"
    text = "The fee for a lost student card is twenty euros."
    home.reads({"fee.md": rule + text, "other.md": "Parking is free."})
    days = ("2025-12-31", "2026-01-01", "2026-12-31", "2027-01-01")
    asked = [home.ask("what is the fee for a lost card?", "--on", day) for day in days]
    assert ["fee.md" in cited_files(reply) for reply in asked] == [False, True, True, False]
    before, *_, after = asked
    assert "fee" not in json.dumps([before[name] for name in ("nearest", "expired")])
    assert after["decision"] == "ABSTAIN"
    assert "out of date: Fee (valid until 2026-12-31)" in after["text"]
    assert "Ask whoever keeps these documents what holds today." in after["text"]
    assert home.record(after["audit_id"])["expired"][0]["source"]["file"] == "fee.md"


def test_of_two_documents_that_disagree_the_newer_one_answers_and_both_are_shown(
    home: Home,
) -> None:
    old = "---\neffective: 2019-01-01\n---\n\nA lost student card costs 15 euros."
    new = "---\neffective: 2026-01-01\n---\n\nA lost student card costs 20 euros."
    undated = "A lost student card costs 30 euros."
    home.reads({"old.md": old, "new.md": new})
    reply = home.ask("how much does a lost student card cost?")
    assert cited_files(reply) == {"new.md"}
    [found] = reply["contradictions"]
    assert (found["differs"], found["prevails"]) == (["20 euros / 15 euros"], "newer")
    assert "“A lost student card costs 15 euros.” (Old, from 2019-01-01)" in reply["text"]
    pages = {"VOUCH_WEB_URL": "https://vouch.example.org", "COLUMNS": "200"}
    shown = home.vouch("audit", "show", reply["audit_id"], **pages)
    assert "20 euros / 15 euros" in shown.said
    opens = f"https://vouch.example.org/cited/{reply['audit_id']}/d1-2"
    assert opens in shown.said
    kept = home.vouch("audit", "show", reply["audit_id"], "--json", **pages).json
    assert kept["contradictions"][0]["against"]["citation"]["url"] == opens
    home.reads({"undated.md": undated})
    reply = home.ask("how much does a lost student card cost?")
    assert reply["decision"] == "ABSTAIN"
    assert "nothing says which of them holds" in reply["text"]


@pytest.mark.exhaustive
def test_a_question_longer_than_is_read_is_answered_as_far_as_it_is_read(
    own_university: Home,
) -> None:
    typed = f"how long can i borrow a laptop for {'x' * 1_000_000}\n"
    own_university.does("ask", "--as", "ben", *ON, typed=typed)
    [record] = own_university.vouch("audit", "list", "--json").json
    assert record["question"] == f"how long can i borrow a laptop for {'x' * 100}…"


def test_a_misspelt_question_is_kept_as_typed_beside_what_was_searched_for(
    university: Home,
) -> None:
    typed = "i forgot my pasword what now"
    reply = university.ask(typed, *ON)
    record = university.record(reply["audit_id"])
    assert record["question"] == typed
    assert record["standalone_question"] == "i forgot my password what now"
    shown = university.vouch("audit", "show", reply["audit_id"]).said
    assert "pasword" in shown
    assert "password what now" in shown


def test_a_glossary_is_proposed_from_what_the_documents_explain_and_can_be_used(
    home: Home, tmp_path: Path
) -> None:
    written = {
        "leave.md": "You have 20 days of paid time off (PTO). Ask personal office (PO).",
        "post.md": "Parcels go to the post office (PO).",
    }
    home.reads(written)
    proposed = home.does("glossary")
    assert proposed.out.splitlines()[-1] == "paid time off: [PTO]  # leave.md"
    assert "office" not in proposed.out, "PO stands for either of two"
    glossary = tmp_path / "glossary.yaml"
    glossary.write_text(proposed.out)
    reply = home.ask("how much pto do i get", VOUCH_GLOSSARY=str(glossary))
    searched = home.record(reply["audit_id"])["standalone_question"]
    assert searched == "how much pto (paid time off) do i get"
    again = home.vouch("glossary", VOUCH_GLOSSARY=str(glossary))
    assert again.out.splitlines() == [
        "# The documents explain no abbreviation that the glossary lacks."
    ]


def test_of_two_things_that_are_compared_each_is_told_or_none(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path / "home", STRICT)
    backups = "Databases are backed up every night and kept for 35 days. File shares are backed up "
    text = (
        f"# Backups\n\n{backups}every week and kept for 90 days.\n\nMailboxes are not backed up.\n"
    )
    home.reads({"backups.md": text})
    both = home.ask("What is the difference between database and file share backups?", *ON)
    assert both["decision"] != "ABSTAIN"
    assert "kept for 35 days" in both["text"]
    assert "kept for 90 days" in both["text"]
    one = home.ask("What is the difference between mailboxes and printers?", *ON)
    assert one["decision"] == "ABSTAIN", "how they differ is not said by what tells of one"
