"""In which workspaces the bot is installed, with their tokens under a key, on the inbox's database.

It implements Bolt's stores of installations and of their states, so that several bots share them.
"""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from slack_sdk.oauth.installation_store import Installation, InstallationStore
from slack_sdk.oauth.state_store import OAuthStateStore
from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select

from bot.errors import BadConfiguration
from bot.slack.inbox.database import LateEngine, is_missing
from bot.slack.inbox.tables import installations, oauth_states

STATE_FOR = timedelta(minutes=10)
"""How long somebody may take to install it."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The bot in a workspace, or in all of an organisation (Enterprise Grid)."""

    workspace: str
    """Slack's id of the workspace; of the organisation where it is installed in all of it."""
    enterprise: str
    """Empty for none."""
    bot_token: str = field(repr=False)
    bot_user: str
    bot_id: str


class Installations(InstallationStore, OAuthStateStore):
    """Safe to share between threads, and between bots on one database.

    Every method raises `InboxUnavailable`.
    """

    def __init__(self, url: str, key: str, now: Callable[[], datetime]) -> None:
        """Nothing is opened before it is used. Raise `BadConfiguration` for what is no key.

        `now` tells the time, aware.
        """
        try:
            self._fernet = Fernet(key)
        except ValueError as error:
            raise BadConfiguration(BAD_KEY) from error
        self._inbox = LateEngine(url)
        self._now = now
        self._turn = Lock()

    def save(self, installation: Installation) -> None:
        """Keep it in place of an earlier one there."""
        of_all = bool(installation.is_enterprise_install)
        enterprise = str(installation.enterprise_id or "")
        kept = Installed(
            workspace=enterprise if of_all else str(installation.team_id or ""),
            enterprise=enterprise,
            bot_token=str(installation.bot_token or ""),
            bot_user=str(installation.bot_user_id or ""),
            bot_id=str(installation.bot_id or ""),
        )
        sealed = self._fernet.encrypt(json.dumps(asdict(kept)).encode()).decode()
        row = {"workspace": kept.workspace, "enterprise": enterprise, "sealed": sealed}
        with self._transaction() as connection:
            earlier = installations.c.workspace == kept.workspace
            connection.execute(delete(installations).where(earlier))
            connection.execute(insert(installations).values(**row, installed_at=self._now()))

    def belongs(self, workspace: str, enterprise: str) -> None:
        """Note that a workspace is one of an organisation, where it has no installation itself."""
        row = {"workspace": workspace, "enterprise": enterprise, "sealed": ""}
        with self._transaction() as connection:
            if connection.execute(_of(workspace)).one_or_none() is None:
                connection.execute(insert(installations).values(**row, installed_at=self._now()))

    def find(self, workspace: str) -> Installed | None:
        """Return what acts there: of the workspace's own, else of its organisation's.

        Raise `BadConfiguration` where the key does not open it.
        """
        with self._transaction() as connection:
            row = connection.execute(_of(workspace)).one_or_none()
            if row is not None and not row.sealed:
                row = connection.execute(_of(row.enterprise)).one_or_none()
        return self._opened(row.workspace, row.sealed) if row is not None and row.sealed else None

    def all(self) -> list[Installed]:
        """Return all, by id; none where there is no inbox yet. Raise as `find` does."""
        if is_missing(self._inbox.url):
            return []
        query = select(installations).where(installations.c.sealed != "")
        with self._transaction() as connection:
            rows = connection.execute(query.order_by(installations.c.workspace)).all()
        return [self._opened(row.workspace, row.sealed) for row in rows]

    def drop(self, workspace: str, at: datetime) -> list[str]:
        """Forget a workspace's, or all of an organisation's; return which are none any more.

        None where it was made since `at`, aware: then it is another one than what was ended.
        """
        of_its = and_(installations.c.enterprise == workspace, installations.c.sealed == "")
        mine = or_(installations.c.workspace == workspace, of_its)
        with self._transaction() as connection:
            made = connection.scalar(select(installations.c.installed_at).where(_is(workspace)))
            if made is not None and made >= at:
                return []
            gone = list(connection.scalars(select(installations.c.workspace).where(mine)))
            connection.execute(delete(installations).where(mine))
        return gone

    def issue(self, *_: Any, **__: Any) -> str:
        """Return a state that nobody guesses, for one installation."""
        state, now = secrets.token_urlsafe(32), self._now()
        with self._transaction() as connection:
            connection.execute(delete(oauth_states).where(oauth_states.c.until < now))
            connection.execute(insert(oauth_states).values(state=state, until=now + STATE_FOR))
        return state

    def consume(self, state: str) -> bool:
        """Tell whether it was issued lately, and not used before."""
        mine = oauth_states.c.state == state, oauth_states.c.until >= self._now()
        with self._transaction() as connection:
            return connection.execute(delete(oauth_states).where(*mine)).rowcount == 1

    def _opened(self, workspace: str, sealed: str) -> Installed:
        try:
            kept = Installed(**json.loads(self._fernet.decrypt(sealed.encode())))
        except InvalidToken as error:
            raise BadConfiguration(wrong_key(workspace)) from error
        if kept.workspace != workspace:  # somebody moved it
            raise BadConfiguration(wrong_key(workspace))
        return kept

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._turn, self._inbox.transaction() as connection:
            yield connection


def _of(workspace: str) -> Any:
    return select(installations).where(_is(workspace))


def _is(workspace: str) -> ColumnElement[bool]:
    return installations.c.workspace == workspace


BAD_KEY = "VOUCH_SLACK_TOKENS_KEY is no key; make one with `openssl rand -base64 32 | tr '+/' '-_'`"


def wrong_key(workspace: str) -> str:
    """Say what to do about a token that the key does not open."""
    return (
        f"VOUCH_SLACK_TOKENS_KEY does not open the token of {workspace}. Set the key back with "
        "which the bot was installed there, or install it there anew"
    )
