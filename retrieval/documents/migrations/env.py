"""What Alembic runs for every command: migrate over the connection that it is handed."""

from alembic import context

from retrieval.documents.tables import REVISION_TABLE, LibraryTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=LibraryTable.metadata,
    version_table=REVISION_TABLE,
    transactional_ddl=True,  # a library is brought up as a whole or not at all, on SQLite too
)
with context.begin_transaction():
    context.run_migrations()
