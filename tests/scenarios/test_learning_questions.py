"""People confirm answers, and what they asked leads others to the same passages; never further.

Their clicks are appended to the audit store as the bot in Slack appends them (test_slack_evidence).
"""

import json
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from vouch_home import Home, cited_files, write

from audit.log import open_writer
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import PersonRecord, new_id
from bot.lab.commands.evaluate import ingest_documents
from bot.settings import Settings
from bot.slack.blocks.evidence import numbers
from bot.wiring import Container
from bot.wording.evidence import SCORES
from retrieval.ports import EntryKind
from retrieval.types import Scope

LEAVE = "Staff may carry over five days of leave."
CARD = "A lost student card costs twenty euros."
PAY = "---\naudience: {departments: [hr]}\n---\n\nManagers earn nine thousand euros a month."
ASKED = "How many days of leave may staff of this house carry over?"
CLOSED = "How much do managers earn a month?"
PEOPLE = (
    {"id": "ana", "departments": ["cs"]},
    {"id": "ben", "departments": ["cs"]},
    {"id": "hera", "departments": ["hr"]},
)
ON = {"VOUCH_ENTRIES": "question", "VOUCH_LEARN_QUESTIONS": "true"}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", {"leave.md": LEAVE, "card.md": CARD, "pay.md": PAY})


@pytest.fixture
def learning(home: Home, docs: Path) -> Home:
    """A home that learns; its documents are read."""
    home.people(*PEOPLE)
    learning = replace(home, environment={**home.environment, **ON})
    learning.ingest(docs)
    return learning


def say(home: Home, audit_id: str, who: str, **details: str) -> str:
    """As a click does; returns the event's id."""
    now = datetime.now(UTC)
    said = AuditEvent(
        kind=EventKind.FEEDBACK,
        event_id=new_id(now),
        audit_id=audit_id,
        time=now,
        person=PersonRecord(id=who),
        details=details,
    )
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        writer.append(said)
    return said.event_id


def confirmed(home: Home, question: str, who: str) -> str:
    """Somebody asks, and says that it helped."""
    audit_id = str(home.ask(question, "--as", who)["audit_id"])
    say(home, audit_id, who, value="good")
    return audit_id


def container_of(home: Home, **settings: object) -> Container:
    return Container(Settings(_env_file=None, home=home.path, **settings))  # type: ignore[arg-type, call-arg]  # pydantic-settings' own


def led_to(home: Home, question: str, department: str = "cs") -> list[str]:
    """The files that an entry worded just so leads to, for somebody of a department."""
    vector = container_of(home).models.named.embedder.embed([question])[0]
    scope = Scope({"departments": frozenset({department})}, datetime.now(UTC).date())
    found = home.index().nearest(vector, scope, 10, {EntryKind.QUESTION})
    close = [match.passage_id for match in found if match.score > 0.999]
    return sorted(each.document.file for each in home.library.passages(close).values())


def test_what_somebody_confirmed_leads_others_to_the_passage_from_the_next_ingest_on(
    learning: Home, docs: Path
) -> None:
    audit_id = confirmed(learning, ASKED, "ana")
    assert led_to(learning, ASKED) == []
    assert "1 question of readers learned" in learning.ingest(docs).said
    assert led_to(learning, ASKED) == ["leave.md"]
    reply = learning.ask(ASKED, "--as", "ben")
    scores = learning.record(reply["audit_id"])["candidates"][0]["scores"]
    assert scores["question_entry_rank"] == 1
    assert "of readers" not in learning.ingest(docs).said
    assert learning.vouch("ingest", "--re-embed").status == 0
    assert led_to(learning, ASKED) == ["leave.md"]
    [kept] = learning.library.learned()
    assert (kept.audit_id, kept.key) == (audit_id, sha256(ASKED.encode()).hexdigest())


