"""Methods of the Web API: the bot speaks, reads conversations and people, uploads files."""

import base64
import binascii
import math
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.workspace.conversations import Conversations
from bot.workspace.events import ChangeKind, Listeners, MessageChange
from bot.workspace.faults import Refused
from bot.workspace.files import LARGEST, File, Files, described
from bot.workspace.seed import APP_ID, BOT_ID, BOT_USER, Member, Room, UserGroup
from bot.workspace.web_api import (
    LONGEST_UPDATE,
    TIER_2,
    TIER_3,
    TIER_4,
    Answer,
    Call,
    Method,
    RateLimits,
    content,
    cut_off,
)

SIGNED = {"bot_id": BOT_ID, "app_id": APP_ID}


MOST_PROMPTS = 4
""".../reference/methods/assistant.threads.setSuggestedPrompts."""


class Statuses:
    """They say what the bot is busy with, under a thread until it says something there."""

    def __init__(self, listeners: Listeners) -> None:
        self._listeners = listeners
        self._shown: set[tuple[str, str]] = set()

    def __call__(self, change: MessageChange) -> None:
        message = change.message
        thread = str(message.get("thread_ts", ""))
        spoke = change.kind is ChangeKind.SAID and message["user"] == BOT_USER
        if spoke and (change.room.id, thread) in self._shown:
            self.show(change.room, thread, "")

    def suggest(self, room: Room, prompts: list[str]) -> None:
        """Offer what could be asked there."""
        event = {"type": "prompts", "channel": room.id, "prompts": prompts}
        self._listeners.tell(room.members, event)

    def show(self, room: Room, thread: str, text: str) -> None:
        (self._shown.add if text else self._shown.discard)((room.id, thread))
        self._listeners.tell(
            room.members, {"type": "status", "channel": room.id, "thread_ts": thread, "text": text}
        )


@dataclass(frozen=True, slots=True)
class ChatMethods:
    conversations: Conversations
    limits: RateLimits
    statuses: Statuses

    def methods(self) -> dict[str, Method]:
        write = "chat:write"
        return {
            "chat.postMessage": Method(self._post, write, a_minute=None),
            "chat.update": Method(self._update, write, TIER_3),
            "chat.delete": Method(self._delete, write, TIER_3),
            "chat.postEphemeral": Method(self._post_ephemeral, write, TIER_4),
            "assistant.threads.setStatus": Method(self._set_status, write, TIER_4),
            "assistant.threads.setSuggestedPrompts": Method(
                self._suggest, "assistant:write", TIER_4
            ),
        }

    def _post(self, call: Call) -> Answer:
        room = self._writable(call.text("channel"))
        self.limits.of_posts(room.id)
        message = self.conversations.say(room, BOT_USER, _fields(call))
        return {"channel": room.id, "ts": message["ts"], "message": message, **cut_off(call)}

    def _update(self, call: Call) -> Answer:
        room = self._said_in(call.text("channel"), archived="is_inactive")
        before = self._own(room, call.text("ts"), "cant_update_message")
        given = content(call, LONGEST_UPDATE)
        edited = {"user": BOT_USER, "ts": self.conversations.now()}
        fields = {
            "text": given["text"],
            "blocks": given.get("blocks", None if given["text"] else before.get("blocks")),
            "edited": None if given.get("blocks") else edited,
        }
        message = self.conversations.change(room, before, fields)
        shown = {"channel": room.id, "ts": message["ts"], "text": message["text"]}
        return {**shown, "message": message}

    def _delete(self, call: Call) -> Answer:
        room = self._said_in(call.text("channel"))
        message = self._own(room, call.text("ts"), "cant_delete_message")
        self.conversations.delete(room, message)
        return {"channel": room.id, "ts": message["ts"]}

    def _post_ephemeral(self, call: Call) -> Answer:
        room = self._writable(call.text("channel"))
        user = call.text("user")
        if user not in room.members:
            raise Refused("user_not_in_channel")
        message = self.conversations.tell_privately(room, user, _fields(call))
        return {"message_ts": message["ts"], **cut_off(call)}

    def _set_status(self, call: Call) -> Answer:
        room = self._writable(call.text("channel_id"))
        self.statuses.show(room, call.text("thread_ts"), call.maybe("status"))
        return {}

    def _suggest(self, call: Call) -> Answer:
        room = self._writable(call.text("channel_id"))
        prompts = call.json("prompts", "invalid_arguments")
        if not isinstance(prompts, list) or not 0 < len(prompts) <= MOST_PROMPTS:
            raise Refused.blocks("invalid_arguments", ["must provide one to four prompts"])
        self.statuses.suggest(room, [str(each.get("message") or "") for each in prompts])
        return {}

    def _writable(self, channel: str) -> Room:
        """Find a room where the bot may write; a person's id stands for their direct message."""
        if channel in self.conversations.people:
            return self.conversations.direct(BOT_USER, channel)[0]
        return self._said_in(channel)

    def _said_in(self, channel: str, archived: str = "is_archived") -> Room:
        """Find a room by its id alone; `archived` is the error where nobody may write any more."""
        room = self.conversations.own_room(channel)
        if room.is_archived:
            raise Refused(archived)
        return room

    def _own(self, room: Room, ts: str, refused: str) -> dict[str, Any]:
        message = self.conversations.message(room, ts)
        if message.get("bot_id") != BOT_ID:
            raise Refused(refused)
        return message


