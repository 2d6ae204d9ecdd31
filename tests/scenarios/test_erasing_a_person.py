"""Somebody asks to be forgotten: nothing of theirs is left, and the log still proves itself."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import psycopg
import pytest
from audit_stores import PostgresqlServer
from sample_records import a_record, an_event
from vouch_home import Home, write
from vouch_verify_program import PROGRAM

from audit.log import open_writer
from audit.record import EventKind, of_the_log
from audit.values import Channel, PersonRecord

DOCS = {"cards.md": "# Student cards\n\nThe fee for a lost student card is twenty euros.\n"}
WORD = "zebrafish"
ASKED = f"what is the fee for a lost student card, I am {WORD}?"
WHY = ("--because", "Asked for on 1 March", "--by", "dpo")


class Died(Exception):
    """The process ends amid an erasure."""


@pytest.fixture
def home(tmp_path: Path, new_home: Callable[[Path], Home]) -> Home:
    """Ana asked and said that it helped; Anabel asked, too."""
    home = new_home(tmp_path / "home")
    home.people({"id": "ana", "name": "Ana"}, {"id": "anabel", "name": "Anabel"})
    docs = write(tmp_path / "docs", DOCS)
    home.ingest(docs)
    audit_id = str(home.ask(ASKED, "--as", "ana")["audit_id"])
    home.ask(DOCS["cards.md"].splitlines()[-1], "--as", "anabel")
    said = {"text": f"a {WORD} says thanks", "details": {"value": "good"}}
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        writer.append(an_event(a_record(audit_id=audit_id), person=PersonRecord(id="ana"), **said))
    return home


def holding(folder: Path) -> list[Path]:
    """The files in which the word stands, byte by byte."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return [each for each in files if WORD.encode() in each.read_bytes().lower()]


def test_nothing_of_a_person_is_left_and_an_older_backup_brings_nothing_back(
    home: Home, tmp_path: Path, new_home: Callable[[Path], Home]
) -> None:
    archive, out = tmp_path / "vouch.zip", tmp_path / "out"
    out.mkdir()
    home.does("backup", str(archive), "--with-key")
    assert holding(home.path)
    record = home.vouch("audit", "list", "--person", "ana", "--json").json[0]["audit_id"]

    home.vouch("audit", "hold", "ana", "--because", "Case 7")
    refused = home.vouch("audit", "erase", "ana", *WHY, "--yes")
    assert (refused.status, "legal hold" in refused.said, "Case 7" in refused.said) == (
        1,
        True,
        True,
    )
    assert "Case 7" in home.vouch("audit", "holds").said
    home.vouch("audit", "release", "ana", "--because", "Closed")
    home.refuses("1 record of what ana asked, 3 later", "audit", "erase", "ana", *WHY, typed="n\n")
    assert holding(home.path)

    with patch("bot.wiring.erasing.scrub", side_effect=Died), pytest.raises(Died):
        home.vouch("audit", "erase", "ana", *WHY, "--yes")
    home.does("audit", "erase", "ana", *WHY, "--yes")
    assert holding(home.path) == []
    home.does("audit", "verify", "--all")
    shown = " ".join(home.vouch("audit", "show", record).said.split())
    assert "1 March Cited cards.md, line 3, version 1 What happened later" in shown
    assert home.vouch("audit", "show", record, "--json").json["erased"]["by"] == "dpo"
    assert "was erased" in home.vouch("audit", "replay", record).said
    assert len(home.vouch("audit", "list", "--person", "anabel", "--json").json) == 1

    home.vouch("jobs", "run", "checkpoint")
    home.vouch("audit", "export", "--out", str(out / "audit.jsonl"))
    home.vouch("audit", "find", "last 30 days", "--out", str(out / "audit.csv"))
    home.vouch("backup", str(out / "later.zip"))
    assert holding(out) == []
    check = [sys.executable, "-I", str(PROGRAM), "export", str(out / "audit.jsonl")]
    assert subprocess.run(check, check=False, capture_output=True).returncode == 0

    again = new_home(tmp_path / "again")
    again.path.mkdir(exist_ok=True)
    listed = home.path / "audit-erasures.txt"
    assert "ana" not in json.loads(listed.read_text())["entries"]
    (again.path / listed.name).write_bytes(listed.read_bytes())
    again.does("restore", str(archive))
    assert holding(again.path) == []
    again.does("audit", "verify", "--all")


