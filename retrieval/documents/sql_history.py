"""What a library in a SQL database keeps of versions, and of what writers were shown."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, and_, insert, select, tuple_

from retrieval.documents.holdings import KeptVersion, Parsed
from retrieval.documents.packing import metadata_of, parsed_of
from retrieval.documents.port import VersionKey
from retrieval.documents.sql_base import PASSAGES, SqlBase, folded, in_runs, names_of
from retrieval.documents.tables import contents, passages, shown, versions
from retrieval.types import AccessRule, Passage


class SqlHistory(SqlBase):
    """Versions that stand or stood; a part of `LibraryReader`."""

    def rules_at(self, wanted: Collection[VersionKey]) -> dict[VersionKey, AccessRule]:
        """Return who might read versions in their time; left out is what was not kept."""
        key = tuple_(versions.c.document_id, versions.c.version)
        rules = select(versions.c.document_id, versions.c.version, versions.c.metadata)
        found: dict[VersionKey, AccessRule] = {}
        with self._database.reading() as connection:
            for some in in_runs(_numbered(wanted)):
                chosen = rules.where(key.in_(some), versions.c.metadata != "")
                for document_id, version, metadata in connection.execute(chosen):
                    found[document_id, str(version)] = metadata_of(metadata).access
        return found

    def passages_at(self, wanted: Collection[tuple[str, str, str]]) -> dict[str, Passage]:
        """Return kept passages by their id; wanted are (document id, version, passage id)."""
        key = tuple_(passages.c.document_id, passages.c.version, passages.c.passage_id)
        found: dict[str, Passage] = {}
        with self._database.reading() as connection:
            for some in in_runs(_numbered(wanted)):
                kept = self._read(connection, PASSAGES.where(key.in_(some)))
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

    def documents_named(self, name: str) -> dict[str, str]:
        """Return id and latest file of every document that a name may mean, also of what left."""
        query = select(versions.c.document_id, versions.c.file, versions.c.title)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(versions.c.version)).all()
        latest = {row.document_id: row.file for row in rows}
        meant = [row for row in rows if name in (row.document_id, row.file)]
        meant = meant or [row for row in rows if folded(name) in names_of(row.file, row.title)]
        return {row.document_id: latest[row.document_id] for row in meant}

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


def _is_version(key: VersionKey) -> Any:
    document_id, version = key
    return and_(versions.c.document_id == document_id, versions.c.version == int(version))


def _numbered(keys: Collection[tuple[str, ...]]) -> list[tuple[str | int, ...]]:
    """Versions are numbers in the tables; one that is none was never kept."""
    return [(key[0], int(key[1]), *key[2:]) for key in keys if key[1].isdecimal()]


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
        is_text_kept=row["parsed"] is not None,
    )
