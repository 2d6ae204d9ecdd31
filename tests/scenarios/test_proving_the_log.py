"""A log is signed, witnessed, exported and checked by somebody who has not got Vouch."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from remote_places import listed, s3
from vouch_home import Home
from vouch_verify_program import PROGRAM

ASKED = "what is the fee for a lost student card?"
CUT_OFF = (
    "DELETE FROM audit_entry WHERE sequence = 3",
    "DELETE FROM audit_cited WHERE sequence = 3",
    "DELETE FROM audit_tree WHERE sequence = 3",
    "DELETE FROM audit_terms WHERE sequence = 3",
)
DOCS = {"cards.md": "The fee for a lost student card is twenty euros."}


@pytest.fixture(scope="module")
def asked(shared_home: Home) -> Home:
    shared_home.reads(DOCS)
    for _ in range(3):
        shared_home.ask(ASKED)
    return shared_home


@pytest.fixture
def own(asked: Home, tmp_path: Path) -> Home:
    return asked.copy_to(tmp_path / "own")


def checked(*words: object) -> tuple[int, str]:
    command = [sys.executable, "-I", str(PROGRAM), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    return done.returncode, done.stdout + done.stderr


def altered(home: Home, *statements: str) -> None:
    """By somebody with the file in their hands, who puts the guards back."""
    with sqlite3.connect(home.path / "audit.sqlite") as store:
        kept = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        guards = store.execute(kept).fetchall()
        for name, _ in guards:
            store.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            store.execute(statement)
        for _, guard in guards:
            store.execute(guard)


def test_receipt_export_and_growth_are_checked_without_vouch(own: Home, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.txt"
    named = {"VOUCH_AUDIT_WITNESSES": str(elsewhere)}
    assert "has no key yet" in own.vouch("audit", "key").said
    first = own.vouch("audit", "list", "--json").json[0]["audit_id"]
    asked_too_early = own.vouch("audit", "receipt", first, "--out", str(tmp_path / "none.json"))
    assert "has no key yet" in asked_too_early.said
    assert not (own.path / "audit.key").exists()
    own.does("audit", "verify")
    run = own.vouch("jobs", "run", "checkpoint", **named)
    assert "entries 3" in run.said
    kept = elsewhere.read_text()
    own.vouch("jobs", "run", "checkpoint", **named)
    assert elsewhere.read_text() == kept, "nothing is new"
    key = own.vouch("audit", "key").out.strip()
    assert oct((own.path / "audit.key").stat().st_mode)[-3:] == "600"
    own.ask(ASKED)
    newest = own.vouch("audit", "list", "--json").json[0]["audit_id"]

    receipt = tmp_path / "receipt.json"
    own.does("audit", "receipt", newest, "--out", str(receipt))
    assert oct(receipt.stat().st_mode)[-3:] == "600"
    status, said = checked("receipt", receipt, "--key", key)
    assert (status, ASKED in said, "entry 4 of the 4" in said) == (0, True, True)
    forged = json.loads(receipt.read_text().replace("twenty", "thirty"))
    receipt.write_text(json.dumps(forged))
    status, said = checked("receipt", receipt, "--key", key)
    assert (status, "is not what was recorded" in said) == (1, True)

    proof = tmp_path / "proof.json"
    own.does("audit", "consistency", str(elsewhere), "--out", str(proof))
    status, said = checked("consistency", proof, "--key", key)
    assert (status, "begin with the 3" in said) == (0, True)

    export = tmp_path / "audit.jsonl"
    own.vouch("audit", "export", "--out", str(export))
    assert checked("export", export)[0] == 0
    status, said = checked("export", export, "--checkpoint", elsewhere, "--key", key)
    assert (status, "Holds: 4 entries" in said) == (0, True)
    lines = export.read_text().splitlines(keepends=True)
    for wrong, what in (
        ([lines[0].replace("twenty", "thirty"), *lines[1:]], "entry 1"),
        ([lines[1], lines[0], *lines[2:]], "entry 1"),
        ([lines[0], *lines[2:]], "entry 2"),
        (lines[:2], "and it ends after"),
    ):
        export.write_text("".join(wrong))
        status, said = checked("export", export, "--checkpoint", elsewhere, "--key", key)
        assert (status, what in said) == (1, True), said


def test_a_roll_back_of_everything_is_seen_with_what_a_witness_kept_alone(
    own: Home, tmp_path: Path
) -> None:
    yesterday, elsewhere = tmp_path / "yesterday", tmp_path / "elsewhere.txt"
    own.vouch("jobs", "run", "checkpoint")
    shutil.copytree(own.path, yesterday)
    own.ask(ASKED)
    own.vouch("jobs", "run", "checkpoint", VOUCH_AUDIT_WITNESSES=str(elsewhere))
    for name in ("audit.sqlite", "audit.sqlite-wal", "audit.sqlite-shm"):
        (own.path / name).unlink(missing_ok=True)
        if (yesterday / name).exists():
            shutil.copy(yesterday / name, own.path)
    own.refuses("4 entries were signed", "audit", "verify")
    shutil.copy(yesterday / "audit-checkpoints.txt", own.path)
    own.does("audit", "verify")
    own.refuses("or it is an older backup", "audit", "verify", "--checkpoint", str(elsewhere))
    own.does("jobs", "run", "verify-audit")
    verified = own.vouch("audit", "verify", "--checkpoint", str(elsewhere))
    assert verified.status == 1, "what was verified here since says nothing of it"
    own.refuses(
        "or it is an older backup",
        "jobs",
        "run",
        "verify-audit",
        VOUCH_AUDIT_WITNESSES=str(elsewhere),
    )
    (own.path / "audit.key").write_text("ab" * 32)
    own.refuses("one of the two was exchanged", "audit", "verify", "--checkpoint", str(elsewhere))


def test_a_log_whose_key_is_missing_does_not_verify_and_is_held_to_what_was_signed(
    own: Home, tmp_path: Path
) -> None:
    elsewhere, missing = tmp_path / "elsewhere.txt", "key is missing"
    own.does("jobs", "run", "checkpoint", VOUCH_AUDIT_WITNESSES=str(elsewhere))
    key, kept = own.path / "audit.key", own.path / "audit-checkpoints.txt"
    secret = key.read_text()
    key.unlink()
    for words in (["audit", "verify"], ["jobs", "run", "verify-audit"], ["check"]):
        own.refuses(missing, *words)
    own.refuses(missing, "jobs", "run", "checkpoint")
    own.calls_wrong(missing, "audit", "key")
    assert not key.exists()
    altered(own, *CUT_OFF)
    cut_off = own.refuses("3 entries were signed", "audit", "verify").said
    assert "and the store has 2" in cut_off
    assert "broken at" not in cut_off
    assert "vouch jobs run checkpoint" not in cut_off
    kept.unlink()
    own.refuses("3 entries were signed", "audit", "verify", "--checkpoint", str(elsewhere))
    key.write_text(secret)
    own.refuses("3 entries were signed", "audit", "verify", "--checkpoint", str(elsewhere))


def test_what_was_verified_is_not_read_again_unless_all_is_asked_for(own: Home) -> None:
    own.vouch("jobs", "run", "checkpoint")
    assert "verify-audit ok" in own.vouch("jobs", "run", "verify-audit").said
    own.ask(ASKED)
    shown = own.vouch("audit", "verify", "--json").json
    assert (shown["ok"], shown["unread"], shown["records"]) == (True, 3, 1)
    assert "--all reads them again" in own.vouch("audit", "verify").out
    altered(own, "UPDATE audit_entry SET person_id = 'eve' WHERE sequence = 1")
    assert own.vouch("audit", "verify").status == 0, "as it says, entry 1 is not read"
    everything = own.vouch("audit", "verify", "--all", "--json").json
    assert (everything["first_bad"]["sequence"], everything["proven"]) == (1, 0)


def test_a_witness_that_is_named_wrongly_or_is_away_is_said(own: Home, tmp_path: Path) -> None:
    wrong = own.vouch("jobs", "run", "checkpoint", VOUCH_AUDIT_WITNESSES="relative.txt")
    assert "names 'relative.txt'" in wrong.said
    away = tmp_path / "not-mounted" / "kept.txt"
    own.refuses(
        "could not be handed on to", "jobs", "run", "checkpoint", VOUCH_AUDIT_WITNESSES=str(away)
    )
    away.parent.mkdir()
    own.does("jobs", "run", "checkpoint", VOUCH_AUDIT_WITNESSES=str(away))
    assert "vouch-audit/" in away.read_text()


@pytest.mark.server
def test_a_roll_back_of_everything_is_seen_with_what_a_bucket_kept(
    own: Home, tmp_path: Path
) -> None:
    with s3(tmp_path / "place") as place:
        named = {"VOUCH_AUDIT_WITNESSES": place.url, "VOUCH_SOURCE_KEYS": json.dumps(place.keys)}
        own.does("jobs", "run", "checkpoint", **named)
        (first,) = listed(place.source)
        yesterday = own.copy_to(tmp_path / "yesterday")
        own.ask(ASKED)
        own.does("jobs", "run", "checkpoint", **named)
        assert len(listed(place.source)) == 2
        own.does("jobs", "run", "verify-audit", **named)
        own.does("audit", "verify", "--checkpoint", place.url, **named)
        proof = tmp_path / "proof.json"
        own.does("audit", "consistency", place.url, "--out", str(proof), **named)
        assert checked("consistency", proof)[0] == 0

        older = "or it is an older backup"
        yesterday.refuses(older, "jobs", "run", "verify-audit", **named)
        yesterday.refuses(older, "audit", "verify", "--checkpoint", place.url, **named)
        yesterday.ask("who came instead?")
        yesterday.refuses("left as it is", "jobs", "run", "checkpoint", **named)

        place.put({first: "nothing"})
        own.refuses(first, "jobs", "run", "verify-audit", **named)
        nowhere = {"s3://docs2": dict(place.keys["s3://docs"])}
        away = {"VOUCH_AUDIT_WITNESSES": "s3://docs2", "VOUCH_SOURCE_KEYS": json.dumps(nowhere)}
        own.ask(ASKED)
        own.refuses("could not be handed on to", "jobs", "run", "checkpoint", **away)
        unread = own.refuses(
            "cannot be read",
            "jobs",
            "run",
            "verify-audit",
            **named
            | {
                "VOUCH_SOURCE_KEYS": json.dumps(
                    {
                        place.url: {
                            "endpoint_url": "http://127.0.0.1:9",
                            "key": "A",
                            "secret": place.wrong,
                        }
                    }
                )
            },
        )
        assert str(place.wrong) not in unread.said
    no_bucket = own.vouch("jobs", "run", "checkpoint", VOUCH_AUDIT_WITNESSES="https://a.test/kept")
    assert "names 'https://a.test/kept'" in no_bucket.said
