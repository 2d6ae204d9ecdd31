"""What went wrong with a file or a database, in words for who runs the bot."""

import errno
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from zipfile import BadZipFile, LargeZipFile

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.address import without
from bot.errors import BackupFailed
from bot.wording import backups as wording

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
