"""The user groups of Slack that `people.yaml` names, kept as they were last read."""

import json
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict
from threading import Lock

from cachetools import TTLCache, cachedmethod
from sqlalchemy import delete, insert, select

from bot.access.user_groups import ReadGroup
from bot.slack.inbox.database import LateEngine, is_missing
from bot.slack.inbox.tables import user_groups

REMEMBERED_SECONDS = 2.0


class StoredUserGroups:
    """Beside the bot that owns the inbox; what was changed elsewhere is seen in two seconds.

    Safe to share between threads. Every method raises `InboxUnavailable`.
    """

    def __init__(self, url: str) -> None:
        """Nothing is opened, nor made, before it is used."""
        self._inbox = LateEngine(url)
        self._turn = Lock()
        self._remembered = TTLCache[str, Sequence[ReadGroup]](1, REMEMBERED_SECONDS, time.monotonic)

    @cachedmethod(lambda self: self._remembered, lock=lambda self: self._turn)
    def read(self) -> Sequence[ReadGroup]:
        """Return them; none where there is no inbox yet."""
        if is_missing(self._inbox.url):
            return ()
        with self._inbox.transaction() as connection:
            rows = connection.execute(select(user_groups)).all()
        return [
            ReadGroup(row.group_id, row.handle, frozenset(json.loads(row.members)), row.read_at)
            for row in rows
        ]

    def keep(self, groups: Collection[ReadGroup], known: Collection[str]) -> None:
        """Keep these as they are now, and of the others those whose ids are `known`."""
        new = {each.group_id for each in groups}
        gone = user_groups.c.group_id.not_in(set(known) - new)
        rows = [{**asdict(each), "members": json.dumps(sorted(each.members))} for each in groups]
        with self._inbox.transaction() as connection:
            connection.execute(delete(user_groups).where(gone))
            if rows:
                connection.execute(insert(user_groups), rows)
        with self._turn:
            self._remembered.clear()
