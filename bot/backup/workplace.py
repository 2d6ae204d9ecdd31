"""A folder in which something is made, for one process; what a killed one left is cleared."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BackupFailed
from bot.wording import backups as wording


@dataclass(slots=True)
class Workplace:
    """The folder; `stays` is set where it must say that what is beside it is half done."""

    path: Path
    found: bool
    """Another process left it, which was killed."""
    stays: bool = False


@contextmanager
def workplace(path: Path) -> Iterator[Workplace]:
    """Make it, for its owner alone, and remove it at the end, however that comes.

    The lock is the folder's own, so that it leaves no file, and the system frees it on a kill.
    Raise `BackupFailed` where another process is at work in it.
    """
    found = os.path.lexists(path)
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _lock(handle, path)
        clear(path)
        place = Workplace(path, found)
        try:
            yield place
        except BaseException:
            if not place.stays:
                shutil.rmtree(path, ignore_errors=True)
            raise
        shutil.rmtree(path)
    finally:
        os.close(handle)


def clear(path: Path) -> None:
    """Remove all that is in a folder; a link is removed, not what it leads to."""
    for each in path.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BackupFailed(wording.busy(path)) from error
    found, held = path.stat(), os.fstat(handle)
    if (found.st_dev, found.st_ino) != (held.st_dev, held.st_ino):
        raise BackupFailed(wording.busy(path))  # another one ended, and removed it, just now
