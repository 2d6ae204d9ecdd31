"""Every store's database is brought up by Alembic in one way; importing this is slow."""

import os
from collections.abc import Mapping
from pathlib import Path

from alembic.config import Config
from sqlalchemy import Connection

from audit.database import Revisions


def configuration(
    revisions: Revisions, connection: Connection, attributes: Mapping[str, object] = {}
) -> Config:
    """Alembic's configuration, without an ini file; `connection` is what it works on."""
    config = Config(attributes={"connection": connection, "table": revisions.table, **attributes})
    config.set_main_option("script_location", _escaped(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", _escaped(revisions.scripts))
    return config


def _escaped(folder: Path) -> str:
    return os.fspath(folder).replace("%", "%%")  # % is special in ini values
