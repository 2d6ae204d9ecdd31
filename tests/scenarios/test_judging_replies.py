"""Somebody lets a language model judge the replies; the model itself is scripted."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from openai_fixtures import KEY, Scripted, ScriptedServer, a_completion
from vouch_home import Finished, Home, write

CARD = "The fee for a lost student card is twenty euros."
PARKING = "Parking is free on Sundays."
ASKED = (
    ("q-1", "what is the fee for a lost student card?", "Twenty euros.", "card.md"),
    ("q-2", "when is parking free?", "On Sundays.", "parking.md"),
    ("q-3", "who founded the choir?", "", ""),
)
SCORES = {
    "correctness": 1,
    "conciseness": 0.5,
    "free_of_hallucination": 1,
    "similarity": 0.75,
}
GOOD = Scripted(a_completion(json.dumps(SCORES)))
PROSE = Scripted(a_completion("Well done!"))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer().running() as running:
        running.script = [GOOD]
        yield running


@pytest.fixture
def asking(tmp_path: Path, new_home: Callable[[Path], Home], server: ScriptedServer) -> Home:
    write(tmp_path / "docs", {"card.md": CARD, "parking.md": PARKING})
    lines = [
        json.dumps(
            {
                "id": name,
                "question": question,
                "answer": answer,
                "kind": "answerable" if file else "unanswerable",
                "gold": [{"file": file, "line_start": 1, "line_end": 1}] if file else [],
                "split": "test" if file else "unanswerable",
            }
        )
        for name, question, answer, file in ASKED
    ]
    write(tmp_path, {"questions.jsonl": "".join(f"{line}\n" for line in lines)})
    home = new_home(tmp_path / "home")
    served = {"VOUCH_OPENAI_BASE_URL": server.url, "VOUCH_OPENAI_API_KEY": KEY}
    return Home(home.path, {**home.environment, **served})


def evaluate(home: Home, *options: str | Path, **environment: str) -> Finished:
    folder = home.path.parent
    asked = (folder / "questions.jsonl", "--docs", folder / "docs")
    return home.vouch("evaluate", *asked, *options, **environment)


def test_replies_have_scores_beside_what_is_counted(
    asking: Home, server: ScriptedServer, tmp_path: Path
) -> None:
    out, table = tmp_path / "out.json", tmp_path / "table.md"
    recipes = ("--recipe", "vouch", "--recipe", "bm25")
    finished = evaluate(asking, *recipes, "--judge", "a-judge", "--json", out, "--markdown", table)
    assert finished.status == 0, finished.said
    assert [each.body["model"] for each in server.received] == ["a-judge"] * 2
    assert CARD in server.received[0].messages[-1]["content"]
    recipes_written = json.loads(out.read_text(encoding="utf-8"))["recipes"]
    summary = recipes_written["vouch"]["summary"]
    assert (summary["judged correctness"], summary["judged similarity"]) == (1, 0.75)
    assert (summary["judged"], summary["not judged"]) == (2, 0)
    assert summary["tokens of the judge"] == {"prompt": 642, "completion": 90}
    assert "judged" not in recipes_written["bm25"]["summary"]
    card, _, choir = recipes_written["vouch"]["questions"]
    assert card["judgement"].items() >= SCORES.items()
    assert choir["judgement"] is None
    written = table.read_text(encoding="utf-8")
    assert "| judged conciseness | 0.500 | - |" in written
    assert "| replies judged | 2 of 2 | - |" in written
    assert "Judged by openai a-judge" in finished.said


def test_a_judgement_that_failed_is_told_and_is_no_score(
    asking: Home, server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = [GOOD, PROSE]
    out = tmp_path / "out.json"
    finished = evaluate(asking, "--judge", "a-judge", "--json", out)
    assert finished.status == 0, finished.said
    assert "vouch: 1 not judged, and in no mean" in finished.said
    written = json.loads(out.read_text(encoding="utf-8"))["recipes"]["vouch"]
    assert written["summary"]["judged correctness"] == 1
    assert written["summary"]["not judged"] == 1
    assert written["questions"][1]["not_judged"]
    assert KEY not in finished.said + out.read_text(encoding="utf-8")


def test_without_a_judge_nothing_is_sent(asking: Home, server: ScriptedServer) -> None:
    finished = evaluate(asking)
    assert finished.status == 0, finished.said
    assert server.received == []
    assert "judged" not in finished.said


def test_a_judge_that_writes_the_replies_is_warned_of(asking: Home, server: ScriptedServer) -> None:
    """It writes nothing in the form of a writer here, so sentences are copied."""
    writing = {"VOUCH_WRITER": "openai", "VOUCH_OPENAI_MODEL": "one-for-all"}
    writing["VOUCH_ON_WRITER_FAILURE"] = "extractive"
    same = evaluate(asking, "--judge", "one-for-all", **writing)
    assert same.status == 0, same.said
    assert "one-for-all writes the replies too" in same.said
    other = evaluate(asking, "--judge", "a-judge", **writing)
    assert other.status == 0, other.said
    assert "writes the replies too" not in other.said


def test_what_cannot_be_judged_is_said_before_a_document_is_read(
    asking: Home, server: ScriptedServer
) -> None:
    no_server = {"VOUCH_OPENAI_BASE_URL": "", "VOUCH_OPENAI_API_KEY": ""}
    refused = {
        "has an `answer`": evaluate(asking, "--judge", "j", "--split", "unanswerable"),
        "bm25 only ranks": evaluate(asking, "--judge", "j", "--recipe", "bm25"),
        "names no model": evaluate(asking, "--judge", " "),
        "Set VOUCH_OPENAI_API_KEY": evaluate(asking, "--judge", "j", **no_server),
    }
    for words, finished in refused.items():
        assert finished.status in (1, 2), words
        assert words in finished.said
        assert "Reading" not in finished.said
    assert server.received == []
