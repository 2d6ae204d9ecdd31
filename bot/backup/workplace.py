"""A folder in which something is made, for one process, and what went wrong with it, in words.

What a killed process left there is cleared.
"""

import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, LargeZipFile

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.errors import BackupFailed
from bot.wording import backups as wording
from bot.wording.redaction import without


@dataclass(slots=True)
class Workplace:
    """The folder; `stays` is set where it must say that what is beside it is half done."""

    path: Path
    left_over: bool
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


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def explained(doing: str, secrets: Iterable[str]) -> Iterator[None]:
    """Turn what files and databases raise into `BackupFailed`, none of the secrets in it."""
    try:
        yield
    except (OSError, sqlite3.Error, SQLAlchemyError, LargeZipFile, BadZipFile) as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        reason = getattr(cause, "strerror", None) or str(cause)
        words = without(secrets, " ".join(reason.split()).rstrip("."))
        full = _is_full(cause)
        raise BackupFailed(wording.failed(doing, words, disk_is_full=full)) from error


def _is_full(cause: BaseException) -> bool:
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorname", "") == "SQLITE_FULL"
    return isinstance(cause, OSError) and cause.errno in _FULL
