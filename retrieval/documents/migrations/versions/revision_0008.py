"""What language models wrote and readers confirmed leads to no passage any more."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Forget both, with what they held."""
    op.drop_table("library_lead")
    op.drop_table("library_learned")
