"""Reading a library in a SQL database."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from sqlalchemy import Connection, RowMapping, Select, and_, func, insert, select, tuple_

from retrieval.documents.database import Database
from retrieval.documents.holdings import Holding, KeptOut, KeptVersion, KnownSource, Parsed
from retrieval.documents.packing import (
    document_of,
    fingerprint_of,
    metadata_of,
    parsed_of,
    passage_of,
    sealed_parts,
)
from retrieval.documents.port import VersionKey
from retrieval.documents.seal import KEY_CHECK, Seal
from retrieval.documents.tables import (
    contents,
    documents,
    kept_out,
    passages,
    shown,
    sources,
    state,
    versions,
)
from retrieval.errors import LibraryUnavailable, PassageChanged
from retrieval.types import AccessRule, Passage

AT_ONCE = 300
"""Keys in one statement, of up to three values each; SQLite's limit was 999 variables for long."""

Key = TypeVar("Key")

CURRENT = and_(
    documents.c.document_id == versions.c.document_id, documents.c.version == versions.c.version
)
_OF_VERSION = and_(
    passages.c.document_id == versions.c.document_id, passages.c.version == versions.c.version
)
_SERVED = documents.c.suspended.is_(False)
_OF_PASSAGES = (
    passages,
    *(versions.c.file, versions.c.title, versions.c.metadata, versions.c.ingested_at),
)
_PASSAGES = select(*_OF_PASSAGES).join(versions, _OF_VERSION)
_SERVED_PASSAGES = _PASSAGES.join(documents, CURRENT).where(_SERVED)
_SERVED_IDS = (
    select(passages.c.passage_id)
    .join(
        documents,
        and_(
            documents.c.document_id == passages.c.document_id,
            documents.c.version == passages.c.version,
        ),
    )
    .where(_SERVED)
)
HOLDINGS = select(
    *(versions.c.document_id, versions.c.version, versions.c.ingested_at, versions.c.title),
    *(versions.c.metadata, documents.c.source, documents.c.file, documents.c.fingerprint),
    documents.c.suspended,
).join(documents, CURRENT)


