"""What was refused is told each time, and read again only when something changed that may help."""

import os
import signal
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from ingests import held, ingest_into, write

from retrieval.ingest import sync
from retrieval.ingest.parser_pool import ParserPool, ParserWorker, ParsingLimits
from retrieval.ingest.sync import Ingest
from retrieval.types import ParsedDocument

REFUSED = "holds nothing that people read"
FILES = {
    "a.md": "Ask Ann.",
    "b.md": "<!-- Nobody. -->",
    "c.md": "---\naudience: {x: [y]}\n---\nHi.",
}


class Counted(ParserPool):
    """It notes which files are read."""

    def __init__(self, limits: ParsingLimits = ParsingLimits()) -> None:  # noqa: B008
        super().__init__(1, limits)
        self.read: list[str] = []

    def submit(self, file: str, content: bytes, **how: bool) -> "Future[ParsedDocument]":
        self.read.append(file)
        return super().submit(file, content, **how)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write(docs := tmp_path / "docs", FILES)
    return docs


@pytest.fixture
def ingest(tmp_path: Path) -> Ingest:
    return replace(ingest_into(tmp_path / "home"), parsing=Counted())


def read_by(ingest: Ingest, docs: Path) -> list[str]:
    """Which files an ingest reads; those that it refuses are told however often it is run."""
    assert isinstance(ingest.parsing, Counted)
    ingest.parsing.read.clear()
    report = ingest.run(docs)
    kept_out = {each.file: each.reason for each in ingest.indexed.library.kept_out()}
    assert kept_out.items() >= {(each.file, each.reason) for each in report.problems}
    assert not report.is_clean
    return sorted(ingest.parsing.read)


def test_a_refused_file_is_read_once(ingest: Ingest, docs: Path) -> None:
    assert read_by(ingest, docs) == ["a.md", "b.md", "c.md"]
    assert read_by(ingest, docs) == []
    os.utime(docs / "b.md", (0, 0))
    assert read_by(ingest, docs) == []
    assert read_by(ingest, docs / "b.md") == []


def test_other_bytes_are_read(ingest: Ingest, docs: Path) -> None:
    read_by(ingest, docs)
    (docs / "b.md").write_text("<!-- Somebody. -->")
    assert read_by(ingest, docs) == ["b.md"]
    (docs / "b.md").write_text("Ask Ben.")
    assert read_by(ingest, docs) == ["b.md"]
    assert held(ingest) == {"a.md": "Ask Ann.", "b.md": "Ask Ben."}


def test_another_parser_reads_it(
    ingest: Ingest, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_by(ingest, docs)
    monkeypatch.setattr(sync, "PARSING", "another")
    assert read_by(ingest, docs) == ["a.md", "b.md", "c.md"]


def test_wider_bounds_read_it(ingest: Ingest, docs: Path) -> None:
    read_by(ingest, docs)
    wider = replace(ingest, parsing=Counted(ParsingLimits(seconds=900)))
    assert read_by(wider, docs) == ["b.md", "c.md"]
    assert read_by(wider, docs) == []


def test_other_metadata_beside_it_reads_it(ingest: Ingest, docs: Path) -> None:
    read_by(ingest, docs)
    (docs / "metadata.yaml").write_text("c.md: {level: policy}")
    assert read_by(ingest, docs) == ["c.md"]


def test_one_whose_process_was_killed_is_tried_again(
    ingest: Ingest, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse = ParserWorker.parse

    def killed(worker: ParserWorker, file: str, content: bytes, **_: bool) -> ParsedDocument:
        parse(worker, "z.md", b"Hi.")
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        return parse(worker, file, content)

    with monkeypatch.context() as patch:
        patch.setattr(ParserWorker, "parse", killed)
        read_by(ingest, docs)
    assert read_by(ingest, docs) == ["a.md", "b.md", "c.md"]
    assert held(ingest) == {"a.md": "Ask Ann."}
