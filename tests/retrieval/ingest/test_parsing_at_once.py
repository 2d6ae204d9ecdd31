"""Several files are parsed at once, and nothing but the time that it takes tells."""

import os
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from ingests import held, ingest_into, write

from retrieval.errors import ParserUnavailable, UnreadableDocument
from retrieval.ingest import reading
from retrieval.ingest.parser_pool import ParserPool, ParsingLimits
from retrieval.ingest.source_files import IngestReport
from retrieval.metadata.access import EVERYBODY
from retrieval.types import ParsedDocument

SLOW = "Some words in one of very many paragraphs.\n\n" * 20_000
"""It takes about a second to read."""


def files() -> dict[str, str]:
    """The first are slow, and some cannot be read for reasons known before and after parsing."""
    return {
        "a-slow.md": SLOW,
        **{f"b-{n}.md": f"Rule {n} holds." for n in range(9)},
        "c-empty.md": " ",
        "d-large.txt": "x" * 1_100_000,
        "e-unread.md": "audience: staff\n\nA rule.",
        "f.md": "The last one.",
    }


def report_of(tmp_path: Path, workers: int) -> tuple[IngestReport, dict[str, str]]:
    folder = tmp_path / "docs"
    if not folder.exists():
        write(folder, files())
    ingest = replace(ingest_into(tmp_path / f"home-{workers}"), parsing=ParserPool(workers))
    report = ingest.run(folder, EVERYBODY)
    return replace(report, milliseconds={}), held(ingest)


@pytest.mark.exhaustive
def test_however_many_read_the_report_and_the_library_are_the_same(tmp_path: Path) -> None:
    alone, together = report_of(tmp_path, 1), report_of(tmp_path, 3)
    assert alone == together
    report, texts = together
    assert report.added == tuple(sorted(texts))
    assert len(texts) == 11
    assert [problem.file for problem in report.problems] == [
        "c-empty.md",
        "d-large.txt",
        "e-unread.md",
    ]


def test_a_file_that_ends_its_process_costs_no_other_file() -> None:
    with ParserPool(2, ParsingLimits(megabytes=256)) as pool:
        bomb = pool.submit("bomb.md", ("é [a](b) " * 500_000).encode())
        others = [pool.submit(f"{n}.md", b"A rule.") for n in range(6)]
        assert all(each.result().source == "A rule." for each in others)
        with pytest.raises(UnreadableDocument, match="VOUCH_PARSING_MEGABYTES"):
            bomb.result()


def test_whoever_leaves_in_the_midst_leaves_no_process_behind() -> None:
    with ParserPool(2) as pool:
        waiting = [pool.submit(f"{n}.md", (SLOW * 20).encode()) for n in range(4)]
        while len(pool.pids) < 2:
            time.sleep(0.05)
        pids = pool.pids
    assert not any(is_there(pid) for pid in pids)
    for each in waiting:
        assert each.cancelled() or isinstance(
            each.exception(), UnreadableDocument | ParserUnavailable
        )


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Watched(ParserPool):
    """It counts what was handed over and not yet taken back, in files and bytes."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.most_files = self.most_bytes = 0
        self._held: dict[int, int] = {}

    def submit(self, file: str, content: bytes, **how: bool) -> "Future[ParsedDocument]":
        future = super().submit(file, content, **how)
        self._held[id(future)] = len(content)
        self.most_files = max(self.most_files, len(self._held))
        self.most_bytes = max(self.most_bytes, sum(self._held.values()))
        taken, result = threading.Event(), future.result

        def take(timeout: float | None = None) -> ParsedDocument:
            if not taken.is_set():
                taken.set()
                del self._held[id(future)]
            return result(timeout)

        future.result = take  # type: ignore[method-assign]  # of this one alone
        return future


def test_what_waits_in_memory_is_bounded_in_number_and_in_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "docs", {f"{n:02}.md": "A rule. " * 100 for n in range(40)})
    pool = Watched(2)
    replace(ingest_into(tmp_path / "one"), parsing=pool).run(tmp_path / "docs", EVERYBODY)
    assert 2 <= pool.most_files <= 2 * reading.FILES_AHEAD + 1
    monkeypatch.setattr(reading, "BYTES_AT_ONCE", 1_000)
    pool = Watched(2)
    replace(ingest_into(tmp_path / "two"), parsing=pool).run(tmp_path / "docs", EVERYBODY)
    assert pool.most_bytes <= 1_000 + 800
