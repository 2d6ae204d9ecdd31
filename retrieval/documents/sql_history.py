"""What a library in a SQL database keeps of earlier versions."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, and_, func, insert, select, tuple_

from retrieval.documents.holdings import Parsed, StoredVersion
from retrieval.documents.packing import metadata_of, parsed_of
from retrieval.documents.port import VersionKey
from retrieval.documents.sql_reader import PASSAGES, SqlBase, among, folded, names_of
from retrieval.documents.tables import contents, passages, shown, versions
from retrieval.types import AccessRule, Passage


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
