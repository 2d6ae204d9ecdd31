"""A backup of PostgreSQL databases, restored to a server or to files; and the other way round."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import sample_records
from audit_stores import PASSWORD, PostgresqlServer
from backups import appending, back_up, contents, head_of, parts_of
from inboxes import at, said
from quality_runs import run_of
from vouch_home import LENIENT, Home, write

from audit.log import open_reader, open_writer
from bot.slack.exchange import Stage
from bot.slack.inbox.removals import SKIPPED
from bot.slack.inbox.store import Inbox
from bot.wiring.quality import quality_runs
from retrieval.documents.sql_library import SqlLibrary

pytestmark = pytest.mark.server

KEY = "the key that all of them were given"
LEAVE = "Employees have 28 days of annual leave a year."
QUESTION = "how many days of annual leave do employees have?"
FILES: Mapping[str, str] = {}


def on_server(postgresql: PostgresqlServer) -> dict[str, str]:
    """One database for everything, as an operator may choose."""
    url = postgresql.new_database().url
    return {f"VOUCH_{name}_URL": url for name in ("AUDIT", "LIBRARY", "INBOX")}


def home_on(path: Path, databases: Mapping[str, str]) -> Home:
    return Home(path, {**LENIENT, "VOUCH_LIBRARY_KEY": KEY, **databases})


def audit_url(home: Home) -> str:
    return home.environment.get("VOUCH_AUDIT_URL", f"sqlite:///{home.path / 'audit.sqlite'}")


def inbox_url(home: Home) -> str:
    return home.environment.get("VOUCH_INBOX_URL", f"sqlite:///{home.path / 'inbox.sqlite'}")


def library_of(home: Home) -> SqlLibrary:
    file = f"sqlite:///{home.path / 'library.sqlite'}"
    return SqlLibrary(home.environment.get("VOUCH_LIBRARY_URL", file), KEY.encode())


def in_use(home: Home, docs: Path) -> Home:
    """It has read two versions of a document and answered, and somebody waits for an answer."""
    home.ingest(write(docs, {"staff/leave.md": LEAVE.replace("28", "27")}))
    home.ingest(
        write(docs, {"staff/leave.md": LEAVE, "umlaut-ü.md": "Der Ölstand. \u2028 \U0001f989"})
    )
    home.ask(QUESTION)
    home.ask("what does nobody know?")
    with Inbox.open(inbox_url(home)) as inbox:
        inbox.take_in(said(1), at(0))
    with quality_runs(inbox_url(home)) as runs:
        runs.add(run_of(1))
    return home


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("files", "server"),
        ("server", "files"),
        pytest.param("files", "files", marks=pytest.mark.exhaustive),
        pytest.param("server", "server", marks=pytest.mark.exhaustive),
    ],
)
def test_a_bot_moves_between_files_and_a_server_by_way_of_a_backup(
    tmp_path: Path, postgresql: PostgresqlServer, before: str, after: str
) -> None:
    databases = {"files": FILES, "server": on_server(postgresql)}
    old = in_use(home_on(tmp_path / "old", databases[before]), tmp_path / "docs")
    head, shown = head_of(old), old.ask(QUESTION)
    assert head != head_of(old)
    head = head_of(old)
    back_up(old, tmp_path / "backup.zip")
    assert PASSWORD.encode() not in b"".join(parts_of(tmp_path / "backup.zip").values())
    target = on_server(postgresql) if (before, after) == ("server", "server") else databases[after]
    new = home_on(tmp_path / "new", target)
    new.does("restore", tmp_path / "backup.zip")
    assert head_of(new) == head
    assert new.ask(QUESTION)["claims"] == shown["claims"]
    assert new.record(shown["audit_id"])["question"] == QUESTION
    assert new.vouch("audit", "list", "--text", "annual leave", "--json").json
    with quality_runs(inbox_url(new)) as runs:
        assert [each.figures for each in runs.all()] == [run_of(1).figures]
    ours, theirs = library_of(new), library_of(old)
    assert ours.broken() == {}
    assert ours.library_id() != theirs.library_id(), "each has an index of its own on a server"
    assert ours.passage_ids() == theirs.passage_ids() == new.indexed()
    (document,) = {each.document.document_id for each in ours.holdings("docs").values()} & {
        shown["claims"][0]["citations"][0]["document_id"]
    }
    assert ours.history(document) == theirs.history(document)
    assert len(ours.history(document)) == 2
    with Inbox.open(inbox_url(new)) as inbox:
        assert inbox.counts()[Stage.UNDELIVERABLE] == 1
        inbox.take_in(said(2), at(1))
        claimed = inbox.claim(Stage.PLACEHOLDER, at(2))
        assert claimed is not None
        assert claimed.exchange_id == 2 + SKIPPED
    changed = new.vouch(
        "ingest", "--for=everyone", write(tmp_path / "docs", {"new.md": "# New\n\nA new rule."})
    )
    assert changed.status == 0, changed.said


@pytest.fixture
def served(tmp_path: Path, postgresql: PostgresqlServer) -> Home:
    return in_use(home_on(tmp_path / "old", on_server(postgresql)), tmp_path / "docs")


def test_a_database_that_holds_something_is_not_filled(
    served: Home, tmp_path: Path, postgresql: PostgresqlServer
) -> None:
    back_up(served, tmp_path / "backup.zip")
    target = on_server(postgresql)
    with open_writer(target["VOUCH_AUDIT_URL"]) as writer:
        writer.append(sample_records.a_record())
    new = home_on(tmp_path / "new", target)
    refused = new.calls_wrong("already holds something", "restore", tmp_path / "backup.zip")
    assert "audit.sqlite" in refused.said
    assert not new.path.exists()
    with open_reader(target["VOUCH_AUDIT_URL"]) as reader:
        assert reader.head()[0] == 1


def test_tables_that_are_made_and_empty_are_in_nobodys_way(
    served: Home, tmp_path: Path, postgresql: PostgresqlServer
) -> None:
    back_up(served, tmp_path / "backup.zip")
    new = home_on(tmp_path / "new", on_server(postgresql))
    open_writer(audit_url(new)).close()
    library_of(new)
    Inbox.open(inbox_url(new)).close()
    new.does("restore", tmp_path / "backup.zip")
    assert head_of(new) == head_of(served)


@pytest.mark.exhaustive
def test_where_a_server_fails_in_the_midst_the_home_says_so_and_its_database_stays_empty(
    served: Home, tmp_path: Path, postgresql: PostgresqlServer
) -> None:
    back_up(served, tmp_path / "backup.zip")
    target = on_server(postgresql)
    new = home_on(tmp_path / "new", {"VOUCH_AUDIT_URL": target["VOUCH_AUDIT_URL"]})
    open_writer(audit_url(new)).close()
    with psycopg.connect(target["VOUCH_AUDIT_URL"]) as server:
        server.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no space'; END $$"
        )
        server.execute(
            "CREATE TRIGGER full_disk AFTER INSERT ON audit_entry FOR EACH ROW "
            "WHEN (new.sequence = 2) EXECUTE FUNCTION full_disk()"
        )
    failed = new.refuses("is half restored", "restore", tmp_path / "backup.zip")
    assert PASSWORD not in failed.said
    assert "is half restored" in new.vouch("audit", "verify").said
    with psycopg.connect(target["VOUCH_AUDIT_URL"]) as server:
        assert server.execute("SELECT count(*) FROM audit_entry").fetchone() == (0,)
        server.execute("DROP TRIGGER full_disk ON audit_entry")
        server.execute("DROP FUNCTION full_disk")
    new.does("restore", tmp_path / "backup.zip")
    assert head_of(new) == head_of(served)


def test_a_server_that_is_away_is_said_without_its_password(served: Home, tmp_path: Path) -> None:
    before = contents(served)
    away = {"VOUCH_LIBRARY_URL": f"postgresql://vouch:{PASSWORD}@127.0.0.1:9/nothing"}
    failed = replace(served, environment={**served.environment, **away}).refuses(
        "is not written, and nothing of it is left", "backup", tmp_path / "backup.zip"
    )
    assert PASSWORD not in failed.said
    assert sorted(each.name for each in tmp_path.iterdir()) == ["docs", "old"]
    assert contents(served) == before


def test_a_server_is_backed_up_while_the_bot_answers(served: Home, tmp_path: Path) -> None:
    with appending(audit_url(served)) as busy:
        back_up(served, tmp_path / "backup.zip")
        assert busy.poll() is None
    new = home_on(tmp_path / "new", FILES)
    new.does("restore", tmp_path / "backup.zip")
    with open_reader(audit_url(new)) as reader, open_reader(audit_url(served)) as theirs:
        entries, head = reader.head()
        assert entries > 2
        assert theirs.head()[0] > entries
        assert theirs.verify(head).ok


def test_tables_of_another_version_are_not_read(served: Home, tmp_path: Path) -> None:
    with psycopg.connect(audit_url(served)) as server:
        server.execute("UPDATE inbox_revision SET version_num = '0004'")
    served.refuses("has revision 0004", "backup", tmp_path / "backup.zip")
    assert not (tmp_path / "backup.zip").exists()
