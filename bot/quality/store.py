"""Where runs are kept: in tables of their own, over transactions that somebody else opens."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    Connection,
    Float,
    Integer,
    RowMapping,
    Table,
    Text,
    insert,
    select,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from audit.database import Revisions, Store
from audit.storing.tables import storable
from audit.values import stamp
from bot.errors import QualityUnavailable
from bot.quality.values import Figures, MadeWith, QualityRun, QuestionResult, RankedPlace

REVISION = "0001"
"""The migration that these rows belong to; a test holds it to Alembic's head."""
REVISION_TABLE = "quality_revision"
_Number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER primary key the row's own number."""


class QualityTable(SQLModel, registry=registry()):
    """Base of these tables."""


class RunRow(QualityTable, table=True):
    __tablename__: ClassVar[str] = "quality_run"

    run_id: int | None = Field(default=None, primary_key=True, sa_type=_Number)
    at: str = Field(sa_type=Text, index=True)
    questions: int
    precision_at_5: float | None = Field(sa_type=Float)
    relevant_first_5: float | None = Field(sa_type=Float)
    false_answers: float | None = Field(sa_type=Float)
    coverage: float | None = Field(sa_type=Float)
    citation_precision: float | None = Field(sa_type=Float)
    helped: float | None = Field(sa_type=Float)
    confidence: float | None = Field(sa_type=Float)
    made_with: str = Field(sa_type=Text)
    """A `MadeWith`, as JSON."""


class AskedRow(QualityTable, table=True):
    __tablename__: ClassVar[str] = "quality_asked"

    run_id: int = Field(primary_key=True, sa_type=_Number)
    ordinal: int = Field(primary_key=True)
    question_id: str = Field(sa_type=Text)
    question: str = Field(sa_type=Text)
    label: str = Field(sa_type=Text)
    has_answer: bool
    has_gold: bool
    decision: str = Field(sa_type=Text)
    cites_gold: bool
    ranked: str = Field(sa_type=Text)
    """Relevance and whether it is relevant, of each of the first ten, as JSON."""
    attainable: int
    confidence: float | None = Field(sa_type=Float)
    failure: str = Field(sa_type=Text)


runs: Table = QualityTable.metadata.tables["quality_run"]
asked: Table = QualityTable.metadata.tables["quality_asked"]


REVISIONS = Revisions(
    Store(
        name="What is kept of earlier quality runs,",
        url="VOUCH_INBOX_URL",
        unavailable=QualityUnavailable,
        damaged=QualityUnavailable,
        repair="Stop the bot and restore them from a backup",
    ),
    Path(__file__).parent / "migrations" / "versions",
    REVISION_TABLE,
    REVISION,
)
Transaction = Callable[[], AbstractContextManager[Connection]]
"""Commits at its end; turns the driver's errors into ours."""


class QualityRuns:
    def __init__(self, transaction: Transaction) -> None:
        """Make the tables, or bring them up. Raise `QualityUnavailable` for newer ones."""
        self._transaction = transaction
        with transaction() as connection:
            REVISIONS.bring_up(connection)

    def add(self, run: QualityRun) -> None:
        values = {
            "at": stamp(run.at),
            **asdict(run.figures),
            "made_with": json.dumps(asdict(run.made_with)),
        }
        with self._transaction() as connection:
            added = connection.execute(insert(runs).values(values)).inserted_primary_key
            number = added[0] if added else None
            rows = [
                _row(each) | {"run_id": number, "ordinal": n} for n, each in enumerate(run.asked)
            ]
            if rows:
                connection.execute(insert(asked), rows)

    def all(self) -> list[QualityRun]:
        with self._transaction() as connection:
            kept = connection.execute(select(runs).order_by(runs.c.at, runs.c.run_id))
            found: dict[int, tuple[RowMapping, list[QuestionResult]]] = {
                row["run_id"]: (row, []) for row in kept.mappings()
            }
            order = asked.c.run_id, asked.c.ordinal
            for row in connection.execute(select(asked).order_by(*order)).mappings():
                found[row["run_id"]][1].append(_asked(row))
        return [_run(row, questions) for row, questions in found.values()]


def _row(each: QuestionResult) -> dict[str, Any]:
    return asdict(each) | {
        "question_id": storable(each.question_id),
        "question": storable(each.question),
        "failure": storable(each.failure),
        "ranked": json.dumps([[place.relevance, place.relevant] for place in each.ranked]),
    }


def _asked(row: RowMapping) -> QuestionResult:
    values = {name: row[name] for name in QuestionResult.__slots__ if name != "ranked"}
    ranked = tuple(RankedPlace(*place) for place in json.loads(row["ranked"]))
    return QuestionResult(**values, ranked=ranked)


def _run(row: RowMapping, questions: list[QuestionResult]) -> QualityRun:
    return QualityRun(
        datetime.fromisoformat(row["at"]),
        Figures(**{name: row[name] for name in Figures.__slots__}),
        MadeWith(**json.loads(row["made_with"])),
        tuple(questions),
    )