def _fields(call: Call) -> dict[str, Any]:
    thread = call.maybe("thread_ts")
    return {**content(call), **SIGNED, **({"thread_ts": thread} if thread else {})}


DEFAULT_PAGE = 100
MOST_IN_PAGE = 999


class ConversationMethods:
    def __init__(
        self,
        conversations: Conversations,
        scopes: tuple[str, ...],
        usergroups: tuple[UserGroup, ...] = (),
    ) -> None:
        self._conversations = conversations
        self._scopes = scopes
        self._usergroups = {each.id: each for each in usergroups}

    def methods(self) -> dict[str, Method]:
        return {
            "conversations.open": Method(self._open, "im:write", TIER_3),
            "conversations.history": Method(self._history, a_minute=TIER_3),
            "conversations.replies": Method(self._replies, a_minute=TIER_3),
            "conversations.info": Method(self._info, a_minute=TIER_3),
            "conversations.members": Method(self._members, a_minute=TIER_4),
            "users.info": Method(self._user, "users:read", TIER_4),
            "users.lookupByEmail": Method(self._user_of, "users:read.email", TIER_3),
            "usergroups.list": Method(self._groups, "usergroups:read", TIER_2),
            "usergroups.users.list": Method(self._in_group, "usergroups:read", TIER_2),
        }

    def _open(self, call: Call) -> Answer:
        users = call.maybe("users").split(",")
        if not users[0]:
            raise Refused("users_list_not_supplied")
        if len(users) != 1:
            raise Refused("not_enough_users")
        room, new = self._conversations.direct(BOT_USER, users[0])
        known = {} if new else {"already_open": True, "no_op": True}
        return {"channel": {"id": room.id}, **known}

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

    def _members(self, call: Call) -> Answer:
        room = self._conversations.own_room(call.text("channel"))
        self._need(room, "read")
        return {"members": sorted(room.members), "response_metadata": {"next_cursor": ""}}

    def _user_of(self, call: Call) -> Answer:
        people = self._conversations.people.values()
        found = [each for each in people if each.email == call.text("email")]
        if not found:
            raise Refused("users_not_found")
        return self._profile(found[0])

    def _user(self, call: Call) -> Answer:
        return self._profile(self._conversations.person(call.text("user")))

    def _profile(self, person: Member) -> Answer:
        profile = {"real_name": person.real_name, "display_name": person.name}
        if person.email and "users:read.email" in self._scopes:
            profile["email"] = person.email
        return {
            "user": {
                "id": person.id,
                "team_id": self._conversations.team_id,
                "name": person.name,
                "real_name": person.real_name,
                "deleted": False,
                "is_bot": person.is_bot,
                "is_admin": person.is_admin,
                "profile": profile,
            }
        }

    def _groups(self, _: Call) -> Answer:
        """List them as .../reference/methods/usergroups.list does, without their people."""
        described = [
            {
                "id": each.id,
                "team_id": self._conversations.team_id,
                "is_usergroup": True,
                "name": each.handle,
                "handle": each.handle,
                "date_delete": 0,
                "user_count": len(each.users),
            }
            for each in self._usergroups.values()
        ]
        return {"usergroups": described}

    def _in_group(self, call: Call) -> Answer:
        group = self._usergroups.get(call.text("usergroup"))
        if group is None:
            raise Refused("no_such_subteam")
        return {"users": list(group.users)}

    def _readable(self, channel: str) -> Room:
        room = self._conversations.own_room(channel)
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
        "is_ext_shared": False,
        "is_archived": room.is_archived,
        "is_member": BOT_USER in room.members,
        "creator": room.creator,
        "topic": {"value": room.topic, "creator": "", "last_set": 0},
        "num_members": len(room.members),
    }


