"""Who asked, and which documents were cited: what a query can ask for by name.

Read from the store itself, so that people and documents are found that left since. Of each only
the newest entry is read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from audit.tables import cited, entries


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
