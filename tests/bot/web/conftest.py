"""What tests of the pages begin with."""

from pathlib import Path

import pytest
from cited_shelf import CitedShelf


@pytest.fixture
def shelf(tmp_path: Path) -> CitedShelf:
    return CitedShelf(tmp_path)
