"""A person is erased, on every store: their words go, the log verifies, alterations are found."""

# ruff: noqa: S608 - statements are put together from constants of the tests

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from audit_stores import AuditStore, SqliteStore
from sample_records import a_citation, a_record, an_event
from vouch_verify_program import load

from audit.checkpoints import Checkpoint, Signer
from audit.eraser import AuditEraser, open_eraser
from audit.erasing import Erasure, scrub
from audit.errors import AuditUnavailable, UnderHold
from audit.export import copy_entries, export
from audit.log import AuditReader, AuditWriter, open_reader, open_writer
from audit.queries import RecordQuery
from audit.record import AuditRecord, EventKind
from audit.store import STORE, reading_engine, writing_engine
from audit.values import Channel, PersonRecord
from audit.verification import Signed, Verification

pytest_plugins = ["audit_stores"]
SIGNER = Signer(bytes(range(32)))
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
REQUEST = Erasure(by="dpo", because="Asked for on 1 March", at=NOW)
SECRET = "zebrafish"


def of(person: str, number: int, **changes: object) -> AuditRecord:
    """A record whose question and reply have a word that stands nowhere else."""
    word = f"{SECRET}{person}"
    said = {"question": f"Is {word} a reason?", "reply": f"{word} is.", **changes}
    who = PersonRecord(id=person, name=f"Name {word}")
    return a_record(number, person=who, standalone_question=word, **said)


@pytest.fixture
def asked(writer: AuditWriter) -> list[AuditRecord]:
    """Two records of Ana's with feedback of Ben's, between others': one id begins like hers."""
    records = [of("ben", 1), of("ana", 2), of("anabel", 3), of("ana", 4), of("ben", 5)]
    for each in records:
        writer.append(each)
    writer.append(an_event(records[1], text=f"{SECRET}ana is right"))
    writer.append(an_event(records[0], person=PersonRecord(id="ana"), text=f"{SECRET}ana said so"))
    return records


@pytest.fixture
def eraser(store: AuditStore) -> AuditEraser:
    return open_eraser(store.url)


def signed_now(reader: AuditReader) -> Checkpoint:
    return SIGNER.sign(*reader.tree_head(), NOW)


def held(reader: AuditReader, *checkpoints: Checkpoint) -> Verification:
    return reader.verify(signed=Signed(SIGNER.key, checkpoints))


def exported(reader: AuditReader, folder: Path) -> list[str]:
    export(reader, folder / "audit.jsonl")
    return (folder / "audit.jsonl").read_text("utf-8").splitlines()


def test_what_a_person_said_is_gone_and_the_log_verifies(
    store: AuditStore,
    reader: AuditReader,
    asked: list[AuditRecord],
    eraser: AuditEraser,
    tmp_path: Path,
) -> None:
    before, head = signed_now(reader), reader.head()[1]
    found = eraser.erase("ana", REQUEST)
    scrub(store.url)
    assert (found.records, found.events, found.of_others) == (2, 2, 0)
    whole = reader.verify(head, Signed(SIGNER.key, (before,)))
    assert (whole.first_bad, whole.records, whole.proven) == (None, 5, 7)
    gone = reader.record(asked[1].audit_id).entry
    assert isinstance(gone, AuditRecord)
    assert gone.erased is not None
    assert (gone.erased.by, gone.erased.because) == ("dpo", "Asked for on 1 March")
    assert gone.erased.cited["claims/1/citations/1"]["quote"] == a_citation().quote
    assert [each.audit_id for each in reader.find(RecordQuery(text=f"{SECRET}ben")).records] == [
        asked[4].audit_id,
        asked[0].audit_id,
    ]
    assert reader.find(RecordQuery(person="ana")).records == ()
    assert len(reader.find(RecordQuery(person="anabel")).records) == 1
    assert len(reader.find().records) == 5
    lines = exported(reader, tmp_path)
    assert f"{SECRET}anabel" in "".join(lines)
    assert f"{SECRET}ana " not in "".join(lines)
    program = load()
    key = program.Key(str(SIGNER.key))
    notes = [program.Checkpoint(each.note, key) for each in (before, signed_now(reader))]
    assert program.check_export(lines, notes)[0] == 8
    if isinstance(store, SqliteStore):
        files = b"".join(each.read_bytes() for each in tmp_path.glob("audit.db*"))
        said = files.replace(f"{SECRET}anabel".encode(), b"")
        assert f"{SECRET}ana".encode() not in said


def test_of_a_closed_block_the_words_go_too(
    store: AuditStore, writer: AuditWriter, reader: AuditReader, eraser: AuditEraser
) -> None:
    writer.append(of("ana", 1))
    for number in range(1024):
        writer.append(a_record(number % 50, claims=(), candidates=()))
    assert len(reader.find(RecordQuery(text=f"{SECRET}ana")).records) == 1
    eraser.erase("ana", REQUEST)
    assert reader.find(RecordQuery(text=f"{SECRET}ana")).records == ()
    assert reader.verify().first_bad is None


