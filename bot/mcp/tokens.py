"""Tokens by which agents come for a person: each is shown once, and only its SHA-256 is kept.

A token names itself (`vouch_NUMBER_SECRET`), so that it is found by its number and its secret is
compared in constant time. It says nothing of a person: who it is for stands here alone, and what
they may read is looked up at each request.
"""

import hashlib
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from threading import Lock

from bot.errors import TokensUnavailable, WrongUse
from bot.wording import mcp as wording

SECRET_BYTES = 32
NUMBER_BYTES = 4
DAY_S = 24 * 3600.0
_TOKEN = re.compile(r"vouch_([0-9a-f]{8})_([A-Za-z0-9_-]{20,100})")
_NONE = hashlib.sha256(b"").hexdigest()
_TABLE = """
CREATE TABLE IF NOT EXISTS token (
    number TEXT PRIMARY KEY, sha256 TEXT NOT NULL, person TEXT NOT NULL,
    made REAL NOT NULL, expires REAL NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token, but for its hash; times are seconds since the epoch."""

    number: str
    person: str
    """An id of people.yaml."""
    made: float
    expires: float


class Tokens:
    """Tokens in one SQLite file; safe to share between threads and processes.

    Its methods raise `TokensUnavailable` where the file is locked or damaged.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        """`clock`: seconds since the epoch. Raise `TokensUnavailable`."""
        self._clock = clock
        self._turn = Lock()
        with _told():
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(_TABLE)

    def close(self) -> None:
        with self._turn:
            self._database.close()

    def make(self, person: str, days: int) -> tuple[Token, str]:
        """Return what is kept of a new token, and the token itself, which nobody can tell again."""
        now = self._clock()
        token = Token(secrets.token_hex(NUMBER_BYTES), person, now, now + days * DAY_S)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        row = (token.number, _sha256(secret), person, token.made, token.expires)
        with self._in_turn():
            self._database.execute("INSERT INTO token VALUES (?, ?, ?, ?, ?)", row)
        return token, f"vouch_{token.number}_{secret}"

    def person(self, said: str) -> str | None:
        """Return whose token it is; None for what is none, was revoked or has expired."""
        found = _TOKEN.fullmatch(said)
        number, secret = found.groups() if found else ("", "")
        with self._in_turn():
            row = self._database.execute(
                "SELECT sha256, person, expires FROM token WHERE number = ?", (number,)
            ).fetchone()
        kept, person, expires = row or (_NONE, "", 0.0)
        is_it = compare_digest(kept, _sha256(secret))
        return str(person) if row and is_it and self._clock() < expires else None

    def all(self) -> list[Token]:
        """Return every token that was not revoked, the oldest first; expired ones too."""
        query = "SELECT number, person, made, expires FROM token ORDER BY made, number"
        with self._in_turn():
            return [Token(*row) for row in self._database.execute(query)]

    def revoke(self, number: str) -> None:
        """Let a token open nothing from now on; raise `WrongUse` where there is none."""
        with self._in_turn():
            gone = self._database.execute("DELETE FROM token WHERE number = ?", (number,)).rowcount
        if not gone:
            raise WrongUse(wording.unknown_token(number))

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        with self._turn, _told():
            yield


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise TokensUnavailable(wording.tokens_unavailable(str(error))) from error


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
