"""Homes to begin a scenario in."""

from pathlib import Path

import pytest
from vouch_home import Home

SAMPLE = Path(__file__).resolve().parents[2] / "deploy" / "sample"


def empty_home(path: Path, embedder_cache: Path) -> Home:
    path.mkdir()
    (path / "models").symlink_to(embedder_cache)
    return Home(path)


@pytest.fixture
def home(tmp_path: Path, embedder_cache: Path) -> Home:
    """An empty home with prepared models."""
    return empty_home(tmp_path / "home", embedder_cache)


@pytest.fixture(scope="session")
def university(tmp_path_factory: pytest.TempPathFactory, embedder_cache: Path) -> Home:
    """The sample organisation, ingested once: ask it, and change nothing but its audit store."""
    home = empty_home(tmp_path_factory.mktemp("university") / "home", embedder_cache)
    for name in ("people.yaml", "channels.yaml"):
        (home.path / name).write_bytes((SAMPLE / name).read_bytes())
    home.ingest(SAMPLE / "documents")
    return home


@pytest.fixture
def own_university(university: Home, tmp_path: Path) -> Home:
    """A copy of the sample organisation that a test may change."""
    return university.copy_to(tmp_path / "university")