UNTOLD = [
    pytest.param(
        "UPDATE audit_entry SET payload = replace(payload, 'weeks', 'days') WHERE sequence = 1",
        id="edits another",
    ),
    pytest.param(
        "UPDATE audit_entry SET payload = replace(payload, 'weeks', 'days') WHERE sequence = 2",
        id="edits what stays",
    ),
    pytest.param(
        "UPDATE audit_tree SET salt = (SELECT salt FROM audit_tree WHERE sequence = 4) "
        "WHERE sequence = 2",
        id="swaps commitments",
    ),
    pytest.param("DELETE FROM audit_erased WHERE sequence = 2", id="denies it"),
    pytest.param("INSERT INTO audit_erased VALUES (1, 8)", id="claims another"),
    pytest.param("UPDATE audit_erased SET event = 7 WHERE sequence = 2", id="names no erasure"),
]


@pytest.mark.parametrize("statement", UNTOLD)
def test_whoever_alters_an_erased_log_is_found_out(
    store: AuditStore,
    reader: AuditReader,
    asked: list[AuditRecord],
    eraser: AuditEraser,
    statement: str,
) -> None:
    eraser.erase("ana", REQUEST)
    with pytest.raises(Exception, match="append-only"):
        store.outside(
            statement
            if "audit_erased" in statement.partition("WHERE")[0] and "INSERT" not in statement
            else statement.replace("sequence = 2", "sequence = 1").replace("(1, 8)", "(1, 7)")
        )
    store.tamper(statement)
    assert not reader.verify().ok


def test_content_that_is_emptied_without_an_event_is_found_out(
    store: AuditStore,
    writer: AuditWriter,
    reader: AuditReader,
    asked: list[AuditRecord],
    eraser: AuditEraser,
) -> None:
    """With all that an erasure leaves, but the event that says so."""
    eraser.erase("ana", REQUEST)
    store.tamper(
        *(
            f"DELETE FROM {table} WHERE sequence = 8"
            for table in ("audit_entry", "audit_tree", "audit_terms")
        ),
    )
    found = reader.verify().first_bad
    assert found is not None
    assert "no event of the log says so" in found.what


def test_content_that_comes_back_is_found_out(
    store: AuditStore, reader: AuditReader, asked: list[AuditRecord], eraser: AuditEraser
) -> None:
    """The words fit the hash; the log says that they were erased."""
    old = next(each for each in reader.entries() if each.sequence == 2).payload
    eraser.erase("ana", REQUEST)
    store.tamper(
        f"UPDATE audit_entry SET payload = '{old}' WHERE sequence = 2",
    )
    found = reader.verify().first_bad
    assert found is not None
    assert (found.sequence, "was" in found.what) == (2, True) or "column" in found.what


def test_the_offline_verifier_finds_out_an_altered_export(
    reader: AuditReader, asked: list[AuditRecord], eraser: AuditEraser, tmp_path: Path
) -> None:
    eraser.erase("ana", REQUEST)
    program, lines = load(), exported(reader, tmp_path)
    assert program.check_export(lines, [])[0] == 8
    unerased = json.loads(lines[1])
    chain = dict(unerased["chain"])
    del chain["erased"]
    for number, wrong in (
        (1, lines[1].replace("14 weeks", "16 weeks")),
        (1, lines[1].replace('"question":""', '"question":"Was it I?"')),
        (1, lines[1].replace(json.dumps(unerased["chain"]), json.dumps(chain))),
        (7, lines[7].replace("Asked for", "Not asked for")),
        (0, lines[0].replace(SECRET, "goldfish")),
    ):
        assert wrong != lines[number]
        with pytest.raises(program.Broken):
            program.check_export([*lines[:number], wrong, *lines[number + 1 :]], [])
    with pytest.raises(program.Broken, match="no event"):
        program.check_export(lines[:7], [])


def test_nothing_under_hold_is_erased(
    reader: AuditReader, writer: AuditWriter, asked: list[AuditRecord], eraser: AuditEraser
) -> None:
    held_channel = of("carla", 9, channel=Channel(id="C0HELD"))
    writer.append(held_channel)
    eraser.hold(EventKind.HELD, ("person", "ana"), "legal", "Case 7", NOW)
    eraser.hold(EventKind.HELD, ("channel", "C0HELD"), "legal", "Case 8", NOW)
    for person, why in (("ana", "Case 7"), ("carla", "Case 8"), ("ben", "Case 7")):
        with pytest.raises(UnderHold, match=why):
            eraser.erase(person, REQUEST)
    assert eraser.expire(NOW, REQUEST) > 0
    assert len(reader.find(RecordQuery(person="ana")).records) == 2
    assert len(reader.find(RecordQuery(person="carla")).records) == 1
    eraser.hold(EventKind.RELEASED, ("person", "ana"), "legal", "Closed", NOW)
    assert eraser.erase("ana", REQUEST).records == 2
    assert reader.verify().first_bad is None


