"""The workspace's page reads and acts over these; nobody logs in, `as` says who acts."""

import base64
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.wording import slack as words
from bot.workspace.beside_messages import Previews
from bot.workspace.conversations import Conversations
from bot.workspace.deliveries import Transport
from bot.workspace.events import BotEvents, Listeners
from bot.workspace.faults import Refused
from bot.workspace.files import Files, described
from bot.workspace.interactions import Interactions
from bot.workspace.seed import BOT_USER, Member, Room, Seed
from bot.workspace.views import Views
from bot.workspace.web_api import LONGEST_POST

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class PageFiles:
    files: Files
    views: Views
    base_url: Callable[[], str]

    def posted(self, user: str, room: Room, given: object) -> list[dict[str, Any]]:
        """Keep what comes with a message: a name and base64 each; return what Slack tells of it."""
        named = given if isinstance(given, list) else []
        said = [(_text(each, "name"), _bytes(each)) for each in named if isinstance(each, dict)]
        files = [self.files.post(name, content, room, user) for name, content in said]
        return [described(each, self.base_url()) for each in files]

    def content(self, user: str, file_id: str) -> Response:
        """Raise `Refused` where nobody showed it to this person, as where there is none."""
        if not self.views.shows(user, file_id):
            raise Refused("file_not_found")
        file = self.files.shown(file_id)
        return Response(file.content, media_type=file.mimetype, headers=_HEADERS)


Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Malformed(Exception):
    """No page of ours sends such a request."""

    status: int
    text: str


