"""The workspace's page reads and acts over these; nobody logs in, `as` says who acts."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from bot.wording import workspace as words
from bot.workspace.conversations import Conversations
from bot.workspace.delivery.bot_events import BotEvents
from bot.workspace.delivery.deliveries import Transport
from bot.workspace.interactions import Interactions
from bot.workspace.message_changes import Listeners
from bot.workspace.methods.calls import LONGEST_POST
from bot.workspace.methods.refusal import Refused
from bot.workspace.page_files import PageFiles
from bot.workspace.page_requests import Body, acting, reading, refused_reply
from bot.workspace.page_state import page_state
from bot.workspace.seed import BOT_USER, Room, Seed
from bot.workspace.typed_text import as_markup

HEARTBEAT = 15.0
"""Seconds of silence after which a page is shown that the server is still there."""


class PageApi:
    """It has the endpoints under `/page`."""

    def __init__(
        self,
        seed: Seed,
        conversations: Conversations,
        interactions: Interactions,
        listeners: Listeners,
        transport: Transport,
        bot_events: BotEvents,
        signs_in_at: Callable[[], list[str]],
        files: PageFiles,
    ) -> None:
        self._seed = seed
        self._conversations = conversations
        self._interactions = interactions
        self._listeners = listeners
        self._transport = transport
        self._bot_events = bot_events
        self._signs_in_at = signs_in_at
        self._files = files
        self._seen: dict[tuple[str, str], str] = {}
        self._started = conversations.now()

    def routes(self) -> list[Route]:
        reads: dict[str, Callable[[Body], Body]] = {
            "state": self._state,
            "rooms": self._rooms,
            "messages": self._messages,
        }
        acts: dict[str, Callable[[Body], Awaitable[Body]]] = {
            "dm": self._dm,
            "messages": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "commands": self._command,
            "actions": self._click,
            "views/submit": self._submit,
            "views/close": self._close,
            "typing": self._typing,
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
        return page_state(
            self._seed,
            self._conversations,
            connected=self._transport.connected,
            signs_in_at=self._signs_in_at(),
        )

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
                for room in self._conversations.rooms_of(user)
            ]
        }

    def _messages(self, body: Body) -> Body:
        user, room = self._place(body)
        return {"messages": self._conversations.all(room, user)}

    async def _dm(self, body: Body) -> Body:
        user = self._user(body)
        room, new = self._conversations.direct(user, _text(body, "with"))
        if new:
            self._listeners.tell(room.members, {"type": "room", "channel": room.id})
        if BOT_USER in room.members:
            self._bot_events.home_opened(user, room, self._conversations.now())
        return {"channel": room.id}

    async def _say(self, body: Body) -> Body:
        user, room = self._place(body)
        fields: dict[str, Any] = {"text": self._typed(body)}
        if room.is_archived:
            raise Refused("is_archived")
        if thread := body.get("thread_ts"):
            self._conversations.message(room, str(thread))
            fields["thread_ts"] = str(thread)
        return {"ts": self._conversations.say(room, user, fields)["ts"]}

    async def _edit(self, body: Body) -> Body:
        user, room, message = self._own(body, "cant_update_message")
        edited = {"user": user, "ts": self._conversations.now()}
        fields = {"text": self._typed(body), "edited": edited}
        self._conversations.change(room, message, fields)
        return {}

    async def _delete(self, body: Body) -> Body:
        _, room, message = self._own(body, "cant_delete_message")
        self._conversations.delete(room, message)
        return {}

    async def _command(self, body: Body) -> Body:
        user, room = self._place(body)
        name, text = _text(body, "command"), str(body.get("text") or "")
        try:
            await self._interactions.command(user, room, name, text)
        except Refused as refused:
            raise Refused(refused.code, more={"say": words.command(name, refused.code)}) from None
        return {}

    async def _click(self, body: Body) -> Body:
        if view_id := body.get("view_id"):
            await self._interactions.click_in_view(self._user(body), str(view_id), body)
            return {}
        user, room = self._place(body)
        await self._interactions.click_in_message(user, room, _text(body, "message_ts"), body)
        return {}

    async def _submit(self, body: Body) -> Body:
        values = body.get("values")
        if not isinstance(values, dict):
            raise Refused("invalid_arguments")
        errors = await self._interactions.submit(self._user(body), _text(body, "view_id"), values)
        return {"errors": errors} if errors else {}

    async def _close(self, body: Body) -> Body:
        await self._interactions.close(self._user(body), _text(body, "view_id"))
        return {}

    async def _typing(self, body: Body) -> Body:
        user, room = self._place(body)
        event = {"type": "typing", "channel": room.id, "user": user}
        if thread := body.get("thread_ts"):
            event["thread_ts"] = thread
        self._listeners.tell([one for one in room.members if one != user], event)
        return {}

    async def _mark_seen(self, body: Body) -> Body:
        user, room = self._place(body)
        self._seen[user, room.id] = self._conversations.now()
        return {}

    async def _file(self, request: Request) -> Response:
        try:
            user = self._user(request.query_params)
            return self._files.content(user, request.path_params["file_id"])
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
        async for event in self._listeners.listen(user, HEARTBEAT):
            yield ": still here\n\n" if event is None else f"data: {json.dumps(event)}\n\n"

    def _unread(self, user: str, room: Room) -> int:
        since = self._seen.get((user, room.id), self._started)
        return sum(
            message["ts"] > since and message["user"] != user
            for message in self._conversations.all(room, user)
        )

    def _user(self, body: Body) -> str:
        return self._conversations.person(_text(body, "as")).id

    def _place(self, body: Body) -> tuple[str, Room]:
        user, room = self._user(body), self._conversations.room(_text(body, "channel"))
        if user not in room.members:
            raise Refused("not_in_channel")
        return user, room

    def _own(self, body: Body, refused: str) -> tuple[str, Room, dict[str, Any]]:
        user, room = self._place(body)
        message = self._conversations.message(room, _text(body, "ts"))
        if message["user"] != user:
            raise Refused(refused)
        return user, room, message

    def _typed(self, body: Body) -> str:
        text = _text(body, "text")
        if not text.strip():
            raise Refused("no_text")
        if len(text) > LONGEST_POST:
            raise Refused("msg_too_long")
        conversations = self._conversations
        return as_markup(text, conversations.people.values(), conversations.rooms.values())


def _text(body: Body, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise Refused("no_text" if name == "text" else "invalid_arguments")
    return value
