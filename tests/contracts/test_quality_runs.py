"""Quality runs are kept in the inbox's database, on every kind of it, and meet nobody there."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st
from inboxes import NOON, said
from quality_runs import asked, run_of, unanswerable
from sqlalchemy import Engine, text
from sqlmodel import SQLModel

from audit.migrations import configuration
from audit.storing.tables import storable
from bot.errors import QualityUnavailable
from bot.quality.store import REVISION, REVISION_TABLE, REVISIONS, QualityRuns, QualityTable
from bot.quality.values import Figures
from bot.slack.inbox.database import STORE, open_engine
from bot.slack.inbox.store import Inbox
from bot.slack.inbox.tables import METADATA


@pytest.fixture
def engine(inbox_url: str) -> Iterator[Engine]:
    engine = open_engine(STORE.parse(inbox_url))
    yield engine
    engine.dispose()


@pytest.fixture
def runs(engine: Engine) -> QualityRuns:
    return QualityRuns(lambda: STORE.transaction(engine))


def test_runs_read_back_as_they_were_the_oldest_first(runs: QualityRuns, engine: Engine) -> None:
    assert runs.all() == []
    second = run_of(1, asked("a", (2, 5)), unanswerable("b"), asked("a", failure="away"))
    nothing = replace(run_of(2), figures=Figures(0, None, None, None, None, None, None, None))
    first = run_of(0, asked("ü 🦉", confidence=None), settings={"x": None, "y": [1.5, "z"]})
    for each in (second, nothing, first):
        runs.add(each)
    assert runs.all() == [first, second, nothing]
    assert QualityRuns(lambda: STORE.transaction(engine)).all() == runs.all(), "opened anew"


@given(words=st.text())
@settings(max_examples=settings().max_examples // 2)
def test_any_words_are_kept_as_far_as_a_database_holds_them(runs: QualityRuns, words: str) -> None:
    runs.add(run_of(0, asked("a", question=words), settings={words: words}))
    kept = runs.all()[-1]
    assert kept.asked[0].question == storable(words)
    assert kept.made_with.settings == {words: words}


def test_the_inbox_beside_them_works_as_before(runs: QualityRuns, inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        assert inbox.take_in(said(1), NOON).stored
        runs.add(run_of(0, asked("a")))
        assert sum(inbox.counts().values()) == 1
    with Inbox.open(inbox_url) as inbox:
        assert sum(inbox.counts().values()) == 1
    assert len(runs.all()) == 1


def test_the_tables_are_those_that_the_migrations_make(runs: QualityRuns, engine: Engine) -> None:
    def ours(_: object, name: str | None, kind: str, reflected: bool, compared: object) -> bool:
        return kind != "table" or (name or "").startswith("quality_")

    with engine.connect() as connection:
        script = ScriptDirectory.from_config(configuration(REVISIONS, connection))
        assert script.get_current_head() == REVISION
        options = {"version_table": REVISION_TABLE, "include_object": ours}
        found = MigrationContext.configure(connection, opts=options)
        assert found.get_current_revision() == REVISION
        assert compare_metadata(found, QualityTable.metadata) == []


def test_the_tables_are_in_nobody_elses_metadata() -> None:
    mine = QualityTable.metadata.tables.keys()
    assert not mine & (SQLModel.metadata.tables.keys() | METADATA.tables.keys())


def test_what_a_newer_version_kept_is_left_alone(runs: QualityRuns, engine: Engine) -> None:
    runs.add(run_of(0, asked("a")))
    with engine.begin() as connection:
        connection.execute(text("UPDATE quality_revision SET version_num = '9999'"))
    with pytest.raises(QualityUnavailable, match="newer or another version"):
        QualityRuns(lambda: STORE.transaction(engine))
    with engine.begin() as connection:
        connection.execute(text("UPDATE quality_revision SET version_num = '0001'"))
    assert len(QualityRuns(lambda: STORE.transaction(engine)).all()) == 1
