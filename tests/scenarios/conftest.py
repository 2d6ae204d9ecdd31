"""Homes to begin a scenario in."""

from collections.abc import Callable
from pathlib import Path

import pytest
from vouch_home import SAMPLE, Home


@pytest.fixture(scope="session")
def new_home() -> Callable[[Path], Home]:
    """Makes an empty home."""

    def make(path: Path) -> Home:
        path.mkdir()
        return Home(path)

    return make


@pytest.fixture
def home(tmp_path: Path, new_home: Callable[[Path], Home]) -> Home:
    """An empty home."""
    return new_home(tmp_path / "home")


@pytest.fixture(scope="session")
def university(tmp_path_factory: pytest.TempPathFactory, new_home: Callable[[Path], Home]) -> Home:
    """The sample organisation, ingested once: ask it, and change nothing but its audit store."""
    home = new_home(tmp_path_factory.mktemp("university") / "home")
    for name in ("people.yaml", "channels.yaml"):
        (home.path / name).write_bytes((SAMPLE / name).read_bytes())
    home.ingest(SAMPLE / "documents")
    return home


@pytest.fixture
def own_university(university: Home, tmp_path: Path) -> Home:
    """A copy of the sample organisation that a test may change."""
    return university.copy_to(tmp_path / "university").without_answers()
