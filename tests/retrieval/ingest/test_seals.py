"""Somebody changes the library behind its back, and an ingest comes after."""

from dataclasses import replace
from pathlib import Path

import pytest
from ingests import held, ingest_into, write
from libraries import library_in, tampered_with, url_in

from retrieval.errors import PassageChanged
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY

FILES = {f"{number}.md": f"# Rules {number}\n\nOnly {number} apply here." for number in range(4)}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write(tmp_path / "docs", FILES)
    return tmp_path / "docs"


@pytest.fixture
def ingest(tmp_path: Path, docs: Path) -> Ingest:
    """One that looks at two documents at a time, after every passage was changed."""
    ingest = ingest_into(tmp_path / "home", library_in(_home(tmp_path)))
    ingest.run(docs, EVERYBODY)
    tampered_with(
        url_in(tmp_path / "home"),
        "UPDATE library_passage SET source = replace(source, 'apply', 'never apply')",
    )
    return replace(ingest, seals_of=2)


def _home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def broken(ingest: Ingest) -> int:
    return len(ingest.indexed.library.broken())


@pytest.mark.exhaustive
def test_an_ingest_mends_as_many_documents_as_it_looks_at_until_none_is_left(
    ingest: Ingest, docs: Path
) -> None:
    assert broken(ingest) == 4
    assert len(ingest.run(docs, EVERYBODY).changed) == 2
    assert broken(ingest) == 2
    with pytest.raises(PassageChanged):
        held(ingest)
    for _ in range(50):
        ingest.run(docs, EVERYBODY)
    assert broken(ingest) == 0
    assert all("Only" in text and "never" not in text for text in held(ingest).values())


def test_an_ingest_that_looks_at_every_seal_mends_all_at_once(ingest: Ingest, docs: Path) -> None:
    assert len(ingest.run(docs, EVERYBODY, all_seals=True).changed) == 4
    assert held(ingest) == {file: text.split("\n\n")[1] for file, text in FILES.items()}


def test_a_file_that_is_named_is_looked_at(ingest: Ingest, docs: Path) -> None:
    assert ingest.run(docs / "3.md", EVERYBODY).changed == ("3.md",)
    assert "3.md" not in ingest.indexed.library.broken().values()
    assert broken(ingest) == 3
