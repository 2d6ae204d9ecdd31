"""What was read of files that came with questions, for their conversation and nobody else.

Which conversation that is stands with the questions: a file is found from a question of the same
thread alone, by what `queries.files_for` says, and goes with the message that it came with.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from bot.slack.exchange import MOST_FILES, AttachedFile, Exchange, first_key
from bot.slack.inbox import queries
from bot.slack.inbox.database import Transact
from bot.slack.inbox.tables import attached_in, attachments, exchange_of, exchanges
from retrieval.types import Passage

_PASSAGES = TypeAdapter(tuple[Passage, ...])
_mine = attachments.c


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that a question may be answered from."""

    key: str
    """Of the message that it came with."""
    channel: str
    """Where that stands."""
    file: AttachedFile
    is_new: bool = True
    """It came with the question, or without one since the last."""
    why: str = ""
    """Why it is not read, as it follows on its name; empty where it is, or waits."""
    passages: tuple[Passage, ...] = ()
    """None where it is not read, or waits."""

    @property
    def waits(self) -> bool:
        return not self.why and not self.passages


class Attachments:
    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def of(self, exchange: Exchange) -> list[StoredFile]:
        """Return the files of a question and of those before it in its thread, oldest first."""
        with self._transact() as connection:
            return [_as_read(connection, each) for each in _came(connection, exchange)]

    def new_of(self, exchange: Exchange) -> list[StoredFile]:
        """Return those that came with a question, or without one since the last."""
        with self._transact() as connection:
            came = [each for each in _came(connection, exchange) if each.is_new]
            return [_as_read(connection, each) for each in came]

    def with_question(self, audit_id: str) -> tuple[AttachedFile, ...]:
        """Return the newest of the same by a record's id, to be carried to another question."""
        with self._transact() as connection:
            row = connection.execute(select(exchanges).filter_by(audit_id=audit_id)).one_or_none()
            came = _came(connection, exchange_of(row)) if row else []
        return tuple(replace(each.file, message=each.key) for each in came[-MOST_FILES:])

    def is_wanted(self, exchange: Exchange) -> bool:
        """Tell whether the question stands still: nothing is kept with one that was withdrawn."""
        with self._transact() as connection:
            found = select(exchanges.c.withdrawn_at).filter_by(exchange_id=exchange.exchange_id)
            row = connection.execute(found).one_or_none()
        return row is not None and row.withdrawn_at is None

    def begin(self, waiting: StoredFile, now: datetime) -> None:
        """Note that it is being read: what is taken away meanwhile is not kept."""
        with self._transact() as connection:
            there = select(_mine.file_id).where(*_row_of(waiting))
            if connection.scalar(there) is None:
                row = {"key": waiting.key, "file_id": waiting.file.file_id, "added_at": now}
                connection.execute(insert(attachments).values(**row, why="", passages=""))

    def settle(self, waiting: StoredFile, passages: Sequence[Passage], why: str = "") -> None:
        """Keep what was read of it, or why nothing was; not where it was taken away."""
        packed = _PASSAGES.dump_json(tuple(passages)).decode() if passages else ""
        with self._transact() as connection:
            changes = {"passages": packed, "why": why}
            connection.execute(update(attachments).where(*_row_of(waiting)).values(**changes))

    def passages(self, file_ids: Collection[str]) -> list[Passage]:
        """Return all that is kept of files, whoever asked: to show what a record names."""
        with self._transact() as connection:
            kept = select(_mine.passages).where(_mine.file_id.in_(file_ids), _mine.passages != "")
            rows = list(connection.scalars(kept))
        return [passage for packed in rows for passage in _PASSAGES.validate_json(packed)]

    def forget(self, file_id: str) -> None:
        with self._transact() as connection:
            connection.execute(delete(attachments).where(_mine.file_id == file_id))


def _came(connection: Connection, exchange: Exchange) -> list[StoredFile]:
    """Find them, not read yet; one that stands with another message is looked for where that is."""
    rows = connection.execute(queries.files_for(exchange)).all()
    before = connection.execute(queries.previous_to(exchange)).all() if rows else []
    asked_last = before[-1].ts if before else ""
    came = [
        StoredFile(
            file.message or first_key(row.key),
            file.channel or row.asked_channel,
            file,
            row.ts > asked_last,
        )
        for row in rows
        for file in attached_in(row.attached)
    ]
    return list({(each.key, each.file.file_id): each for each in came}.values())


def forget_attachments(connection: Connection, key: str) -> None:
    connection.execute(delete(attachments).where(_mine.key == first_key(key)))


def _as_read(connection: Connection, file: StoredFile) -> StoredFile:
    row = connection.execute(select(attachments).where(*_row_of(file))).one_or_none()
    if row is None:
        return file
    passages = _PASSAGES.validate_json(row.passages) if row.passages else ()
    return replace(file, why=row.why, passages=passages)


def _row_of(file: StoredFile) -> tuple[ColumnElement[bool], ...]:
    return (_mine.key == file.key, _mine.file_id == file.file.file_id)
