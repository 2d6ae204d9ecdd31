"""An administrator has old answers made again, and asks what other thresholds would change."""

import json
from pathlib import Path
from typing import Any

import pytest
from sample_records import a_record, an_event
from vouch_home import Home, write

from audit.log import open_reader, open_writer
from audit.record import AuditRecord
from audit.values import PersonRecord, new_id
from bot.wording import quality as wording

CARD = "what is the fee for a lost student card?"
PARKING = "is parking free on sundays?"
STAFF = "what is the fee for a lost staff card?"
NOBODY_KNOWS = "who won the chess tournament of 1927?"
BOTH = "what is the fee for a lost student card, and is parking free on sundays?"
DOCS = {
    "cards.md": "# Cards\n\nThe fee for a lost student card is twenty euros.",
    "parking.md": "# Parking\n\nParking is free on Sundays.",
    "staff.md": "---\naudience: {departments: [hr]}\n---\n# Staff\n\n"
    "The fee for a lost staff card is forty euros.",
}


@pytest.fixture(scope="module")
def asked(shared_home: Home) -> Home:
    """A home in which questions were asked; copy it to change it."""
    shared_home.people(
        {"id": "ana", "name": "Ana", "departments": ["hr"]}, {"id": "ben", "name": "Ben"}
    )
    shared_home.reads(DOCS)
    for question in (CARD, STAFF):
        shared_home.ask(question, "--as", "ana")
    for question in (PARKING, BOTH, NOBODY_KNOWS):
        shared_home.ask(question, "--as", "ben")
    return shared_home


@pytest.fixture
def home(asked: Home, tmp_path: Path) -> Home:
    return asked.copy_to(tmp_path / "home")


def ids(home: Home) -> dict[str, str]:
    listed = home.vouch("audit", "list", "--json").json
    return {each["question"]: each["audit_id"] for each in listed}


def head(home: Home) -> str:
    """Of the whole log: another one where anything was appended."""
    said: str = home.vouch("audit", "verify", "--json").json["head"]
    return said


def replayed(home: Home, audit_id: str, **environment: str) -> dict[str, Any]:
    found: dict[str, Any] = home.vouch("audit", "replay", audit_id, "--json", **environment).json
    return found


def test_old_answers_come_out_again_from_the_versions_of_then(
    asked: Home, home: Home, tmp_path: Path
) -> None:
    before, answers = head(home), ids(home)
    docs = write(tmp_path / "docs", DOCS)
    (docs / "cards.md").write_text("# Cards\n\nThe fee for a lost student card is ninety euros.")
    home.does("ingest", docs, "--source", "docs")
    home.people({"id": "ana", "name": "Ana"})  # who may read nothing of hr any more, and no ben
    assert "ninety" in home.ask(CARD)["text"]
    home = home.without_answers()
    for file in asked.path.glob("audit.sqlite*"):
        (home.path / file.name).write_bytes(file.read_bytes())
    for question, audit_id in answers.items():
        again = replayed(home, audit_id)
        assert (again["same"], again["differences"], again["changed"]) == (True, [], []), question
    assert "twenty" in replayed(home, answers[CARD])["reply"]
    assert "forty" in replayed(home, answers[STAFF])["reply"], "in the scope of then"
    said = home.vouch("audit", "replay", answers[CARD][:18]).said
    assert said == "The same reply comes out, word for word."
    assert head(home) == before, "nothing is recorded"
    assert home.vouch("audit", "replay", "nobody's").status == 1


def test_another_reply_says_what_differs_and_why(home: Home) -> None:
    answers = ids(home)
    stricter = {"VOUCH_PARTIAL_AT": "0.999", "VOUCH_ANSWER_AT": "0.999", "VOUCH_MOST_PASSAGES": "1"}
    again = replayed(home, answers[PARKING], VOUCH_ON_WRITER_FAILURE="extractive", **stricter)
    assert (again["same"], again["differences"]) == (True, []), "by the thresholds of then"
    assert [each["what"] for each in again["changed"]] == ["setting: on_writer_failure"]
    other = with_settings(
        home, answers[PARKING], partial_at=0.999, answer_at=0.999, context="pages"
    )
    by_these = replayed(home, other)
    assert not by_these["same"]
    apart = {each["what"]: (each["then"], each["now"]) for each in by_these["differences"]}
    assert apart["decision"] == ("PARTIAL", "ABSTAIN")
    assert "is under 0.999" in apart["reasons"][1]
    made_with = {each["what"]: (each["then"], each["now"]) for each in by_these["changed"]}
    assert made_with == {"setting: context": ("pages", "neighbours")}, "which none is today"
    home.does("purge", "cards.md", "--yes")
    replay = home.vouch("audit", "replay", answers[CARD])
    assert f"\n\n{wording.LACKING}\n- " in replay.out
    said = replay.said
    assert "Another reply comes out." in said
    assert "cards.md, version 1: its text is not kept any more" in said


