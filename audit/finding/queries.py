"""People ask these questions of the store; each is answered through an index.

What a record is asked for by stands in `terms`, how it is found in `term_index`. Answers come
newest first, a page at a time. A page ends with a number to go on from, not an offset: it stays
right while new records arrive, and page one thousand costs what page one does.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import CTE, Connection, Select, exists, func, select

from audit.errors import AmbiguousId, UnknownRecord
from audit.feedback import current_feedback, event_of
from audit.finding.term_index import (
    AFTER_ANY,
    TermIndex,
    Terms,
    as_bits,
    newest_first,
    open_term_index,
)
from audit.finding.terms import BETWEEN, edition, sentence_term, term
from audit.record import OF_OPERATORS, AuditEvent, EventKind
from audit.storing.tables import entries, key, words
from audit.values import stamp

_DAY = len("2026-01-31")
_AT_ONCE = 64
Meant = Callable[[Mapping[str, str]], bool]
"""Whether a citation is of what was asked for."""
HUNDREDTHS = 100
_CITED, _EDITIONS = "cited:", "edition:"


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """Which records are asked for: None asks nothing, all the rest must hold."""

    person: str | None = None
    channel: str | None = None
    document: str | None = None
    """The id or the file of a document that a posted claim cites."""
    decision: str | None = None
    since: datetime | None = None
    """Aware, inclusive; when the question was asked."""
    until: datetime | None = None
    """Aware, exclusive."""
    dropped: str | None = None
    """The id or the file of a document that a dropped claim cites."""
    version: str | None = None
    """Of a cited document (of `document`, `passage`): a number whole, else how it begins."""
    passage: str | None = None
    """How the id of a cited passage begins."""
    told: str | None = None
    """A sentence of the reply, or quoted in it, in any case and with any marks."""
    badge: str | None = None
    status: str | None = None
    surer: int | None = None
    """Hundredths, 0 to 99: the overall confidence is that at least."""
    less_sure: int | None = None
    """Hundredths, 1 to 100: it is under that."""
    reason: str | None = None
    writer: str | None = None
    settings: str | None = None
    feedback: str | None = None
    """Some feedback that stands says so: one of `feedback.Opinion`."""
    text: str | None = None
    """Whole words, in any case and order, that all stand in the question or the answer to it.

    What an abstention only listed as near counts in records of schema version 1 alone.
    """
    team: str | None = None
    """The workspace of those who asked; empty for the home's own."""
    before: int | None = None
    """`Page.next` of the page before."""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Summary:
    """A record in one line; the question is cut after 2,000 characters."""

    sequence: int
    audit_id: str
    time: str
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
    """Newest first; `next` is None on the last one."""

    records: tuple[Summary, ...]
    next: int | None


def find(connection: Connection, query: RecordQuery) -> Page:
    numbers = list(islice(_numbers(connection, query), query.limit + 1))
    shown = read(connection, numbers[: query.limit])
    return page_of(numbers, query.limit, (summary for summary, _ in shown))


def page_of(numbers: Sequence[int], limit: int, records: Iterable[Summary]) -> Page:
    """Those of `records` that are shown; `numbers`: one more than that where there are more."""
    shown = numbers[:limit]
    more = len(numbers) > len(shown) > 0
    on_it = tuple(each for each in records if each.sequence in shown)
    return Page(on_it, next=shown[-1] if more else None)


def matching(found: TermIndex, query: RecordQuery) -> int:
    """All of it as a set of `term_index`, whatever the limit; feedback also where taken back."""
    if query.text is not None and not words(query.text):
        return 0
    first, *others = _wanted(query) or [Terms("kind:answer")]
    bits = found.having(first)
    for wanted in others:
        bits = found.having(wanted, bits)
    if query.surer is not None or query.less_sure is not None:
        bits = within_band(found, bits, query.surer, query.less_sure)
    if query.version is not None:
        for what in _meant(query):
            bits = citing(found, bits, what, query.version)
    for excluded in _outside(query):
        bits &= ~as_bits(found.connection.scalars(excluded).all())
    return before(bits, query.before)


def before(bits: int, number: int | None) -> int:
    """Those of a set that come before a number; all for None."""
    if number is None:
        return bits
    return bits & ((1 << min(max(number - 1, 0), bits.bit_length())) - 1)


