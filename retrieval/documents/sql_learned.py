"""Which questions of readers lead to which passages, in a SQL database."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, fields

from sqlalchemy import delete, insert, select, tuple_, update

from retrieval.documents.learned import LearnedKey, LearnedQuestion
from retrieval.documents.sql_base import SqlBase, in_runs
from retrieval.documents.tables import learned

_KEY = tuple_(learned.c.audit_id, learned.c.passage_id)
_COLUMNS = [learned.c[field.name] for field in fields(LearnedQuestion)]


class SqlLearned(SqlBase):
    """It implements `KeptLearned`."""

    def learned(self, document_ids: Collection[str] | None = None) -> list[LearnedQuestion]:
        """Return what leads to passages; of these documents alone, where they are given."""
        every = select(*_COLUMNS).where(learned.c.leaving.is_(False))
        queries = (
            [every]
            if document_ids is None
            else [every.where(learned.c.document_id.in_(some)) for some in in_runs(document_ids)]
        )
        with self._database.reading() as connection:
            rows = [row for query in queries for row in connection.execute(query).mappings()]
        return [LearnedQuestion(**row) for row in rows]

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
                chosen = update(learned).where(_KEY.in_(some))
                connection.execute(chosen.values(leaving=True, settled=False))

    def unsettled(self) -> frozenset[str]:
        """Return the passages of which the index has yet to be told what changed."""
        query = select(learned.c.passage_id).where(learned.c.settled.is_(False))
        with self._database.reading() as connection:
            return frozenset(connection.scalars(query))

    def settle_learned(self, passage_ids: Collection[str]) -> None:
        """Note that the index was told; what leads nowhere is forgotten."""
        with self._database.writing() as connection:
            for some in in_runs(passage_ids):
                told = learned.c.passage_id.in_(some)
                connection.execute(delete(learned).where(told, learned.c.leaving.is_(True)))
                connection.execute(update(learned).where(told).values(settled=True))