class SqlLibraryReader:
    """The `LibraryReader` of a database."""

    def __init__(self, url: str, key: bytes) -> None:
        """Open it, made or brought up where need be. Raise `LibraryUnavailable`."""
        self._seal = Seal(key)
        self._database = Database(url, self._seal)
        with self._database.reading() as connection:
            check = connection.scalar(select(state.c.key_check)) or ""
        if not self._seal.holds(check, KEY_CHECK):
            raise LibraryUnavailable(
                "The library was sealed with another key than the one in use. Bring its "
                "library.key back from a backup, or set VOUCH_LIBRARY_KEY to it; where it is "
                "lost, move the library away and ingest your documents again."
            )

    def passages(self, passage_ids: Collection[str]) -> dict[str, Passage]:
        """Return passages by id; an id that is not there is left out."""
        found: dict[str, Passage] = {}
        with self._database.reading() as connection:
            for some in _some(passage_ids):
                query = _SERVED_PASSAGES.where(passages.c.passage_id.in_(some))
                found.update((each.passage_id, each) for each in self._read(connection, query))
        return found

    def neighbours(self, passage: Passage, distance: int) -> list[Passage]:
        """Return up to `distance` passages of its document on each side, in reading order."""
        first, last = passage.ordinal - distance, passage.ordinal + distance
        query = _SERVED_PASSAGES.where(
            passages.c.document_id == passage.document.document_id,
            passages.c.ordinal.between(first, last),
            passages.c.ordinal != passage.ordinal,
        ).order_by(passages.c.ordinal)
        with self._database.reading() as connection:
            return list(self._read(connection, query))

    def all_passages(self) -> Iterator[Passage]:
        """Yield every passage, source by source, file by file, in reading order."""
        order = documents.c.source, documents.c.file, passages.c.ordinal
        with self._database.reading() as connection:
            yield from self._read(connection, _SERVED_PASSAGES.order_by(*order))

    def passage_ids(self) -> frozenset[str]:
        with self._database.reading() as connection:
            return frozenset(connection.scalars(_SERVED_IDS))

    def changes(self) -> int:
        """Return a number that grows with every change of what is served."""
        with self._database.reading() as connection:
            return connection.scalar(select(state.c.changes)) or 0

    def has_expired(self, on: date) -> bool:
        """Tell whether the time of any document is over on a day."""
        over = select(documents.c.document_id).where(_SERVED, documents.c.valid_to < on.isoformat())
        with self._database.reading() as connection:
            return connection.execute(over.limit(1)).first() is not None

    def access_of(self, document_ids: Collection[str]) -> dict[str, AccessRule]:
        """Return who may read documents today; one that has left the library is left out."""
        rules = select(versions.c.document_id, versions.c.metadata).join(documents, CURRENT)
        found: dict[str, AccessRule] = {}
        with self._database.reading() as connection:
            for some in _some(document_ids):
                chosen = rules.where(_SERVED, documents.c.document_id.in_(some))
                for document_id, metadata in connection.execute(chosen):
                    found[document_id] = metadata_of(metadata).access
        return found

    def rules_at(self, wanted: Collection[VersionKey]) -> dict[VersionKey, AccessRule]:
        """Return who might read versions in their time; left out is what was not kept."""
        key = tuple_(versions.c.document_id, versions.c.version)
        rules = select(versions.c.document_id, versions.c.version, versions.c.metadata)
        found: dict[VersionKey, AccessRule] = {}
        with self._database.reading() as connection:
            for some in _some(_numbered(wanted)):
                chosen = rules.where(key.in_(some), versions.c.metadata != "")
                for document_id, version, metadata in connection.execute(chosen):
                    found[document_id, str(version)] = metadata_of(metadata).access
        return found

    def passages_at(self, wanted: Collection[tuple[str, str, str]]) -> dict[str, Passage]:
        """Return kept passages by their id; wanted are (document id, version, passage id)."""
        key = tuple_(passages.c.document_id, passages.c.version, passages.c.passage_id)
        found: dict[str, Passage] = {}
        with self._database.reading() as connection:
            for some in _some(_numbered(wanted)):
                kept = self._read(connection, _PASSAGES.where(key.in_(some)))
                found.update((each.passage_id, each) for each in kept)
        return found

    def history(self, document_id: str) -> list[KeptVersion]:
        """Return a document's versions, the first one first; also of what left or was purged."""
        query = select(versions).where(versions.c.document_id == document_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(versions.c.version)).mappings()
            return [_kept_version(row) for row in rows]

    def original(self, document_id: str, version: str) -> bytes | None:
        """Return the file of a version; None where it is not kept."""
        query = (
            select(contents.c.content)
            .join(versions, versions.c.sha256 == contents.c.sha256)
            .where(_is_version((document_id, version)), versions.c.erased_at.is_(None))
        )
        with self._database.reading() as connection:
            return connection.scalar(query)

    def parsed(self, document_id: str, version: str) -> Parsed | None:
        """Return what a parser made of a version; None where it is not kept."""
        query = select(versions.c.parsed).where(_is_version((document_id, version)))
        with self._database.reading() as connection:
            packed = connection.scalar(query)
        return None if packed is None else parsed_of(packed)

    def shown(self, sha256: str) -> str | None:
        """Return what a writer was shown, by its hash; empty where erased, None if never kept."""
        with self._database.reading() as connection:
            return connection.scalar(select(shown.c.text).where(shown.c.sha256 == sha256))

    def files_like(self, name: str) -> tuple[str, ...]:
        """Return the document whose id or file this is, else every file that may be meant by it.

        A document may be meant by its path, its base name or its title, in any case.
        """
        query = (
            select(documents.c.document_id, documents.c.file, versions.c.title)
            .join(versions, CURRENT)
            .order_by(documents.c.file)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        if any(name in (row["document_id"], row["file"]) for row in rows):
            return (name,)
        like = (row["file"] for row in rows if _folded(name) in _names(row["file"], row["title"]))
        return tuple(dict.fromkeys(like))

    def documents_named(self, name: str) -> dict[str, str]:
        """Return id and latest file of every document that a name may mean, also of what left."""
        query = select(versions.c.document_id, versions.c.file, versions.c.title)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(versions.c.version)).all()
        latest = {row.document_id: row.file for row in rows}
        meant = [row for row in rows if name in (row.document_id, row.file)]
        meant = meant or [row for row in rows if _folded(name) in _names(row.file, row.title)]
        return {row.document_id: latest[row.document_id] for row in meant}

    def shelves_like(self, name: str) -> list[Holding]:
        """Return every document that a name may mean; also suspended ones."""
        held = self._holdings(HOLDINGS)
        exactly = [each for each in held if name in (each.document.document_id, each.document.file)]
        return exactly or [each for each in held if _folded(name) in _names_of(each)]

    def shelves_at(self, path: Path) -> list[Holding]:
        """Return the document of a file of the system, in each source that it was read for."""
        found = []
        for source in self.sources():
            if source.root and path.is_relative_to(source.root):
                file = path.relative_to(source.root).as_posix()
                mine = documents.c.source == source.name, documents.c.file == file
                found += self._holdings(HOLDINGS.where(*mine))
        return found

    def sources(self) -> list[KnownSource]:
        """Return what was ingested, by name."""
        with self._database.reading() as connection:
            rows = connection.execute(select(sources).order_by(sources.c.name)).mappings()
            return [KnownSource(**row) for row in rows]

    def kept_out(self) -> list[KeptOut]:
        """Return all that was kept from everyone when last looked at, by source and file."""
        query = select(kept_out.c.source, kept_out.c.file, kept_out.c.reason)
        order = kept_out.c.source, kept_out.c.file, kept_out.c.number
        with self._database.reading() as connection:
            return [KeptOut(*row) for row in connection.execute(query.order_by(*order))]

    def is_empty(self) -> bool:
        """Tell whether there is no document at all, not even a suspended one."""
        with self._database.reading() as connection:
            return connection.execute(select(documents.c.version).limit(1)).first() is None

    def counts(self) -> Mapping[str, int]:
        """Return how many `documents` and `passages` are served."""
        served = select(func.count()).select_from(documents).where(_SERVED).scalar_subquery()
        held = select(func.count()).select_from(_SERVED_IDS.subquery()).scalar_subquery()
        with self._database.reading() as connection:
            number, of_passages = connection.execute(select(served, held)).one()
        return {"documents": number, "passages": of_passages}

    def broken(self) -> dict[str, str]:
        """Return id and file of each document with a passage that is not as it was stored."""
        query = select(*_OF_PASSAGES).join(versions, _OF_VERSION).join(documents, CURRENT)
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings()
            return {row["document_id"]: row["file"] for row in rows if not self._is_sealed(row)}

    def keep_shown(self, passages: Sequence[Passage]) -> None:
        """Keep what a writer is shown, so that an exchange can be explained; twice is once."""
        rows = {
            each.content_hash: {
                "sha256": each.content_hash,
                "document_id": each.document.document_id,
                "text": each.with_heading,
            }
            for each in passages
        }
        known = select(shown.c.sha256).where(shown.c.sha256.in_(rows))
        with self._database.reading() as connection:
            new = rows.keys() - set(connection.scalars(known))
        if new:
            with self._database.writing() as connection:
                missing = new - set(connection.scalars(known))  # another may have been quicker
                if missing:
                    connection.execute(insert(shown), [rows[sha256] for sha256 in sorted(missing)])

    def _holdings(self, query: Select[Any]) -> list[Holding]:
        order = documents.c.source, documents.c.file
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(*order)).mappings()
            return [holding_of(row) for row in rows]

    def _read(self, connection: Connection, query: Select[Any]) -> Iterator[Passage]:
        for row in connection.execute(query).mappings():
            if not self._is_sealed(row):
                raise PassageChanged(
                    f"A passage of {row['file']} is not as it was stored: somebody changed the "
                    "library behind Vouch's back. Run `vouch check`, then `vouch ingest` on its "
                    "folder, which reads it anew."
                )
            yield passage_of(row)

    def _is_sealed(self, row: RowMapping) -> bool:
        return self._seal.holds(row["seal"], *sealed_parts(row))