def _numbers(connection: Connection, query: RecordQuery) -> Iterator[int]:
    numbers = newest_first(matching(open_term_index(connection), query))
    if query.feedback is None:
        yield from numbers
        return
    while some := list(islice(numbers, _AT_ONCE)):
        said = with_opinion(connection, some, query.feedback)
        yield from (number for number in some if number in said)


def with_opinion(connection: Connection, numbers: Collection[int], opinion: str) -> set[int]:
    """Those of some records of which somebody says that, and did not take it back."""
    asked = entries.alias()
    query = (
        select(asked.c.sequence, entries.c.payload)
        .join(asked, asked.c.audit_id == entries.c.audit_id)
        .where(asked.c.sequence.in_(numbers), entries.c.kind == EventKind.FEEDBACK.value)
        .order_by(entries.c.sequence)
    )
    said: dict[int, list[AuditEvent]] = defaultdict(list)
    for number, payload in connection.execute(query):
        said[number].append(event_of(payload))
    return {
        number
        for number, events in said.items()
        if any(each.details.get("value") == opinion for each in current_feedback(events))
    }


def one_id(connection: Connection, beginning: str) -> str:
    """The one audit id that begins like this; raises `UnknownRecord`, `AmbiguousId`."""
    start = key(beginning.strip())
    query = (
        select(entries.c.audit_id)
        .where(entries.c.kind == "answer", entries.c.audit_id.between(start, start + AFTER_ANY))
        .order_by(entries.c.audit_id)
        .limit(2)
    )
    found = [str(audit_id) for audit_id in connection.scalars(query)] if start else []
    if not found:
        raise UnknownRecord(f"No record has the id {start!r}. List the records to find it.")
    if len(found) > 1 and found[0] != start:
        raise AmbiguousId(f"Several records' ids begin with {start!r}. Give more of the id.")
    return found[0]


def read(
    connection: Connection, numbers: Collection[int]
) -> Iterator[tuple[Summary, Mapping[str, Any]]]:
    """Newest first, with the payload, where alone the channel's name stands."""
    query = (
        select(*(entries.c[name] for name in _COLUMNS), entries.c.payload)
        .where(entries.c.sequence.in_(numbers))
        .order_by(entries.c.sequence.desc())
    )
    for *columns, payload in connection.execute(query):
        stored = json.loads(payload)
        said = dict(zip(_COLUMNS, columns, strict=True))
        yield Summary(**said, channel_name=stored["channel"].get("name", "")), stored


_ALIKE = (
    "person",
    "channel",
    "dropped",
    "decision",
    "badge",
    "writer",
    "reason",
    "feedback",
    "team",
)
_EXACT = {"document": "cited", "status": "claim", **{name: name for name in _ALIKE}}
"""Filter to the kind of term that it asks for."""


def _wanted(query: RecordQuery) -> list[Terms]:
    """The days first: of what follows only the blocks of those days are read."""
    wanted = []
    if query.since is not None or query.until is not None:
        first = stamp(query.since)[:_DAY] if query.since else ""
        last = stamp(query.until)[:_DAY] if query.until else AFTER_ANY
        wanted.append(Terms(f"day:{first}", f"day:{last}{AFTER_ANY}"))
    stated = ((kind, getattr(query, name)) for name, kind in _EXACT.items())
    wanted += [Terms(term(kind, value)) for kind, value in stated if value is not None]
    if query.version is not None:
        wanted.append(of_version(term("version", query.version), query.version))
    for kind in ("settings", "passage"):
        if (beginning := getattr(query, kind)) is not None:
            wanted.append(Terms.beginning(term(kind, beginning)))
    if query.told is not None:
        wanted.append(Terms(sentence_term(query.told)))
    return wanted + [Terms(term("word", word)) for word in words(query.text or "")]


def _meant(query: RecordQuery) -> Iterator[Meant]:
    """What must be cited in the version that is asked for."""
    if query.document is not None:
        name = key(query.document)
        yield lambda each: name in (key(each["document_id"]), key(each["file"]))
    if query.passage is not None:
        start = key(query.passage)
        yield lambda each: key(each["passage_id"]).startswith(start)


def _outside(query: RecordQuery) -> Iterator[Select[Any]]:
    """Of the first day and the last one, the entries that are not of the time asked for."""
    of_entry = select(entries.c.sequence)
    if query.since is not None:
        since = stamp(query.since)
        yield of_entry.where(entries.c.time >= since[:_DAY], entries.c.time < since)
    if query.until is not None:
        until = stamp(query.until)
        of_day = entries.c.time < f"{until[:_DAY]}{AFTER_ANY}"
        yield of_entry.where(entries.c.time >= until, of_day)


