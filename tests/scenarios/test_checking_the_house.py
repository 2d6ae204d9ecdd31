"""The operator looks whether everything is in place, and is told what to do where it is not."""

import sqlite3
from contextlib import ExitStack

import pytest
from vouch_home import Finished, Home

from bot.slack.inbox.store import Inbox

LOOKS = (
    *("settings", "people and channels", "embedder", "reranker", "entailment", "calibration"),
    *("writer", "glossary", "library", "sources", "index", "audit store", "inbox", "jobs", "Slack"),
    "sources in the browser",
)


def findings(finished: Finished) -> dict[str, tuple[str, str]]:
    """What was looked at: `ok` or `FAIL`, and the rest of the line."""
    found = {}
    for line in finished.out.splitlines():
        mark, _, rest = line.partition(" ")
        what, _, detail = rest.strip().partition(": ")
        found[what] = (mark, detail)
    return found


def test_in_a_good_home_every_look_is_ok(university: Home) -> None:
    finished = university.vouch("check", VOUCH_WEB_PORT="0")
    found = findings(finished)
    assert finished.status == 0
    assert tuple(found) == LOOKS
    assert {mark for mark, _ in found.values()} == {"ok"}
    assert found["people and channels"][1] == "5 people, 6 channels"
    assert found["library"][1].startswith("30 documents, ")


def test_each_failure_says_what_to_do_and_none_hides_another(home: Home) -> None:
    (home.path / "people.yaml").write_text("people: [{name: Ana}]")
    (home.path / "audit.sqlite").mkdir()
    (home.path / "glossary.yaml").write_text("leave: [PTO]\nholiday: [pto]\n")
    finished = home.vouch(
        "check",
        VOUCH_WRITER="openai",
        VOUCH_CALIBRATION="nowhere.json",
        VOUCH_GLOSSARY=str(home.path / "glossary.yaml"),
        VOUCH_WEB_PORT="0",
    )
    failed = {what: detail for what, (mark, detail) in findings(finished).items() if mark == "FAIL"}
    remedies = {
        "people and channels": "people.yaml: entry number 1: `id` is missing",
        "calibration": "Make it anew with `vouch calibrate`",
        "writer": "Set VOUCH_OPENAI_API_KEY",
        "glossary": "glossary.yaml has 'pto' twice, under 'leave' and 'holiday'. Leave one out.",
        "library": "Run `vouch ingest FOLDER --for everyone`",
        "audit store": "audit.sqlite",
    }
    assert finished.status == 1
    assert failed.keys() == remedies.keys()
    assert all(remedy in failed[what] for what, remedy in remedies.items())


def test_stores_that_cannot_be_written_are_told_though_they_can_be_read(
    own_university: Home,
) -> None:
    Inbox.open(f"sqlite:///{own_university.path / 'inbox.sqlite'}").close()
    with ExitStack() as held:
        for name in ("audit.sqlite", "inbox.sqlite"):
            other = sqlite3.connect(own_university.path / name, isolation_level=None)
            held.callback(other.close)
            other.execute("BEGIN IMMEDIATE")  # as a backup program may
        finished = own_university.vouch("check")
    found = findings(finished)
    assert finished.status == 1
    for what in ("audit store", "inbox"):
        mark, detail = found[what]
        assert mark == "FAIL"
        assert "locked" in detail


def test_an_index_that_lost_a_part_is_seen_and_mended(own_university: Home) -> None:
    lost = sorted(own_university.indexed())[:3]
    own_university.index().delete(lost)
    finished = own_university.vouch("check")
    mark, detail = findings(finished)["index"]
    assert (finished.status, mark) == (1, "FAIL")
    assert "3 passages are missing from the index" in detail
    assert "Run `vouch ingest`" in detail
    root = own_university.library.sources()[0].root
    own_university.does("ingest", "--for=everyone", f"{root}/staff")
    assert own_university.is_whole()


@pytest.mark.parametrize(
    ("variable", "value"),
    [("VOUCH_ANSWER_AT", "2"), ("VOUCH_WRITER", "poet"), ("VOUCH_CANDIDATES", "many")],
)
def test_a_bad_setting_is_named_and_nothing_is_done(home: Home, variable: str, value: str) -> None:
    for command in (["check"], ["audit", "list"]):
        finished = home.vouch(*command, **{variable: value})
        assert (finished.status, finished.out) == (1, "")
        assert variable in finished.err
