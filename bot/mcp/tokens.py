"""Tokens by which agents come for a person: each is shown once, and only its SHA-256 is kept.

A token names itself (`vouch_NUMBER_SECRET`), so that it is found by its number and its secret is
compared in constant time. It says nothing of a person: who it is for stands here alone, and what
they may read is looked up at each request.
"""

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path

from bot.errors import TokensUnavailable, WrongUse
from bot.sqlite_file import SqliteFile
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
    made: float
    expires: float


class Tokens(SqliteFile):
    """Its methods raise `TokensUnavailable` where the file is locked or damaged."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        """`clock`: seconds since the epoch. Raise `TokensUnavailable`."""
        super().__init__(
            path, _TABLE, lambda error: TokensUnavailable(wording.tokens_unavailable(str(error)))
        )
        self._clock = clock

    def make(self, person: str, days: int) -> tuple[Token, str]:
        """Return what is kept of a new token, and the token itself, which nobody can tell again."""
        now = self._clock()
        token = Token(secrets.token_hex(NUMBER_BYTES), person, now, now + days * DAY_S)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        row = (token.number, _sha256(secret), person, token.made, token.expires)
        self._run("INSERT INTO token VALUES (?, ?, ?, ?, ?)", *row)
        return token, f"vouch_{token.number}_{secret}"

    def person(self, said: str) -> str | None:
        """Return whose token it is; None for what is none, was revoked or has expired."""
        found = _TOKEN.fullmatch(said)
        number, secret = found.groups() if found else ("", "")
        rows = self._run("SELECT sha256, person, expires FROM token WHERE number = ?", number)
        kept, person, expires = rows[0] if rows else (_NONE, "", 0.0)
        is_it = compare_digest(kept, _sha256(secret))
        return str(person) if rows and is_it and self._clock() < expires else None

    def all(self) -> list[Token]:
        """Return every token that was not revoked, the oldest first; expired ones too."""
        query = "SELECT number, person, made, expires FROM token ORDER BY made, number"
        return [Token(*row) for row in self._run(query)]

    def revoke(self, number: str) -> None:
        """Let a token open nothing from now on; raise `WrongUse` where there is none."""
        if not self._run("DELETE FROM token WHERE number = ? RETURNING number", number):
            raise WrongUse(wording.unknown_token(number))


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
