"""A library in a SQL database, as it is read: the documents that are served today."""

import unicodedata
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, RowMapping, Select, Table, and_, func, insert, select, tuple_

from retrieval.documents.database import KEY_CHECK, Database, Seal
from retrieval.documents.holdings import (
    Holding,
    KeptOut,
    KnownSource,
    Parsed,
    SourceTimes,
    StoredVersion,
)
from retrieval.documents.packing import (
    document_of,
    fingerprint_of,
    metadata_of,
    parsed_of,
    passage_of,
    readers_of,
    sealed_parts,
)
from retrieval.documents.port import VersionKey
from retrieval.documents.tables import (
    changed,
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
from retrieval.metadata.access import Audience
from retrieval.types import AccessRule, Passage

AT_ONCE = 300
"""Keys in one statement, of up to three values each; SQLite's limit was 999 variables for long."""
Key = TypeVar("Key")


def _same_version(one: Table, other: Table) -> ColumnElement[bool]:
    return and_(one.c.document_id == other.c.document_id, one.c.version == other.c.version)


CURRENT = _same_version(documents, versions)
OF_VERSION = _same_version(passages, versions)
OF_PASSAGES = (
    passages,
    *(versions.c.file, versions.c.title, versions.c.metadata, versions.c.ingested_at),
)
PASSAGES = select(*OF_PASSAGES).join(versions, OF_VERSION)


class SqlBase:
    """A database, and the seals of what stands in it."""

    def __init__(self, url: str, *keys: bytes) -> None:
        """The first of `keys` seals a new library. Raise `LibraryUnavailable`."""
        self._database = Database(url, Seal(keys[0]))
        with self._database.reading() as connection:
            check = connection.scalar(select(state.c.key_check)) or ""
        opening = (seal for seal in map(Seal, keys) if seal.holds(check, KEY_CHECK))
        self._seal = next(opening, Seal(b""))
        if not self._seal.key:
            raise LibraryUnavailable(
                "The library was sealed with another key than the one in use. Bring its "
                "library.key back from a backup, or set VOUCH_LIBRARY_KEY to it; where it is "
                "lost, move the library away and ingest your documents again."
            )

    @property
    def key(self) -> bytes:
        return self._seal.key

    def _scalar(self, query: Select[Key]) -> Key | None:
        with self._database.reading() as connection:
            return connection.scalar(query)

    def _rows(self, *queries: Select[Any]) -> Generator[RowMapping, None, None]:
        """The rows of one query after the other, in one transaction."""
        with self._database.reading() as connection:
            for query in queries:
                yield from connection.execute(query).mappings()

    def _read(self, *queries: Select[Any]) -> Iterator[Passage]:
        with closing(self._rows(*queries)) as rows:
            for row in rows:
                if not self._is_sealed(row):
                    raise PassageChanged(
                        f"A passage of {row['file']} is not as it was stored: somebody changed the "
                        "library behind Vouch's back. Run `vouch check`, then `vouch ingest "
                        "--seals` on its folder, which reads it anew."
                    )
                yield passage_of(row)

    def _is_sealed(self, row: RowMapping) -> bool:
        return self._seal.holds(row["seal"], *sealed_parts(row))


def in_runs(keys: Iterable[Key]) -> Iterator[list[Key]]:
    """Return them in runs that one statement takes."""
    every = list(keys)
    return (every[start : start + AT_ONCE] for start in range(0, len(every), AT_ONCE))


def among(
    query: Select[Any], column: ColumnElement[Any], keys: Iterable[Any] | None
) -> list[Select[Any]]:
    """The query for the rows with one of these keys, in runs; for all rows where they are None."""
    if keys is None:
        return [query]
    return [query.where(column.in_(some)) for some in in_runs(keys)]


def names_of(file: str, title: str) -> frozenset[str]:
    return frozenset(map(folded, (file, PurePosixPath(file).name, title)))


def folded(name: str) -> str:
    """Without case and spacing, and composed: some systems take an ü in a file's name apart."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


_SERVED = documents.c.suspended.is_(False)
_SERVED_PASSAGES = PASSAGES.join(documents, CURRENT).where(_SERVED)
_SERVED_IDS = (
    select(passages.c.passage_id).join(documents, _same_version(documents, passages)).where(_SERVED)
)
HOLDINGS = select(
    *(versions.c.document_id, versions.c.version, versions.c.ingested_at, versions.c.title),
    *(versions.c.metadata, documents.c.source, documents.c.file, documents.c.fingerprint),
    documents.c.suspended,
).join(documents, CURRENT)


class SqlReader(SqlBase):
    """The documents that stand in a library today; a part of `LibraryReader`, which says more."""

    def passages(self, passage_ids: Collection[str]) -> dict[str, Passage]:
        wanted = among(_SERVED_PASSAGES, passages.c.passage_id, passage_ids)
        return {each.passage_id: each for each in self._read(*wanted)}

    def neighbours(self, passage: Passage, distance: int) -> list[Passage]:
        first, last = passage.ordinal - distance, passage.ordinal + distance
        query = _SERVED_PASSAGES.where(
            passages.c.document_id == passage.document.document_id,
            passages.c.ordinal.between(first, last),
            passages.c.ordinal != passage.ordinal,
        ).order_by(passages.c.ordinal)
        return list(self._read(query))

    def first_passages(self, document_ids: Collection[str]) -> dict[str, Passage]:
        begins = _SERVED_PASSAGES.where(passages.c.ordinal == 0)
        wanted = among(begins, passages.c.document_id, document_ids)
        return {each.document.document_id: each for each in self._read(*wanted)}

    def with_passages(self, document_ids: Collection[str]) -> frozenset[str]:
        begin = select(passages.c.document_id).join(documents, _same_version(documents, passages))
        begin = begin.where(_SERVED, passages.c.ordinal == 0)
        wanted = among(begin, passages.c.document_id, document_ids)
        return frozenset(row["document_id"] for row in self._rows(*wanted))

    def all_passages(self) -> Iterator[Passage]:
        order = documents.c.source, documents.c.file, passages.c.ordinal
        return self._read(_SERVED_PASSAGES.order_by(*order))

    def passage_ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        wanted = among(_SERVED_IDS, documents.c.document_id, document_ids)
        return frozenset(row["passage_id"] for row in self._rows(*wanted))

    def changes(self) -> int:
        return self._scalar(select(state.c.changes)) or 0

    def changed_since(self, change: int) -> frozenset[str]:
        query = select(changed.c.document_id).where(changed.c.change > change)
        return frozenset(row["document_id"] for row in self._rows(query))

    def library_id(self) -> str:
        return str(self._scalar(select(state.c.library_id)))

    def has_expired(self, on: date) -> bool:
        over = select(documents.c.document_id).where(_SERVED, documents.c.valid_to < on.isoformat())
        return self._scalar(over.limit(1)) is not None

    def access_of(self, document_ids: Collection[str]) -> dict[str, AccessRule]:
        rules = select(versions.c.document_id, versions.c.metadata).join(documents, CURRENT)
        rows = self._rows(*among(rules.where(_SERVED), documents.c.document_id, document_ids))
        return {row["document_id"]: metadata_of(row["metadata"]).access for row in rows}

    def holdings_like(self, name: str) -> list[Holding]:
        held = self._holdings(HOLDINGS)
        exactly = [each for each in held if name in (each.document.document_id, each.document.file)]
        return exactly or [
            each
            for each in held
            if folded(name) in names_of(each.document.file, each.document.title)
        ]

    def holdings_at(self, path: Path) -> list[Holding]:
        found = []
        for source in self.sources():
            if source.root and path.is_relative_to(source.root):
                file = path.relative_to(source.root).as_posix()
                mine = documents.c.source == source.name, documents.c.file == file
                found += self._holdings(HOLDINGS.where(*mine))
        return found

    def sources(self) -> list[KnownSource]:
        return [
            KnownSource(
                row["name"], row["root"], row["whole"], *self._readers(row), row["url"] or ""
            )
            for row in self._rows(select(sources).order_by(sources.c.name))
        ]

    def _readers(self, row: RowMapping) -> tuple[Audience | None, Audience | None]:
        """Who may read a source; nobody said it where it is not as it was said."""
        name, readers = row["name"], row["readers"] or ""
        is_as_said = self._seal.holds(row["readers_seal"] or "", name, readers)
        return readers_of(readers) if is_as_said else (None, None)

    def source_times(self) -> list[SourceTimes]:
        came = func.max(versions.c.ingested_at).label("came")
        left = func.max(versions.c.removed_at).label("left")
        query = (
            select(sources.c.name, sources.c.read_at, came, left)
            .outerjoin(versions, versions.c.source == sources.c.name)
            .group_by(sources.c.name, sources.c.read_at)
        )
        return [
            SourceTimes(
                row["name"],
                _time(row["read_at"]),
                _time(max(filter(None, (row["came"], row["left"])), default=None)),
            )
            for row in self._rows(query.order_by(sources.c.name))
        ]

    def kept_out(self) -> list[KeptOut]:
        query = select(kept_out)
        order = kept_out.c.source, kept_out.c.file, kept_out.c.number
        return [
            KeptOut(
                row["source"],
                row["file"],
                row["reason"],
                fingerprint_of(row["fingerprint"]) if row["fingerprint"] else None,
            )
            for row in self._rows(query.order_by(*order))
        ]

    def is_empty(self) -> bool:
        return self._scalar(select(documents.c.version).limit(1)) is None

    def files(self, but: Collection[str] = ()) -> frozenset[str]:
        served = select(documents.c.file).where(_SERVED, documents.c.source.not_in(but))
        return frozenset(row["file"] for row in self._rows(served))

    def counts(self) -> Mapping[str, int]:
        served = select(func.count()).select_from(documents).where(_SERVED).scalar_subquery()
        held = select(func.count()).select_from(_SERVED_IDS.subquery()).scalar_subquery()
        counted = select(served.label("documents"), held.label("passages"))
        [row] = self._rows(counted)
        return dict(row)

    def broken(self, document_ids: Collection[str] | None = None) -> dict[str, str]:
        every = select(*OF_PASSAGES).join(versions, OF_VERSION).join(documents, CURRENT)
        rows = self._rows(*among(every, documents.c.document_id, document_ids))
        return {row["document_id"]: row["file"] for row in rows if not self._is_sealed(row)}

    def _holdings(self, query: Select[Any]) -> list[Holding]:
        order = documents.c.source, documents.c.file
        return [
            Holding(
                row["source"],
                document_of(row),
                fingerprint_of(row["fingerprint"]),
                row["suspended"],
            )
            for row in self._rows(query.order_by(*order))
        ]


def _time(stated: str | None) -> datetime | None:
    return datetime.fromisoformat(stated) if stated else None


class SqlHistory(SqlBase):
    """Versions that stand or stood; a part of `LibraryReader`, which says more."""

    def rules_at(self, wanted: Collection[VersionKey]) -> dict[VersionKey, AccessRule]:
        key = tuple_(versions.c.document_id, versions.c.version)
        rules = select(versions.c.document_id, versions.c.version, versions.c.metadata)
        rows = self._rows(*among(rules.where(versions.c.metadata != ""), key, _numbered(wanted)))
        return {
            (row["document_id"], str(row["version"])): metadata_of(row["metadata"]).access
            for row in rows
        }

    def passages_at(self, wanted: Collection[tuple[str, str, str]]) -> dict[str, Passage]:
        key = tuple_(passages.c.document_id, passages.c.version, passages.c.passage_id)
        kept = self._read(*among(PASSAGES, key, _numbered(wanted)))
        return {each.passage_id: each for each in kept}

    def history(self, document_id: str) -> list[StoredVersion]:
        query = select(versions).where(versions.c.document_id == document_id)
        return [_stored_version(row) for row in self._rows(query.order_by(versions.c.version))]

    def replaced_since(self, when: datetime) -> dict[str, datetime]:
        changed = func.max(func.coalesce(versions.c.removed_at, versions.c.ingested_at))
        is_new = and_(func.count() == 1, func.max(versions.c.removed_at).is_(None))
        query = select(versions.c.document_id, changed.label("at")).group_by(versions.c.document_id)
        rows = self._rows(query.having(changed >= when.isoformat(), ~is_new))
        return {row["document_id"]: datetime.fromisoformat(row["at"]) for row in rows}

    def original(self, document_id: str, version: str) -> bytes | None:
        query = (
            select(contents.c.content)
            .join(versions, versions.c.sha256 == contents.c.sha256)
            .where(_is_version((document_id, version)), versions.c.erased_at.is_(None))
        )
        return self._scalar(query)

    def parsed(self, document_id: str, version: str) -> Parsed | None:
        packed = self._scalar(select(versions.c.parsed).where(_is_version((document_id, version))))
        return None if packed is None else parsed_of(packed)

    def shown(self, sha256: str) -> str | None:
        return self._scalar(select(shown.c.text).where(shown.c.sha256 == sha256))

    def documents_named(self, name: str) -> dict[str, str]:
        query = select(versions.c.document_id, versions.c.file, versions.c.title)
        rows = list(self._rows(query.order_by(versions.c.version)))
        latest = {row["document_id"]: row["file"] for row in rows}
        meant = [row for row in rows if name in (row["document_id"], row["file"])] or [
            row for row in rows if folded(name) in names_of(row["file"], row["title"])
        ]
        return {row["document_id"]: latest[row["document_id"]] for row in meant}

    def keep_shown(self, passages: Sequence[Passage]) -> None:
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


def _is_version(key: VersionKey) -> Any:
    document_id, version = key
    return and_(versions.c.document_id == document_id, versions.c.version == int(version))


def _numbered(keys: Collection[tuple[str, ...]]) -> list[tuple[str | int, ...]]:
    """Versions are numbers in the tables; one that is none was never kept."""
    return [(key[0], int(key[1]), *key[2:]) for key in keys if key[1].isdecimal()]


def _stored_version(row: RowMapping) -> StoredVersion:
    removed, erased = row["removed_at"], row["erased_at"]
    return StoredVersion(
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
        is_text_kept=row["parsed"] is not None,
    )
