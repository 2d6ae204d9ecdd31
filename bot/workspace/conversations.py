"""Rooms, and what was said in them; both outlive the server, in whose one thread they live."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bot.errors import BadConfiguration
from bot.sqlite_file import SqliteFile
from bot.wording import slack as words
from bot.workspace.events import ChangeKind, MessageChange, Observer
from bot.workspace.faults import Refused
from bot.workspace.seed import BOT_USER, Member, Room, Seed

_TABLES = """
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS room (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS message (
    room TEXT NOT NULL, ts TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (room, ts)
);
"""


class ConversationStore(SqliteFile):
    def __init__(self, path: Path | None) -> None:
        super().__init__(
            path, _TABLES, lambda error: BadConfiguration(words.unusable_file(path, error))
        )

    def rooms(self) -> list[Room]:
        found = [json.loads(body) for (body,) in self._run("SELECT body FROM room")]
        return [Room(**{**fields, "members": tuple(fields["members"])}) for fields in found]

    def messages(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for room, body in self._run("SELECT room, body FROM message ORDER BY ts"):
            yield room, json.loads(body)

    def save_room(self, room: Room) -> None:
        self._run("INSERT OR REPLACE INTO room VALUES (?, ?)", room.id, json.dumps(asdict(room)))

    def save(self, room_id: str, message: dict[str, Any]) -> None:
        values = (room_id, message["ts"], json.dumps(message))
        self._run("INSERT OR REPLACE INTO message VALUES (?, ?, ?)", *values)

    def forget(self, room_id: str, ts: str) -> None:
        self._run("DELETE FROM message WHERE room = ? AND ts = ?", room_id, ts)


Message = dict[str, Any]
Clock = Callable[[], float]


class Conversations:
    def __init__(
        self, seed: Seed, store: ConversationStore, clock: Clock, observers: Sequence[Observer]
    ) -> None:
        self.people: dict[str, Member] = {person.id: person for person in (*seed.people, seed.bot)}
        self.rooms: dict[str, Room] = {room.id: room for room in (*seed.channels, *store.rooms())}
        self._messages: dict[str, dict[str, Message]] = {room: {} for room in self.rooms}
        self._ephemerals: dict[tuple[str, str], list[Message]] = {}
        self.team_id = seed.team_id
        self._store = store
        self._clock = clock
        self._observers = observers
        self._last = 0
        for room_id, message in store.messages():
            self._messages.setdefault(room_id, {})[message["ts"]] = message
            self._last = max(self._last, int(message["ts"].replace(".", "")))

    def now(self) -> str:
        """Return a `ts` that no message has: seconds and six digits, ever increasing."""
        self._last = max(int(self._clock() * 1_000_000), self._last + 1)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"

    def person(self, user: str) -> Member:
        if user not in self.people:
            raise Refused("user_not_found")
        return self.people[user]

    def room(self, room_id: str) -> Room:
        if room_id not in self.rooms:
            raise Refused("channel_not_found")
        return self.rooms[room_id]

    def own_room(self, room_id: str) -> Room:
        room = self.room(room_id)
        if BOT_USER not in room.members:
            raise Refused("channel_not_found" if room.is_private else "not_in_channel")
        return room

    def rooms_of(self, user: str) -> list[Room]:
        mine = [room for room in self.rooms.values() if user in room.members]
        return sorted(mine, key=lambda room: room.is_im)

    def direct(self, one: str, other: str) -> tuple[Room, bool]:
        """Return the direct message of two people, and whether it was opened just now."""
        members = tuple(sorted((self.person(one).id, self.person(other).id)))
        room_id = "D" + hashlib.sha256(" ".join(members).encode()).hexdigest()[:10].upper()
        if room_id in self.rooms:
            return self.rooms[room_id], False
        room = Room(room_id, "directmessage", members, is_private=True, is_im=True)
        self.rooms[room_id] = room
        self._messages[room_id] = {}
        self._store.save_room(room)
        return room, True

    def join(self, room_id: str, user: str) -> Room:
        room = self.room(room_id)
        self.rooms[room_id] = replace(room, members=(*room.members, user))
        return self.rooms[room_id]

    def archive(self, room_id: str, archived: bool = True) -> None:
        """Archive as an administrator would: from now on nobody can write there, or all again."""
        self.rooms[room_id] = replace(self.room(room_id), is_archived=archived)

    def all(self, room: Room, user: str = "") -> list[Message]:
        ephemerals = self._ephemerals.get((room.id, user), [])
        said = [*self._messages[room.id].values(), *ephemerals]
        return sorted(said, key=lambda message: str(message["ts"]))

    def message(self, room: Room, ts: str) -> Message:
        if ts not in self._messages[room.id]:
            raise Refused("message_not_found")
        return self._messages[room.id][ts]

    def thread(self, room: Room, ts: str) -> list[Message]:
        if ts not in self._messages[room.id]:
            raise Refused("thread_not_found")
        replies = self._messages[room.id].values()
        return [one for one in replies if one["ts"] == ts or one.get("thread_ts") == ts]

    def say(self, room: Room, user: str, fields: Mapping[str, Any]) -> Message:
        """Adds a message; a reply to a reply joins its thread."""
        message: Message = {"type": "message", "user": user, "team": self.team_id, **fields}
        message["ts"] = self.now()
        parent = self._messages[room.id].get(message.get("thread_ts", ""))
        if parent:
            message["thread_ts"] = parent.get("thread_ts", parent["ts"])
            message["parent_user_id"] = parent["user"]
        self._keep(room, message)
        self._tell(MessageChange(ChangeKind.SAID, room, message))
        if parent:
            self._count_replies(room, message["thread_ts"])
        return message

    def tell_privately(self, room: Room, user: str, fields: Mapping[str, Any]) -> Message:
        message: Message = {"type": "message", "user": BOT_USER, "ephemeral": True, **fields}
        message["ts"] = self.now()
        self._ephemerals.setdefault((room.id, user), []).append(message)
        self._tell(MessageChange(ChangeKind.SAID, room, message, only_for=user))
        return message

    def change(self, room: Room, before: Message, fields: Mapping[str, Any]) -> Message:
        kept = {**before, **fields}
        after = {name: value for name, value in kept.items() if value is not None}
        self._keep(room, after)
        self._tell(MessageChange(ChangeKind.CHANGED, room, after, before))
        return after

    def delete(self, room: Room, message: Message) -> None:
        """Takes a message away; where it has replies a tombstone stays, as in Slack."""
        if message.get("reply_count"):
            grave = {"subtype": "tombstone", "text": "This message was deleted.", "blocks": None}
            self.change(room, message, {**grave, "user": "USLACKBOT", "bot_id": None})
            return
        del self._messages[room.id][message["ts"]]
        self._store.forget(room.id, message["ts"])
        self._tell(MessageChange(ChangeKind.DELETED, room, message))
        if message.get("thread_ts") in self._messages[room.id]:
            self._count_replies(room, message["thread_ts"])

    def _keep(self, room: Room, message: Message) -> None:
        self._messages[room.id][message["ts"]] = message
        self._store.save(room.id, message)

    def _count_replies(self, room: Room, ts: str) -> None:
        parent, *replies = self.thread(room, ts)
        users = list(dict.fromkeys(reply["user"] for reply in replies))
        counted = {
            "thread_ts": ts,
            "reply_count": len(replies),
            "reply_users": users,
            "reply_users_count": len(users),
            "latest_reply": replies[-1]["ts"] if replies else ts,
        }
        after = {**parent, **counted}
        self._keep(room, after)
        self._tell(MessageChange(ChangeKind.COUNTED, room, after, parent))

    def _tell(self, change: MessageChange) -> None:
        for observe in self._observers:
            observe(change)


def with_block_ids(blocks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Blocks and elements with ids, random ones where none were given, as Slack does."""
    return [_with_ids(block) for block in blocks]


def _with_ids(block: Mapping[str, Any]) -> dict[str, Any]:
    known = {"block_id": secrets.token_urlsafe(4), **block}
    if block["type"] in ("actions", "context_actions"):
        known["elements"] = [_with_action_id(element) for element in block["elements"]]
    for name in ("accessory", "element"):
        if name in block:
            known[name] = _with_action_id(block[name])
    return known


def _with_action_id(element: Mapping[str, Any]) -> dict[str, Any]:
    return {"action_id": secrets.token_urlsafe(4), **element}
