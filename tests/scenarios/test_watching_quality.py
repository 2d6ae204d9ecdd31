"""Somebody has their own labelled questions asked every week, and hears when it gets worse."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sample_records import a_record
from vouch_home import LENIENT, Finished, Home, write

from audit.log import open_writer
from audit.record import Confidence, Decision
from audit.values import new_id

DOCS = {
    "cards.md": "# Student cards\n\nThe fee for a lost student card is twenty euros.",
    "gym.md": "# Gym\n\nThe gym opens at six in the morning on weekdays.",
    "library.md": "# Library\n\nBooks can be borrowed for twenty-eight days.",
    "parking.md": "# Parking\n\nParking is free on Sundays and on public holidays.",
    "canteen.md": "# Canteen\n\nLunch is served from eleven to two and costs four euros.",
    "keys.md": "# Keys\n\nEach student may have one key of the laboratory.",
    "printing.md": "# Printing\n\nA page in colour costs twenty cents on every printer.",
    "bicycles.md": "# Bicycles\n\nBicycles can be rented for two weeks at the gate.",
    "pool.md": "# Pool\n\nThe pool is open in summer, from June to August.",
    "post.md": "# Post\n\nParcels are kept for ten days at the reception.",
    "laptops.md": "# Laptops\n\nA laptop is lent out for seven days.",
    "rooms.md": "# Rooms\n\nRooms can be reserved fourteen days ahead.",
    "found.md": "# Lost property\n\nWhat was found is kept for sixty days.",
}
"""Of days more than five speak, so that what says nothing is not among the first five."""
QUESTIONS = {
    "cards": ("what is the fee for a lost student card?", "cards.md"),
    "gym": ("when does the gym open on weekdays?", "gym.md"),
    "library": ("for how many days can books be borrowed?", "library.md"),
    "parking": ("on which days is parking free?", "parking.md"),
    "none": ("who won the chess championship of Norway?", ""),
}
UPSIDE_DOWN = "# Notes\n\nLorem ipsum dolor sit amet, consectetur adipiscing elit."


def labelled(name: str) -> str:
    question, file = QUESTIONS[name]
    gold = [{"file": file, "line_start": 3, "line_end": 3}] if file else []
    kind = "answerable" if file else "unanswerable"
    return json.dumps({"id": name, "question": question, "kind": kind, "gold": gold}) + "\n"


@pytest.fixture
def watched(tmp_path: Path, home: Home) -> Home:
    """A home with four documents, and five questions about them."""
    home.reads(DOCS)
    lines = "".join(map(labelled, QUESTIONS))
    write(tmp_path, {"questions.jsonl": lines})
    questions = {"VOUCH_QUALITY_QUESTIONS": str(tmp_path / "questions.jsonl")}
    return replace(home, environment={**LENIENT, **questions})


def run(home: Home, **environment: str) -> dict[str, Any]:
    finished = home.vouch("quality", "run", "--json", **environment)
    assert finished.status == bool(finished.json["alarms"]), finished.said
    found: dict[str, Any] = finished.json
    return found


def alarms(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By kind and measure."""
    return {f"{each['alarm']} {each.get('measure', '')}".strip(): each for each in found["alarms"]}


def make_worse(home: Home) -> Finished:
    """The gym's page leaves, and the library's says nothing any more."""
    docs = home.path.parent / "docs"
    (docs / "gym.md").unlink()
    write(docs, {"library.md": UPSIDE_DOWN})
    return home.ingest(docs)


def test_where_nothing_changed_nothing_is_said(watched: Home) -> None:
    first, second = run(watched), run(watched)
    assert first["alarms"] == second["alarms"] == []
    assert first["run"]["figures"] == second["run"]["figures"]
    figures = second["run"]["figures"]
    assert (figures["questions"], figures["coverage"], figures["false_answers"]) == (5, 1.0, 0.0)
    assert figures["precision_at_5"] == pytest.approx(1 / 5), "each has one passage that answers"
    assert figures["relevant_first_5"] == pytest.approx(1.0)
    said = watched.vouch("quality", "run")
    assert (said.status, "everything is as it was" in said.said) == (0, True)