def reading(read: Callable[[Body], Body]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse({"ok": True, **read(request.query_params)})
        except Refused as refused:
            return refused_reply(refused)

    return endpoint


def acting(act: Callable[[Body], Awaitable[Body]]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse({"ok": True, **await act(await _json(request))})
        except Malformed as malformed:
            return JSONResponse({"ok": False, "error": malformed.text}, malformed.status)
        except Refused as refused:
            return refused_reply(refused)

    return endpoint


async def _json(request: Request) -> Body:
    """Read JSON alone: another site's page could send a form without being asked."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Malformed(415, "Send application/json.")
    try:
        body = json.loads(await request.body())
    except ValueError:
        raise Malformed(400, "The body is no JSON.") from None
    if not isinstance(body, dict):
        raise Malformed(400, "The body is no object.")
    return body


def refused_reply(refused: Refused) -> Response:
    say = refused.more.get("say") or words.refusal(refused.code)
    return JSONResponse({"ok": False, "error": refused.code, "say": say})


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    path: str


def as_markup(text: str, people: Iterable[Member], rooms: Iterable[Room]) -> str:
    """Escape it; `@name` and `#channel` become what Slack sends for them."""
    users = {
        escape(name, quote=False).casefold(): f"<@{person.id}>"
        for person in people
        for name in (person.name, person.real_name)
        if name
    }
    channels = {
        room.name.casefold(): f"<#{room.id}|{room.name}>" for room in rooms if not room.is_im
    }
    return _replaced("#", channels, _replaced("@", users, escape(text, quote=False)))


def _replaced(sign: str, entities: Mapping[str, str], text: str) -> str:
    if not entities:
        return text
    longest_first = sorted(entities, key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest_first)
    entity: Callable[[re.Match[str]], str] = lambda found: entities[found[1].casefold()]  # noqa: E731
    return re.sub(rf"(?<!\w){sign}({names})(?!\w)", entity, text, flags=re.IGNORECASE)


HEARTBEAT = 15.0
"""Seconds of silence after which a page is shown that the server is still there."""


@dataclass(eq=False)
class PageApi:
    seed: Seed
    conversations: Conversations
    interactions: Interactions
    listeners: Listeners
    transport: Transport
    bot_events: BotEvents
    signs_in_at: Callable[[], list[str]]
    files: PageFiles
    previews: Previews
    places: Sequence[Place]
    _seen: dict[tuple[str, str], str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._started = self.conversations.now()

    def routes(self) -> list[Route]:
        reads: dict[str, Callable[[Body], Body]] = {
            "state": self._state,
            "rooms": self._rooms,
            "messages": self._messages,
            "home": self._home,
        }
        acts: dict[str, Callable[[Body], Awaitable[Body]]] = {
            "dm": self._dm,
            "messages": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "react": self._react,
            "files/delete": self._delete_file,
            "previews/open": self._open_preview,
            "commands": self._command,
            "shortcuts": self._shortcut,
            "home": self._open_home,
            "actions": self._click,
            "views/submit": self._submit,
            "views/close": self._close,
            "seen": self._mark_seen,
        }
        return [
            Route("/page/events", self._events),
            Route("/page/files/{file_id}", self._file),
            *(
                Route(f"/page/{name}", reading(read), methods=["GET"])
                for name, read in reads.items()
            ),
            *(Route(f"/page/{name}", acting(act), methods=["POST"]) for name, act in acts.items()),
        ]

    def _state(self, _: Body) -> Body:
        seed, rooms = self.seed, self.conversations.rooms.values()
        return {
            "team": {"id": seed.team_id, "name": seed.team, "documents": seed.documents},
            "workspaces": [asdict(place) for place in self.places],
            "bot": {"id": BOT_USER, "name": seed.bot_name, "connected": self.transport.connected},
            "people": [asdict(person) for person in self.conversations.people.values()],
            "channels": [asdict(room) for room in rooms if not room.is_im],
            "commands": [asdict(one) for one in seed.commands],
            "shortcuts": [
                {"id": one.callback_id, "name": one.name, "about_message": one.about_message}
                for one in seed.shortcuts
            ],
            "examples": [
                {"as": one.person, "channel": one.channel, "text": one.text, "note": one.note}
                for one in seed.examples
            ],
            "signs_in_at": self.signs_in_at(),
            "questions": {who: list(asked) for who, asked in seed.questions.items()},
            "opens": {
                "as": seed.opens_as or next((one.id for one in seed.people), None),
                "channel": seed.opens_channel or next((one.id for one in seed.channels), None),
            },
        }

    def _rooms(self, body: Body) -> Body:
        user = self._user(body)
        return {
            "rooms": [
                {
                    "id": room.id,
                    "name": room.name,
                    "is_im": room.is_im,
                    "with": room.other(user) if room.is_im else None,
                    "unread": self._unread(user, room),
                    "members": room.members,
                }
                for room in self.conversations.rooms_of(user)
            ]
        }

    def _messages(self, body: Body) -> Body:
        user, room = self._place(body)
        return {"messages": self.conversations.all(room, user)}

    async def _dm(self, body: Body) -> Body:
        user = self._user(body)
        room, new = self.conversations.direct(user, _text(body, "with"))
        if new:
            self.listeners.tell(room.members, {"type": "room", "channel": room.id})
        if BOT_USER in room.members:
            self.bot_events.home_opened(user, room, self.conversations.now())
        return {"channel": room.id}

    async def _say(self, body: Body) -> Body:
        user, room = self._place(body)
        if room.is_archived:
            raise Refused("is_archived")
        files = self.files.posted(user, room, body.get("files"))
        shared = {"subtype": "file_share", "files": files} if files else {}
        text = self._typed(body) if body.get("text") or not files else ""
        fields: dict[str, Any] = {"text": text, **shared}
        if thread := body.get("thread_ts"):
            self.conversations.message(room, str(thread))
            fields["thread_ts"] = str(thread)
        return {"ts": self.conversations.say(room, user, fields)["ts"]}

    async def _edit(self, body: Body) -> Body:
        user, room, message = self._own(body, "cant_update_message")
        edited = {"user": user, "ts": self.conversations.now()}
        fields = {"text": self._typed(body), "edited": edited}
        self.conversations.change(room, message, fields)
        return {}

    async def _delete(self, body: Body) -> Body:
        _, room, message = self._own(body, "cant_delete_message")
        self.conversations.delete(room, message)
        for file in message.get("files") or ():
            self.files.files.delete(file["id"])
            self.bot_events.file_deleted(file["id"], self.conversations.now())
        return {}

    async def _delete_file(self, body: Body) -> Body:
        _, room, message = self._own(body, "cant_delete_message")
        deleted = _text(body, "file")
        kept = [each for each in message.get("files") or () if each["id"] != deleted]
        self.files.files.delete(deleted)
        self.conversations.change(room, message, {"files": kept})
        self.bot_events.file_deleted(deleted, self.conversations.now())
        return {}

    async def _react(self, body: Body) -> Body:
        """The app hears of it; the page shows no reactions."""
        user, room, message = self._message(body)
        now = self.conversations.now()
        self.bot_events.reacted(user, room, message, _text(body, "reaction"), now)
        return {}

    async def _open_preview(self, body: Body) -> Body:
        user, room, message = self._message(body)
        self.previews.open(user, room, message, _text(body, "url"))
        return {}

    async def _command(self, body: Body) -> Body:
        user, room = self._place(body)
        name, text = _text(body, "command"), str(body.get("text") or "")
        try:
            await self.interactions.command(user, room, name, text)
        except Refused as refused:
            raise Refused(refused.code, more={"say": words.command(name, refused.code)}) from None
        return {}

    async def _shortcut(self, body: Body) -> Body:
        callback_id = _text(body, "shortcut")
        if ts := body.get("message_ts"):
            user, room = self._place(body)
            await self.interactions.message_shortcut(user, callback_id, room, str(ts))
        else:
            await self.interactions.shortcut(self._user(body), callback_id)
        return {}

    def _home(self, body: Body) -> Body:
        return {"view": self.files.views.home(self._user(body))}

    async def _open_home(self, body: Body) -> Body:
        user = self._user(body)
        room, _ = self.conversations.direct(user, BOT_USER)
        self.bot_events.home_opened(user, room, self.conversations.now(), tab="home")
        return {}

    async def _click(self, body: Body) -> Body:
        if view_id := body.get("view_id"):
            await self.interactions.click_in_view(self._user(body), str(view_id), body)
            return {}
        user, room = self._place(body)
        await self.interactions.click_in_message(user, room, _text(body, "message_ts"), body)
        return {}

    async def _submit(self, body: Body) -> Body:
        values = body.get("values")
        if not isinstance(values, dict):
            raise Refused("invalid_arguments")
        errors = await self.interactions.submit(self._user(body), _text(body, "view_id"), values)
        return {"errors": errors} if errors else {}

    async def _close(self, body: Body) -> Body:
        await self.interactions.close(self._user(body), _text(body, "view_id"))
        return {}

    async def _mark_seen(self, body: Body) -> Body:
        user, room = self._place(body)
        self._seen[user, room.id] = self.conversations.now()
        return {}

    async def _file(self, request: Request) -> Response:
        try:
            user = self._user(request.query_params)
            return self.files.content(user, request.path_params["file_id"])
        except Refused as refused:
            return refused_reply(refused)

    async def _events(self, request: Request) -> Response:
        try:
            user = self._user(request.query_params)
        except Refused as refused:
            return refused_reply(refused)
        return StreamingResponse(
            self._stream(user),
            media_type="text/event-stream",
            headers={"cache-control": "no-store"},
        )

    async def _stream(self, user: str) -> AsyncIterator[str]:
        async for event in self.listeners.listen(user, HEARTBEAT):
            yield ": still here\n\n" if event is None else f"data: {json.dumps(event)}\n\n"

    def _unread(self, user: str, room: Room) -> int:
        since = self._seen.get((user, room.id), self._started)
        return sum(
            message["ts"] > since and message["user"] != user
            for message in self.conversations.all(room, user)
        )

    def _user(self, body: Body) -> str:
        return self.conversations.person(_text(body, "as")).id

    def _place(self, body: Body) -> tuple[str, Room]:
        user, room = self._user(body), self.conversations.room(_text(body, "channel"))
        if user not in room.members:
            raise Refused("not_in_channel")
        return user, room

    def _message(self, body: Body) -> tuple[str, Room, dict[str, Any]]:
        user, room = self._place(body)
        return user, room, self.conversations.message(room, _text(body, "ts"))

    def _own(self, body: Body, refused: str) -> tuple[str, Room, dict[str, Any]]:
        user, room, message = self._message(body)
        if message["user"] != user:
            raise Refused(refused)
        return user, room, message

    def _typed(self, body: Body) -> str:
        text = _text(body, "text")
        if not text.strip():
            raise Refused("no_text")
        if len(text) > LONGEST_POST:
            raise Refused("msg_too_long")
        conversations = self.conversations
        return as_markup(text, conversations.people.values(), conversations.rooms.values())


def _text(body: Body, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise Refused("no_text" if name == "text" else "invalid_arguments")
    return value


def _bytes(body: Body) -> bytes:
    try:
        return base64.b64decode(_text(body, "content"), validate=True)
    except ValueError:
        raise Refused("invalid_arguments") from None