def test_others_records_that_repeat_a_question_or_quote_an_answer_are_erased_too(
    reader: AuditReader, writer: AuditWriter, eraser: AuditEraser
) -> None:
    thread = Channel(id="C01", thread="1.2")
    first = of("ana", 1, channel=thread)
    writer.append(first)
    writer.append(of("ben", 2, channel=thread, previous_questions=(f"Is {SECRET}ana a reason?",)))
    writer.append(of("ben", 3, channel=thread))
    given = an_event(first, kind=EventKind.GIVEN, person=PersonRecord(id="carla"))
    writer.append(given)
    quoting = of("dan", 5).model_copy(
        update={
            "claims": tuple(
                each.model_copy(update={"citations": (a_citation(f"given/{given.event_id}.md"),)})
                for each in a_record().claims
            )
        }
    )
    writer.append(quoting)
    found = eraser.erase("carla", REQUEST)
    assert (found.records, found.events, found.of_others, found.given) == (0, 1, 1, 1)
    gone = reader.record(quoting.audit_id).entry.erased
    assert gone is not None
    assert not gone.cited
    assert eraser.erase("ana", REQUEST).of_others == 1
    assert len(reader.find(RecordQuery(person="ben")).records) == 1
    assert reader.given_answers() == []
    assert reader.verify().first_bad is None


def test_what_is_older_than_it_is_kept_expires_and_what_is_younger_stays(
    store: AuditStore, writer: AuditWriter, reader: AuditReader, eraser: AuditEraser
) -> None:
    for number in range(450):
        writer.append(of("ana", number, claims=(), candidates=()))
    kind = Erasure("expire", "kept for 184 days", NOW, EventKind.EXPIRED)
    record = next(reader.entries()).entry
    assert eraser.expire(record.time, kind) == 0
    assert eraser.expire(record.time + timedelta(minutes=440), kind) == 440
    assert eraser.expire(record.time + timedelta(minutes=440), kind) == 0
    assert len(reader.find(RecordQuery(person="ana", limit=500)).records) == 10
    assert [each.entry.kind for each in reader.entries()][450:] == ["expired"] * 3
    assert reader.verify().first_bad is None


def test_an_erasure_that_fails_leaves_all_as_it_was(
    store: AuditStore, reader: AuditReader, asked: list[AuditRecord], eraser: AuditEraser
) -> None:
    before = list(reader.entries())

    def fails(_: object) -> None:
        raise AuditUnavailable("The list cannot be written.")

    with pytest.raises(AuditUnavailable, match="The list"):
        eraser.erase("ana", REQUEST, fails)
    store.tamper("UPDATE audit_tree SET salt = 'AAAA' WHERE sequence = 4")
    with pytest.raises(AuditUnavailable, match="is not what was recorded"):
        eraser.erase("ana", REQUEST)
    assert list(reader.entries()) == before


def test_an_erased_log_is_copied_and_goes_on(
    store: AuditStore,
    reader: AuditReader,
    asked: list[AuditRecord],
    eraser: AuditEraser,
    tmp_path: Path,
) -> None:
    eraser.erase("ana", REQUEST)
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    with open_writer(copy) as made:
        with (
            STORE.transaction(reading_engine(STORE.parse(store.url))) as source,
            STORE.transaction(writing_engine(STORE.parse(copy))) as target,
        ):
            copy_entries(source, target, lambda *_: None)
        made.append(a_record(60))
    with open_reader(copy) as reads:
        assert reads.verify(reader.head()[1]).first_bad is None
    again = Erasure("dpo", "Again", NOW + timedelta(days=1))
    assert eraser.erase("ana", again).numbers == ()
    assert reader.head()[0] == 8, "nothing was left to erase, so the log says nothing more"


def test_only_what_is_new_is_read_and_an_erasure_of_older_ones_still_checked(
    store: AuditStore, reader: AuditReader, asked: list[AuditRecord], eraser: AuditEraser
) -> None:
    read = signed_now(reader)
    eraser.erase("ana", REQUEST)
    anew = Signed(SIGNER.key, (read,), read)
    assert (reader.verify(signed=anew).first_bad, reader.verify(signed=anew).unread) == (None, 7)
    store.tamper("UPDATE audit_tree SET salt = replace(salt, 'a', 'b') WHERE sequence = 2")
    assert not reader.verify(signed=anew).ok
