"""Whoever alters the log behind its back is found out, on every store that it can live in.

They know the program, write to the database as they like and put its guards back: they make links,
columns and nodes fit what they altered. They have not the log's key, nor what a witness keeps.
"""

# ruff: noqa: S608 - statements are put together from constants of the tests

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from audit_stores import AuditStore, SqliteStore, blamed, cut_off_after
from sample_records import a_record, an_event

from audit.errors import AuditDamaged
from audit.log import AuditReader, AuditWriter, StoredEntry, open_reader, open_writer
from audit.proof.checkpoints import Checkpoint, CheckpointFile, Notary, Signer
from audit.proof.hashes import GENESIS, entry_hash, leaf, values
from audit.proof.tree import Edge, encoded, leaf_hash
from audit.proof.verification import Signed, Verification

SIGNER = Signer(bytes(range(32)))
MORNING = datetime(2026, 3, 2, 4, tzinfo=UTC)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def signed_now(reader: AuditReader, now: datetime, signer: Signer = SIGNER) -> Checkpoint:
    return signer.sign(*reader.tree_head(), now)


def signed(*checkpoints: Checkpoint) -> Signed:
    return Signed(SIGNER.key, checkpoints)


def held(reader: AuditReader, *checkpoints: Checkpoint) -> Verification:
    return reader.verify(signed=signed(*checkpoints))


@pytest.fixture
def day(
    writer: AuditWriter, reader: AuditReader, five: list[StoredEntry]
) -> tuple[Checkpoint, Checkpoint]:
    """Two checkpoints: over five entries, and over two more."""
    morning = signed_now(reader, MORNING)
    writer.append(an_event(a_record(audit_id=five[0].entry.audit_id)))
    writer.append(a_record(6))
    return morning, signed_now(reader, NOON)


def rewritten(reader: AuditReader, alter: Callable[[list[str]], list[str]]) -> list[str]:
    """Statements that put other payloads in place of all, every hash, link and node fitting."""
    payloads = alter([each.payload for each in reader.entries()])
    statements = ["DELETE FROM audit_tree", "DELETE FROM audit_terms"]
    edge, head = Edge(), GENESIS
    for number, payload in enumerate(payloads, start=1):
        hashed = entry_hash(number, head, payload)
        nodes = edge.add(leaf_hash(leaf(values(json.loads(payload), hashed), b"salt" * 8)))
        statements += [
            f"UPDATE audit_entry SET payload = '{payload}', previous_hash = '{head}', "
            f"hash = '{hashed}', words = replace(words, '14', '16') WHERE sequence = {number}",
            f"INSERT INTO audit_tree VALUES ({number}, '{encoded([b'salt' * 8])}', "
            f"'{encoded(nodes)}')",
        ]
        head = hashed
    return statements