def _some(keys: Iterable[Key]) -> Iterator[list[Key]]:
    """Return them in runs that one statement takes."""
    every = list(keys)
    return (every[start : start + AT_ONCE] for start in range(0, len(every), AT_ONCE))


def _is_version(key: VersionKey) -> Any:
    document_id, version = key
    return and_(versions.c.document_id == document_id, versions.c.version == int(version))


def _numbered(keys: Collection[tuple[str, ...]]) -> list[tuple[str | int, ...]]:
    """Versions are numbers in the tables; one that is none was never kept."""
    return [(key[0], int(key[1]), *key[2:]) for key in keys if key[1].isdecimal()]


def holding_of(row: RowMapping) -> Holding:
    fingerprint = fingerprint_of(row["fingerprint"])
    return Holding(row["source"], document_of(row), fingerprint, row["suspended"])


def _kept_version(row: RowMapping) -> KeptVersion:
    removed, erased = row["removed_at"], row["erased_at"]
    return KeptVersion(
        document_id=row["document_id"],
        version=str(row["version"]),
        source=row["source"],
        file=row["file"],
        title=row["title"],
        rule=metadata_of(row["metadata"]).access if row["metadata"] else None,
        sha256=row["sha256"],
        parser=row["parser"],
        ingested_at=datetime.fromisoformat(row["ingested_at"]),
        removed_at=datetime.fromisoformat(removed) if removed else None,
        erased_at=datetime.fromisoformat(erased) if erased else None,
    )


def _names_of(held: Holding) -> frozenset[str]:
    return _names(held.document.file, held.document.title)


def _names(file: str, title: str) -> frozenset[str]:
    return frozenset(map(_folded, (file, PurePosixPath(file).name, title)))


def _folded(name: str) -> str:
    """Without case and spacing, and composed: some systems take an ü in a file's name apart."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())
