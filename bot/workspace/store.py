"""Messages and rooms are kept in one SQLite file, so that a workspace outlives its server."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.errors import BadConfiguration
from bot.wording import workspace as words
from bot.workspace.seed import Room

_TABLES = """
CREATE TABLE IF NOT EXISTS room (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS message (
    room TEXT NOT NULL, ts TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (room, ts)
);
"""


class Store:
    """A store is for the server's thread alone, though another one opens it."""

    def __init__(self, path: Path | None) -> None:
        """Without a path everything is forgotten with the server.

        `BadConfiguration` where the file cannot be used.
        """
        try:
            self._database = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level=None
            )
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.executescript(_TABLES)
        except sqlite3.Error as error:
            raise BadConfiguration(words.unusable_file(path, error)) from error

    def close(self) -> None:
        self._database.close()

    def rooms(self) -> list[Room]:
        """Return the direct messages that were opened."""
        found = [json.loads(body) for (body,) in self._database.execute("SELECT body FROM room")]
        return [Room(**{**fields, "members": tuple(fields["members"])}) for fields in found]

    def messages(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return every message with its room's id, oldest first."""
        rows = self._database.execute("SELECT room, body FROM message ORDER BY ts")
        for room, body in rows:
            yield room, json.loads(body)

    def save_room(self, room: Room) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO room VALUES (?, ?)", (room.id, json.dumps(asdict(room)))
        )

    def save(self, room_id: str, message: dict[str, Any]) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO message VALUES (?, ?, ?)",
            (room_id, message["ts"], json.dumps(message)),
        )

    def forget(self, room_id: str, ts: str) -> None:
        self._database.execute("DELETE FROM message WHERE room = ? AND ts = ?", (room_id, ts))
