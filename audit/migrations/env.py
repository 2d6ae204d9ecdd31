"""Alembic runs this for every command: it migrates over the connection that it is handed."""

from alembic import context

attributes = context.config.attributes
context.configure(
    connection=attributes["connection"],
    version_table=attributes["table"],
    transactional_ddl=True,  # a store is made as a whole or not at all, on SQLite too
)
with context.begin_transaction():
    context.run_migrations()
