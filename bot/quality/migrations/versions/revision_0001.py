"""The first form: runs, and what became of each question."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables; there is no way down."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "quality_run",
        sa.Column("run_id", number, primary_key=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("precision_at_5", sa.Float()),
        sa.Column("relevant_first_5", sa.Float()),
        sa.Column("false_answers", sa.Float()),
        sa.Column("coverage", sa.Float()),
        sa.Column("citation_precision", sa.Float()),
        sa.Column("helped", sa.Float()),
        sa.Column("confidence", sa.Float()),
        sa.Column("made_with", sa.Text(), nullable=False),
    )
    op.create_index("ix_quality_run_at", "quality_run", ["at"])
    op.create_table(
        "quality_asked",
        sa.Column("run_id", number, primary_key=True, autoincrement=False),
        sa.Column("ordinal", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("has_answer", sa.Boolean(), nullable=False),
        sa.Column("has_gold", sa.Boolean(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("cites_gold", sa.Boolean(), nullable=False),
        sa.Column("ranked", sa.Text(), nullable=False),
        sa.Column("attainable", sa.Integer(), nullable=False),
        sa.Column("confidence", sa.Float()),
        sa.Column("failure", sa.Text(), nullable=False),
    )
