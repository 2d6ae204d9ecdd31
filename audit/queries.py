"""People ask these questions of the store; each is answered through an index.

Answers come in the order of the chain, newest first, a page at a time. A page ends with
a number to go on from, not an offset: it stays right while new records arrive, and page
one thousand costs what page one does.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Text,
    column,
    false,
    func,
    literal_column,
    select,
    table,
)
from sqlalchemy.dialects.postgresql import ARRAY

from audit.errors import AmbiguousId, UnknownRecord
from audit.tables import cited, entries, key, words
from audit.values import stamp

_AFTER_ANY = "\U0010ffff"
"""Sorts after every character that an id has."""
_full_text = table("audit_text", column("rowid"), column("audit_text"))
"""SQLite's full-text index."""
_word_array = literal_column("string_to_array(audit_entry.words, ' ')", ARRAY(Text))
"""Letter for letter the expression that PostgreSQL's index is on."""


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """A query says which records are asked for: None asks nothing, all the rest must hold."""

    person: str | None = None
    """The person's id."""
    channel: str | None = None
    """The channel's id."""
    document: str | None = None
    """The id or the file of a document that a posted claim cites."""
    decision: str | None = None
    since: datetime | None = None
    """Aware, inclusive; when the question was asked."""
    until: datetime | None = None
    """Aware, exclusive."""
    text: str | None = None
    """Whole words, in any case and order, that all stand in the question or the answer to it.

    What an abstention only listed as near counts in records of schema version 1 alone.
    """
    before: int | None = None
    """`Page.next` of the page before."""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary is a record in one line; the question is cut after 2,000 characters."""

    sequence: int
    audit_id: str
    time: str
    """UTC, ISO 8601."""
    person_id: str
    person_name: str
    channel_id: str
    decision: str
    question: str
    channel_name: str = ""
    """As it was then; empty where it was not known."""


_COLUMNS = tuple(field.name for field in fields(Summary) if field.name != "channel_name")


@dataclass(frozen=True, slots=True)
class Page:
    """A page has records newest first; `next` is None on the last one."""

    records: tuple[Summary, ...]
    next: int | None


def find(connection: Connection, query: RecordQuery) -> Page:
    """The newest records that the query asks for."""
    source, spine = _walk(query, connection.dialect.name)
    chosen = (
        select(spine)
        .select_from(source)
        .where(*_conditions(query, spine, connection.dialect.name))
        .order_by(spine.desc())
        .limit(query.limit + 1)
    )
    numbers = list(connection.scalars(chosen))
    shown = numbers[: query.limit]
    more = len(numbers) > len(shown) > 0
    return Page(_summaries(connection, shown), next=shown[-1] if more else None)


def one_id(connection: Connection, beginning: str) -> str:
    """The one audit id that begins like this; raises `UnknownRecord`, `AmbiguousId`."""
    start = key(beginning.strip())
    query = (
        select(entries.c.audit_id)
        .where(
            entries.c.kind == "answer",
            entries.c.audit_id.between(start, start + _AFTER_ANY),
        )
        .order_by(entries.c.audit_id)
        .limit(2)
    )
    found = [str(audit_id) for audit_id in connection.scalars(query)] if start else []
    if not found:
        raise UnknownRecord(f"No record has the id {start!r}. List the records to find it.")
    if len(found) > 1 and found[0] != start:
        raise AmbiguousId(f"Several records' ids begin with {start!r}. Give more of the id.")
    return found[0]


def _summaries(connection: Connection, numbers: list[int]) -> tuple[Summary, ...]:
    query = (
        select(*(entries.c[name] for name in _COLUMNS), entries.c.payload)
        .where(entries.c.sequence.in_(numbers))
        .order_by(entries.c.sequence.desc())
    )
    return tuple(_summary(**row) for row in connection.execute(query).mappings())


def _summary(payload: str, **columns: Any) -> Summary:
    """The channel's name stands in the payload alone: nothing is searched by it."""
    return Summary(**columns, channel_name=json.loads(payload)["channel"].get("name", ""))


