"""The bot reads by `conversations.*` and `users.*`."""

import base64
import binascii
import math
from typing import Any

from bot.workspace.conversations import Conversations
from bot.workspace.methods.calls import Answer, Call, Method
from bot.workspace.methods.rate_limits import TIER_3, TIER_4
from bot.workspace.methods.refusal import Refused
from bot.workspace.seed import BOT_USER, TEAM_ID, Room

DEFAULT_PAGE = 100
MOST_IN_PAGE = 999


class ConversationMethods:
    """They read rooms, their messages and the people in them."""

    def __init__(self, conversations: Conversations, scopes: tuple[str, ...]) -> None:
        self._conversations = conversations
        self._scopes = scopes

    def methods(self) -> dict[str, Method]:
        return {
            "conversations.open": Method(self._open, "im:write", TIER_3),
            "conversations.history": Method(self._history, a_minute=TIER_3),
            "conversations.replies": Method(self._replies, a_minute=TIER_3),
            "conversations.info": Method(self._info, a_minute=TIER_3),
            "users.conversations": Method(self._mine, "channels:read", TIER_3),
            "users.info": Method(self._user, "users:read", TIER_4),
        }

    def _open(self, call: Call) -> Answer:
        users = call.maybe("users").split(",")
        if not users[0]:
            raise Refused("users_list_not_supplied")
        if len(users) != 1:
            raise Refused("not_enough_users")
        room, new = self._conversations.direct(BOT_USER, users[0])
        channel: dict[str, Any] = {"id": room.id}
        if call.flag("return_im"):
            channel = _described(room)
        return {"channel": channel} | ({} if new else {"already_open": True, "no_op": True})

    def _history(self, call: Call) -> Answer:
        room = self._readable(call.text("channel"))
        top_level = [
            message
            for message in self._conversations.all(room)
            if message.get("thread_ts", message["ts"]) == message["ts"]
        ]
        return _page(call, list(reversed(_within(call, top_level))))

    def _replies(self, call: Call) -> Answer:
        room = self._readable(call.text("channel"))
        parent, *replies = self._conversations.thread(room, call.text("ts"))
        return _page(call, [parent, *_within(call, replies)])

    def _info(self, call: Call) -> Answer:
        room = self._conversations.room(call.text("channel"))
        if room.is_private and BOT_USER not in room.members:
            raise Refused("channel_not_found")
        self._need(room, "read")
        return {"channel": _described(room)}

    def _mine(self, call: Call) -> Answer:
        mine = self._conversations.rooms_of(call.maybe("user") or BOT_USER)
        channels = [_described(room) for room in mine if not room.is_im]
        return {"channels": channels, "response_metadata": {"next_cursor": ""}}

    def _user(self, call: Call) -> Answer:
        person = self._conversations.person(call.text("user"))
        profile = {"real_name": person.real_name, "display_name": person.name}
        if person.email and "users:read.email" in self._scopes:
            profile["email"] = person.email
        return {
            "user": {
                "id": person.id,
                "team_id": TEAM_ID,
                "name": person.name,
                "real_name": person.real_name,
                "deleted": False,
                "is_bot": person.is_bot,
                "profile": profile,
            }
        }

    def _readable(self, channel: str) -> Room:
        room = self._conversations.room(channel)
        if BOT_USER not in room.members:
            raise Refused("channel_not_found" if room.is_private else "not_in_channel")
        self._need(room, "history")
        return room

    def _need(self, room: Room, what: str) -> None:
        kind = {"channel": "channels", "group": "groups", "im": "im"}[room.channel_type]
        if f"{kind}:{what}" not in self._scopes:
            more = {"needed": f"{kind}:{what}", "provided": ",".join(self._scopes)}
            raise Refused("missing_scope", more=more)


def _described(room: Room) -> dict[str, Any]:
    if room.is_im:
        return {"id": room.id, "is_im": True, "user": room.other(BOT_USER), "is_open": True}
    return {
        "id": room.id,
        "name": room.name,
        "name_normalized": room.name,
        "is_channel": not room.is_private,
        "is_group": room.is_private,
        "is_im": False,
        "is_mpim": False,
        "is_private": room.is_private,
        "is_archived": room.is_archived,
        "is_member": BOT_USER in room.members,
        "topic": {"value": room.topic, "creator": "", "last_set": 0},
        "num_members": len(room.members),
    }


def _within(call: Call, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tell whether it lies between `oldest` and `latest`, which count only where `inclusive`."""
    low, high = call.number("oldest", 0), call.number("latest", math.inf)
    if call.flag("inclusive"):
        return [message for message in messages if low <= float(message["ts"]) <= high]
    return [message for message in messages if low < float(message["ts"]) < high]


def _page(call: Call, messages: list[dict[str, Any]]) -> Answer:
    asked = call.number("limit", DEFAULT_PAGE)
    if not 1 <= asked <= MOST_IN_PAGE:
        raise Refused("invalid_limit")
    limit = int(asked)
    start = _start(call.maybe("cursor"), messages)
    page, rest = messages[start : start + limit], messages[start + limit :]
    answer: dict[str, Any] = {"messages": page, "has_more": bool(rest)}
    if rest:
        cursor = base64.b64encode(f"next_ts:{rest[0]['ts']}".encode()).decode()
        answer["response_metadata"] = {"next_cursor": cursor}
    return answer


def _start(cursor: str, messages: list[dict[str, Any]]) -> int:
    if not cursor:
        return 0
    try:
        ts = base64.b64decode(cursor, validate=True).decode().removeprefix("next_ts:")
        return [message["ts"] for message in messages].index(ts)
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise Refused("invalid_cursor") from None