def test_what_was_signed_holds_and_says_since_when(
    reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    whole = held(reader, *day)
    assert (whole.ok, whole.proven, whole.proven_at) == (True, 7, "2026-03-02T12:00:00Z")
    assert held(reader, day[0]).proven == 5
    assert reader.verify().proven_at == ""


def test_an_entry_edited_with_all_its_hashes_is_named_and_what_is_still_proven(
    store: AuditStore, reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    """Entry 7 was altered; the five of the morning are as they were signed."""
    [old] = [each for each in reader.entries() if each.sequence == 7]
    forged = old.payload.replace("14 weeks", "16 weeks")
    assert forged != old.payload
    hashed = entry_hash(7, old.previous_hash, forged)
    store.tamper(
        f"UPDATE audit_entry SET payload = '{forged}', hash = '{hashed}', "
        "words = replace(words, '14', '16') WHERE sequence = 7"
    )
    found = held(reader, *day)
    assert found.first_bad is not None
    assert (found.first_bad.sequence, found.proven) == (7, 5)
    assert found.proven_at == "2026-03-02T04:00:00Z"


@pytest.mark.parametrize(
    ("alter", "what"),
    [
        (lambda all_: [each.replace("14 weeks", "16 weeks") for each in all_], "entries 1 to 5"),
        (lambda all_: [all_[1], all_[0], *all_[2:]], "column"),
    ],
    ids=["edited", "reordered"],
)
def test_a_log_written_anew_from_end_to_end_is_not_what_was_signed(
    store: AuditStore,
    reader: AuditReader,
    day: tuple[Checkpoint, Checkpoint],
    alter: Callable[[list[str]], list[str]],
    what: str,
) -> None:
    store.tamper(*rewritten(reader, alter))
    blamed(reader, what, signed(*day))
    assert held(reader, *day).proven == 0


def test_the_end_that_was_cut_off_is_noticed_wherever_it_stands(
    store: AuditStore, reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    store.tamper("DELETE FROM audit_entry WHERE sequence > 5")
    blamed(reader, "entry 6 is missing: audit_tree has its leaf")
    store.tamper(*cut_off_after(5))
    assert reader.verify().ok, "nothing in the database shows it any more"
    cut = "7 entries were signed on 2026-03-02T12:00:00Z, and the store has 5"
    assert blamed(reader, cut, signed(*day)).sequence is None
    assert held(reader, *day).proven == 5
    assert held(reader, day[0]).ok, "who rolls back the checkpoints too is not found out"


def test_yesterdays_file_put_back_is_noticed_also_when_it_grew_again(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "audit.db")
    kept = tmp_path / "yesterday.db"
    with open_writer(store.url) as writer:
        writer.append(a_record(0))
    shutil.copy(store.path, kept)
    with open_writer(store.url) as writer, open_reader(store.url) as reader:
        writer.append(a_record(1))
        today = signed_now(reader, NOON)
    shutil.copy(kept, store.path)
    with open_reader(store.url) as reader:
        blamed(reader, "or it is an older backup", signed(today))
        with open_writer(store.url) as writer:
            writer.append(a_record(2))
        blamed(reader, "entries 1 to 2 are not those that were signed", signed(today))


def test_another_store_in_its_place_and_another_key_are_noticed(
    tmp_path: Path, reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    other = SqliteStore(tmp_path / "other.db")
    thief = Signer(bytes(32))
    with open_writer(other.url) as writer, open_reader(other.url) as swapped:
        for number in range(7):
            writer.append(a_record(number))
        blamed(swapped, "entries 1 to 5 are not those", signed(*day))
        signed_anew = signed_now(swapped, NOON, thief)
        blamed(swapped, "is not signed with the key", signed(signed_anew))
    forged = replace(day[1], note=day[1].note.replace("\n7\n", "\n8\n"))
    blamed(reader, "is not signed with the key", signed(forged))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_tree SET nodes = (SELECT nodes FROM audit_tree WHERE sequence = 3) "
        "WHERE sequence = 5",
        "UPDATE audit_tree SET salt = (SELECT salt FROM audit_tree WHERE sequence = 3) "
        "WHERE sequence = 5",
        "UPDATE audit_tree SET salt = '?' WHERE sequence = 5",
        "DELETE FROM audit_tree WHERE sequence = 5",
    ],
)
def test_a_leaf_that_was_altered_is_named(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, statement: str
) -> None:
    with pytest.raises(Exception, match="append-only"):
        store.outside(statement)
    store.tamper(statement)
    assert blamed(reader, "audit_tree").sequence == 5


def test_the_tree_takes_its_next_leaf_alone_and_nothing_is_appended_without(
    store: AuditStore, five: list[StoredEntry], writer: AuditWriter, reader: AuditReader
) -> None:
    for number in (6, 5, 9):
        with pytest.raises(Exception, match=r"append-only|UNIQUE|duplicate"):
            store.outside(f"INSERT INTO audit_tree VALUES ({number}, 'x', 'y')")
    store.tamper("DELETE FROM audit_tree WHERE sequence = 4")
    with pytest.raises(AuditDamaged, match="no usable leaf of entry 4"):
        writer.append(a_record(7))
    assert len(list(reader.entries())) == 5


def test_what_an_earlier_program_appends_meanwhile_gets_its_leaves_with_the_next_entry(
    store: AuditStore, five: list[StoredEntry], writer: AuditWriter, reader: AuditReader
) -> None:
    noted = signed_now(reader, NOON)
    for number in (6, 7):
        writer.append(a_record(number))
    store.tamper("DELETE FROM audit_tree WHERE sequence > 5")
    assert not held(reader, noted).ok
    writer.append(a_record(8))
    found = held(reader, noted)
    assert (found.ok, found.records, found.proven) == (True, 8, 5)
    assert reader.tree_head()[0] == 8


def test_nothing_is_signed_that_contradicts_what_was_signed(
    store: AuditStore, tmp_path: Path, reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    file = CheckpointFile(tmp_path / "checkpoints.txt")
    office = Notary(SIGNER, file, reader.tree_head, lambda: NOON)
    noted = office.note()
    store.tamper(*cut_off_after(5))
    for at_least in (None, 3):
        with pytest.raises(AuditDamaged, match=r"over 7 entries.*move .*checkpoints\.txt"):
            office.note(at_least)
    assert file.all() == (noted,)


def test_only_what_is_new_is_read_after_what_was_verified(
    store: AuditStore, reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    since_morning = Signed(SIGNER.key, day, verified=day[0])
    found = reader.verify(signed=since_morning)
    assert (found.ok, found.unread, found.records, found.events) == (True, 5, 1, 1)
    assert (found.proven, found.head) == (7, reader.head()[1])
    store.tamper("UPDATE audit_entry SET kind = 'forged' WHERE sequence = 7")
    assert blamed(reader, "column kind", since_morning).sequence == 7
    store.tamper("UPDATE audit_entry SET kind = 'forged' WHERE sequence = 5")
    assert blamed(reader, "column kind", since_morning).sequence == 5
    assert reader.verify(signed=since_morning).unread == 0, "what it would go on from does not hold"


def test_a_store_that_pretends_to_be_older_is_held_to_what_was_signed(
    store: AuditStore, reader: AuditReader, day: tuple[Checkpoint, Checkpoint]
) -> None:
    store.outside(*store.without_tree, "UPDATE audit_revision SET version_num = '0002'")
    assert reader.verify().ok
    assert reader.tree_head()[0] == 0
    blamed(reader, "the store has no tree, of which 5 entries were signed", signed(*day))