@dataclass(frozen=True, slots=True)
class Asker:
    """By the name that the newest record has; who only said or gave something has none."""

    person_id: str
    name: str


def askers(connection: Connection) -> tuple[Asker, ...]:
    """Everybody with a record or an event about one, by id."""
    each = _different(entries.c.person_id)
    newest = (
        select(entries.c.person_name)
        .where(entries.c.person_id == each.c.value, entries.c.kind == "answer")
        .order_by(entries.c.sequence.desc())
        .limit(1)
        .scalar_subquery()
    )
    is_theirs = entries.c.kind.not_in(OF_OPERATORS)
    has_any = exists().where(entries.c.person_id == each.c.value, is_theirs)
    rows = connection.execute(select(each.c.value, newest).where(has_any).order_by(each.c.value))
    return tuple(Asker(person, name or "") for person, name in rows)


def channels(connection: Connection) -> dict[str, str]:
    """Every channel with a record, by id, and the name that the newest one has."""
    each = _different(entries.c.channel_id)
    newest = select(func.max(entries.c.sequence)).where(
        entries.c.channel_id == each.c.value, entries.c.kind == "answer"
    )
    numbers = connection.scalars(select(newest.scalar_subquery()).select_from(each)).all()
    return {found.channel_id: found.channel_name for found, _ in read(connection, numbers)}


def _different(column: Any) -> CTE:
    """But the empty one; each is sought after the one before, however many rows have it."""
    least = select(func.min(column).label("value"))
    first = least.where(column > "").cte("each", recursive=True)
    later = least.where(column > first.c.value).scalar_subquery()
    return first.union_all(select(later).where(first.c.value.is_not(None)))


def cited_versions(connection: Connection, document_id: str) -> frozenset[str]:
    beginning = edition(document_id, "")
    said = open_term_index(connection).terms(Terms.beginning(beginning))
    return frozenset(each.removeprefix(beginning) for each in said)


def cited_files(terms: Sequence[str]) -> set[str]:
    """The files that a record cites, by its terms, which have the ids of their documents, too."""
    editions = Terms.beginning(_EDITIONS).among(terms)
    ids = {each.removeprefix(_EDITIONS).partition(BETWEEN)[0] for each in editions}
    named = Terms.beginning(_CITED).among(terms)
    return {each.removeprefix(_CITED) for each in named} - ids


def of_version(said: str, version: str) -> Terms:
    """What a term says that ends with a version: a number whole, else how it begins."""
    return Terms(said) if version.isdecimal() else Terms.beginning(said)


def citing(found: TermIndex, bits: int, what: Meant, version: str) -> int:
    """Of records of which each cites what is meant, those that cite it in a version.

    Under which ids it is kept is read in the newest ones: a file may have been several documents.
    """
    citing, rest = 0, bits
    while ids := _ids(found.connection, list(islice(newest_first(rest), _AT_ONCE)), what):
        for each in ids:
            citing |= found.having(of_version(edition(each, version), version), bits)
            rest &= ~found.having(Terms(term("cited", each)), rest)
    return citing


def _ids(connection: Connection, numbers: list[int], what: Meant) -> set[str]:
    query = select(entries.c.payload).where(entries.c.sequence.in_(numbers))
    return {
        citation["document_id"]
        for payload in connection.scalars(query)
        for claim in json.loads(payload).get("claims", ())
        for citation in claim["citations"]
        if what(citation)
    }


def within_band(found: TermIndex, bits: int, least: int | None, under: int | None) -> int:
    met = 0
    for each in terms_within(least or 0, HUNDREDTHS if under is None else under):
        met |= found.having(each, bits)
    return met


def terms_within(least: int, under: int) -> Iterator[Terms]:
    """What is asked for a band of hundredths, 0 to 100."""
    first, last = -(-least // 10), under // 10
    if first >= last:
        yield from _hundredths(least, under)
        return
    yield from _hundredths(least, 10 * first)
    yield Terms(f"confidence:{first}", f"confidence:{':' if last > 9 else last}")
    yield from _hundredths(10 * last, under)


def _hundredths(least: int, under: int) -> Iterator[Terms]:
    """As text, in which a colon comes behind every digit."""
    if least < under:
        yield Terms(f"sure:{least:02d}", f"sure:{':' if under > 99 else f'{under:02d}'}")
