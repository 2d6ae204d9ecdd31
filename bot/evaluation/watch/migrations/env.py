"""What Alembic runs for every command: migrate over the connection that it is handed."""

from alembic import context

from bot.evaluation.watch.tables import REVISION_TABLE, QualityTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=QualityTable.metadata,
    version_table=REVISION_TABLE,
    transactional_ddl=True,  # all is brought up as a whole or not at all, on SQLite too
)
with context.begin_transaction():
    context.run_migrations()
