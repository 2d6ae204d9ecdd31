"""One archive of all that cannot be made anew, and a home made of it again."""

import os
from pathlib import Path

UNFINISHED = "restoring"
"""The folder in a home in which it is made of an archive."""


def is_half_restored(home: Path) -> bool:
    return os.path.lexists(home / UNFINISHED)
