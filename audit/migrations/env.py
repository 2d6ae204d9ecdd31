"""Alembic runs this for every command: it migrates over the connection that it is handed."""

from alembic import context

from audit.tables import REVISION_TABLE, AuditTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=AuditTable.metadata,
    version_table=REVISION_TABLE,
    transactional_ddl=True,  # a store is made as a whole or not at all, on SQLite too
)
with context.begin_transaction():
    context.run_migrations()
