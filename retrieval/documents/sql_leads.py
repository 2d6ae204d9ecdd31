"""What a library in a SQL database keeps of that which a language model wrote."""

import json
from collections.abc import Collection

from sqlalchemy import delete, insert, select, tuple_, update

from retrieval.documents.kept_leads import NOT_YET, LeadKey, LeadTexts
from retrieval.documents.sql_base import SqlBase, in_runs
from retrieval.documents.tables import leads
from retrieval.ports import EntryKind

_KEY = tuple_(leads.c.document_id, leads.c.content_hash)


class SqlLeads(SqlBase):
    """It implements `KeptLeads`."""

    def written(self, made_by: str, keys: Collection[LeadKey]) -> dict[LeadKey, LeadTexts]:
        """Return what was written; what was never, or could not be, is left out."""
        mine = leads.c.made_by == made_by, leads.c.texts.is_not(None)
        query = select(leads.c.document_id, leads.c.content_hash, leads.c.texts).where(*mine)
        found: dict[LeadKey, LeadTexts] = {}
        with self._database.reading() as connection:
            for some in in_runs(keys):
                for document_id, content_hash, texts in connection.execute(
                    query.where(_KEY.in_(some))
                ):
                    found[document_id, content_hash] = _unpacked(texts)
        return found

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
                chosen = update(leads).where(*written, _KEY.in_(some))
                connection.execute(chosen.values(owed=""))

    def owed(self, made_by: Collection[str]) -> dict[LeadKey, str]:
        """Return all that the index lacks, and why."""
        query = select(leads.c.document_id, leads.c.content_hash, leads.c.owed)
        wanted = leads.c.made_by.in_(made_by), leads.c.owed != ""
        with self._database.reading() as connection:
            rows = connection.execute(query.where(*wanted))
            return {(row.document_id, row.content_hash): row.owed for row in rows}

    def retain_written(self, document_id: str, content_hashes: Collection[str]) -> None:
        """Forget what was written for a document but for passages of these hashes."""
        held = select(leads.c.content_hash).filter_by(document_id=document_id)
        with self._database.writing() as connection:
            gone = set(connection.scalars(held)) - set(content_hashes)
            for some in in_runs(gone):
                mine = delete(leads).filter_by(document_id=document_id)
                connection.execute(mine.where(leads.c.content_hash.in_(some)))


def _unpacked(texts: str) -> LeadTexts:
    return {EntryKind(kind): tuple(said) for kind, said in json.loads(texts).items()}
