"""Messages come, change and go; page and app are told (https://docs.slack.dev/reference/events)."""

import asyncio
import html
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from bot.workspace.faults import Faults, Refused
from bot.workspace.seed import APP_ID, BOT_USER, TEAM_ID, Room

Message = Mapping[str, Any]


class ChangeKind(StrEnum):
    """A kind says what became of a message, as the page's events name it."""

    SAID = "message"
    CHANGED = "message_changed"
    DELETED = "message_deleted"
    COUNTED = "message_counted"
    """A reply came to its thread, or went; Slack has no event for it, the page redraws."""


@dataclass(frozen=True, slots=True)
class MessageChange:
    kind: ChangeKind
    room: Room
    message: Message
    before: Message | None = None
    only_for: str = ""
    """The one person who sees an ephemeral message; empty where all members do."""


Observer = Callable[[MessageChange], None]
_Events = asyncio.Queue[dict[str, Any] | None]


class Listeners:
    def __init__(self) -> None:
        self._pages: dict[str, set[_Events]] = {}

    def tell(self, users: Iterable[str], event: dict[str, Any]) -> None:
        for user in users:
            for events in self._pages.get(user, ()):
                events.put_nowait(event)

    def tell_all(self, event: dict[str, Any]) -> None:
        self.tell(list(self._pages), event)

    def close(self) -> None:
        for pages in self._pages.values():
            for events in pages:
                events.put_nowait(None)

    async def listen(self, user: str, idle: float) -> AsyncIterator[dict[str, Any] | None]:
        """Yield what `user` may see from now on; None at once and after `idle` silent seconds."""
        with self._page(user) as events:
            yield None
            while True:
                try:
                    async with asyncio.timeout(idle):
                        event = await events.get()
                except TimeoutError:
                    yield None
                    continue
                if event is None:
                    return
                yield event

    @contextmanager
    def _page(self, user: str) -> Iterator[_Events]:
        events: _Events = asyncio.Queue()
        self._pages.setdefault(user, set()).add(events)
        try:
            yield events
        finally:
            self._pages[user].discard(events)


class PageEvents:
    def __init__(self, listeners: Listeners) -> None:
        self._listeners = listeners

    def __call__(self, change: MessageChange) -> None:
        room = change.room
        what = ChangeKind.CHANGED if change.kind is ChangeKind.COUNTED else change.kind
        event: dict[str, Any] = {"type": what.value, "channel": room.id}
        if change.kind is ChangeKind.DELETED:
            event["ts"] = change.message["ts"]
        else:
            event["message"] = change.message
        self._listeners.tell([change.only_for] if change.only_for else room.members, event)


Event = dict[str, Any]
_HISTORY = {"channel": "channels:history", "group": "groups:history", "im": "im:history"}
_URL = re.compile(r"https?://[^\s<>|]+")
_MENTION = re.compile(rf"<@{BOT_USER}(\|[^>]*)?>")
_SHOWN = ("user", "text", "ts", "blocks", "thread_ts", "parent_user_id", "bot_id", "app_id")
_SHOWN_TOO = ("team", "client_msg_id", "edited", "subtype", "files")


SEARCHES = "search:read.public"
"""The scope with which messages come with a token to search by."""


class ActionTokens:
    def __init__(self) -> None:
        self._given: set[str] = set()

    def give(self) -> str:
        token = f"{secrets.randbelow(10**9)}.{secrets.token_hex(8)}"
        self._given.add(token)
        return token

    def demand(self, token: str) -> None:
        if token not in self._given:
            raise Refused("invalid_action_token")


