"""What Alembic runs for every command: migrate over the connection that it is handed."""

from alembic import context

from bot.slack.inbox_revisions import REVISION_TABLE
from bot.slack.inbox_tables import InboxTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=InboxTable.metadata,
    version_table=REVISION_TABLE,
    transactional_ddl=True,  # an inbox is brought up as a whole or not at all, on SQLite too
)
with context.begin_transaction():
    context.run_migrations()