@pytest.mark.server
def test_on_a_server_the_command_says_what_it_leaves_and_what_takes_that_out(
    tmp_path: Path, postgresql: PostgresqlServer
) -> None:
    store = postgresql.new_database()
    home = Home(tmp_path / "home", {"VOUCH_AUDIT_URL": store.url})
    home.people({"id": "ana", "name": "Ana"})
    home.ingest(write(tmp_path / "docs", DOCS))
    home.ask(ASKED, "--as", "ana")
    said = home.does("audit", "erase", "ana", *WHY, "--yes").said
    (statement,) = re.findall(r"VACUUM FULL [\w, ]+", " ".join(said.split()))
    assert "write-ahead log" in said
    with psycopg.connect(store.url, autocommit=True) as server:
        server.execute(statement.partition(" Its ")[0])
        server.execute("CHECKPOINT")
    assert holding(postgresql.folder / "data" / "base") == []


def test_what_an_older_database_brings_back_is_erased_again_by_the_clock_unless_it_is_held(
    home: Home, tmp_path: Path
) -> None:
    database, listed = home.path / "audit.sqlite", home.path / "audit-erasures.txt"
    older = shutil.copy(database, tmp_path)
    home.does("audit", "erase", "ana", *WHY, "--yes")
    said = listed.read_text()
    listed.unlink()
    assert "entries 0" in home.does("jobs", "run", "expire").said
    assert json.loads(listed.read_text()) == json.loads(said), "the log has it, too"
    shutil.copy(older, database)
    home.does("audit", "hold", "ana", "--because", "Case 7")
    assert "entries 0" in home.does("jobs", "run", "expire").said
    home.does("audit", "release", "ana", "--because", "Closed")
    assert "entries 2" in home.does("jobs", "run", "expire").said
    assert "zebra" not in home.does("audit", "list").said
    assert holding(home.path) == []
    home.does("audit", "verify", "--all")


def test_somebody_is_held_and_erased_by_name_and_a_name_of_nobody_is_refused(home: Home) -> None:
    home.people({"id": "ana", "name": "Ana Silva"}, {"id": "ben", "name": "Ben Okafor"})
    because = ("--because", "Case 7")
    home.does("audit", "hold", "Ana Silva", *because)
    home.refuses("under legal hold", "audit", "erase", "ana", *WHY, "--yes")
    for words in (["erase", *WHY, "--yes"], ["hold", *because], ["release", *because]):
        home.calls_wrong("Did you mean ben (Ben Okafor)", "audit", words[0], "Benn", *words[1:])
    home.calls_wrong("person ben is not held", "audit", "release", "ben", *because)
    home.calls_wrong("No channel", "audit", "hold", "--channel", "general", *because)
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        held = {"person": "Silva A."}
        writer.append(of_the_log(EventKind.HELD, datetime.now(UTC), "dpo", "old", held))
    home.does("audit", "release", "Silva A.", *because)
    assert "old" not in home.does("audit", "holds").said
    home.does("audit", "release", "Ana", *because)
    home.calls_wrong("Nobody", "audit", "erase", "Ana", *WHY, "--yes")
    assert holding(home.path), "by a word of a name nobody is erased"
    home.does("audit", "erase", "Ana Silva", *WHY, "--yes")
    assert holding(home.path) == []


def test_of_two_with_one_id_only_the_one_of_the_named_workspace_is_held_and_erased(
    tmp_path: Path, new_home: Callable[[Path], Home]
) -> None:
    home = new_home(tmp_path / "home")
    home.people({"id": "U1", "name": "Ana"})
    with open_writer(f"sqlite:///{home.path / 'audit.sqlite'}") as writer:
        for number, person in enumerate(("U1", "T0OTHER//U1")):
            where = Channel(id="C9", name="general")
            writer.append(a_record(number, person=PersonRecord(id=person), channel=where))
    theirs = ("U1", "--team", "T0OTHER")
    home.vouch("audit", "hold", *theirs, "--because", "Case 7")
    home.does("audit", "hold", "--channel", "#general", "--because", "Case 8")
    lines = home.vouch("audit", "holds").out.splitlines()
    assert [("T0OTHER//U1" in each, "Case 8" in each) for each in lines] == [
        (True, False),
        (False, True),
    ]
    assert home.vouch("audit", "erase", *theirs, *WHY, "--yes").status == 1
    home.vouch("audit", "release", *theirs, "--because", "Closed")
    home.refuses("channel C9: Case 8", "audit", "erase", *theirs, *WHY, "--yes")
    home.does("audit", "release", "--channel", "general", "--because", "Closed")
    home.does("audit", "erase", *theirs, *WHY, "--yes")
    left = home.vouch("audit", "list", "--json").json
    assert [each["person_id"] for each in left] == ["", "U1"]
