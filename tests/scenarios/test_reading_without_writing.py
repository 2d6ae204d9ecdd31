"""An auditor reads a home that nobody may write to: a backup, a folder mounted read-only."""

import getpass
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from vouch_home import Home

NOBODY = 65_534
COMMANDS = {
    "list": ["audit", "list"],
    "by name": ["audit", "list", "--document", "leave.md", "--person", "Ana Silva"],
    "show": ["audit", "show", "0"],
    "verify": ["audit", "verify"],
}


@pytest.fixture
def kept() -> Iterator[Home]:
    """In a folder that others may enter, unlike those that pytest makes."""
    folder = Path(tempfile.mkdtemp(prefix="vouch-kept-"))
    home = Home(folder / "home")
    home.people({"id": "ana", "name": "Ana Silva"})
    text = "Employees have 28 days of annual leave a year."
    home.reads({"staff/leave.md": text})
    home.ask("how many days of annual leave do employees have?", "--as", "ana")
    yield home
    shutil.rmtree(folder)


@contextmanager
def closed_to_writers(home: Home) -> Iterator[None]:
    """As somebody whom the system lets read everything there and write nothing."""
    home.path.parent.chmod(0o755)
    for path in (home.path, *home.path.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in (home.path, *home.path.rglob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)


def contents(home: Home) -> dict[str, bytes]:
    files = (each for each in home.path.rglob("*") if each.is_file())
    return {str(each): each.read_bytes() for each in files}


@pytest.mark.parametrize("what", COMMANDS)
def test_a_home_that_may_only_be_read_is_read_as_any_other(kept: Home, what: str) -> None:
    elsewhere = kept.vouch(*COMMANDS[what])
    before = contents(kept)
    with closed_to_writers(kept):
        here = kept.vouch(*COMMANDS[what])
    assert here == elsewhere
    assert here.status == 0, here.said
    assert contents(kept) == before


def test_who_takes_out_records_stands_in_the_log_unless_it_can_only_be_read(
    kept: Home,
) -> None:
    elsewhere = Path(tempfile.mkdtemp(prefix="vouch-out-"))
    elsewhere.chmod(0o777)
    for words in (["audit", "export"], ["audit", "find", "person", "ana"]):
        said = kept.vouch(*words, "--out", elsewhere / f"{words[1]}.jsonl").said
        assert "does not stand in the audit log" not in said
    kept.vouch("audit", "export", "--out", elsewhere / "both.jsonl")
    lines = map(json.loads, (elsewhere / "both.jsonl").read_text().splitlines())
    told = [each for each in lines if each["kind"] == "exported"]
    assert [each["details"] for each in told] == [
        {"entries": 1, "whole": True},
        {"entries": 1, "whole": False},
    ]
    assert [each["person"]["id"] for each in told] == 2 * [getpass.getuser()]
    assert "ana" not in json.dumps(told)
    with closed_to_writers(kept):
        said = kept.vouch("audit", "export", "--out", elsewhere / "again.jsonl").said
    assert "4 entries written" in said
    assert "does not stand in the audit log" in said
    shutil.rmtree(elsewhere)


def test_a_store_whose_last_records_stand_in_its_log_is_not_read_without_it(kept: Home) -> None:
    """As in a copy that was made while the bot ran, and forgot a file."""
    log = kept.path / "audit.sqlite-wal"
    log.write_bytes(b"records that are not yet in the database")
    with closed_to_writers(kept):
        listed, verified = (kept.vouch(*COMMANDS[what]) for what in ("list", "verify"))
    assert (listed.status, verified.status) == (1, 1)
    assert "audit.sqlite" in listed.err
    assert "No record" not in listed.said


def test_reading_makes_no_home(tmp_path: Path) -> None:
    nowhere = Home(tmp_path / "nowhere")
    for command in (["list"], ["verify"], ["show", "0"], ["export", "--out", str(tmp_path / "x")]):
        finished = nowhere.vouch("audit", *command)
        assert (finished.status, finished.out) == (1, "")
        assert "is not there. Set VOUCH_HOME" in finished.err
    assert list(tmp_path.iterdir()) == []
