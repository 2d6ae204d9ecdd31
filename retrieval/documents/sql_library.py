"""A library in a SQL database, as it is written."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Table, and_, delete, exists, func, insert, select, update

from retrieval.documents.holdings import (
    UNKNOWN,
    Acquisition,
    Fingerprint,
    Holding,
    KeptOut,
    KnownSource,
    Purge,
)
from retrieval.documents.packing import (
    packed_fingerprint,
    packed_metadata,
    packed_parsed,
    packed_passage,
    packed_readers,
    sealed_parts,
)
from retrieval.documents.port import VersionKey
from retrieval.documents.sql_reader import (
    CURRENT,
    HOLDINGS,
    OF_VERSION,
    SqlHistory,
    SqlReader,
    among,
    in_runs,
)
from retrieval.documents.tables import (
    changed,
    contents,
    documents,
    kept_out,
    passages,
    purged,
    shown,
    sources,
    state,
    versions,
)

ID_DIGITS = 16
"""Hexadecimal digits of a document's id."""


class SqlLibrary(SqlReader, SqlHistory):
    """A library as an ingest writes it, one ingest at a time."""

    def ingest_turn(self, waiting: Callable[[], None]) -> AbstractContextManager[None]:
        """Hold the lock that ingests take in turn; `waiting` is called where another has it."""
        return self._database.ingest_turn(waiting)

    def know(self, source: KnownSource) -> None:
        """Note a source, or where its folder stands now, how it was given and who may read it."""
        readers = packed_readers(source)
        row = {
            "root": source.root,
            "whole": source.whole,
            "url": source.url or None,
            "readers": readers,
            "readers_seal": self._seal.of(source.name, readers),
        }
        with self._database.writing() as connection:
            mine = update(sources).where(sources.c.name == source.name)
            if not connection.execute(mine.values(**row)).rowcount:
                connection.execute(insert(sources).values(name=source.name, **row))

    def note_read(self, name: str, at: datetime) -> None:
        """Note that an ingest read all of a source; one that is not known is left out."""
        with self._database.writing() as connection:
            mine = update(sources).where(sources.c.name == name)
            connection.execute(mine.values(read_at=at.astimezone(UTC).isoformat()))

    def forget_source(self, name: str) -> None:
        """Forget a source that holds nothing any more, with what is kept out of it."""
        holds = exists().where(documents.c.source == name)
        with self._database.writing() as connection:
            if not connection.scalar(select(holds)):
                connection.execute(delete(kept_out).where(kept_out.c.source == name))
                connection.execute(delete(sources).where(sources.c.name == name))

    def past(self, source: str) -> dict[str, set[str]]:
        """Return every path that a document of a source ever had, with the SHA-256 of its bytes."""
        mine = select(versions.c.file, versions.c.sha256).where(versions.c.source == source)
        found: dict[str, set[str]] = {}
        for row in self._rows(mine):
            found.setdefault(row["file"], set()).add(row["sha256"])
        return found

    def holdings(self, source: str) -> dict[str, Holding]:
        held = self._holdings(HOLDINGS.where(documents.c.source == source))
        return {each.document.file: each for each in held}

    def identity(self, source: str, file: str) -> str:
        """Return the id of a document that is, was or will be this file of a source.

        A new one's is made of both, and of a number where another has that id.
        """
        at = versions.c.source == source, versions.c.file == file
        last = select(versions.c.document_id).where(*at).order_by(versions.c.ingested_at.desc())
        with self._database.reading() as connection:
            known = select(documents.c.document_id).filter_by(source=source, file=file)
            if (found := connection.scalar(known)) is not None:
                return str(found)
            ids = connection.scalars(last)
            gone = (each for each in ids if not _holds(connection, documents, each))
            if (found := next(gone, None)) is not None:
                return str(found)
            made = (_new_id(source, file, number) for number in count())
            return next(each for each in made if not _holds(connection, versions, each))

    def next_version(self, document_id: str) -> str:
        """Return the next version: they count from 1 and go on when a document returns."""
        last = select(func.max(versions.c.version)).filter_by(document_id=document_id)
        return str((self._scalar(last) or 0) + 1)

    def store(self, acquisitions: Iterable[Acquisition]) -> None:
        """Put each document's new version in the place of the one before, which is kept."""
        with self._database.writing() as connection:
            stored = []
            for acquisition in acquisitions:
                _leave(connection, acquisition.document.document_id)
                self._insert(connection, acquisition)
                stored.append(acquisition.document.document_id)
            _count_change(connection, stored)

    def rename(self, document_id: str, file: str) -> None:
        """Give a document another path; it is suspended and doubted until it is read there."""
        changes = {
            "file": file,
            "suspended": True,
            "fingerprint": packed_fingerprint(UNKNOWN),
        }
        with self._database.writing() as connection:
            connection.execute(update(documents).filter_by(document_id=document_id).values(changes))
            _count_change(connection, [document_id])

    def touch(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Note that a file was written anew with the same content."""
        self._change([document_id], fingerprint=packed_fingerprint(fingerprint))

    def doubt(self, document_ids: Iterable[str]) -> None:
        """Forget what the files of documents looked like, so that they are read again."""
        self._change(document_ids, fingerprint=packed_fingerprint(UNKNOWN))

    def doubted(self, document_ids: Iterable[str]) -> set[str]:
        """Those that are to be read again, whatever their files look like."""
        unknown = select(documents.c.document_id).filter_by(fingerprint=packed_fingerprint(UNKNOWN))
        runs = among(unknown, documents.c.document_id, document_ids)
        return {row["document_id"] for row in self._rows(*runs)}

    def suspend(self, document_ids: Iterable[str], suspended: bool = True) -> None:
        """Keep documents without serving them, or serve them again as they were."""
        concerned = list(document_ids)
        self._change(concerned, concerned, suspended=suspended)

    def remove(self, document_ids: Iterable[str]) -> None:
        """Let documents leave; their versions are kept."""
        leaving = list(document_ids)
        with self._database.writing() as connection:
            for document_id in leaving:
                _leave(connection, document_id)
            _count_change(connection, leaving)

    def keep_out(self, source: str, replaced: Collection[str], kept: Iterable[KeptOut]) -> None:
        """Note what was kept out of a source, in place of what was noted of these files."""
        rows = [
            {
                "source": each.source,
                "file": each.file,
                "reason": each.reason,
                "fingerprint": each.fingerprint and packed_fingerprint(each.fingerprint),
            }
            for each in kept
        ]
        with self._database.writing() as connection:
            for file in replaced:
                connection.execute(delete(kept_out).filter_by(source=source, file=file))
            if rows:
                connection.execute(insert(kept_out), rows)

    def become_another(self) -> None:
        """Take another `library_id`, as a copy of a library that may still be in use."""
        with self._database.writing() as connection:
            connection.execute(update(state).values(library_id=uuid4().hex))

    def removed_before(self, when: datetime) -> list[VersionKey]:
        """Return versions that left before then and whose text is still kept."""
        has_text = exists().where(OF_VERSION)
        query = select(versions.c.document_id, versions.c.version).where(
            versions.c.removed_at < when.isoformat(), versions.c.parsed.is_not(None) | has_text
        )
        return [(row["document_id"], str(row["version"])) for row in self._rows(query)]

    def forget(self, left: Collection[VersionKey]) -> None:
        """Let go of the text of versions that left, and of bytes that no other one has."""
        with self._database.writing() as connection:
            for document_id, version in left:
                _forget_text(connection, document_id, int(version))

    def purge(self, document_id: str) -> Purge:
        """Erase bytes and text, not hashes. Raise `KeyError` for what was never there."""
        history = self.history(document_id)
        if not history:
            raise KeyError(document_id)
        now = datetime.now(UTC).isoformat()
        with self._database.writing() as connection:
            held = select(func.count()).select_from(passages).filter_by(document_id=document_id)
            erased = connection.scalar(held) or 0
            others = _others_with(connection, document_id, {each.sha256 for each in history})
            _leave(connection, document_id)
            for each in history:
                _forget_text(connection, document_id, int(each.version))
                noted = {"sha256": each.sha256, "purged_at": now}
                _insert_once(connection, purged, "sha256", noted)
            gone = {"title": "", "metadata": "", "erased_at": now}
            connection.execute(update(versions).filter_by(document_id=document_id).values(gone))
            connection.execute(update(shown).filter_by(document_id=document_id).values(text=""))
            _count_change(connection, [document_id])
        self._database.overwrite_deleted()
        return Purge(history[-1].file, len(history), erased, others)

    def purged_at(self, sha256: str) -> str:
        """Return the day on which these bytes were purged; empty where they were not."""
        found = self._scalar(select(purged.c.purged_at).filter_by(sha256=sha256))
        return (found or "")[:10]

    def _change(
        self, document_ids: Iterable[str], concerned: Collection[str] = (), **values: object
    ) -> None:
        with self._database.writing() as connection:
            for document_id in document_ids:
                row = update(documents).filter_by(document_id=document_id)
                connection.execute(row.values(**values))
            _count_change(connection, concerned)

    def _insert(self, connection: Connection, acquisition: Acquisition) -> None:
        document, source = acquisition.document, acquisition.source
        _insert_once(connection, sources, "name", {"name": source, "root": "", "whole": False})
        rule = document.metadata.access
        days = (rule.valid_to, *(last for _, last in rule.over_for))
        ends = min(filter(None, days), default=None)
        connection.execute(
            insert(documents).values(
                document_id=document.document_id,
                source=source,
                file=document.file,
                version=int(document.version),
                suspended=acquisition.suspended,
                valid_to=ends.isoformat() if ends else None,
                fingerprint=packed_fingerprint(acquisition.fingerprint),
            )
        )
        version = {
            "document_id": document.document_id,
            "version": int(document.version),
            "source": source,
            "file": document.file,
            "title": document.title,
            "metadata": packed_metadata(document.metadata),
            "sha256": acquisition.fingerprint.sha256,
            "parser": acquisition.parser,
            "ingested_at": document.ingested_at.isoformat(),
            "parsed": packed_parsed(acquisition.parsed) if acquisition.parsed else None,
        }
        connection.execute(insert(versions).values(**version))
        if acquisition.content is not None:
            kept = {"sha256": acquisition.fingerprint.sha256, "content": acquisition.content}
            _insert_once(connection, contents, "sha256", kept)
        rows = [self._sealed(version, packed_passage(each)) for each in acquisition.passages]
        if rows:
            connection.execute(insert(passages), rows)

    def _sealed(self, version: dict[str, object], passage: dict[str, object]) -> dict[str, object]:
        joined = {**version, **passage}
        return {**passage, "seal": self._seal.of(*sealed_parts(joined))}


def _holds(connection: Connection, table: Table, document_id: str) -> bool:
    query = select(table.c.document_id).filter_by(document_id=document_id)
    return connection.scalar(query.limit(1)) is not None


def _new_id(source: str, file: str, number: int) -> str:
    named = f"{source}\0{file}" + (f"\0{number}" if number else "")
    return hashlib.sha256(named.encode()).hexdigest()[:ID_DIGITS]


def _leave(connection: Connection, document_id: str) -> None:
    """Let a document's version leave, if one stands."""
    connection.execute(delete(documents).filter_by(document_id=document_id))
    stands = and_(versions.c.document_id == document_id, versions.c.removed_at.is_(None))
    now = datetime.now(UTC).isoformat()
    connection.execute(update(versions).where(stands).values(removed_at=now))


def _insert_once(connection: Connection, table: Table, key: str, row: Mapping[str, Any]) -> None:
    known = select(table.c[key]).where(table.c[key] == row[key])
    if connection.scalar(known) is None:
        connection.execute(insert(table).values(**row))


def _forget_text(connection: Connection, document_id: str, version: int) -> None:
    mine = {"document_id": document_id, "version": version}
    connection.execute(delete(passages).filter_by(**mine))
    sha256 = connection.scalar(select(versions.c.sha256).filter_by(**mine))
    connection.execute(update(versions).filter_by(**mine).values(parsed=None))
    others = exists().where(versions.c.sha256 == sha256, versions.c.parsed.is_not(None))
    if not connection.scalar(select(others)):
        connection.execute(delete(contents).filter_by(sha256=sha256))


def _others_with(
    connection: Connection, document_id: str, hashes: Collection[str]
) -> tuple[str, ...]:
    """Return files of documents that stand and have the same bytes."""
    query = (
        select(documents.c.file)
        .join(versions, CURRENT)
        .where(versions.c.sha256.in_(hashes), documents.c.document_id != document_id)
        .order_by(documents.c.file)
    )
    return tuple(connection.scalars(query))


def _count_change(connection: Connection, concerned: Collection[str]) -> None:
    """Count one, and note of which documents other passages are served since."""
    connection.execute(update(state).values(changes=state.c.changes + 1))
    change = connection.scalar(select(state.c.changes))
    rows = [{"document_id": each, "change": change} for each in dict.fromkeys(concerned)]
    for some in in_runs(concerned):
        connection.execute(delete(changed).where(changed.c.document_id.in_(some)))
    if rows:
        connection.execute(insert(changed), rows)