@dataclass(frozen=True, slots=True)
class BotEvents:
    """It makes events of what happens where the bot is a member, and sends them."""

    scopes: tuple[str, ...]
    faults: Faults
    send: Callable[[dict[str, Any]], None]
    sites: Callable[[], list[str]] = list
    """Of which addresses the app hears when they are posted."""
    team_id: str = TEAM_ID
    action_tokens: ActionTokens = field(default_factory=ActionTokens)

    def __call__(self, change: MessageChange) -> None:
        if change.kind is ChangeKind.COUNTED:
            return
        self._tell_of_links(change)
        if change.only_for or BOT_USER not in change.room.members:
            return
        events = list(self._events(change))
        if self.faults.mention_first:
            events.reverse()
        for event in events:
            self.tell(event)

    def _tell_of_links(self, change: MessageChange) -> None:
        """Wherever they are posted, also where the app is no member; of its own it hears not."""
        message, sites = change.message, tuple(f"{site}/" for site in self.sites())
        by_person = change.kind is ChangeKind.SAID and not message.get("bot_id")
        if not sites or not by_person or "links:read" not in self.scopes:
            return
        posted = [html.unescape(each) for each in _URL.findall(str(message.get("text", "")))]
        links = [{"url": each, "domain": urlsplit(each).hostname} for each in posted]
        ours = [each for each in links if str(each["url"]).startswith(sites)]
        if ours:
            self.tell(
                {
                    "type": "link_shared",
                    "user": message["user"],
                    "channel": change.room.id,
                    "message_ts": message["ts"],
                    "is_bot_user_member": BOT_USER in change.room.members,
                    "links": ours,
                    "event_ts": message["ts"],
                }
            )

    def details_requested(self, url: str, entity: Message, trigger: str, ts: str) -> None:
        self.tell(
            {
                "type": "entity_details_requested",
                "user": entity["for"],
                "external_ref": entity["external_ref"],
                "entity_url": entity["url"],
                "app_unfurl_url": url,
                "link": {"url": entity["url"], "domain": urlsplit(url).hostname},
                "trigger_id": trigger,
                "user_locale": "en-US",
                "channel": entity["channel"],
                "message_ts": entity["ts"],
                "event_ts": ts,
            }
        )

    def tell(self, event: Event) -> None:
        """Sends one event; twice where a test asked for it."""
        callback = _callback(event, self.team_id)
        for _ in range(2 if self.faults.take_twice() else 1):
            self.send(callback)

    def home_opened(self, user: str, room: Room, ts: str, tab: str = "messages") -> None:
        self.tell(
            {
                "type": "app_home_opened",
                "user": user,
                "channel": room.id,
                "tab": tab,
                "event_ts": ts,
            }
        )

    def file_deleted(self, file_id: str, ts: str) -> None:
        if "files:read" in self.scopes:
            self.tell({"type": "file_deleted", "file_id": file_id, "event_ts": ts})

    def joined(self, room: Room, ts: str) -> None:
        self.tell(
            {
                "type": "member_joined_channel",
                "user": BOT_USER,
                "channel": room.id,
                "channel_type": room.id[0],
                "team": self.team_id,
                "event_ts": ts,
            }
        )

    def reacted(self, user: str, room: Room, message: Message, reaction: str, ts: str) -> None:
        if "reactions:read" not in self.scopes or BOT_USER not in room.members:
            return
        item = {"type": "message", "channel": room.id, "ts": message["ts"]}
        self.tell(
            {
                "type": "reaction_added",
                "user": user,
                "reaction": reaction,
                "item_user": message["user"],
                "item": item,
                "event_ts": ts,
            }
        )

    def _events(self, change: MessageChange) -> Iterator[Event]:
        room, message = change.room, change.message
        if _HISTORY[room.channel_type] in self.scopes:
            yield {**_message_event(change), **self._token(change)}
        before = change.before or message
        is_changed = message.get("edited") and before.get("text") != message.get("text")
        is_said = change.kind is ChangeKind.SAID or is_changed
        if not is_said or room.is_im or message.get("bot_id"):
            return
        if "app_mentions:read" in self.scopes and _MENTION.search(message.get("text", "")):
            yield {
                **_shown(message),
                "type": "app_mention",
                "channel": room.id,
                "event_ts": message["ts"],
                **self._token(change),
            }

    def _token(self, change: MessageChange) -> Event:
        """What the app may search with for a while, beside the text and one level below."""
        by_person = change.kind is ChangeKind.SAID and not change.message.get("bot_id")
        allowed = by_person and SEARCHES in self.scopes
        if not allowed:
            return {}
        token = {"action_token": self.action_tokens.give()}
        return {"assistant_thread": token} if change.room.is_im else token


def _message_event(change: MessageChange) -> Event:
    room, message = change.room, change.message
    where = {"type": "message", "channel": room.id, "channel_type": room.channel_type}
    if change.kind is ChangeKind.SAID:
        return {**_shown(message), **where, "event_ts": message["ts"]}
    changed: Event = {
        **where,
        "subtype": change.kind.value,
        "hidden": True,
        "ts": message["ts"],
        "event_ts": message["ts"],
    }
    if change.kind is ChangeKind.DELETED:
        return {**changed, "deleted_ts": message["ts"], "previous_message": dict(message)}
    return {**changed, "message": dict(message), "previous_message": dict(change.before or {})}


def _shown(message: Mapping[str, Any]) -> Event:
    return {name: message[name] for name in (*_SHOWN, *_SHOWN_TOO) if name in message}


def _callback(event: Event, team_id: str) -> dict[str, Any]:
    return {
        "token": "local",
        "team_id": team_id,
        "api_app_id": APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{secrets.token_hex(5).upper()}",
        "event_time": int(float(event["event_ts"])),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team_id,
                "user_id": BOT_USER,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": secrets.token_hex(8),
    }
