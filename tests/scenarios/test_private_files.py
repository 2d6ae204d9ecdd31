"""Somebody else on the machine looks for what Vouch wrote."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_scene import Program
from vouch_home import Home, write

CARD = "A lost student card costs 20 euros, and the desk prints a new one at once."
QUESTION = "how much does a lost student card cost?"


@pytest.fixture
def careless() -> Iterator[None]:
    """A shell whose new files are everybody's."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    everything = (folder, *folder.rglob("*"))
    return [str(each) for each in everything if stat.S_IMODE(each.lstat().st_mode) & 0o077]


def test_nobody_else_can_read_what_is_written(home: Home, tmp_path: Path, careless: None) -> None:
    home.people({"id": "ana", "name": "Ana"})
    home.path.chmod(0o777)
    (home.path / "people.yaml").chmod(0o666)
    home.reads({"card.md": CARD})
    home.ask(QUESTION, "--as", "ana")
    exported = tmp_path / "export.jsonl"
    exported.touch(0o666)
    home.does("audit", "export", "--out", exported)
    home.does("audit", "export", "--out", home.path / "export.jsonl")
    assert (open_to_others(home.path), open_to_others(exported)) == ([], [])
    program = Program(home, VOUCH_WORKSPACE_PORT="0", VOUCH_WEB_PORT="0")
    try:
        program.wait_for_log("Vouch is up")
        assert open_to_others(home.path) == []
    finally:
        program.end()


def test_nobody_else_can_read_what_was_measured(home: Home, tmp_path: Path, careless: None) -> None:
    docs = write(tmp_path / "docs", {"card.md": CARD})
    gold = [{"file": "card.md", "line_start": 1, "line_end": 1}]
    asked = {"id": "q", "question": QUESTION, "kind": "answerable", "gold": gold, "split": "test"}
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps(asked))
    written = [tmp_path / "out.json", tmp_path / "out.png"]
    written[0].write_text("of last month")
    options = ("--docs", docs, "--json", written[0], "--picture", written[1])
    home.does("evaluate", questions, *options)
    assert [open_to_others(each) for each in written] == [[], []]