def _within(call: Call, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what lies between `oldest` and `latest`, which do not count themselves."""
    low, high = call.number("oldest", 0), call.number("latest", math.inf)
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


_SIGN_IN = "<!DOCTYPE html><title>Sign in</title><p>Sign in to read this file.</p>"


class FileMethods:
    """They keep a file to the app itself; what people posted in rooms of its own it may read."""

    def __init__(self, files: Files, token: str, scopes: tuple[str, ...]) -> None:
        self._files = files
        self._token = token
        self._scopes = scopes

    def methods(self) -> dict[str, Method]:
        write = "files:write"
        return {
            "files.getUploadURLExternal": Method(self._begin, write, TIER_4),
            "files.completeUploadExternal": Method(self._complete, write, TIER_4),
            "files.delete": Method(self._delete, write, TIER_3),
            "files.info": Method(self._info, "files:read", TIER_4),
        }

    def routes(self) -> list[Route]:
        """Return where bytes are sent, and where they are fetched."""
        fetched = "/files-pri/{team}-{file_id}/download/{name}"
        return [
            Route("/upload/v1/{secret}", self._upload, methods=["POST"]),
            Route(fetched, self._download, methods=["GET"]),
        ]

    def _begin(self, call: Call) -> Answer:
        file = self._files.begin(call.text("filename"), int(call.number("length", 0)))
        url = f"{call.base_url}/upload/v1/{file.secret}"
        return {"upload_url": url, "file_id": file.file_id}

    async def _upload(self, request: Request) -> Response:
        content = b""
        async for piece in request.stream():
            content += piece
            if len(content) > LARGEST:
                return PlainTextResponse("too large", 413)
        if not self._files.receive(request.path_params["secret"], content):
            return PlainTextResponse("no such upload", 404)
        return PlainTextResponse(f"OK - {len(content)}")

    def _info(self, call: Call) -> Answer:
        return {"file": described(self._readable(call.text("file")), call.base_url)}

    def _readable(self, file_id: str) -> File:
        file = self._files.posted(file_id)
        if file.room is None or BOT_USER not in file.room.members:
            raise Refused("file_not_found")
        return file

    async def _download(self, request: Request) -> Response:
        """Whoever may not read it is sent a page to sign in on, with status 200, as by Slack."""
        bearer = request.headers.get("authorization", "")
        try:
            file = self._readable(request.path_params["file_id"])
        except Refused:
            return HTMLResponse(_SIGN_IN, 404)
        if bearer != f"Bearer {self._token}" or "files:read" not in self._scopes:
            return HTMLResponse(_SIGN_IN)
        return Response(file.content, media_type=described(file, "")["mimetype"])

    def _complete(self, call: Call) -> Answer:
        named = call.json("files", "invalid_arguments")
        if not isinstance(named, list) or not named:
            raise Refused.blocks("invalid_arguments", ["missing required field: files"])
        if call.maybe("channel_id") or call.maybe("channels"):
            raise Refused("posting_to_channel_denied")
        return {"files": [self._completed(each) for each in named]}

    def _completed(self, named: Any) -> Answer:
        file = self._files.complete(str(named.get("id")) if isinstance(named, dict) else "")
        return {
            "id": file.file_id,
            "title": named.get("title", file.name),
            "mimetype": "",  # Slack looks at it later
            "is_public": False,
            "channels": [],
        }

    def _delete(self, call: Call) -> Answer:
        self._files.delete(call.text("file"))
        return {}
