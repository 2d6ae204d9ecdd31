"""The inbox's revisions; importing this brings in Alembic, so do it late."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from bot.slack.inbox_revisions import UnknownForm
from bot.slack.migrations.unstated import recognised


def configuration(connection: Connection) -> Config:
    """Return Alembic's configuration, without an ini file; `connection` is what it works on."""
    config = Config(attributes={"connection": connection})
    folder = str(Path(__file__).parent).replace("%", "%%")  # % is special in ini values
    config.set_main_option("script_location", folder)
    return config


def upgrade(connection: Connection, stated: str | None) -> None:
    """Bring the tables to the newest revision, in the connection's transaction.

    `stated`: the revision that they say they have; None for those that say nothing, whose
    form tells. Raise `UnknownForm` where neither is known here.
    """
    config = configuration(connection)
    unstated = None if stated else recognised(connection)
    try:
        if unstated:
            command.stamp(config, unstated)
        command.upgrade(config, "head")
    except CommandError as error:
        raise UnknownForm from error
