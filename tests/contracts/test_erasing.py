"""A person is erased, on every store: their words go, the log verifies, alterations are found."""

# ruff: noqa: S608 - statements are put together from constants of the tests

import json
import signal
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import erasing_worker
import pytest
from audit_stores import AuditStore, SqliteStore, blamed
from inboxes import said
from sample_records import a_citation, a_record, an_event
from sqlalchemy import insert, select
from vouch_verify_program import load

from audit.erasure.concerned import Concerned
from audit.erasure.erasing import AuditEraser, Erasure, open_eraser, scrub
from audit.erasure.remains import digest, emptied, note, stored_leaf
from audit.errors import AuditUnavailable, UnderHold, UnknownRecord
from audit.export import copy_entries, export, line
from audit.finding.queries import RecordQuery
from audit.log import AuditReader, AuditWriter, StoredEntry, open_reader, open_writer
from audit.proof.checkpoints import Checkpoint, Signer
from audit.proof.hashes import canonical, compact, entry_hash
from audit.proof.verification import Signed
from audit.record import (
    AuditEvent,
    AuditRecord,
    Decision,
    ErasedRecord,
    EventKind,
    NearestRecord,
    ShownRecord,
    of_the_log,
)
from audit.storing.store import STORE, reading_engine, writing_engine
from audit.values import Channel, PersonRecord
from bot.slack.inbox import database as inbox_database
from bot.slack.inbox.database import open_engine
from bot.slack.inbox.tables import exchanges, row_of
from bot.wiring.erasing import erase_again, expire_log

SIGNER = Signer(bytes(range(32)))
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
REQUEST = Erasure(by="dpo", because="Asked for on 1 March", at=NOW)
SECRET = "zebrafish"
Records = list[AuditRecord]


def of(person: str, number: int, **changes: object) -> AuditRecord:
    """A record whose question and reply have a word that stands nowhere else."""
    word = f"{SECRET}{person}"
    said = {"question": f"Is {word} a reason?", "reply": f"{word} is.", **changes}
    who = PersonRecord(id=person, name=f"Name {word}")
    return a_record(number, person=who, standalone_question=word, **said)


def citing(person: str, number: int, file: str) -> AuditRecord:
    citation = a_citation(file)
    claims = [each.model_copy(update={"citations": (citation,)}) for each in a_record().claims]
    return of(person, number, claims=tuple(claims))


def is_gone_with_its_places(reader: AuditReader, record: AuditRecord) -> bool:
    erased = reader.record(record.audit_id).entry.erased
    return erased is not None and not erased.cited


@pytest.fixture
def asked(writer: AuditWriter) -> Records:
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


def exported(reader: AuditReader, folder: Path) -> list[str]:
    export(reader, folder / "audit.jsonl")
    return (folder / "audit.jsonl").read_text("utf-8").splitlines()


def test_what_expired_when_a_run_was_cut_off_leaves_the_files_with_the_next(
    store: AuditStore, asked: Records, tmp_path: Path
) -> None:
    def expire() -> int:
        return expire_log(store.url, tmp_path, NOW, replace(REQUEST, kind=EventKind.EXPIRED))

    with patch("bot.wiring.erasing.scrub") as scrubbed:
        scrubbed.side_effect = AuditUnavailable("killed")
        with pytest.raises(AuditUnavailable):
            expire()
        scrubbed.side_effect = None
        assert (expire(), scrubbed.call_count) == (0, 2)
        assert (expire(), scrubbed.call_count) == (0, 2), "nothing is owed any more"