def with_settings(home: Home, audit_id: str, **values: float | str) -> str:
    """The id of another record, of the same answer by other settings."""
    record = record_of(home, audit_id)
    settings = record.versions.settings
    settings = settings.model_copy(update={"values": {**settings.values, **values}})
    versions = record.versions.model_copy(update={"settings": settings})
    other = record.model_copy(update={"audit_id": new_id(record.time), "versions": versions})
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        writer.append(other)
    return other.audit_id


def test_a_record_that_names_what_its_reader_may_not_read_is_not_answered_from_it(
    home: Home,
) -> None:
    answers = ids(home)
    bens, anas = (record_of(home, answers[question]) for question in (PARKING, STAFF))
    asked = {"question": STAFF, "standalone_question": STAFF}
    took = {"candidates": anas.candidates, "shown": anas.shown, "audit_id": new_id(bens.time)}
    forged = bens.model_copy(update={**asked, **took})
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        writer.append(forged)
    said = home.vouch("audit", "replay", forged.audit_id, "--json")
    assert said.json["reply"].startswith("The fee for a lost student card is twenty")
    assert "forty" not in said.out


def record_of(home: Home, audit_id: str) -> AuditRecord:
    with open_reader(f"sqlite:///{home.path / 'audit.sqlite'}") as reader:
        entry = reader.record(audit_id).entry
    assert isinstance(entry, AuditRecord)
    return entry


def judged(home: Home, audit_id: str, person: str, **details: str) -> None:
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        about = a_record(audit_id=audit_id)
        writer.append(an_event(about, person=PersonRecord(id=person), details=dict(details)))


def test_other_thresholds_are_tried_on_what_was_answered(home: Home, tmp_path: Path) -> None:
    answers = ids(home)

    def tried(*options: str | Path) -> dict[str, Any]:
        found: dict[str, Any] = home.vouch("audit", "what-if", *options, "--json").json
        return found

    now = {"ANSWER": 0, "PARTIAL": 4, "ABSTAIN": 1}
    same = tried("--partial-at", "0.3")
    assert (same["decisions"], same["would_be"], same["changed"]) == (now, now, [])
    judged(home, answers[CARD], "ana", value="good")
    judged(home, answers[PARKING], "ben", value="bad")
    judged(home, answers[BOTH], "ana", value="good")
    judged(home, answers[BOTH], "ben", value="bad")
    surer = tried("--answer-at", "0", "--since", "today")
    assert surer["would_be"] == {"ANSWER": 4, "PARTIAL": 0, "ABSTAIN": 1}
    by_id = {each["audit_id"]: each for each in surer["changed"]}
    assert by_id[answers[CARD]]["judged"] == "better"
    assert by_id[answers[PARKING]]["judged"] == "worse"
    assert by_id[answers[BOTH]]["judged"] == "unknown"
    assert "is at least 0.0" in by_id[answers[CARD]]["reason"]
    assert surer["judged"] == {"better": 1, "worse": 1, "unknown": 2}
    stricter = tried("--partial-at", "1", "--answer-at", "1")
    assert stricter["would_be"] == {"ANSWER": 0, "PARTIAL": 0, "ABSTAIN": 5}
    assert stricter["judged"] == {"better": 1, "worse": 1, "unknown": 2}
    labels = tmp_path / "labels.jsonl"
    lines = (
        {"id": "1", "question": PARKING, "kind": "answerable", "gold": [{"file": "parking.md"}]},
        {"id": "2", "question": BOTH, "kind": "unanswerable"},
    )
    labels.write_text("\n".join(map(json.dumps, lines)))
    labelled = tried("--answer-at", "0", "--labels", labels)
    by_id = {each["audit_id"]: each["judged"] for each in labelled["changed"]}
    assert (by_id[answers[PARKING]], by_id[answers[BOTH]]) == ("better", "worse")
    assert tried("--answer-at", "0", "--until", "yesterday")["records"] == 0
    said = home.vouch("audit", "what-if", "--answer-at", "0").said
    assert "4 would change: 1 for the better, 1 for the worse, 2 nobody said." in said
    assert home.vouch("audit", "what-if").status == 2


def test_an_abstention_that_somebody_found_the_answer_in_would_change_for_the_better(
    home: Home,
) -> None:
    strict = {"VOUCH_PARTIAL_AT": "0.999", "VOUCH_ANSWER_AT": "0.999"}
    audit_id = home.ask(CARD, "--as", "ana", **strict)["audit_id"]
    record = home.record(audit_id)
    (citation,) = record["dropped"][0]["citations"]
    place = {name: citation[name] for name in ("document_id", "version", "passage_id", "file")}
    judged(home, audit_id, "ana", value="this_was_it", **place)
    tried = home.vouch("audit", "what-if", "--partial-at", "0.3")
    assert "ABSTAIN → PARTIAL (for the better)" in tried.said
    assert "may still be held back" in tried.said