def test_no_number_tells_somebody_how_near_they_came_to_what_another_asked(
    learning: Home, docs: Path
) -> None:
    confirmed(learning, ASKED, "ana")
    learning.ingest(docs)
    reply = learning.ask(ASKED, "--as", "ben")
    record = learning.record(reply["audit_id"])
    kept = {name for each in record["candidates"] for name in each["scores"]}
    assert "question_entry_cosine" not in kept
    alone = {name: value for name, value in record.items() if name not in {"events", "chain"}}
    shown = str(numbers(AuditRecord.model_validate(alone), {}, frozenset()))
    assert "rank by questions 1" in shown
    assert SCORES["question_entry_cosine"] not in shown


def test_no_word_of_a_question_stands_outside_the_audit_store(learning: Home, docs: Path) -> None:
    confirmed(learning, ASKED, "ana")
    learning.ingest(docs)
    files = [path for path in learning.path.rglob("*") if path.is_file()]
    holding = {path.name for path in files if b"of this house" in path.read_bytes()}
    assert {name for name in holding if not name.startswith("audit.sqlite")} == set()
    assert any(name.startswith("audit.sqlite") for name in holding)


def test_nothing_is_learned_where_nobody_set_it(home: Home, docs: Path) -> None:
    home.people(*PEOPLE)
    only = replace(home, environment={**home.environment, "VOUCH_ENTRIES": "question"})
    only.ingest(docs)
    confirmed(only, ASKED, "ana")
    assert "of readers" not in only.ingest(docs).said
    assert led_to(only, ASKED) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "way", ["withdrawn", "passage changes", "line breaks", "document goes", "purge"]
)
def test_it_is_forgotten_when_nobody_stands_by_it_or_its_passage_is_another(
    learning: Home, docs: Path, way: str
) -> None:
    audit_id = str(learning.ask(ASKED, "--as", "ana")["audit_id"])
    event = say(learning, audit_id, "ana", value="good")
    learning.ingest(docs)
    assert led_to(learning, ASKED) == ["leave.md"]
    if way == "withdrawn":
        say(learning, audit_id, "ana", value="withdrawn", withdraws=event)
    elif way == "passage changes":
        (docs / "leave.md").write_text(LEAVE.replace("five", "six"))
    elif way == "line breaks":
        (docs / "leave.md").write_text(LEAVE.replace(" five", "\nfive"))
    elif way == "document goes":
        (docs / "leave.md").unlink()
    else:
        assert learning.vouch("purge", "leave.md", "--yes").status == 0
    learning.vouch("ingest", "--for=everyone", docs)
    assert led_to(learning, ASKED) == []
    assert learning.library.learned() == []
    assert learning.is_whole()


@pytest.mark.exhaustive
def test_it_is_forgotten_with_the_audit_store(learning: Home, docs: Path) -> None:
    confirmed(learning, ASKED, "ana")
    learning.ingest(docs)
    learning.without_answers().ingest(docs)
    assert (led_to(learning, ASKED), learning.library.learned()) == ([], [])


@pytest.mark.exhaustive
def test_switched_off_nothing_that_was_learned_leads_anywhere(learning: Home, docs: Path) -> None:
    confirmed(learning, ASKED, "ana")
    learning.ingest(docs)
    off = {"VOUCH_LEARN_QUESTIONS": "false"}
    assert "made anew" in learning.vouch("ingest", "--for=everyone", docs, **off).said
    assert led_to(learning, ASKED) == []


def test_what_was_learned_of_a_closed_passage_leads_nobody_else_to_it(
    learning: Home, docs: Path
) -> None:
    confirmed(learning, CLOSED, "hera")
    learning.ingest(docs)
    assert led_to(learning, CLOSED, "hr") == ["pay.md"]
    assert led_to(learning, CLOSED, "cs") == []
    seen = {}
    for person in ("ana", "hera"):
        reply = learning.ask(CLOSED, "--as", person)
        seen[person] = json.dumps([reply, learning.record(reply["audit_id"])])
    assert "pay.md" in seen["hera"]
    assert "pay.md" not in seen["ana"]
    assert "nine thousand" not in seen["ana"]
    assert "hera" not in seen["ana"]