def _walk(query: RecordQuery, dialect: str) -> tuple[FromClause, ColumnElement[int]]:
    """The tables, and the column to walk down: of the one that narrows the search most.

    SQLite stops at the page's end only where it walks the order that is asked for.
    """
    source: FromClause = entries
    spine: ColumnElement[int] = entries.c.sequence
    if query.text is not None and dialect == "sqlite":
        source = source.join(_full_text, _full_text.c.rowid == entries.c.sequence)
        spine = _full_text.c.rowid
    if query.document is not None:
        source = source.join(cited, cited.c.sequence == entries.c.sequence)
        spine = cited.c.sequence
    return source, spine


def _conditions(
    query: RecordQuery, spine: ColumnElement[int], dialect: str
) -> list[ColumnElement[bool]]:
    wanted = (
        (entries.c.person_id, query.person),
        (entries.c.channel_id, query.channel),
        (entries.c.decision, query.decision),
        (cited.c.name, query.document),
    )
    conditions = [entries.c.kind == "answer", *_asked_between(query, spine)]
    conditions += [column == key(value) for column, value in wanted if value is not None]
    if query.before is not None:
        conditions.append(spine < query.before)
    if query.text is not None:
        conditions.append(_says(query.text, dialect))
    return conditions


def _asked_between(query: RecordQuery, spine: ColumnElement[int]) -> list[ColumnElement[bool]]:
    """The times, and the part of the chain that they lie in.

    Entries are appended nearly in the order of their times. Without the bounds, a walk
    down the chain to a range long ago, or to an empty one, would read all of it.
    """
    time = entries.alias().c.time
    sequence = time.table.c.sequence + 0  # else the least one is looked for along the chain
    asked: list[ColumnElement[bool]] = []
    within: list[ColumnElement[bool]] = []
    if query.since is not None:
        asked.append(entries.c.time >= stamp(query.since))
        within.append(time >= stamp(query.since))
    if query.until is not None:
        asked.append(entries.c.time < stamp(query.until))
        within.append(time < stamp(query.until))
    if not asked:
        return []
    first = select(func.min(sequence)).where(*within).scalar_subquery()
    last = select(func.max(sequence)).where(*within).scalar_subquery()
    return [*asked, spine.between(first, last)]


def _says(wanted: str, dialect: str) -> ColumnElement[bool]:
    if not (looked_for := words(wanted)):
        return false()
    if dialect == "sqlite":
        phrase = " ".join(f'"{word}"' for word in looked_for)
        return _full_text.c.audit_text.op("MATCH", is_comparison=True)(phrase)
    return _word_array.contains(looked_for)


@dataclass(frozen=True, slots=True)
class Asker:
    """An asker is somebody with a record, by the name that the newest one has."""

    person_id: str
    name: str


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document was cited under a path; one that was renamed, under several."""

    document_id: str
    file: str
    title: str


def askers(connection: Connection) -> tuple[Asker, ...]:
    """Everybody with a record, by id."""
    newest = select(func.max(entries.c.sequence)).where(entries.c.kind == "answer")
    query = (
        select(entries.c.person_id, entries.c.person_name)
        .where(entries.c.sequence.in_(newest.group_by(entries.c.person_id)))
        .order_by(entries.c.person_id)
    )
    return tuple(Asker(*row) for row in connection.execute(query))


def cited_documents(connection: Connection) -> tuple[CitedDocument, ...]:
    """Every document that a posted claim cites, under each of its paths once, oldest first."""
    newest = select(func.max(cited.c.sequence)).group_by(cited.c.name)
    query = select(entries.c.payload).where(entries.c.sequence.in_(newest))
    found: dict[tuple[str, str], CitedDocument] = {}
    for payload in connection.scalars(query.order_by(entries.c.sequence)):
        found |= {(each.document_id, each.file): each for each in _cited(payload)}
    return tuple(found.values())


def _cited(payload: str) -> Iterator[CitedDocument]:
    for claim in json.loads(payload).get("claims", ()):
        for citation in claim["citations"]:
            title = citation.get("title", "")
            yield CitedDocument(citation["document_id"], citation["file"], title)
