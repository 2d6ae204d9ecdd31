"""The databases that every inbox is held to, and things to put into it.

PYTEST_DONT_REWRITE: it is a plugin that tests also import names from.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg
import pytest
from audit_stores import PostgresqlServer
from sqlalchemy import make_url

from bot.slack.exchange import Exchange, Incoming, Intent, Stage
from bot.slack.inbox.database import STORE, open_engine
from bot.slack.inbox.store import Inbox

FORMS = Path(__file__).parents[1] / "fixtures" / "inboxes"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def said(
    number: int,
    *,
    user: str = "U1",
    thread: str = "",
    channel: str = "C1",
    private: bool = False,
    text: str = "",
    kind: Intent = Intent.QUESTION,
) -> Incoming:
    ts = f"{1_700_000_000 + number}.000100"
    return Incoming(
        key=f"{channel}:{ts}",
        text=text or f"question {number}",
        user=user,
        channel=channel,
        private=private,
        thread=thread or ("" if private else ts),
        ts=ts,
        kind=kind,
    )


def claimed(inbox: Inbox, stage: Stage, seconds: float = 0) -> Exchange:
    exchange = inbox.claim(stage, at(seconds))
    assert exchange is not None
    return exchange


def finish(inbox: Inbox, stage: Stage, seconds: float = 0) -> None:
    """Have done with whatever has its turn at a stage."""
    inbox.save(replace(claimed(inbox, stage, seconds), stage=Stage.DONE))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def inbox_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'inbox.sqlite'}"
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.new_database().url


def fill(url: str, form: str) -> None:
    """Put there what an earlier version left: a file of `tests/fixtures/inboxes`, by name."""
    parsed = make_url(url)
    kind = parsed.get_backend_name()
    script = (FORMS / f"{form}.{kind}.sql").read_text(encoding="utf-8")
    if kind == "sqlite":
        with closing(sqlite3.connect(parsed.database or "")) as connection:
            connection.executescript(script)
    else:
        with psycopg.connect(url) as server:
            server.execute(script.encode())


@pytest.fixture
def load(inbox_url: str) -> Callable[[str], None]:
    return partial(fill, inbox_url)


@pytest.fixture
def inbox(inbox_url: str) -> Iterator[Inbox]:
    with Inbox.open(inbox_url) as inbox:
        yield inbox


@pytest.fixture
def another(inbox: Inbox, inbox_url: str) -> Iterator[Inbox]:
    """The same inbox, as another process has it; of a file without the lock that forbids that."""
    with Inbox(open_engine(STORE.parse(inbox_url)), None) as another:
        yield another
