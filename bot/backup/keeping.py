"""Dated archives in a folder, of which the newest are kept."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.backup.failures import explained
from bot.backup.writing import BackedUp
from bot.wording import backups as wording

_DATED = re.compile(r"vouch-\d{8}T\d{6}Z\.zip")
"""In UTC, so that names sort as times do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup into a folder."""

    made: BackedUp
    removed: int
    """How many older archives went."""


def back_up_into(folder: Path, most: int, write: Callable[[Path], BackedUp], now: datetime) -> Kept:
    """Write an archive named by its time, and keep the newest `most` of the folder.

    Older ones go only when the new one stands. Raise `BackupFailed`, and what `write` raises.
    """
    with explained(wording.writing(folder), ()):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = write(folder / f"vouch-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip")
    with explained(wording.tidying(folder), ()):
        return Kept(made, keep_newest(folder, most, made.file))


def keep_newest(folder: Path, most: int, made: Path) -> int:
    """Remove all but the newest archives that this module named, and nothing else; how many.

    The one that was just made is the newest, whatever a clock that was wrong called others.
    """
    dated = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name))
    others = [path for path in dated if path.name != made.name]
    old = others[: max(0, len(others) - (most - 1))]
    for path in old:
        path.unlink()
    return len(old)