def test_a_corpus_made_worse_is_told_with_the_questions_that_changed(watched: Home) -> None:
    run(watched)
    make_worse(watched)
    found = alarms(run(watched))
    fell = found["Fell precision at 5"]
    assert (fell["before"], fell["now"]) == (pytest.approx(4 / 20), pytest.approx(2 / 20))
    changed = {each["question_id"]: each for each in fell["comparison"]["changes"]}
    assert changed.keys() == {"gym", "library"}
    for each in changed.values():
        assert (each["was_right"], each["is_right"]) == (True, False)
        assert (each["relevant_before"], each["relevant_now"]) == (1, 0)
    coverage = found["Fell coverage"]
    assert (coverage["before"], coverage["now"]) == (1.0, 0.5)
    differing = [each["what"] for each in fell["comparison"]["differences"]]
    assert differing == ["changes of the library"]
    assert found["GoldMissing"]["questions"] == ["gym"]
    assert "gym (when does the gym open on weekdays?): was right, now wrong" in fell["words"]
    write(watched.path.parent / "docs", DOCS)
    watched.ingest(watched.path.parent / "docs")
    assert alarms(run(watched)) == {}, "it is mended"


def test_it_is_said_in_words_with_status_1(watched: Home) -> None:
    run(watched)
    make_worse(watched)
    finished = watched.refuses("Precision at 5 fell from 0.200 to 0.100", "quality", "run")
    changed = [each for each in finished.out.splitlines() if "was right, now wrong" in each]
    assert changed
    assert not any("Precision" in each for each in changed), "each has a line of its own"
    assert "changes of the library" in finished.said


def test_a_false_answer_more_is_told_and_so_is_the_setting_that_brought_it(watched: Home) -> None:
    """The question that nothing answers is labelled of another, that is answered in truth."""
    file = watched.path.parent / "questions.jsonl"
    near = {"id": "none", "question": "what is the fee for a lost student card?"}
    file.write_text(labelled("gym") + json.dumps(near | {"kind": "unanswerable"}))
    strict = {"VOUCH_RELEVANCE_THRESHOLD": "1.0"}
    run(watched, **strict)
    rose = alarms(run(watched))["FalseAnswersRose"]
    assert (rose["before"], rose["now"]) == (0, 1)
    assert rose["comparison"]["differences"] == [
        {"what": "VOUCH_RELEVANCE_THRESHOLD", "before": "1.0", "now": "0.3"}
    ]
    assert "VOUCH_RELEVANCE_THRESHOLD: 1.0 then, 0.3 now" in rose["words"]
    assert "none (what is the fee for a lost student card?): was right, now wrong" in rose["words"]


def test_how_much_may_be_lost_is_a_setting(watched: Home) -> None:
    run(watched)
    make_worse(watched)
    assert "Fell precision at 5" not in alarms(run(watched, VOUCH_QUALITY_FALL="0.1"))


def test_what_is_asked_is_not_in_the_audit_store_and_no_passage_is_kept_as_shown(
    watched: Home,
) -> None:
    run(watched)
    assert watched.vouch("audit", "list", "--json").json == []
    assert not (watched.path / "audit.sqlite").exists()
    asked = watched.ask(QUESTIONS["cards"][0])
    run(watched)
    listed = watched.vouch("audit", "list", "--json").json
    assert [each["audit_id"] for each in listed] == [asked["audit_id"]]
    watched.does("audit", "verify")
    with closing(sqlite3.connect(watched.path / "library.sqlite")) as library:
        kept = library.execute("SELECT count(*) FROM library_shown").fetchone()[0]
    shown = watched.record(asked["audit_id"])["shown"]
    assert kept == len(shown)


