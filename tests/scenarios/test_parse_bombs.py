"""A file that would fill the memory or take for ever costs that file, and nothing else."""

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock
from processes import children, is_running, read
from vouch_home import Home, write

from retrieval.errors import ParserUnavailable, UnreadableDocument
from retrieval.ingest.parser_pool import ParserWorker, ParsingLimits

SLOW = "Some words in one of very many paragraphs.\n\n" * 100_000
"""Within all other limits: it takes several seconds to read."""
SMALL = "Leave must be applied for by May."


def test_a_file_that_takes_too_long_is_named_and_the_others_are_read(
    home: Home, tmp_path: Path
) -> None:
    docs = write(tmp_path / "docs", {"a.md": SMALL, "b.txt": SLOW, "c.md": "Ask Ann."})
    finished = home.refuses(
        "Left out: b.txt takes more than 1 seconds of processor time",
        "ingest",
        "--for=everyone",
        docs,
        VOUCH_PARSING_PROCESSOR_SECONDS="1",
    )
    assert "VOUCH_PARSING_PROCESSOR_SECONDS" in finished.said
    assert set(home.texts()) == {"a.md", "c.md"}


def test_what_takes_too_long_by_the_clock_says_so() -> None:
    with ParserWorker(ParsingLimits(seconds=2)) as worker:
        with pytest.raises(UnreadableDocument, match=r"2 seconds to read.*VOUCH_PARSING_SECONDS"):
            worker.parse("b.txt", SLOW.encode())
        assert worker.parse("a.md", SMALL.encode()).source == SMALL


def test_what_takes_too_much_memory_says_so() -> None:
    with ParserWorker(ParsingLimits(megabytes=256)) as worker:
        with pytest.raises(UnreadableDocument, match="VOUCH_PARSING_MEGABYTES"):
            worker.parse("b.md", ("é [a](b) " * 500_000).encode())
        assert worker.parse("a.md", SMALL.encode()).source == SMALL


def test_a_killed_process_costs_one_file_only() -> None:
    with ParserWorker() as worker:
        worker.parse("a.md", SMALL.encode())
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        with pytest.raises(UnreadableDocument, match="SIGKILL"):
            worker.parse("a.md", SMALL.encode())
        assert worker.parse("a.md", SMALL.encode()).source == SMALL


def test_one_process_reads_many_files_however_large_the_program_is() -> None:
    held = bytearray(600 * 1024 * 1024)
    held[::4096] = b"x" * len(held[::4096])  # touched, so that it is really held
    with ParserWorker() as worker:
        worker.parse("a.md", SMALL.encode())
        first = worker.pid
        worker.parse("b.md", SMALL.encode())
        assert worker.pid == first is not None


def test_what_is_refused_is_refused_in_the_parsers_words() -> None:
    with ParserWorker() as worker:
        with pytest.raises(UnreadableDocument, match="is empty; add text to it"):
            worker.parse("a.md", b" ")
        with pytest.raises(UnreadableDocument, match="of a kind that is not read"):
            worker.parse("a.numbers", b"x")


def test_a_process_that_cannot_start_is_no_documents_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with ParserWorker() as worker, pytest.raises(ParserUnavailable, match="does not start"):
        worker.parse("a.md", SMALL.encode())


def test_the_process_knows_no_secret_and_holds_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOUCH_OPENAI_API_KEY", "sk-secret")
    with FileLock(tmp_path / "lock"), ParserWorker() as worker:
        worker.parse("a.md", SMALL.encode())
        environment = Path(f"/proc/{worker.pid}/environ").read_bytes()
        opened = {str(fd.readlink()) for fd in Path(f"/proc/{worker.pid}/fd").iterdir()}
    assert b"sk-secret" not in environment
    assert not any(str(tmp_path) in path for path in opened)


def test_an_ingest_killed_in_the_midst_of_a_file_leaves_no_process_and_no_lock(
    home: Home, tmp_path: Path
) -> None:
    docs = write(tmp_path / "docs", {"b.txt": SLOW * 10})
    program = home.start("ingest", "--for=everyone", docs)
    until = time.monotonic() + 60
    while not (found := limited_children(program.pid)) and time.monotonic() < until:
        time.sleep(0.05)
    assert found
    for pid in found:
        os.kill(pid, signal.SIGSTOP)  # it cannot end by itself
    program.kill()
    program.communicate()
    while any(is_running(pid) for pid in found) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(is_running(pid) for pid in found)
    FileLock(home.path / "ingest.lock").acquire(timeout=0).lock.release()


def limited_children(pid: int) -> list[int]:
    """The children that have limited themselves, which they do before they read anything."""
    limited = re.compile(r"Max data size +\d")
    found = children(pid)
    return [child for child in found if limited.search(read(Path(f"/proc/{child}/limits")))]
