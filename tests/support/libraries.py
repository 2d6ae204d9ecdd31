"""Libraries for tests: SQLite files with a key that is known, and those of a server.

PYTEST_DONT_REWRITE: it is a plugin that tests also import names from.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from audit_stores import PostgresqlServer

from retrieval.documents.sql_library import SqlLibrary

KEY = b"the key of every library in tests"


def url_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'library.sqlite'}"


def library_in(folder: Path) -> SqlLibrary:
    return SqlLibrary(url_in(folder), KEY)


def tampered_with(url: str, statement: str) -> None:
    """Run a statement as somebody would who can write to the database, and has no key."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
            connection.execute(statement)
    else:
        with psycopg.connect(url) as server:
            server.execute(statement.encode())


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def library_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return url_in(tmp_path)
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.new_database().url


@pytest.fixture
def library(library_url: str) -> SqlLibrary:
    return SqlLibrary(library_url, KEY)
