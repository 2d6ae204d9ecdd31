"""Whether a store can be written is tried, within seconds and without leaving anything."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from audit_stores import PostgresqlServer
from psycopg import sql

from audit.errors import AuditUnavailable
from audit.log import open_writer
from audit.storing.store import demand_writable
from bot.errors import InboxUnavailable
from bot.slack.inbox import database as inbox_database
from bot.slack.inbox.store import Inbox

NOBODY = 65_534
SOON = 20
"""Seconds; those who write wait for thirty."""


@dataclass(frozen=True)
class Store:
    """The audit store or the inbox, made and closed."""

    url: str
    try_it: Callable[[str], None]
    table: str
    turn: int
    error: type[Exception]

    @property
    def path(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))

    def refusal(self) -> str:
        with pytest.raises(self.error) as refused:
            self.try_it(self.url)
        return str(refused.value)


def made(kind: str, url: str) -> Store:
    if kind == "audit":
        open_writer(url).close()
        return Store(url, demand_writable, "audit_entry", 0x766F756368, AuditUnavailable)
    Inbox.open(url).close()
    check = inbox_database.demand_writable
    return Store(url, check, "inbox_exchange", 0x696E626F78, InboxUnavailable)


@pytest.fixture(params=["audit", "inbox"])
def file(request: pytest.FixtureRequest) -> Iterator[Store]:
    """In a folder that others may enter, unlike those that pytest makes."""
    folder = Path(tempfile.mkdtemp(prefix="vouch-writable-"))
    folder.chmod(0o777)
    yield made(request.param, f"sqlite:///{folder / 'store.sqlite'}")
    shutil.rmtree(folder)


@pytest.fixture(params=["audit", "inbox"])
def server(request: pytest.FixtureRequest, postgresql: PostgresqlServer) -> Store:
    return made(request.param, postgresql.new_database().url)


@contextmanager
def somebody_with_few_rights() -> Iterator[None]:
    """Root may write what nobody may."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_file_that_can_be_written_stays_as_it_is(file: Store) -> None:
    before = file.path.read_bytes(), sorted(file.path.parent.iterdir())
    file.try_it(file.url)
    assert (file.path.read_bytes(), sorted(file.path.parent.iterdir())) == before


@pytest.mark.timeout(SOON)
def test_a_file_that_another_program_keeps_locked_is_told_soon(file: Store) -> None:
    other = sqlite3.connect(file.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "locked" in file.refusal()
    other.close()
    file.try_it(file.url)


def test_a_file_that_may_only_be_read_is_told(file: Store) -> None:
    file.path.chmod(0o444)
    with somebody_with_few_rights():
        assert "write" in file.refusal()


def test_a_folder_that_may_only_be_read_is_told(file: Store) -> None:
    for each in file.path.parent.iterdir():
        each.chmod(0o666)
    file.path.parent.chmod(0o555)
    with somebody_with_few_rights():
        assert "denied" in file.refusal()


def test_a_file_that_is_gone_is_told_and_not_made(file: Store) -> None:
    file.path.unlink()
    file.refusal()
    assert not file.path.exists()


@pytest.mark.server
def test_a_server_that_can_be_written_stays_as_it_is(server: Store) -> None:
    server.try_it(server.url)
    with psycopg.connect(server.url) as connection:
        query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(server.table))
        count = connection.execute(query).fetchone()
    assert count == (0,)


@pytest.mark.server
@pytest.mark.timeout(SOON, func_only=True)
def test_a_server_on_which_another_keeps_the_turn_is_told_soon(server: Store) -> None:
    with psycopg.connect(server.url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [server.turn])
        assert "lock" in server.refusal()
    server.try_it(server.url)


@pytest.mark.server
def test_a_server_that_is_read_only_is_told(server: Store) -> None:
    with psycopg.connect(server.url, autocommit=True) as admin:
        name = admin.info.dbname
        admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    assert "read-only" in server.refusal()
