"""${message}"""

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Say here what changes; there is no way down: the store only grows."""
    ${upgrades if upgrades else "pass"}
