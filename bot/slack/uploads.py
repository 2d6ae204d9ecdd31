"""Files that the bot uploaded to Slack: kept in the inbox until they are deleted there."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select, update

from bot.slack.inbox_tables import uploads

HOLD = timedelta(seconds=60)
"""How long one replica has one of them for itself."""
Transact = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file whose turn it is to be deleted."""

    file_id: str
    """As Slack calls it."""
    attempts: int
    """Failures so far."""


class Uploads:
    """A queue in the inbox, so that nothing stays in Slack for a process that died."""

    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def add(self, file_id: str, until: datetime) -> None:
        """Have a file deleted from then on; noted before anything is in it."""
        with self._transact() as connection:
            values = {"file_id": file_id, "not_before": until, "attempts": 0}
            connection.execute(insert(uploads).values(**values))

    def take(self, now: datetime) -> Upload | None:
        """Take the next that is due; for a while nobody else takes it."""
        due = (
            select(uploads)
            .where(uploads.c.not_before <= now)
            .order_by(uploads.c.not_before)
            .limit(1)
        )
        with self._transact() as connection:
            row = connection.execute(due).one_or_none()
            if row is None:
                return None
            upload = Upload(row.file_id, row.attempts)
            _put_off(connection, upload, now + HOLD, upload.attempts)
        return upload

    def done(self, upload: Upload) -> None:
        with self._transact() as connection:
            connection.execute(delete(uploads).where(uploads.c.file_id == upload.file_id))

    def postpone(self, upload: Upload, until: datetime, *, attempts: int) -> None:
        with self._transact() as connection:
            _put_off(connection, upload, until, attempts)


def _put_off(connection: Connection, upload: Upload, until: datetime, attempts: int) -> None:
    mine = uploads.c.file_id == upload.file_id
    changes = {"not_before": until, "attempts": attempts}
    connection.execute(update(uploads).where(mine).values(**changes))
