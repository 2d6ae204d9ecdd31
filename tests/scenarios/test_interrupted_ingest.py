"""An ingest is killed, or is not alone: nothing is lost, nothing is there twice."""

import random
import signal
import subprocess
from pathlib import Path
from time import sleep

import pytest
from vouch_home import PATIENCE, Home, cited_files, vouch_after, write

IS_HR = "---\naudience: {departments: [hr]}\n---\n"
SUBJECTS = ("parking", "laptops", "fees", "lockers", "printing")


def notice(number: int, edition: str) -> str:
    subject = SUBJECTS[number % len(SUBJECTS)]
    return f"Notice {number} on {subject} in its {edition} edition holds for building {number}."


def notices(count: int, edition: str) -> dict[str, str]:
    return {f"{number % 7}/notice-{number}.md": notice(number, edition) for number in range(count)}


def killed(program: "subprocess.Popen[str]", seconds: float) -> bool:
    """Kill a program in the midst of its work; says whether it came to that."""
    try:
        program.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        program.kill()
        program.communicate()
        return True
    return False


def assert_nothing_torn(home: Home) -> None:
    """What is in the library is whole and can be found; the index may be a step ahead."""
    if (home.path / "library.sqlite").exists() and (known := home.library.passage_ids()):
        assert known <= home.indexed()
        assert all(text.startswith("Notice") for text in home.texts().values())


@pytest.mark.exhaustive
def test_an_ingest_that_was_killed_again_and_again_is_finished_by_the_next(
    home: Home, tmp_path: Path
) -> None:
    files = notices(300, "first")
    docs = write(tmp_path / "docs", files)
    moments = random.Random(7)
    kills = 0
    for edition in ("first", "second", "third"):
        changed = dict(random.Random(edition).sample(sorted(notices(300, edition).items()), 150))
        write(docs, changed)
        files |= changed
        gone = sorted(files)[:20]
        for file in gone:
            (docs / file).unlink()
            del files[file]
        kills += killed(home.start("ingest", "--for=everyone", docs), moments.uniform(1.0, 4.0))
        assert_nothing_torn(home)
    assert kills > 0
    home.ingest(docs)
    assert home.texts() == files
    assert home.is_whole()
    (docs / "lost.md").write_text("Lost property is kept at the porter's lodge for six weeks.")
    home.ingest(docs)
    assert cited_files(home.ask("where is lost property kept?")) == {"lost.md"}


TWO_AT_ONCE = """
import os, signal, sys
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest import indexed_library
indexed_library.PASSAGES_AT_ONCE = 2
upsert, written = LanceIndex.upsert, []

def counted(index, entries):
    if len(written) == {most}:
        os.kill(os.getpid(), signal.SIGKILL)
    written.extend(entries)
    print("EMBEDDED", len(entries), file=sys.stderr)
    upsert(index, entries)

LanceIndex.upsert = counted
"""
"""A process that embeds and writes two passages at once, says so, and is killed after `most`."""


@pytest.mark.exhaustive
def test_an_index_that_was_half_made_anew_by_a_killed_process_is_finished_by_the_next(
    home: Home, tmp_path: Path
) -> None:
    docs = write(tmp_path / "docs", notices(7, "first"))
    home.ingest(docs)
    home.made_by_the_embedder_before()
    killed = vouch_after(TWO_AT_ONCE.format(most=4), home, "ingest", docs)
    assert killed.returncode == -signal.SIGKILL
    assert killed.stderr.count("EMBEDDED 2") == 2
    home.refuses("vouch-embedder-4", "ask", "what does notice 3 on lockers say?")
    finished = vouch_after(TWO_AT_ONCE.format(most=-1), home, "ingest", docs)
    assert finished.returncode == 0, finished.stderr
    assert [line for line in finished.stderr.splitlines() if line.startswith("EMBEDDED")] == [
        "EMBEDDED 2",
        "EMBEDDED 1",
    ]
    assert home.is_whole()
    home.does("ask", "what does notice 3 on lockers say?")


@pytest.mark.exhaustive
def test_a_copy_that_a_killed_ingest_read_before_its_original_is_open_to_nobody(
    home: Home, tmp_path: Path
) -> None:
    pay = "The salary of the director is reviewed by the board in March of every year."
    docs = write(tmp_path / "docs", {"a copy.md": pay, "z.md": f"{IS_HR}{pay}"})
    write(docs, {f"notice/{name}": text for name, text in notices(700, "first").items()})
    home.people({"id": "kim", "departments": ["hr"]})
    asked = "who reviews the salary of the director?"
    with home.start("ingest", "--for=everyone", docs) as program:
        while not ((home.path / "library.sqlite").exists() and home.library.past("docs")):
            assert program.poll() is None
            sleep(0.05)
        program.kill()
    assert pay not in str(home.ask(asked))
    home.ingest(docs)
    assert pay not in str(home.ask(asked))
    assert pay in str(home.ask(asked, "--as", "kim"))


@pytest.mark.exhaustive
def test_several_ingests_at_once_in_a_new_home_take_turns(home: Home, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", notices(40, "first"))
    more = write(tmp_path / "more", {f"more/{name}": t for name, t in notices(40, "own").items()})
    programs = [
        home.start("ingest", "--for=everyone", path) for path in (docs, more, docs, docs / "1")
    ]
    for program in programs:
        _, err = program.communicate(timeout=PATIENCE)
        assert program.returncode == 0, err
    assert set(home.texts()) == {*notices(40, "first"), *(f"more/{n}" for n in notices(40, "own"))}
    assert home.is_whole()


@pytest.mark.exhaustive
def test_making_the_index_anew_waits_for_a_running_ingest(home: Home, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", notices(40, "first"))
    home.ingest(docs)
    write(docs, notices(40, "second"))
    programs = [home.start("ingest", "--for=everyone", docs), home.start("ingest", "--re-embed")]
    programs.append(home.start("ask", "what holds for building 7?", "--json"))
    statuses = []
    for program in programs:
        _, err = program.communicate(timeout=PATIENCE)
        assert "Traceback" not in err
        statuses.append(program.returncode)
    assert statuses[:2] == [0, 0]
    assert home.texts() == notices(40, "second")
    assert home.is_whole()