def test_what_is_closed_later_is_closed_to_what_was_learned_too(learning: Home, docs: Path) -> None:
    confirmed(learning, ASKED, "ana")
    learning.ingest(docs)
    (docs / "leave.md").write_text(f"---\naudience: {{departments: [hr]}}\n---\n\n{LEAVE}")
    learning.ingest(docs)
    assert led_to(learning, ASKED, "cs") == []


@pytest.mark.exhaustive
def test_nonsense_that_somebody_confirms_finds_candidates_and_answers_nothing(
    learning: Home, docs: Path
) -> None:
    nonsense = "What is the wifi password of the canteen?"
    refused = learning.ask(nonsense, "--as", "ben")
    assert refused["decision"] == "ABSTAIN"
    card = next(
        each
        for each in learning.library.passages(learning.indexed()).values()
        if each.document.file == "card.md"
    )
    for _ in range(3):
        abstained = str(learning.ask(nonsense, "--as", "ben")["audit_id"])
        say(
            learning,
            abstained,
            "ben",
            value="this_was_it",
            passage_id=card.passage_id,
            document_id=card.document.document_id,
            version=card.document.version,
        )
    learning.ingest(docs)
    assert led_to(learning, nonsense) == ["card.md"]
    assert len(learning.library.learned()) == 1, "one entry for a person and a question"
    for person in ("ana", "ben"):
        reply = learning.ask(nonsense, "--as", person)
        assert reply["decision"] == "ABSTAIN"
        assert cited_files(reply) == set()
        assert reply["confidence"] == refused["confidence"]
    answered = learning.ask("How much does a lost student card cost?", "--as", "ana")
    assert cited_files(answered) == {"card.md"}


def test_learning_without_question_entries_is_refused(home: Home, docs: Path) -> None:
    refused = home.vouch("ingest", "--for=everyone", docs, VOUCH_LEARN_QUESTIONS="true")
    assert refused.status != 0
    assert "VOUCH_LEARN_QUESTIONS adds to the questions" in refused.said


@pytest.mark.exhaustive
def test_in_an_evaluation_no_labelled_question_meets_what_somebody_confirmed(
    learning: Home, docs: Path
) -> None:
    confirmed(learning, ASKED, "ana")
    learning.ingest(docs)
    opened = container_of(learning, entries="question", learn_questions=True)
    with opened.aside(asked=[ASKED]) as container:
        ingest_documents(container, docs)
        vector = container.models.named.embedder.embed([ASKED])[0]
        scope = Scope({}, datetime.now(UTC).date())
        [nearest] = container.index.nearest(vector, scope, 1, {EntryKind.QUESTION})
    assert nearest.score < 0.99
    assert led_to(learning, ASKED) == ["leave.md"]


@pytest.mark.exhaustive
def test_a_measurement_with_entries_of_another_kind_learns_nothing(
    learning: Home, docs: Path
) -> None:
    opened = container_of(learning, entries="question", learn_questions=True)
    with opened.aside(settings={"entries": "summary"}) as container:
        ingest_documents(container, docs)
        vector = container.models.named.embedder.embed([ASKED])[0]
        scope = Scope({}, datetime.now(UTC).date())
        assert container.index.nearest(vector, scope, 1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("asked", [ASKED, f"Hello! {ASKED}"])
def test_a_question_by_which_quality_is_measured_is_not_learned(
    learning: Home, docs: Path, tmp_path: Path, asked: str
) -> None:
    confirmed(learning, asked, "ana")
    labelled = {"id": "q-1", "question": asked.upper(), "kind": "unanswerable"}
    file = write(tmp_path / "labels", {"own.jsonl": json.dumps(labelled) + "\n"}) / "own.jsonl"
    named = {"VOUCH_QUALITY_QUESTIONS": str(file)}
    assert learning.vouch("ingest", "--for=everyone", docs, **named).status == 0
    assert learning.library.learned() == []
