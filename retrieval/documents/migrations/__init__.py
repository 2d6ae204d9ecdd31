"""The library's revisions; importing this brings in Alembic, so do it late."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from retrieval.documents.seal import Seal
from retrieval.errors import LibraryUnavailable


def configuration(connection: Connection, seal: Seal) -> Config:
    """Return Alembic's configuration, without an ini file; `seal` is for what is brought up."""
    config = Config(attributes={"connection": connection, "seal": seal})
    folder = str(Path(__file__).parent).replace("%", "%%")  # % is special in ini values
    config.set_main_option("script_location", folder)
    return config


def upgrade(connection: Connection, seal: Seal) -> None:
    """Bring the database to the newest revision, in the connection's transaction."""
    try:
        command.upgrade(configuration(connection, seal), "head")
    except CommandError as error:
        raise LibraryUnavailable(
            "The library was made by a newer version of Vouch. Install that version."
        ) from error