@pytest.mark.exhaustive
def test_runs_are_listed_and_drawn(watched: Home, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    nothing = watched.vouch("quality", "list")
    assert (nothing.status, "Nothing was measured yet" in nothing.said) == (0, True)
    assert not (watched.path / "inbox.sqlite").exists(), "to look makes nothing"
    run(watched)
    make_worse(watched)
    run(watched)
    listed = watched.vouch("quality", "list", "--json").json
    assert [each["figures"]["coverage"] for each in listed] == [1.0, 0.5]
    table = watched.vouch("quality", "list").out.splitlines()
    assert (len(table), "0.100" in table[2], "confidence" in table[0]) == (3, True, True)
    picture = tmp_path / "curve.png"
    curve = watched.does("quality", "curve", "--picture", picture)
    [line] = [line for line in curve.out.splitlines() if "precision at 5" in line]
    assert "█▁" in line
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_a_picture_names_its_extra_and_the_curve_needs_none(
    watched: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(watched)
    monkeypatch.setattr("retrieval.errors._is_installed", lambda _: False)
    watched.refuses("vouch[evaluate]", "quality", "curve", "--picture", tmp_path / "curve.png")
    watched.does("quality", "curve")


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [("{}", 1, "questions.jsonl, line 1"), (None, 1, "questions.jsonl cannot be read")],
)
def test_questions_that_cannot_be_read_are_named(
    watched: Home, line: str | None, status: int, said: str
) -> None:
    file = watched.path.parent / "questions.jsonl"
    file.unlink() if line is None else file.write_text(line)
    finished = watched.vouch("quality", "run")
    assert finished.status == status
    assert said in finished.said
    assert watched.vouch("quality", "list", "--json").json == []


@pytest.fixture
def answered_for_nine_weeks(watched: Home) -> Home:
    """People asked thirty questions a week; lately two of three were not answered."""
    now = datetime.now(UTC)
    with open_writer(f"sqlite:///{watched.path / 'audit.sqlite'}") as writer:
        for week in range(9):
            for number in range(30):
                at = now - timedelta(weeks=week, hours=1 + number)
                answered = number % 3 == 0 if week == 0 else number % 10 < 9
                record = a_record(
                    audit_id=new_id(at),
                    time=at,
                    decision=Decision.ANSWER if answered else Decision.ABSTAIN,
                    confidence=Confidence(overall=0.9),
                )
                writer.append(record)
    return watched


def test_where_people_are_answered_less_than_usual_it_is_told_without_any_labelled_question(
    answered_for_nine_weeks: Home,
) -> None:
    found = run(replace(answered_for_nine_weeks, environment=LENIENT))
    assert found["run"] is None
    [alarm] = found["alarms"]
    assert (alarm["alarm"], alarm["measure"]) == ("OutOfBand", "abstentions")
    assert alarm["value"] == pytest.approx(2 / 3)
    assert alarm["low"] < 0.1 < alarm["high"] < 0.5
    assert (alarm["weeks"], alarm["questions"]) == (8, 30)
    assert found["weeks"][0]["questions"] == 30
    said = answered_for_nine_weeks.vouch("quality", "run", VOUCH_QUALITY_QUESTIONS="").said
    assert "No labelled questions are named" in said


def test_a_source_that_nobody_reads_is_told(watched: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    later = datetime.now(UTC) + timedelta(days=40)
    monkeypatch.setattr("bot.wiring.quality._now", lambda: later)
    found = alarms(run(watched, VOUCH_QUALITY_UNCHANGED_DAYS="39"))
    assert found.keys() == {"SourceUnread", "SourceUnchanged"}
    assert found["SourceUnread"]["source"] == "docs"
    assert "last read on" in found["SourceUnread"]["words"]
    assert found["SourceUnchanged"]["days"] == 39
    assert run(watched, VOUCH_QUALITY_UNREAD_DAYS="0")["alarms"] == []
    with closing(sqlite3.connect(watched.path / "library.sqlite")) as library, library:
        library.execute("UPDATE library_source SET read_at = ?", [later.isoformat()])
    found = alarms(run(watched, VOUCH_QUALITY_UNCHANGED_DAYS="39"))
    assert found.keys() == {"SourceUnchanged"}, "it was read, and nothing had changed"
