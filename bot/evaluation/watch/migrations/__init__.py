"""The revisions of what is kept of runs; importing this brings in Alembic, so do it late."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from bot.errors import QualityUnavailable


def configuration(connection: Connection) -> Config:
    """Return Alembic's configuration, without an ini file; `connection` is what it works on."""
    config = Config(attributes={"connection": connection})
    folder = str(Path(__file__).parent).replace("%", "%%")  # % is special in ini values
    config.set_main_option("script_location", folder)
    return config


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest revision, in the connection's transaction."""
    try:
        command.upgrade(configuration(connection), "head")
    except CommandError as error:
        raise QualityUnavailable(
            "What is kept of earlier quality runs was made by a newer version of Vouch. Start "
            "that version; nothing in it was changed."
        ) from error