def test_what_a_person_said_is_gone_and_the_log_verifies(
    store: AuditStore, reader: AuditReader, asked: Records, eraser: AuditEraser, tmp_path: Path
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
    bens = [each.audit_id for each in reader.find(RecordQuery(text=f"{SECRET}ben")).records]
    assert bens == [asked[4].audit_id, asked[0].audit_id]
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


@pytest.mark.exhaustive  # a thousand records are written first
def test_of_a_closed_block_the_words_go_too(
    store: AuditStore, writer: AuditWriter, reader: AuditReader, eraser: AuditEraser
) -> None:
    first = of("ben", 1)
    writer.append(first)
    writer.append(of("ana", 2))
    for who in ("ana", "ben"):  # both say the same of Ben's
        said = {"person": PersonRecord(id=who), "details": {"value": "good"}}
        writer.append(an_event(first, kind=EventKind.FEEDBACK, **said))
    for number in range(1024):
        writer.append(a_record(number % 50, claims=(), candidates=()))
    assert len(reader.find(RecordQuery(text=f"{SECRET}ana")).records) == 1
    eraser.erase("ana", REQUEST)
    assert reader.find(RecordQuery(text=f"{SECRET}ana")).records == ()
    assert len(reader.find(RecordQuery(feedback="good")).records) == 1
    assert reader.verify().first_bad is None


COMMITMENTS = "SELECT salt FROM audit_tree WHERE sequence = 4"
UNTOLD = {
    "edits another": "UPDATE audit_entry SET payload = replace(payload, 'weeks', 'days') "
    "WHERE sequence = 1",
    "edits what stays": "UPDATE audit_entry SET payload = replace(payload, 'weeks', 'days') "
    "WHERE sequence = 2",
    "swaps commitments": f"UPDATE audit_tree SET salt = ({COMMITMENTS}) WHERE sequence = 2",
    "denies it": "DELETE FROM audit_erased WHERE sequence = 2",
    "claims another": "INSERT INTO audit_erased VALUES (1, 8)",
    "names no erasure": "UPDATE audit_erased SET event = 7 WHERE sequence = 2",
}


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("what", UNTOLD)
def test_whoever_alters_an_erased_log_is_found_out(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser, what: str
) -> None:
    """The guards let the newest event change its own entries alone, and its list not at all."""
    statement = UNTOLD[what]
    elsewhere = statement.replace("sequence = 2", "sequence = 1").replace("(1, 8)", "(1, 7)")
    eraser.erase("ana", REQUEST)
    with pytest.raises(Exception, match="append-only"):
        store.outside(statement if what in ("denies it", "names no erasure") else elsewhere)
    store.tamper(statement)
    assert not reader.verify().ok


@pytest.mark.usefixtures("asked")
def test_content_that_is_emptied_without_an_event_is_found_out(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser
) -> None:
    """With all that an erasure leaves, but the event that says so."""
    eraser.erase("ana", REQUEST)
    tables = ("audit_entry", "audit_tree", "audit_terms")
    store.tamper(*(f"DELETE FROM {table} WHERE sequence = 8" for table in tables))
    blamed(reader, "no event of the log says so")


@pytest.mark.usefixtures("asked")
def test_content_that_comes_back_is_found_out(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser
) -> None:
    """The words fit the hash; the log says that they were erased."""
    old = next(each for each in reader.entries() if each.sequence == 2).payload
    eraser.erase("ana", REQUEST)
    store.tamper(f"UPDATE audit_entry SET payload = '{old}' WHERE sequence = 2")
    assert blamed(reader, "its own erasure").sequence == 2


@pytest.mark.usefixtures("asked")
def test_the_offline_verifier_finds_out_an_altered_export(
    reader: AuditReader, eraser: AuditEraser, tmp_path: Path
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


@pytest.mark.usefixtures("asked")
def test_nothing_under_hold_is_erased(
    reader: AuditReader, writer: AuditWriter, eraser: AuditEraser
) -> None:
    writer.append(of("carla", 9, channel=Channel(id="C0HELD")))
    writer.append(of_the_log(EventKind.HELD, NOW, "legal", "Case 7", {"person": "ana"}))
    writer.append(of_the_log(EventKind.HELD, NOW, "legal", "Case 8", {"channel": "C0HELD"}))
    for person, why in (("ana", "Case 7"), ("carla", "Case 8"), ("ben", "Case 7")):
        with pytest.raises(UnderHold, match=why):
            eraser.erase(person, REQUEST)
    assert eraser.expire(NOW, REQUEST) > 0
    assert len(reader.find(RecordQuery(person="ana")).records) == 2
    assert len(reader.find(RecordQuery(person="carla")).records) == 1
    writer.append(of_the_log(EventKind.RELEASED, NOW, "legal", "Closed", {"person": "ana"}))
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
    quoting = citing("dan", 5, f"given/{given.event_id}.md")
    asked_otherwise = citing("dan", 6, f"given/{given.event_id}-2.md")
    for each in (quoting, asked_otherwise):
        writer.append(each)
    found = eraser.erase("carla", REQUEST)
    assert (found.records, found.events, found.of_others, found.given) == (0, 1, 2, 1)
    assert is_gone_with_its_places(reader, quoting)
    assert is_gone_with_its_places(reader, asked_otherwise)
    assert eraser.erase("ana", REQUEST).of_others == 1
    assert len(reader.find(RecordQuery(person="ben")).records) == 1
    assert reader.given_answers() == []
    assert reader.verify().first_bad is None


def test_what_they_said_in_slack_and_others_records_keep_is_erased_with_them(
    reader: AuditReader, writer: AuditWriter, eraser: AuditEraser, store: AuditStore, tmp_path: Path
) -> None:
    """Whoever is called nearly so keeps theirs."""
    shown = ShownRecord(passage_id="p", document_id="d", version="1", sha256="")
    for number, by in ((1, "ana"), (2, "ANA"), (3, "an%")):
        kept = shown.model_copy(update={"text": f"{SECRET}{by} said", "by": by})
        writer.append(of("ben", number, shown=(kept,)))
    found = eraser.erase("ana", REQUEST)
    assert (found.records, found.of_others) == (0, 1)
    scrub(store.url)
    said = "".join(exported(reader, tmp_path))
    assert f"{SECRET}ana said" not in said
    assert f"{SECRET}ANA said" in said
    assert eraser.erase("an%", REQUEST).of_others == 1
    assert reader.verify().first_bad is None


def test_what_is_older_than_it_is_kept_expires_and_what_is_younger_stays(
    writer: AuditWriter, reader: AuditReader, eraser: AuditEraser
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


@pytest.mark.usefixtures("asked")
def test_an_erasure_that_fails_leaves_all_as_it_was(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser
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


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    "changes",
    [
        each if each in (6, 20, 999) else pytest.param(each, marks=pytest.mark.exhaustive)
        for each in (*range(1, 28), 999)
    ],
)
def test_a_process_that_is_killed_while_it_erases_has_erased_nothing(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser, changes: int
) -> None:
    before = list(reader.entries())
    worker = Path(erasing_worker.__file__)
    killed = subprocess.run([sys.executable, worker, store.url, "ana", str(changes)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(reader.entries()) == before
    assert reader.verify().first_bad is None
    assert eraser.erase("ana", REQUEST).records == 2
    assert reader.verify().first_bad is None


def test_what_is_appended_between_the_search_and_the_erasure_is_erased_too(
    reader: AuditReader, writer: AuditWriter, eraser: AuditEraser, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread, said = Channel(id="C01", thread="1.2"), (f"Is {SECRET}ana a reason?",)
    writer.append(of("ana", 1, channel=thread))
    writer.append(of("ben", 2, channel=thread, previous_questions=said))
    search = eraser.concerning

    def then_more_is_asked(person: str) -> Concerned:
        found = search(person)
        writer.append(of("ben", 3, channel=thread, previous_questions=said))
        writer.append(of("ana", 4, channel=thread))
        writer.append(of("ben", 5, channel=thread, previous_questions=said))
        return found

    monkeypatch.setattr(eraser, "concerning", then_more_is_asked)
    found = eraser.erase("ana", REQUEST)
    assert (found.records, found.of_others) == (2, 3)
    assert reader.find(RecordQuery(person="ben")).records == ()
    assert reader.verify().first_bad is None


@pytest.mark.usefixtures("asked")
def test_an_erased_log_is_copied_and_goes_on(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser, tmp_path: Path
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


@pytest.mark.usefixtures("asked")
def test_only_what_is_new_is_read_and_an_erasure_of_older_ones_still_checked(
    store: AuditStore, reader: AuditReader, eraser: AuditEraser
) -> None:
    read = signed_now(reader)
    eraser.erase("ana", REQUEST)
    anew = Signed(SIGNER.key, (read,), read)
    assert (reader.verify(signed=anew).first_bad, reader.verify(signed=anew).unread) == (None, 7)
    store.tamper("UPDATE audit_tree SET salt = replace(salt, 'a', 'b') WHERE sequence = 2")
    assert not reader.verify(signed=anew).ok


@pytest.mark.usefixtures("asked")
def test_an_erasure_that_was_read_before_what_it_would_have_erased_is_found_out(
    store: AuditStore, writer: AuditWriter, reader: AuditReader, eraser: AuditEraser
) -> None:
    """Where only what is new is read, no event of before is held to its own list again."""
    eraser.erase("ana", REQUEST)
    writer.append(of("yan", 9))
    read = signed_now(reader)
    writer.append(of("zoe", 10))
    eraser.erase("zoe", REQUEST)
    tables = ("audit_entry", "audit_tree", "audit_terms")
    store.tamper(
        "UPDATE audit_erased SET event = 8 WHERE sequence = 10",
        *(f"DELETE FROM {table} WHERE sequence = 11" for table in tables),
    )
    anew = Signed(SIGNER.key, (read,), read)
    assert blamed(reader, "no event of the log says so", anew).sequence == 10


def test_what_was_answered_for_them_goes_however_it_was_quoted(
    reader: AuditReader, writer: AuditWriter, eraser: AuditEraser
) -> None:
    """An answer to what Ana asked has her question as its title, and its file the event's id."""
    first = of("ana", 1)
    writer.append(first)
    given = an_event(
        first,
        kind=EventKind.GIVEN,
        event_id=f"{first.audit_id}-given-1",
        person=PersonRecord(id="carla"),
        details={"for_others": True, "question": first.question},
    )
    writer.append(given)
    file = f"given-answers/{given.event_id}.md"
    near = NearestRecord(document_id="d", file=file, title=first.question, quote=given.text)
    named = of("dan", 5, claims=(), decision=Decision.ABSTAIN, nearest=(near,))
    cites = citing("eve", 6, file)
    found = a_record().candidates[0].model_copy(update={"file": file})
    passed_over = of("fay", 7, candidates=(found,))
    for each in (named, cites, passed_over):
        writer.append(each)
    assert eraser.erase("ana", REQUEST).of_others == 2
    assert is_gone_with_its_places(reader, named)
    assert is_gone_with_its_places(reader, cites)
    assert reader.record(passed_over.audit_id).entry == passed_over
    assert reader.verify().first_bad is None


def test_nobody_is_no_person(writer: AuditWriter, asked: Records, eraser: AuditEraser) -> None:
    writer.append(an_event(asked[0], kind=EventKind.DELIVERED, person=None))
    with pytest.raises(ValueError, match="nobody"):
        eraser.erase("", REQUEST)


def test_a_record_that_was_erased_has_no_receipt_and_says_so(
    reader: AuditReader, asked: Records, eraser: AuditEraser
) -> None:
    eraser.erase("ana", REQUEST)
    with pytest.raises(UnknownRecord, match="was erased"):
        reader.proven(asked[1].audit_id, 8)
    assert reader.proven(asked[0].audit_id, 8).stored.sequence == 1


def test_an_entry_that_calls_itself_erased_and_that_no_event_names_is_found_out(
    reader: AuditReader, writer: AuditWriter, tmp_path: Path
) -> None:
    writer.append(a_record(1, erased=ErasedRecord(on=NOW, by="dpo", because="Asked for")))
    blamed(reader, "its own erasure")
    program = load()
    with pytest.raises(program.Broken, match="in one place"):
        program.check_export(exported(reader, tmp_path), [])


def test_what_stays_is_held_to_the_leaf_also_where_it_is_said_to_be_cited() -> None:
    payload, salt = json.loads(canonical(a_record())), bytes(32)
    blank, kept = emptied(payload, "sha256:1", salt, note("2026-03-02T12:00:00Z", "dpo", "x"))
    assert isinstance(stored_leaf(blank, "sha256:1", kept), bytes)
    blank["erased"]["cited"] |= {"decision": blank["decision"], "entry": "sha256:1"}
    assert (
        stored_leaf(blank, "sha256:2", kept) == "what stays of it is not what was recorded: entry"
    )
    what = stored_leaf({**blank, "decision": "ABSTAIN"}, "sha256:1", kept)
    assert what == "what stays of it is not what was recorded: decision"


@pytest.mark.usefixtures("asked")
def test_an_event_of_erasure_cannot_be_erased_and_another_name_its_entries(
    reader: AuditReader, eraser: AuditEraser, tmp_path: Path
) -> None:
    """All hashes fit, and the first event's reason would be gone."""
    eraser.erase("ana", REQUEST)
    stored = [(each, salt) for each, salt, _ in reader.salted_entries()]
    last, salt = stored[-1]
    why = note("2026-03-02T12:00:00Z", "x", "y")
    blank, kept = emptied(json.loads(last.payload), last.hash, b64decode(salt), why)
    emptied_last = StoredEntry(last.sequence, compact(blank), last.previous_hash, last.hash)
    stored[-1] = emptied_last, kept
    gone = [(each, kept) for each, kept in stored if each.is_erased]
    event = AuditEvent(
        kind=EventKind.ERASED,
        event_id="e",
        audit_id="e",
        time=NOW,
        details={
            "entries": [[2, 2], [4, 4], [6, 8]],
            "remains": digest((each.sequence, each.payload, kept) for each, kept in gone),
        },
    )
    payload = canonical(event)
    newest = StoredEntry(9, payload, last.hash, entry_hash(9, last.hash, payload))
    lines = [line(each, kept, 9 if each.is_erased else None) for each, kept in stored]
    program = load()
    with pytest.raises(program.Broken, match="erased itself"):
        program.check_export([*lines, line(newest, salt)], [])


def test_what_waited_in_an_older_inbox_and_was_answered_and_erased_since_goes_from_it(
    asked: Records, tmp_path: Path
) -> None:
    """The older audit store knows nothing of it yet."""
    url = f"sqlite:///{tmp_path / 'inbox.sqlite'}"
    inbox = open_engine(inbox_database.STORE.parse(url))
    with inbox.begin() as connection:
        for number, audit_id in ((1, asked[1].audit_id), (2, asked[0].audit_id)):
            row = row_of(said(number), audit_id, NOW, NOW, NOW)
            connection.execute(insert(exchanges).values(**row))
    listed = tmp_path / "audit-erasures.txt"
    told = {"at": NOW.isoformat(), "by": "dpo", "because": "x", "kind": "erased"}
    listed.write_text(json.dumps({**told, "entries": [asked[1].audit_id]}) + "\n")
    older = f"sqlite:///{tmp_path / 'older.db'}"
    open_writer(older).close()
    assert erase_again(older, url, listed) == 0
    with inbox.begin() as connection:
        assert connection.scalars(select(exchanges.c.audit_id)).all() == [asked[0].audit_id]
