"""Who is signed in is kept here, in one SQLite file: what a browser holds is a secret, no claim.

So a session ends where it is ended, and a stolen copy of the file opens nothing: of each secret
only its SHA-256 is kept. Name and rights of who signed in are looked up anew each time.
"""

import hashlib
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.access.people import People, Person
from bot.errors import SessionsUnavailable
from bot.sqlite_file import SqliteFile


class SignInProof(StrEnum):
    """How somebody proved who they are; the values are stored."""

    SLACK = "slack"
    OPERATOR = "operator"
    """Whoever runs the command line acts for them, as `vouch ask --as` does."""


@dataclass(frozen=True, slots=True)
class Identity:
    proof: SignInProof
    id: str
    """Empty for an operator's guest."""


class NobodyAnyMore(Exception):
    """The identity was somebody when it signed in, and is nobody now."""


@dataclass(frozen=True, slots=True)
class Readers:
    people: Callable[[], People]
    slack_person: Callable[[str], Person | None]
    """By a Slack user's id; None for a guest. Raises `NobodyAnyMore` where the user left."""

    def person(self, who: Identity) -> Person | None:
        """None for a guest; raise `NobodyAnyMore`, and `BotError` where Slack cannot be asked."""
        if who.proof is SignInProof.SLACK:
            return self.slack_person(who.id)
        if not who.id:
            return None
        person = self.people().by_id.get(who.id)
        if person is None:
            raise NobodyAnyMore
        return person


SECRET_BYTES = 32
LONGEST_S = 7 * 24 * 3600.0
"""Seconds after signing in at which a session ends, however busy it is."""
IDLE_S = 24 * 3600.0
"""Seconds without a request after which it ends."""
TOUCHED_EVERY_S = 60.0
"""How exactly the last request is kept: a page with ten pictures writes once."""
ONCE_S = 300.0
"""Seconds that a link of the command line waits to be opened."""
_TABLES = """
CREATE TABLE IF NOT EXISTS session (
    secret TEXT PRIMARY KEY, proof TEXT NOT NULL, who TEXT NOT NULL,
    begun REAL NOT NULL, seen REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS once (
    secret TEXT PRIMARY KEY, who TEXT NOT NULL, leads_to TEXT NOT NULL, made REAL NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class OneTimeVisit:
    who: Identity
    return_to: str


class Sessions(SqliteFile):
    """And links that work once; raises `SessionsUnavailable` where the file cannot be used."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        """`clock`: seconds since the epoch. Raise `SessionsUnavailable`."""
        super().__init__(path, _TABLES, _told)
        self._clock = clock

    def begin(self, who: Identity) -> str:
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._clock()
        self._forget(now)
        row = (_digest(secret), who.proof.value, who.id, now, now)
        self._run("INSERT INTO session VALUES (?, ?, ?, ?, ?)", *row)
        return secret

    def who(self, secret: str) -> Identity | None:
        """Return whose session it is; None where it is none, ended or was left too long."""
        now = self._clock()
        query = "SELECT proof, who, begun, seen FROM session WHERE secret = ?"
        for proof, who, begun, seen in self._run(query, _digest(secret)):
            if now - begun >= LONGEST_S or now - seen >= IDLE_S:
                return None
            if now - seen >= TOUCHED_EVERY_S:
                self._run("UPDATE session SET seen = ? WHERE secret = ?", now, _digest(secret))
            return Identity(SignInProof(proof), who)
        return None

    def end(self, secret: str) -> None:
        self._run("DELETE FROM session WHERE secret = ?", _digest(secret))

    def make_once(self, person: str, return_to: str) -> str:
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._clock()
        self._forget(now)
        self._run("INSERT INTO once VALUES (?, ?, ?, ?)", _digest(secret), person, return_to, now)
        return secret

    def use_once(self, secret: str) -> OneTimeVisit | None:
        """Return what a link gives, and let it give nothing from now on; None for a used one."""
        used = "DELETE FROM once WHERE secret = ? RETURNING who, leads_to, made"
        for who, leads_to, made in self._run(used, _digest(secret)):
            if self._clock() - made < ONCE_S:
                return OneTimeVisit(Identity(SignInProof.OPERATOR, who), leads_to)
        return None

    def _forget(self, now: float) -> None:
        ended = "DELETE FROM session WHERE begun <= ? OR seen <= ?"
        self._run(ended, now - LONGEST_S, now - IDLE_S)
        self._run("DELETE FROM once WHERE made <= ?", now - ONCE_S)


def _told(error: sqlite3.Error) -> SessionsUnavailable:
    return SessionsUnavailable(
        f"Who is signed in cannot be read or kept ({error}). See that the home may be written to, "
        "and start the bot again if web.sqlite was deleted or put back; a damaged one may be "
        "deleted: people sign in again."
    )


def token_against_forgery(secret: str) -> str:
    """What a form of ours carries, so that no other site's can be sent in a reader's name."""
    return hashlib.sha256(f"form:{secret}".encode()).hexdigest()


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
