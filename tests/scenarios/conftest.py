"""Homes to begin a scenario in."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from slack_scene import Scene, opened
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


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory, new_home: Callable[[Path], Home]) -> Home:
    """An empty home for all tests of a module."""
    return new_home(tmp_path_factory.mktemp("shared") / "home")


@pytest.fixture(scope="session")
def university(tmp_path_factory: pytest.TempPathFactory, new_home: Callable[[Path], Home]) -> Home:
    """The sample organisation, ingested once: ask it, and change nothing but its audit store."""
    of_all = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        of_all = of_all.parent  # one process reads the documents, and each has a copy
    ingested = of_all / "university"
    with FileLock(f"{ingested}.lock"):
        if not ingested.exists():
            _sample_organisation(new_home(of_all / "in-the-making")).rename(ingested)
    return Home(ingested).copy_to(tmp_path_factory.mktemp("university") / "home")


def _sample_organisation(home: Home) -> Path:
    for name in ("people.yaml", "channels.yaml"):
        (home.path / name).write_bytes((SAMPLE / name).read_bytes())
    home.ingest(SAMPLE / "documents")
    return home.path


@pytest.fixture
def own_university(university: Home, tmp_path: Path) -> Home:
    """A copy of the sample organisation that a test may change."""
    return university.copy_to(tmp_path / "university").without_answers()


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """The sample organisation's bot and people in a workspace."""
    with opened(university, tmp_path_factory.mktemp("scene")) as scene:
        yield scene
