"""Events are found by their kind among those without a decision, as no event has one."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Put an index in the other's place."""
    op.create_index("audit_entry_kind", "audit_entry", ["decision", "kind", "sequence"])
    op.drop_index("audit_entry_decision", "audit_entry")
