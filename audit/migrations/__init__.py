"""The database has revisions; importing them brings in Alembic, so do it late."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def configuration(connection: Connection) -> Config:
    """Alembic's configuration, without an ini file; `connection` is what it works on."""
    config = Config(attributes={"connection": connection})
    folder = str(Path(__file__).parent).replace("%", "%%")  # % is special in ini values
    config.set_main_option("script_location", folder)
    return config


def upgrade(connection: Connection) -> None:
    """Bring the database to the newest revision, in the connection's transaction."""
    command.upgrade(configuration(connection), "head")
