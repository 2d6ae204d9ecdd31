"""What a library in a SQL database keeps of earlier versions and of what leads to passages."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, and_, delete, func, insert, select, tuple_, update

from retrieval.documents.holdings import KeptVersion, Parsed
from retrieval.documents.packing import metadata_of, parsed_of
from retrieval.documents.port import (
    NOT_YET,
    LeadKey,
    LeadTexts,
    LearnedKey,
    LearnedQuestion,
    VersionKey,
)
from retrieval.documents.sql_reader import PASSAGES, SqlBase, among, folded, in_runs, names_of
from retrieval.documents.tables import contents, leads, learned, passages, shown, versions
from retrieval.ports import EntryKind
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

    def history(self, document_id: str) -> list[KeptVersion]:
        query = select(versions).where(versions.c.document_id == document_id)
        return [_kept_version(row) for row in self._rows(query.order_by(versions.c.version))]

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


_LEAD_KEY = tuple_(leads.c.document_id, leads.c.content_hash)


class SqlLeads(SqlBase):
    """What language models wrote; `made_by` names a model and its prompt, whose leads are its own.

    A lead is owed from when it is kept until the index has it, so that a kill between loses none.
    """

    def written(self, made_by: str, keys: Collection[LeadKey]) -> dict[LeadKey, LeadTexts]:
        """Return what was written; what was never, or could not be, is left out."""
        mine = leads.c.made_by == made_by, leads.c.texts.is_not(None)
        query = select(leads.c.document_id, leads.c.content_hash, leads.c.texts).where(*mine)
        return {
            (row["document_id"], row["content_hash"]): {
                EntryKind(kind): tuple(said) for kind, said in json.loads(row["texts"]).items()
            }
            for row in self._rows(*among(query, _LEAD_KEY, keys))
        }

    def keep_written(
        self, made_by: str, key: LeadKey, texts: LeadTexts | None, owed: str = NOT_YET
    ) -> None:
        """Keep what was written, or that nothing could be (None), and why the index lacks it."""
        document_id, content_hash = key
        mine = {"document_id": document_id, "content_hash": content_hash, "made_by": made_by}
        packed = None if texts is None else json.dumps({k: list(v) for k, v in texts.items()})
        with self._database.writing() as connection:
            connection.execute(delete(leads).filter_by(**mine))
            connection.execute(insert(leads).values(**mine, texts=packed, owed=owed))

    def settle(self, made_by: Collection[str], keys: Collection[LeadKey]) -> None:
        """Note that the index has what was written; what could not be written stays owed."""
        written = leads.c.made_by.in_(made_by), leads.c.texts.is_not(None)
        with self._database.writing() as connection:
            for some in in_runs(keys):
                chosen = update(leads).where(*written, _LEAD_KEY.in_(some))
                connection.execute(chosen.values(owed=""))

    def owed(self, made_by: Collection[str]) -> dict[LeadKey, str]:
        """Return all that the index lacks, and why."""
        query = select(leads.c.document_id, leads.c.content_hash, leads.c.owed)
        rows = self._rows(query.where(leads.c.made_by.in_(made_by), leads.c.owed != ""))
        return {(row["document_id"], row["content_hash"]): row["owed"] for row in rows}

    def retain_written(self, document_id: str, content_hashes: Collection[str]) -> None:
        """Forget what was written for a document but for passages of these hashes."""
        held = select(leads.c.content_hash).filter_by(document_id=document_id)
        with self._database.writing() as connection:
            gone = set(connection.scalars(held)) - set(content_hashes)
            for some in in_runs(gone):
                mine = delete(leads).filter_by(document_id=document_id)
                connection.execute(mine.where(leads.c.content_hash.in_(some)))


_LEARNED_KEY = tuple_(learned.c.audit_id, learned.c.passage_id)
_COLUMNS = [learned.c[field.name] for field in fields(LearnedQuestion)]


class SqlLearned(SqlBase):
    """Questions of readers; the index follows later, so that a kill between loses nothing."""

    def learned(self, document_ids: Collection[str] | None = None) -> list[LearnedQuestion]:
        """Return what leads to passages; of these documents alone, where they are given."""
        every = select(*_COLUMNS).where(learned.c.leaving.is_(False))
        wanted = among(every, learned.c.document_id, document_ids)
        return [LearnedQuestion(**row) for row in self._rows(*wanted)]

    def learn(self, questions: Iterable[LearnedQuestion]) -> None:
        """Keep that they lead to their passages; one that is kept already is replaced."""
        with self._database.writing() as connection:
            for each in questions:
                mine = {"audit_id": each.audit_id, "passage_id": each.passage_id}
                connection.execute(delete(learned).filter_by(**mine))
                row = {**asdict(each), "leaving": False, "settled": False}
                connection.execute(insert(learned).values(**row))

    def unlearn(self, keys: Collection[LearnedKey]) -> None:
        """Have them lead nowhere any more."""
        with self._database.writing() as connection:
            for some in in_runs(keys):
                chosen = update(learned).where(_LEARNED_KEY.in_(some))
                connection.execute(chosen.values(leaving=True, settled=False))

    def unsettled(self) -> frozenset[str]:
        """Return the passages of which the index has yet to be told what changed."""
        query = select(learned.c.passage_id).where(learned.c.settled.is_(False))
        return frozenset(row["passage_id"] for row in self._rows(query))

    def settle_learned(self, passage_ids: Collection[str]) -> None:
        """Note that the index was told; what leads nowhere is forgotten."""
        with self._database.writing() as connection:
            for some in in_runs(passage_ids):
                told = learned.c.passage_id.in_(some)
                connection.execute(delete(learned).where(told, learned.c.leaving.is_(True)))
                connection.execute(update(learned).where(told).values(settled=True))
