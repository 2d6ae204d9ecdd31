"""The Events API tells the app what happens in a workspace.

Which events come depends on the scopes: https://docs.slack.dev/reference/events
"""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.workspace.faults import Faults
from bot.workspace.message_changes import ChangeKind, MessageChange
from bot.workspace.seed import APP_ID, BOT_USER, TEAM_ID, Room

Event = dict[str, Any]
_HISTORY = {"channel": "channels:history", "group": "groups:history", "im": "im:history"}
_MENTION = re.compile(rf"<@{BOT_USER}(\|[^>]*)?>")
_SHOWN = ("user", "text", "ts", "blocks", "thread_ts", "parent_user_id", "bot_id", "app_id")
_SHOWN_TOO = ("team", "client_msg_id", "edited", "subtype")


class BotEvents:
    """It makes events of what happens where the bot is a member, and sends them."""

    def __init__(
        self, scopes: tuple[str, ...], faults: Faults, send: Callable[[dict[str, Any]], None]
    ) -> None:
        self._scopes = scopes
        self._faults = faults
        self._send = send

    def __call__(self, change: MessageChange) -> None:
        if change.kind is ChangeKind.COUNTED:
            return
        if change.only_for or BOT_USER not in change.room.members:
            return
        events = list(self._events(change))
        if self._faults.mention_first:
            events.reverse()
        for event in events:
            self.tell(event)

    def tell(self, event: Event) -> None:
        """Sends one event; twice where a test asked for it."""
        callback = _callback(event)
        for _ in range(2 if self._faults.take_twice() else 1):
            self._send(callback)

    def home_opened(self, user: str, room: Room, ts: str) -> None:
        """Tell that somebody opened the direct message with the bot."""
        if "im:history" in self._scopes:
            self.tell(
                {
                    "type": "app_home_opened",
                    "user": user,
                    "channel": room.id,
                    "tab": "messages",
                    "event_ts": ts,
                }
            )

    def _events(self, change: MessageChange) -> Iterator[Event]:
        room, message = change.room, change.message
        if _HISTORY[room.channel_type] in self._scopes:
            yield _message_event(change)
        if change.kind is not ChangeKind.SAID or room.is_im or message.get("bot_id"):
            return
        if "app_mentions:read" in self._scopes and _MENTION.search(message.get("text", "")):
            yield {
                **_shown(message),
                "type": "app_mention",
                "channel": room.id,
                "event_ts": message["ts"],
            }


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


def _callback(event: Event) -> dict[str, Any]:
    return {
        "token": "local",
        "team_id": TEAM_ID,
        "api_app_id": APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{secrets.token_hex(5).upper()}",
        "event_time": int(float(event["event_ts"])),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": TEAM_ID,
                "user_id": BOT_USER,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": secrets.token_hex(8),
    }
