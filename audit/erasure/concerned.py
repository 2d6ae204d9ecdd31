"""Which entries say something of a person, or are old, and which of them are under legal hold."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from audit.errors import UnderHold
from audit.feedback import event_of
from audit.proof.hashes import compact
from audit.record import OF_OPERATORS, AuditEvent, EventKind
from audit.storing.tables import cited, entries, erased, key, words_of
from audit.values import stamp

_AT_ONCE = 200
_OF_HOLD = (entries.c.decision.is_(None), entries.c.kind.in_((EventKind.HELD, EventKind.RELEASED)))


@dataclass(frozen=True, slots=True)
class Concerned:
    numbers: tuple[int, ...]
    """Ascending; none that is erased already."""
    records: int = 0
    """That they asked."""
    events: int = 0
    """That they did, or that are about what they asked."""
    others: frozenset[int] = frozenset()
    """Records of others that repeat what they asked, quote an answer of theirs, or keep what they
    said elsewhere."""
    given: int = 0
    """Of the events, answers that others are told no more."""
    audit_ids: frozenset[str] = frozenset()
    last: int = 0
    """The number of the last entry that was looked at."""

    @property
    def of_others(self) -> int:
        return len(self.others)


_NOTHING = Concerned(())


def concerning(connection: Connection, person: str, earlier: Concerned = _NOTHING) -> Concerned:
    """All by and about somebody; of others' records only what came after `earlier` is read."""
    if not person:
        raise ValueError("nobody's entries are not a person's")
    own = _rows(connection, entries.c.person_id == key(person))
    own = [each for each in own if each.kind not in OF_OPERATORS]
    asked = [each for each in own if each.kind == "answer"]
    about = _among(connection, entries.c.audit_id, {each.audit_id for each in asked})
    held = _rows(connection, *_OF_HOLD)
    holds = [each for each in held if each.held == person]
    others = [
        *_among(connection, entries.c.sequence, earlier.others),
        *_repeating(connection, asked, earlier.last),
        *_quoting(connection, (*own, *about), earlier.last),
        *_keeping_words_of(connection, person, earlier.last),
    ]
    about_others = _among(connection, entries.c.audit_id, {each.audit_id for each in others})
    all_ = {each.sequence: each for each in (*own, *about, *holds, *others, *about_others)}
    records = [each for each in all_.values() if each.kind == "answer"]
    return Concerned(
        numbers=tuple(sorted(all_)),
        records=len(asked),
        events=len(all_) - len(records),
        others=frozenset(each.sequence for each in records) - {each.sequence for each in asked},
        given=sum(each.kind == EventKind.GIVEN for each in all_.values()),
        audit_ids=frozenset(each.audit_id for each in records),
        last=connection.scalar(select(func.max(entries.c.sequence))) or 0,
    )


def older_than(connection: Connection, before: datetime, after: int) -> Concerned:
    """What was asked before then, with what happened to it: some records after a number."""
    gone = select(erased.c.sequence).where(erased.c.sequence == entries.c.sequence)
    query = select(entries.c.sequence).where(
        entries.c.sequence > after,
        entries.c.time < stamp(before),
        entries.c.kind == "answer",
        ~gone.exists(),
    )
    numbers = connection.scalars(query.order_by(entries.c.sequence).limit(_AT_ONCE)).all()
    asked = _among(connection, entries.c.sequence, numbers)
    about = _among(connection, entries.c.audit_id, {each.audit_id for each in asked})
    return Concerned(
        numbers=tuple(sorted(each.sequence for each in about)),
        records=len(asked),
        events=len(about) - len(asked),
        last=max(numbers, default=0),
        audit_ids=frozenset(each.audit_id for each in asked),
    )


def known(connection: Connection, entry_ids: Iterable[str]) -> Concerned:
    """Those of some entries that are there and not erased, as after an older backup came back."""
    rows = _among(connection, entries.c.entry_id, set(entry_ids))
    records = [each for each in rows if each.kind == "answer"]
    return Concerned(
        numbers=tuple(sorted(each.sequence for each in rows)),
        records=len(records),
        events=len(rows) - len(records),
        audit_ids=frozenset(each.audit_id for each in records),
    )


def ids_of(connection: Connection, numbers: Collection[int]) -> list[str]:
    return [row.entry_id for row in _among(connection, entries.c.sequence, set(numbers))]


def erasures(connection: Connection) -> list[tuple[AuditEvent, list[str]]]:
    """Each event that says what was erased, and the ids of those entries."""
    query = select(erased.c.event, entries.c.entry_id)
    query = query.join(entries, entries.c.sequence == erased.c.sequence)
    of_event: dict[int, list[str]] = defaultdict(list)
    for event, entry_id in connection.execute(query.order_by(entries.c.sequence)):
        of_event[event].append(entry_id)
    said = select(entries.c.sequence, entries.c.payload).where(
        entries.c.sequence.in_(select(erased.c.event))
    )
    events = connection.execute(said.order_by(entries.c.sequence))
    return [(event_of(payload), of_event[number]) for number, payload in events]


class _EntryHead(NamedTuple):
    sequence: int
    kind: str
    audit_id: str
    entry_id: str
    person_id: str
    channel_id: str
    thread: tuple[str, str]
    """Channel and thread; empty outside one."""
    goes_on: bool
    """From what was asked before it."""
    held: object
    """The person whom an event of a hold is about."""


