"""Somebody has further entries made, which lead people to passages and never to what is closed."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from vouch_home import Home, write

from bot.lab.commands.evaluate import ingest_documents
from bot.settings import Settings
from bot.wiring import Container
from retrieval.ports import EntryKind
from retrieval.types import Scope

ALL = {"VOUCH_ENTRIES": "question, summary, entity, sentence"}
LEAVE = "Staff may carry over five days of leave. Ask Human Resources first. Forms are online."
PAY = "---\naudience: {departments: [hr]}\n---\n\nManagers may see all salaries in PAY-7."
QUESTION = "How many days of leave may staff carry over?"
CLOSED = "May managers see all salaries in PAY-7?"
PEOPLE = ({"id": "ana", "departments": ["cs"]}, {"id": "hera", "departments": ["hr"]})


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", {"leave.md": f"# Leave\n\n{LEAVE}\n", "pay.md": PAY})


@pytest.fixture
def expanded(home: Home, docs: Path) -> Home:
    """A home with entries of all kinds."""
    home.people(*PEOPLE)
    expanded = replace(home, environment={**home.environment, **ALL})
    expanded.ingest(docs)
    return expanded


def test_a_question_that_was_made_leads_to_its_passage_and_the_record_says_so(
    expanded: Home,
) -> None:
    reply = expanded.ask(QUESTION, "--as", "ana")
    assert "five days" in reply["text"]
    record = expanded.record(reply["audit_id"])
    scores = record["candidates"][0]["scores"]
    for kind in ("question", "summary", "entity", "sentence"):
        assert scores[f"{kind}_entry_rank"] == 1
        assert 0 < scores[f"{kind}_entry_cosine"] <= 1
    assert scores["question_entry_cosine"] == pytest.approx(1, abs=0.01)
    assert record["versions"]["settings"]["values"]["entries"] == ALL["VOUCH_ENTRIES"]


def test_no_entry_names_a_document_to_who_may_not_read_it(expanded: Home) -> None:
    seen = {}
    for person in ("ana", "hera"):
        reply = expanded.ask(CLOSED, "--as", person)
        seen[person] = json.dumps([reply, expanded.record(reply["audit_id"])])
    assert "pay.md" in seen["hera"]
    assert "pay.md" not in seen["ana"]


def test_what_is_closed_later_is_led_to_by_nothing_that_led_to_it_before(
    expanded: Home, docs: Path
) -> None:
    (docs / "leave.md").write_text(
        f"---\naudience: {{departments: [hr]}}\n---\n# Days off\n\n{LEAVE}\n"
    )
    expanded.ingest(docs)
    for question in (QUESTION, "What are the rules for leave?"):
        reply = expanded.ask(question, "--as", "ana")
        assert "leave.md" not in json.dumps([reply, expanded.record(reply["audit_id"])])
    assert "five days" in expanded.ask(QUESTION, "--as", "hera")["text"]


def test_the_text_of_an_entry_stands_nowhere_in_the_index(expanded: Home) -> None:
    files = [path.read_bytes() for path in (expanded.path / "index").rglob("*") if path.is_file()]
    assert any(b"carry over five days" in content for content in files), "for the search by words"
    assert not any(b"How many days" in content for content in files)


def test_entries_are_made_for_documents_that_were_read_before_by_the_next_ingest(
    home: Home, docs: Path
) -> None:
    home.ingest(docs)
    refused = home.vouch("ask", QUESTION, **ALL)
    assert refused.status == 1
    assert "The index holds passages alone, and the settings name" in refused.said
    assert "vouch ingest --re-embed" in refused.said
    assert "it is made anew" in home.vouch("ingest", "--for=everyone", docs, **ALL).said
    assert "made anew" not in home.vouch("ingest", "--for=everyone", docs, **ALL).said
    reply = home.ask(QUESTION, **ALL)
    assert "question_entry_rank" in home.record(reply["audit_id"])["candidates"][0]["scores"]
    assert "it is made anew" in home.ingest(docs).said, "and without them likewise"
    assert "question_entry_rank" not in str(home.record(home.ask(QUESTION)["audit_id"]))


@pytest.mark.slow
def test_entries_that_come_with_another_embedder_do_not_make_the_index_anew_by_themselves(
    home: Home, docs: Path
) -> None:
    home.ingest(docs)
    refused = home.vouch("ingest", "--for=everyone", docs, VOUCH_EMBEDDER="all-MiniLM-L6-v2", **ALL)
    assert refused.status == 1
    assert "the settings name all-MiniLM-L6-v2" in refused.said
    assert "vouch ingest --re-embed" in refused.said
    assert "made anew" not in refused.said
    assert "five days" in home.ask(QUESTION)["text"], "as before"


@pytest.mark.parametrize(
    ("stated", "said"),
    [("questions", "there are no entries 'questions'"), ("entity, entity", "named once")],
)
def test_entries_that_there_are_not_are_refused(
    home: Home, docs: Path, stated: str, said: str
) -> None:
    refused = home.vouch("ingest", "--for=everyone", docs, VOUCH_ENTRIES=stated)
    assert refused.status != 0
    assert said in refused.said


def test_a_recipe_with_entries_is_measured_beside_one_without(
    home: Home, docs: Path, tmp_path: Path
) -> None:
    home.ingest(docs)
    labelled = {
        "id": "q-1",
        "question": QUESTION,
        "kind": "answerable",
        "gold": [{"file": "leave.md", "line_start": 3, "line_end": 3}],
        "split": "test",
    }
    questions = write(tmp_path / "labels", {"questions.jsonl": json.dumps(labelled) + "\n"})
    out = tmp_path / "out.json"
    finished = home.vouch(
        *("evaluate", questions / "questions.jsonl", "--docs", docs, "--json", out),
        *("--recipe", "entries", "--recipe", "vouch"),
    )
    assert finished.status == 0, finished.said
    recipes = json.loads(out.read_text(encoding="utf-8"))["recipes"]
    assert {name: len(each["questions"]) for name, each in recipes.items()} == {
        "entries": 1,
        "vouch": 1,
    }
    sizes = {name: each["library"]["index_bytes"] for name, each in recipes.items()}
    assert sizes["entries"] > sizes["vouch"]


@pytest.mark.parametrize(("asked", "meets_itself"), [((), True), ((QUESTION,), False)])
def test_in_a_measurement_no_question_meets_itself(
    docs: Path, asked: tuple[str, ...], meets_itself: bool
) -> None:
    opened = Container(Settings(_env_file=None, entries="question"))  # type: ignore[call-arg]  # pydantic-settings' own
    with opened.aside(asked=asked) as container:
        ingest_documents(container, docs)
        vector = container.models.named.embedder.embed([QUESTION])[0]
        scope = Scope({}, date(2026, 3, 2))
        [nearest] = container.index.nearest(vector, scope, 1, {EntryKind.QUESTION})
    assert (nearest.score > 0.99) is meets_itself
