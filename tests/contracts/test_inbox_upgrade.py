"""An inbox of an earlier version is brought up in place; one that is not understood is left."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from inboxes import NOON, at, said
from sqlalchemy import Connection, create_engine, inspect, text

from audit.migrations import configuration
from bot.access.people import UNLISTED
from bot.errors import InboxUnavailable
from bot.slack.exchange import Exchange, Incoming, Stage
from bot.slack.inbox.database import REVISIONS
from bot.slack.inbox.store import Inbox
from bot.slack.inbox.tables import METADATA, REVISION, REVISION_TABLE
from bot.slack.steps.answering import channel_that_counts

V_0_2_0, UNSTATED = "0_2_0", "before_migrations"
Load = Callable[[str], None]
WAITING = {"How many keys do we have?", "Who waters the plants?", "Wann ist Schluss? 🦉"}
OPEN = """
import sys
from bot.slack.inbox.store import Inbox
with Inbox.open(sys.argv[1]) as inbox:
    print(sum(inbox.counts().values()), "alembic" in sys.modules)
"""


@contextmanager
def database(url: str) -> Iterator[Connection]:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def waiting(inbox: Inbox, seconds: float) -> list[Exchange]:
    found = []
    for stage in (Stage.PLACEHOLDER, Stage.ANSWERING):
        while exchange := inbox.claim(stage, at(seconds)):
            found.append(exchange)
    return found


def old(number: int, user: str = "U0ANA") -> Incoming:
    """A message of the day on which the fixtures were made."""
    ts = f"{1_767_268_800 + number}.000100"
    return replace(said(number, user=user, channel="C0GENERAL"), key=f"C0GENERAL:{ts}", ts=ts)


@pytest.mark.parametrize("form", [V_0_2_0, UNSTATED])
def test_what_waits_in_an_old_inbox_still_waits(load: Load, inbox_url: str, form: str) -> None:
    load(form)
    with Inbox.open(inbox_url) as inbox:
        assert sum(inbox.counts().values()) == 4
    with Inbox.open(inbox_url) as inbox:
        by_text = {exchange.asked.text: exchange for exchange in waiting(inbox, 0)}
        assert by_text.keys() == WAITING
        held = by_text["How many keys do we have?"]
        assert (held.stage, held.placeholder) == (Stage.ANSWERING, "1767268811.000200")
        lost = by_text["Who waters the plants?"]
        assert (lost.stage, lost.sending_since is None) == (Stage.PLACEHOLDER, False)
        assert all(exchange.withdrawn_at is None for exchange in by_text.values())
        assert not inbox.take_in(old(1), NOON).stored, "it was answered"
        assert inbox.take_in(said(1), NOON).stored


def test_in_a_channel_that_may_be_shared_an_old_question_is_answered_as_for_guests(
    load: Load, inbox_url: str
) -> None:
    load(V_0_2_0)
    with Inbox.open(inbox_url) as inbox:
        audiences = {each.asked.text: channel_that_counts(each.asked) for each in waiting(inbox, 0)}
    assert audiences == {
        "How many keys do we have?": UNLISTED,
        "Who waters the plants?": UNLISTED,
        "Wann ist Schluss? 🦉": None,
    }


def test_an_inbox_from_between_two_versions_goes_on(load: Load, inbox_url: str) -> None:
    load(V_0_2_0)
    with database(inbox_url) as connection:
        for name in ("shared", "stands_alone"):
            added = f"ALTER TABLE inbox_exchange ADD COLUMN {name} BOOLEAN NOT NULL DEFAULT FALSE"
            connection.execute(text(added))
    with Inbox.open(inbox_url) as inbox:
        found = waiting(inbox, 0)
    assert {exchange.asked.text for exchange in found} == WAITING
    assert not any(exchange.asked.shared for exchange in found), "what it knew stands"


def test_what_an_inbox_remembers_besides_is_kept(load: Load, inbox_url: str) -> None:
    load(UNSTATED)
    with Inbox.open(inbox_url) as inbox:
        assert not inbox.take_in(old(40), NOON).stored, "it was deleted before it came"
        asked = replace(old(49, "U0BEN"), thread="1767268849.000100")
        assert inbox.take_in(asked, NOON).stored
        assert sum(inbox.counts().values()) == 6, "its follow-up, which came first, is there too"
        assert not inbox.take_in(old(50, "U0BEN"), NOON).stored
        due = inbox.stale_messages.take(NOON)
        assert due
        assert (due.what.ts, due.what.exchange_id) == ("1767268805.000300", 1)
        assert inbox.stale_messages.take(NOON) is None


@pytest.mark.parametrize("form", [None, V_0_2_0, UNSTATED])
def test_rows_belong_to_the_newest_migration(load: Load, inbox_url: str, form: str | None) -> None:
    if form:
        load(form)
    Inbox.open(inbox_url).close()
    with database(inbox_url) as connection:
        script = ScriptDirectory.from_config(configuration(REVISIONS, connection))
        assert script.get_current_head() == REVISION
        found = MigrationContext.configure(connection, opts={"version_table": REVISION_TABLE})
        assert found.get_current_revision() == REVISION
        assert compare_metadata(found, METADATA) == []


def test_an_inbox_of_a_newer_version_is_left_alone(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        inbox.take_in(said(1), NOON)
    with database(inbox_url) as connection:
        connection.execute(text("UPDATE inbox_revision SET version_num = '9999'"))
    for _ in range(2):
        with pytest.raises(InboxUnavailable, match="newer or another version"):
            Inbox.open(inbox_url)
    with database(inbox_url) as connection:
        assert connection.scalar(text("SELECT version_num FROM inbox_revision")) == "9999"
        assert connection.scalar(text("SELECT count(*) FROM inbox_exchange")) == 1


@pytest.mark.parametrize("table", METADATA.tables)
def test_an_inbox_of_today_with_an_unknown_column_is_refused(inbox_url: str, table: str) -> None:
    Inbox.open(inbox_url).close()
    with database(inbox_url) as connection:
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN only_for TEXT"))
    with pytest.raises(InboxUnavailable, match="newer or another version"):
        Inbox.open(inbox_url)


@pytest.mark.parametrize("form", [V_0_2_0, UNSTATED])
def test_an_inbox_of_unknown_columns_is_left_alone(load: Load, inbox_url: str, form: str) -> None:
    load(form)
    with database(inbox_url) as connection:
        connection.execute(text("ALTER TABLE inbox_exchange ADD COLUMN only_for TEXT"))
    with pytest.raises(InboxUnavailable, match="newer or another version"):
        Inbox.open(inbox_url)
    with database(inbox_url) as connection:
        assert not inspect(connection).has_table(REVISION_TABLE)


def test_an_upgrade_that_fails_leaves_everything_as_it_was(load: Load, inbox_url: str) -> None:
    load(V_0_2_0)
    with database(inbox_url) as connection:
        connection.execute(text("CREATE TABLE in_the_way (id INTEGER)"))
        connection.execute(text("CREATE INDEX inbox_overheard_conversation ON in_the_way (id)"))
        before = inspect(connection).get_columns("inbox_exchange")
    with pytest.raises(InboxUnavailable, match="already exists"):
        Inbox.open(inbox_url)
    with database(inbox_url) as connection:
        after = inspect(connection).get_columns("inbox_exchange")
        assert [column["name"] for column in after] == [column["name"] for column in before]
        assert not inspect(connection).has_table(REVISION_TABLE)
        connection.execute(text("DROP TABLE in_the_way"))
    with Inbox.open(inbox_url) as inbox:
        assert {exchange.asked.text for exchange in waiting(inbox, 0)} == WAITING


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("form", [None, V_0_2_0])
def test_several_processes_may_start_at_once(load: Load, inbox_url: str, form: str | None) -> None:
    """On SQLite the file belongs to one of them, and the others say so."""
    if form:
        load(form)
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, inbox_url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    said_by = [program.communicate() for program in programs]
    stored = "4" if form else "0"
    opened = [out.split()[0] for out, _ in said_by if out]
    refused = [error for out, error in said_by if not out]
    assert opened
    assert set(opened) == {stored}
    assert not refused or inbox_url.startswith("sqlite")
    assert all("is in use by another Vouch" in error for error in refused)


@pytest.mark.slow
def test_an_inbox_of_today_opens_without_alembic(inbox_url: str) -> None:
    Inbox.open(inbox_url).close()
    command = [sys.executable, "-c", OPEN, inbox_url]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "0 False\n"
