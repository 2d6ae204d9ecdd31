"""Whether a home was left in the midst of a restore; every command looks, so it imports little."""

import os
from pathlib import Path

UNFINISHED = "restoring"
"""The folder in a home in which it is made of an archive."""


def is_half_restored(home: Path) -> bool:
    return os.path.lexists(home / UNFINISHED)