_STATED = ("sequence", "kind", "audit_id", "entry_id", "person_id", "channel_id")


def _entry_head(row: Any) -> _EntryHead:
    payload = json.loads(row.payload)
    channel, details = payload["channel"], payload.get("details") or {}
    thread = (channel["id"], channel["thread"]) if channel.get("thread") else ("", "")
    goes_on = bool(payload.get("previous_questions"))
    stated = {name: getattr(row, name) for name in _STATED}
    return _EntryHead(**stated, thread=thread, goes_on=goes_on, held=details.get("person"))


def _rows(connection: Connection, *conditions: Any) -> list[_EntryHead]:
    """Of entries that are not erased."""
    gone = select(erased.c.sequence).where(erased.c.sequence == entries.c.sequence)
    query = select(*(entries.c[name] for name in _STATED), entries.c.payload)
    found = connection.execute(
        query.where(*conditions, ~gone.exists()), execution_options={"yield_per": _AT_ONCE}
    )
    return [_entry_head(row) for row in found]


def _among(connection: Connection, column: Any, wanted: Collection[Any]) -> list[_EntryHead]:
    listed = sorted(wanted)
    return [
        row
        for start in range(0, len(listed), _AT_ONCE)
        for row in _rows(connection, column.in_(listed[start : start + _AT_ONCE]))
    ]


def _repeating(
    connection: Connection, asked: Sequence[_EntryHead], after: int
) -> Iterator[_EntryHead]:
    """Records of the same threads, later than a number, that go on from what was asked there."""
    threads = {each.thread for each in asked} - {("", "")}
    for channel in {channel for channel, _ in threads}:
        later = _rows(
            connection,
            entries.c.channel_id == key(channel),
            entries.c.kind == "answer",
            entries.c.sequence
            > max(after, min(each.sequence for each in asked if each.thread[0] == channel)),
        )
        yield from (row for row in later if row.thread in threads and row.goes_on)


def _quoting(
    connection: Connection, concerned: Sequence[_EntryHead], after: int
) -> Iterator[_EntryHead]:
    """Records that say something of an answer which they gave, or which was given to them.

    Its file is called by the event's id, with a number after a hyphen for each further question;
    that it was found is nothing of theirs.
    """
    given = [each for each in concerned if each.kind == EventKind.GIVEN]
    if not given:
        return
    names = [f"{each.entry_id}{end}" for each in given for end in (".md", "-")]
    query = select(entries.c.sequence, entries.c.payload).where(
        entries.c.kind == "answer",
        entries.c.sequence > max(after, min(each.sequence for each in given)),
    )
    later = connection.execute(query, execution_options={"yield_per": _AT_ONCE})
    quoting = {row.sequence for row in later if _says_one_of(names, row.payload)}
    yield from _among(connection, entries.c.sequence, quoting)


def _keeping_words_of(connection: Connection, person: str, after: int) -> Iterator[_EntryHead]:
    """Records for which a search found what they said, and that keep it."""
    query = select(cited.c.sequence).where(
        cited.c.name == key(words_of(person)), cited.c.sequence > after
    )
    yield from _among(connection, entries.c.sequence, set(connection.scalars(query)))


def _says_one_of(names: Sequence[str], payload: str) -> bool:
    if not any(name in payload for name in names):
        return False
    said = {name: value for name, value in json.loads(payload).items() if name != "candidates"}
    return any(name in compact(said) for name in names)


def held(connection: Connection) -> dict[tuple[str, str], str]:
    """What may not be erased, as `("person", id)` or `("channel", id)`, and why."""
    query = select(entries.c.payload).where(*_OF_HOLD)
    held: dict[tuple[str, str], str] = {}
    for event in map(json.loads, connection.scalars(query.order_by(entries.c.sequence))):
        for what in event["details"].items():
            if event["kind"] == EventKind.HELD:
                held[what] = event["text"]
            else:
                held.pop(what, None)
    return held


def free(connection: Connection, numbers: Sequence[int]) -> tuple[tuple[int, ...], str]:
    """Those under no hold, and in words what else is held, empty for nothing."""
    holds = held(connection)
    if not holds:
        return tuple(numbers), ""
    rows = _among(connection, entries.c.sequence, numbers)
    records = {
        row.audit_id: row
        for row in _among(connection, entries.c.entry_id, {each.audit_id for each in rows})
    }
    why: dict[str, str] = {}
    kept = []
    for row in rows:
        about = records.get(row.audit_id, row)
        concerns = {
            *(("person", each.person_id) for each in (row, about)),
            *(("channel", each.channel_id) for each in (row, about)),
        }
        met = [what for what in holds if (what[0], key(what[1])) in concerns]
        why |= {f"{what[0]} {what[1]}": holds[what] for what in met}
        if not met:
            kept.append(row.sequence)
    return tuple(sorted(kept)), "; ".join(f"{what}: {said}" for what, said in why.items())


def demand_free(connection: Connection, person: str | None, numbers: Sequence[int]) -> None:
    own = held(connection).get(("person", person or ""))
    why = f"person {person}: {own}" if own is not None else free(connection, numbers)[1]
    if why:
        raise UnderHold(f"Nothing was erased: it is under legal hold ({why}).")
