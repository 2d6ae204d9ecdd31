"""Records are found by hundredths of their confidence, too: all terms are made anew, as in 0007.

They are filled in afterwards, a block at a time: see `audit.finding.term_index`.
"""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    script = op.get_context().opts["script"]
    script.get_revision(down_revision).module.upgrade()
