"""A source is nobody's until somebody says whose, and its documents can only narrow that."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from vouch_home import Home, write

POOL = "The pool of the house is cleaned on every second Thursday."
FILES = {
    "pool.md": f"# Pool\n\n{POOL}\n",
    "hr/leave.md": "# Leave\n\nLeave is thirty days a year.\n",
}
ASKED = "when is the pool cleaned?"
KIM = {"id": "kim", "departments": ["hr"]}
EVERYONE, HR = ("--for", "everyone"), ("--for", "departments=hr")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", FILES)


def is_read_by(home: Home, *options: str, question: str = ASKED, text: str = POOL) -> bool:
    """Whether a guest, or somebody else, is told or shown it."""
    return text in str(home.ask(question, *options))


def changed(home: Home, statement: str) -> None:
    with closing(sqlite3.connect(home.path / "library.sqlite")) as connection, connection:
        connection.execute(statement)


def test_what_nobody_said_is_read_in_for_nobody(home: Home, docs: Path) -> None:
    home.people(KIM)
    unsaid = home.refuses("2 documents: nobody may read them", "ingest", docs)
    assert f"vouch ingest {docs} --for everyone" in unsaid.said
    assert not is_read_by(home)
    assert not is_read_by(home, "--as", "kim")
    assert "nobody has said who may read it" in home.vouch("sources").said
    assert f"vouch ingest {docs} --for everyone" in home.vouch("check").said
    said = home.vouch("ingest", docs, *EVERYONE)
    assert (said.status, "2 documents: everyone may read them" in said.said) == (0, True)
    assert is_read_by(home)
    assert home.vouch("ingest", docs).status == 0, "it is kept with the source"


@pytest.mark.exhaustive
def test_at_a_terminal_it_is_asked_with_what_there_is(home: Home, docs: Path) -> None:
    read = home.at_a_terminal("ingest", docs, typed="all\neveryone\n")
    assert read.status == 0, read.said
    asked = f"Who may read the 2 documents of {docs} (folders: hr)?"
    said = " ".join(read.said.split())
    assert said.count(asked) == 2
    assert "'all' says not who may read" in said
    assert is_read_by(home)
    assert asked not in home.at_a_terminal("ingest", docs, typed="").said


def test_what_is_said_of_a_source_holds_for_all_of_it(home: Home, docs: Path) -> None:
    home.people(KIM, {"id": "ben", "departments": ["it"]})
    assert "departments hr may read them" in home.vouch("ingest", docs, *HR).said
    assert is_read_by(home, "--as", "kim")
    assert not is_read_by(home)
    assert not is_read_by(home, "--as", "ben")


def test_the_folders_own_metadata_may_say_it_and_a_file_is_called_by_its_path(
    home: Home, docs: Path
) -> None:
    home.people(KIM)
    write(docs, {"audience": "x", "metadata.yaml": "audience: {departments: hr}\n./audience: {}\n"})
    home.does("ingest", docs)
    assert is_read_by(home, "--as", "kim")
    assert not is_read_by(home)
    home.ingest(docs)
    assert not is_read_by(home), "what the operator says narrows it, and opens nothing"
    write(docs, {"metadata.yaml": "audience: everyone\n"})
    home.ingest(docs)
    assert is_read_by(home)


def test_a_document_narrows_its_source_and_never_widens_it(home: Home, docs: Path) -> None:
    home.people(KIM, {"id": "both", "departments": ["hr"], "programmes": ["staff"]})
    write(
        docs,
        {
            "open.md": f"---\naudience:\n  departments: '*'\n---\n{POOL}\n",
            "staff.md": "---\naudience: {programmes: staff}\n---\nThe garage has forty places.\n",
            "it.md": "---\naudience: {departments: it}\n---\nThe vault opens at five.\n",
        },
    )
    read = home.vouch("ingest", docs, *HR)
    assert read.status == 1
    assert "Left out: it.md is for nobody" in " ".join(read.said.split())
    assert not is_read_by(home)
    garage = {"question": "how many places has the garage?", "text": "forty places"}
    assert not is_read_by(home, "--as", "kim", **garage)
    assert is_read_by(home, "--as", "both", **garage)


def test_readers_are_listed_and_changed_at_once_even_where_the_folder_is_gone(
    home: Home, docs: Path, tmp_path: Path
) -> None:
    home.ingest(docs)
    [listed] = home.vouch("sources", "--json").json
    assert (listed["name"], listed["audience"], listed["documents"]) == ("docs", {}, 2)
    shutil.move(docs, tmp_path / "elsewhere")
    assert home.vouch("sources", "docs", *HR).status == 1
    assert not is_read_by(home)
    shutil.move(tmp_path / "elsewhere", docs)
    home.does("sources", "docs", *EVERYONE)
    assert is_read_by(home)
    assert "Did you mean docs?" in home.vouch("sources", "dcs", *EVERYONE).said
    assert home.vouch("sources", *EVERYONE).status == 2


def test_a_part_of_a_source_is_not_opened_on_the_side(home: Home, docs: Path) -> None:
    home.does("ingest", docs, *HR)
    for part in (docs / "hr", docs / "pool.md"):
        home.refuses("is part of the source docs", "ingest", part, *EVERYONE)
    assert not is_read_by(home)


def test_a_source_within_another_keeps_its_readers(home: Home, docs: Path) -> None:
    home.does("ingest", docs / "hr", *HR)
    home.refuses("has readers of its own", "ingest", docs, *EVERYONE)
    assert not is_read_by(home, question="how long is leave?", text="thirty days")


def test_what_was_said_of_one_document_is_not_said_of_its_folder(home: Home, docs: Path) -> None:
    home.ingest(docs / "pool.md")
    whole = home.vouch("ingest", docs)
    assert whole.status == 1
    assert is_read_by(home), "what was read keeps its readers"
    assert not is_read_by(home, question="how long is leave?", text="thirty days")


@pytest.mark.exhaustive
def test_of_documents_given_one_by_one_it_is_said_without_all_that_stands_beside_them(
    home: Home, docs: Path
) -> None:
    home.refuses("Say it: vouch sources docs --for everyone", "ingest", docs / "pool.md")
    assert "vouch sources docs --for everyone" in home.vouch("check").said
    asked = home.at_a_terminal("ingest", docs / "pool.md", typed="")
    assert "Who may read" not in asked.said, "it would be refused for a part"
    home.does("sources", "docs", *EVERYONE)
    assert is_read_by(home)
    assert home.vouch("ingest", docs / "hr", *HR).status == 0, "a source of its own"
    assert not is_read_by(home, question="how long is leave?", text="thirty days")
    assert [each["name"] for each in home.vouch("sources", "--json").json] == ["docs", "hr"]


def test_where_nobody_said_it_yet_known_documents_keep_their_readers(
    home: Home, docs: Path
) -> None:
    """As in a home of 0.7, which knows of no readers of a source."""
    home.does("ingest", docs / "hr", *HR)
    home.ingest(write(docs.parent / "open", {"pool.md": FILES["pool.md"]}))
    changed(home, "UPDATE library_source SET readers = NULL, readers_seal = NULL")
    write(docs / "hr", {"leave.md": "# Leave\n\nLeave is forty days a year.\n"})
    write(docs.parent / "open", {"new.md": "# Garage\n\nThe garage has forty places.\n"})
    home.does("ingest", docs / "hr")
    assert home.vouch("ingest", docs.parent / "open").status == 1
    assert is_read_by(home)
    assert not is_read_by(home, question="how many places has the garage?", text="forty places")
    assert not is_read_by(home, question="how long is leave?", text="forty days")
    checked = " ".join(home.vouch("check").said.split())
    assert "Nobody has said who may read the source hr" in checked


def test_who_changes_the_readers_behind_our_back_opens_nothing(home: Home, docs: Path) -> None:
    home.does("ingest", docs, *HR)
    changed(home, "UPDATE library_source SET readers = '[[], null]'")
    write(docs, {"pool.md": f"# Pool\n\n{POOL} So it is.\n"})
    home.vouch("ingest", docs)
    assert not is_read_by(home)


def test_what_is_not_understood_opens_nothing(home: Home, docs: Path) -> None:
    for said in (["all"], ["everyone", "departments=hr"], ["departments"], ["teams=a"], ["="]):
        home.refuses(
            "says not who may read",
            "ingest",
            docs,
            *(word for each in said for word in ("--for", each)),
        )
    assert home.vouch("ingest", docs, "--for", "departments=").status == 1
    home.does("ingest", docs, "--for", "departments=*")
    assert home.vouch("ingest", "--remove", docs, *EVERYONE).status == 2


def test_an_empty_folder_fails_and_other_kinds_are_counted(home: Home, tmp_path: Path) -> None:
    files = {f"{n}.PNG": "x" for n in range(7)} | {"LICENSE": "x"}
    read = home.refuses(
        "Not read, of other kinds: 7 .png, 1 without an ending",
        "ingest",
        write(tmp_path / "docs", files),
        *EVERYONE,
    )
    assert "holds no document that is read" in read.said
