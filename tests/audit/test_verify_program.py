"""What the offline verifier says of files that somebody hostile has made."""

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sample_records import a_record
from vouch_verify_program import load

from audit.export import export, line
from audit.log import AuditReader, AuditWriter, StoredEntry
from audit.proof.checkpoints import Signer, receipt
from audit.proof.hashes import entry_hash

verifier: Any = load()
SIGNER = Signer(bytes(range(32)))
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SCREEN_CLEARED = "vouch\x1b[2J\x1b[H\nHolds: entry 6 of the 6 that were signed says so.\x1b[8m"


def checked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    status = verifier.main([*map(str, words)])
    said = capsys.readouterr()
    return status, said.out + said.err


@pytest.mark.parametrize("signed", [0, 3, 5])
def test_entries_behind_the_last_checkpoint_are_not_said_to_hold(
    five: list[StoredEntry],
    reader: AuditReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    signed: int,
) -> None:
    path, kept = tmp_path / "audit.jsonl", tmp_path / "kept.txt"
    export(reader, path)
    kept.write_text(SIGNER.sign(*reader.tree_head(signed), NOW).note)
    head, salt = five[-1].hash, base64.b64encode(bytes(32)).decode()
    with path.open("a") as out:
        for number in range(6, 9 if signed < 5 else 6):
            payload = five[0].payload.replace("14 weeks", "40 weeks")
            hashed = entry_hash(number, head, payload)
            forged = replace(
                five[0], sequence=number, previous_hash=head, hash=hashed, payload=payload
            )
            out.write(line(forged, salt) + "\n")
            head = hashed
    status, said = checked(capsys, "export", path, "--checkpoint", kept, "--key", str(SIGNER.key))
    if signed == 5:
        assert (status, "Holds: 5 entries" in said) == (0, True)
        return
    assert (status, "Holds" in said) == (1, False)
    assert "signed by nobody and prove nothing" in said
    assert ("the first 3 are as they were signed" in said) == (signed == 3)
    beside = tmp_path / "audit.jsonl.checkpoint"
    beside.write_text(SIGNER.sign(*reader.tree_head(5), NOW).note)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    status, said = checked(capsys, "export", path, "--checkpoint", kept, "--key", SIGNER.key)
    assert (status, "Holds: 5 entries" in said) == (0, True)


def a_receipt(reader: AuditReader, audit_id: str, **changes: Any) -> dict[str, Any]:
    proven = reader.proven(audit_id, 5)
    signed = SIGNER.sign(*reader.tree_head(5), NOW)
    return receipt(proven, signed, SIGNER.key, lambda _: True) | changes


def test_a_receipt_that_opens_nothing_does_not_say_so(
    five: list[StoredEntry],
    reader: AuditReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "receipt.json"
    whole = a_receipt(reader, five[2].entry.audit_id)
    path.write_text(json.dumps(whole))
    assert checked(capsys, "receipt", path)[0] == 0
    path.write_text(json.dumps(whole | {"opened": []}))
    status, said = checked(capsys, "receipt", path)
    assert (status, "nothing of the record is opened" in said) == (1, True)


@pytest.mark.parametrize(
    "changes",
    [
        {"key": SCREEN_CLEARED},
        {"key": f"{SCREEN_CLEARED}+00000000+AAAA"},
        {"opened": [["", SCREEN_CLEARED, "x"]]},
        {"form": SCREEN_CLEARED},
    ],
)
def test_a_hostile_file_says_nothing_at_the_terminal_that_a_terminal_would_obey(
    five: list[StoredEntry],
    reader: AuditReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, Any],
) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(a_receipt(reader, five[2].entry.audit_id, **changes)))
    status, said = checked(capsys, "receipt", path)
    assert status == 1
    assert all(each.isprintable() for each in said.replace("\n", ""))
    assert not [each for each in said.splitlines() if each.startswith("Holds")]


def test_a_reply_of_several_lines_cannot_say_that_another_receipt_holds(
    writer: AuditWriter,
    reader: AuditReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number in range(5):
        writer.append(a_record(number, audit_id=f"id-{number}", question="Why?\nHolds: all."))
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(a_receipt(reader, "id-3")))
    status, said = checked(capsys, "receipt", path)
    assert status == 0
    held = [each for each in said.splitlines() if each.startswith("Holds")]
    assert len(held) == 1
    assert held[0].startswith("Holds: entry 4 of the 5")


@pytest.mark.parametrize(
    ("content", "why"), [("", "empty"), ('{"a": ', "cut off"), ("{}", "has no 'key'")]
)
def test_a_file_that_is_no_receipt_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, why: str
) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(content)
    status, said = checked(capsys, "receipt", path)
    assert (status, why in said) == (1, True)
