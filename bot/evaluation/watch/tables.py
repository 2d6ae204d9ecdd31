"""The rows in which runs are kept; their registry and their revision are their own.

They stand in the inbox's database, beside its tables, so that what keeps and backs up the one does
the other. Times are ISO 8601, in UTC and of one width, so that they sort alike on every engine.
"""

from typing import ClassVar

from sqlalchemy import BigInteger, Float, Integer, Table, Text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

REVISION = "0001"
"""The migration that these rows belong to; a test holds it to Alembic's head."""
REVISION_TABLE = "quality_revision"
_Number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER primary key the row's own number."""


class QualityTable(SQLModel, registry=registry()):
    """Base of these tables."""


class RunRow(QualityTable, table=True):
    """A run and its figures."""

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
    """A question of a run, and what became of it."""

    __tablename__: ClassVar[str] = "quality_asked"

    run_id: int = Field(primary_key=True, sa_type=_Number)
    ordinal: int = Field(primary_key=True)
    """Its place in the file of questions."""
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
