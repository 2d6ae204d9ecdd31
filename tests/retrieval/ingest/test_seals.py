"""Somebody changes the library behind its back, and an ingest comes after."""

from dataclasses import replace
from pathlib import Path

import pytest
from ingests import House, house_in
from libraries import tampered_with, url_in

from retrieval.errors import PassageChanged
from retrieval.metadata.access import EVERYBODY

FILES = {f"{number}.md": f"# Rules {number}\n\nOnly {number} apply here." for number in range(4)}


@pytest.fixture
def house(tmp_path: Path) -> House:
    """It looks at two documents at a time, after every passage was changed."""
    house = house_in(tmp_path, FILES)
    house.reads()
    tampered_with(
        url_in(tmp_path / "home"),
        "UPDATE library_passage SET source = replace(source, 'apply', 'never apply')",
    )
    return replace(house, ingest=replace(house.ingest, seals_of=2))


def broken(house: House) -> list[str]:
    return sorted(house.ingest.indexed.library.broken().values())


@pytest.mark.exhaustive
def test_an_ingest_mends_as_many_documents_as_it_looks_at_until_none_is_left(house: House) -> None:
    assert len(broken(house)) == 4
    assert len(house.reads().changed) == 2
    assert len(broken(house)) == 2
    with pytest.raises(PassageChanged):
        list(house.ingest.indexed.library.all_passages())
    for _ in range(50):
        house.reads()
    assert broken(house) == []
    assert all("Only" in text and "never" not in text for text in house.held.values())


def test_an_ingest_that_looks_at_every_seal_mends_all_at_once(house: House) -> None:
    assert len(house.ingest.run(house.docs, EVERYBODY, all_seals=True).changed) == 4
    assert house.held == {file: text.split("\n\n")[1] for file, text in FILES.items()}


def test_a_file_that_is_named_is_looked_at(house: House) -> None:
    assert house.ingest.run(house.docs / "3.md", EVERYBODY).changed == ("3.md",)
    assert broken(house) == ["0.md", "1.md", "2.md"]
