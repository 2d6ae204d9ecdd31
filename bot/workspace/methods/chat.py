"""The bot speaks by `chat.*` and the assistant's status."""

from typing import Any

from bot.workspace.conversations import Conversations
from bot.workspace.message_changes import ChangeKind, Listeners, MessageChange
from bot.workspace.methods.calls import LONGEST_UPDATE, Answer, Call, Method, content, cut_off
from bot.workspace.methods.rate_limits import TIER_3, TIER_4, RateLimits
from bot.workspace.methods.refusal import Refused
from bot.workspace.seed import APP_ID, BOT_ID, BOT_USER, Room

SIGNED = {"bot_id": BOT_ID, "app_id": APP_ID}
"""What marks a message as the bot's."""


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

    def show(self, room: Room, thread: str, text: str) -> None:
        """An empty text takes the status away."""
        (self._shown.add if text else self._shown.discard)((room.id, thread))
        self._listeners.tell(
            room.members,
            {"type": "status", "channel": room.id, "thread_ts": thread, "text": text},
        )


class ChatMethods:
    """They post, change and delete, with Slack's refusals."""

    def __init__(
        self, conversations: Conversations, limits: RateLimits, statuses: Statuses
    ) -> None:
        self._conversations = conversations
        self._limits = limits
        self._statuses = statuses

    def methods(self) -> dict[str, Method]:
        write = "chat:write"
        return {
            "chat.postMessage": Method(self._post, write, a_minute=None),
            "chat.update": Method(self._update, write, TIER_3),
            "chat.delete": Method(self._delete, write, TIER_3),
            "chat.postEphemeral": Method(self._post_ephemeral, write, TIER_4),
            "assistant.threads.setStatus": Method(self._set_status, write, TIER_4),
        }

    def _post(self, call: Call) -> Answer:
        room = self._writable(call.text("channel"))
        self._limits.of_posts(room.id)
        fields: dict[str, Any] = {**content(call), **SIGNED}
        if thread := call.maybe("thread_ts"):
            fields["thread_ts"] = thread
        message = self._conversations.say(room, BOT_USER, fields)
        return {"channel": room.id, "ts": message["ts"], "message": message, **cut_off(call)}

    def _update(self, call: Call) -> Answer:
        room = self._said_in(call.text("channel"), archived="is_inactive")
        before = self._own(room, call.text("ts"), "cant_update_message")
        given = content(call, LONGEST_UPDATE)
        edited = {"user": BOT_USER, "ts": self._conversations.now()}
        fields = {
            "text": given["text"],
            "blocks": given.get("blocks", None if given["text"] else before.get("blocks")),
            "edited": None if given.get("blocks") else edited,
        }
        message = self._conversations.change(room, before, fields)
        shown = {"channel": room.id, "ts": message["ts"], "text": message["text"]}
        return {**shown, "message": message}

    def _delete(self, call: Call) -> Answer:
        room = self._said_in(call.text("channel"))
        message = self._own(room, call.text("ts"), "cant_delete_message")
        self._conversations.delete(room, message)
        return {"channel": room.id, "ts": message["ts"]}

    def _post_ephemeral(self, call: Call) -> Answer:
        room = self._writable(call.text("channel"))
        user = call.text("user")
        if user not in room.members:
            raise Refused("user_not_in_channel")
        fields: dict[str, Any] = {**content(call), **SIGNED}
        if thread := call.maybe("thread_ts"):
            fields["thread_ts"] = thread
        message = self._conversations.tell_privately(room, user, fields)
        return {"message_ts": message["ts"], **cut_off(call)}

    def _set_status(self, call: Call) -> Answer:
        room = self._writable(call.text("channel_id"))
        self._statuses.show(room, call.text("thread_ts"), call.maybe("status"))
        return {}

    def _writable(self, channel: str) -> Room:
        """Find a room where the bot may write; a person's id stands for their direct message."""
        if channel in self._conversations.people:
            return self._conversations.direct(BOT_USER, channel)[0]
        return self._said_in(channel)

    def _said_in(self, channel: str, archived: str = "is_archived") -> Room:
        """Find a room by its id alone; `archived` is the error where nobody may write any more.

        chat.update has one of its own: .../reference/methods/chat.update, at `is_inactive`.
        """
        room = self._conversations.room(channel)
        if BOT_USER not in room.members:
            raise Refused("channel_not_found" if room.is_private else "not_in_channel")
        if room.is_archived:
            raise Refused(archived)
        return room

    def _own(self, room: Room, ts: str, refused: str) -> dict[str, Any]:
        message = self._conversations.message(room, ts)
        if message.get("bot_id") != BOT_ID:
            raise Refused(refused)
        return message
