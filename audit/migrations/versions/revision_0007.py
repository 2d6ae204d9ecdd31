"""What is quoted of sources is found by its sentences: all terms are made anew.

They are filled in afterwards, a block at a time: see `audit.found`.
"""

from alembic import op

from audit.storing.guards import FOUND

revision = "0007"
down_revision = "0006"
_ON_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '{table}'"
_ON_POSTGRESQL = (
    "SELECT tgname, 'ALTER TABLE {table} ENABLE ALWAYS TRIGGER ' || tgname "
    "FROM pg_trigger WHERE tgrelid = '{table}'::regclass AND NOT tgisinternal"
)


def upgrade() -> None:
    """Empty the tables; their guards, which refuse that, stand aside meanwhile."""
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    asked = _ON_SQLITE if on_sqlite else _ON_POSTGRESQL
    aside = "DROP TRIGGER {name}" if on_sqlite else "ALTER TABLE {table} DISABLE TRIGGER {name}"
    empty = "DELETE FROM {table}" if on_sqlite else "TRUNCATE {table}"
    for table in FOUND:
        guards = connection.exec_driver_sql(asked.format(table=table)).all()
        for name, _ in guards:
            connection.exec_driver_sql(aside.format(table=table, name=name))
        connection.exec_driver_sql(empty.format(table=table))
        for _, made in guards:
            connection.exec_driver_sql(made)
