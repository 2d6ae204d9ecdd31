"""What most tests of the bot in Slack begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from front_desk import FrontDesk, open_desk
from office import Office, open_office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as office:
        yield office


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontDesk]:
    with open_desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk
