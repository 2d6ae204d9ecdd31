"""Two machines answer from one library on a PostgreSQL server; each has an index of its own."""

from pathlib import Path

import pytest
from audit_stores import PASSWORD, PostgresqlServer
from vouch_home import Home

pytestmark = pytest.mark.server

ASKED = "How long is parental leave?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "handbook"
    docs.mkdir()
    (docs / "leave.md").write_text("# Leave\n\nParental leave is 14 weeks, on full pay.\n")
    return docs


@pytest.fixture
def machines(tmp_path: Path, postgresql: PostgresqlServer) -> tuple[Home, Home]:
    shared = {
        "VOUCH_LIBRARY_URL": postgresql.new_database().url,
        "VOUCH_LIBRARY_KEY": "a key that both machines were given",
        "VOUCH_RELEVANCE_THRESHOLD": "0.3",
        "VOUCH_PARTIAL_AT": "0.3",
    }
    return Home(tmp_path / "one", shared), Home(tmp_path / "two", shared)


def test_what_one_machine_reads_the_other_answers_once_its_index_has_it(
    machines: tuple[Home, Home], docs: Path
) -> None:
    one, two = machines
    one.ingest(docs)
    assert one.ask(ASKED)["decision"] != "ABSTAIN"
    two.refuses("1 passages of the library are missing from the index", "ask", ASKED)
    refilled = two.ingest(docs).said
    assert "0 new, 0 changed, 0 gone, 1 unchanged; 1 passages written" in refilled
    assert two.ask(ASKED)["decision"] != "ABSTAIN"


def test_a_folder_that_is_not_there_is_not_taken_for_a_server_that_is_not(
    machines: tuple[Home, Home], tmp_path: Path
) -> None:
    machines[0].refuses("does not exist", "ingest", "--for=everyone", tmp_path / "nowhere")


def test_a_machine_with_another_key_opens_nothing(machines: tuple[Home, Home], docs: Path) -> None:
    one, two = machines
    one.ingest(docs)
    two.refuses(
        "sealed with another key",
        "ask",
        ASKED,
        VOUCH_LIBRARY_KEY="another key, which is as long as that",
    )
    two.refuses("VOUCH_LIBRARY_KEY is too short", "ask", ASKED, VOUCH_LIBRARY_KEY="short")


def test_a_home_that_moves_to_a_server_keeps_its_key_as_its_file_or_as_a_setting_says_it(
    tmp_path: Path, postgresql: PostgresqlServer, docs: Path
) -> None:
    """As docs/operations.md tells it: from one bot to several, by way of a backup."""
    alone = Home(tmp_path / "alone")
    alone.ingest(docs)
    archive = tmp_path / "backup.zip"
    alone.does("backup", archive)
    shared = {
        "VOUCH_LIBRARY_URL": postgresql.new_database().url,
        "VOUCH_LIBRARY_KEY": (alone.path / "library.key").read_text().strip(),
        **alone.environment,
    }
    first, second = Home(tmp_path / "first", shared), Home(tmp_path / "second", shared)
    first.does("restore", archive)
    second.ingest(docs)
    assert [each.ask(ASKED)["decision"] for each in (first, second)] == ["PARTIAL", "PARTIAL"]
    with_key = tmp_path / "with-key.zip"
    first.does("backup", "--with-key", with_key)
    again = Home(tmp_path / "again")
    again.does("restore", with_key)
    assert again.ask(ASKED)["decision"] == "PARTIAL"


def test_neither_password_nor_key_is_ever_said(machines: tuple[Home, Home], docs: Path) -> None:
    one, _ = machines
    said = [one.ingest(docs).said, one.vouch("check").said]
    wrong = one.environment["VOUCH_LIBRARY_URL"].replace(PASSWORD, "wrong-horse")
    said.append(one.vouch("ask", ASKED, VOUCH_LIBRARY_URL=wrong).said)
    assert "cannot be used" in said[-1]
    for words in said:
        assert PASSWORD not in words
        assert "wrong-horse" not in words
        assert "both machines" not in words
