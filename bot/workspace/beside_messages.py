"""Previews (chat.unfurl, entity.presentDetails), Slack's own search, and files.list."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.workspace.conversations import Conversations, Message
from bot.workspace.events import SEARCHES, ActionTokens, BotEvents, Listeners
from bot.workspace.faults import Refused
from bot.workspace.files import Files, described
from bot.workspace.seed import Room
from bot.workspace.views import Triggers, Views
from bot.workspace.web_api import TIER_2, TIER_3, Answer, Call, Method

_STATUSES = frozenset({"restricted", "internal_error", "not_found", "custom", "timeout"})
_TYPES = frozenset(f"slack#/entities/{each}" for each in ("content_item", "file", "item", "task"))


@dataclass(frozen=True, slots=True)
class Previews:
    """They are kept with their messages, as everyone there sees them."""

    conversations: Conversations
    triggers: Triggers
    bot_events: BotEvents
    listeners: Listeners
    views: Views
    _asked: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict, init=False)

    def methods(self) -> dict[str, Method]:
        return {
            "chat.unfurl": Method(self._unfurl, "links:write", TIER_3),
            "entity.presentDetails": Method(self._present, "", TIER_3),
        }

    def open(self, user: str, room: Room, message: Message, url: str) -> None:
        found = (each for each in message.get("previews") or () if each["app_unfurl_url"] == url)
        entity = next(found, None)
        if entity is None:
            raise Refused("not_found")
        trigger = self.triggers.give(user)
        self._asked[trigger] = (user, entity)
        about = {**entity, "for": user, "channel": room.id, "ts": message["ts"]}
        self.bot_events.details_requested(url, about, trigger, self.conversations.now())

    def _unfurl(self, call: Call) -> Answer:
        room = self.conversations.room(call.text("channel"))
        message = self.conversations.message(room, call.text("ts"))
        metadata = call.json("metadata", "invalid_metadata")
        unfurls = call.json("unfurls", "invalid_unfurls")
        if not metadata and not unfurls:
            raise Refused("missing_unfurls")
        entities = [_entity(each) for each in (metadata or {}).get("entities") or ()]
        urls = [str(each["app_unfurl_url"]) for each in entities] or list(unfurls or {})
        if any(url not in str(message.get("text", "")).replace("&amp;", "&") for url in urls):
            raise Refused("cannot_unfurl_url")
        blocks = [{"app_unfurl_url": url, **shown} for url, shown in (unfurls or {}).items()]
        self.conversations.change(room, message, {"previews": entities or blocks})
        return {}

    def _present(self, call: Call) -> Answer:
        trigger = call.text("trigger_id")
        user = self.triggers.use(trigger)
        _, opened = self._asked.pop(trigger)
        metadata, error = call.json("metadata", "invalid_metadata"), call.json("error", "error")
        if error and error.get("status") not in _STATUSES:
            raise Refused("invalid_arguments")
        if metadata and _entity(metadata)["external_ref"] != opened["external_ref"]:
            raise Refused("entity_metadata_does_not_match_trigger")
        if not metadata and not error:
            raise Refused("missing_metadata")
        shown = {"type": "details", "metadata": metadata, "error": error}
        self.listeners.tell([user], shown)
        self.views.open(user, _pane(metadata, error))
        return {}


def _pane(metadata: Any, error: Any) -> dict[str, Any]:
    """Slack has a pane of its own for it; here it is a modal."""
    payload = metadata["entity_payload"] if metadata else {}
    title = payload["attributes"]["title"]["text"] if payload else str(error.get("status"))
    described = (payload.get("fields") or {}).get("description") or {}
    beside = [f"{each['label']}: {each['value']}" for each in payload.get("custom_fields") or ()]
    said = [title, described.get("value"), *beside]
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": "Details"},
        "blocks": [
            {"type": "section", "text": {"type": "plain_text", "text": str(each)[:3_000]}}
            for each in said
            if each
        ],
    }


def _entity(given: Any) -> dict[str, Any]:
    try:
        titled = given["entity_payload"]["attributes"]["title"]["text"]
        complete = titled and given["url"] and given["external_ref"]["id"]
    except (KeyError, TypeError):
        complete = False
    if not complete or given.get("entity_type") not in _TYPES:
        raise Refused("invalid_metadata")
    return dict(given)


MOST_FOUND = 20
_WORD = re.compile(r"[^\W_]{3,}")


class SearchMethods:
    """They find what anybody may read: messages in public channels."""

    def __init__(self, conversations: Conversations, tokens: ActionTokens) -> None:
        self._conversations, self._tokens = conversations, tokens

    def methods(self) -> dict[str, Method]:
        return {"assistant.search.context": Method(self._search, SEARCHES, TIER_2)}

    def _search(self, call: Call) -> Answer:
        self._tokens.demand(call.text("action_token"))
        wanted = _words(call.text("query"))
        open_rooms = (r for r in self._conversations.rooms.values() if r.channel_type == "channel")
        found = [
            (len(shared), room, message)
            for room in open_rooms
            for message in self._conversations.all(room)
            if (shared := wanted & _words(str(message.get("text", ""))))
        ]
        found.sort(key=lambda each: -each[0])
        most = int(call.number("limit", MOST_FOUND))
        return {"results": {"messages": [self._told(room, m) for _, room, m in found[:most]]}}

    def _told(self, room: Room, message: dict[str, Any]) -> dict[str, Any]:
        author = self._conversations.people.get(message["user"])
        at = f"{room.id}/p{message['ts'].replace('.', '')}"
        return {
            "author_user_id": message["user"],
            "author_name": author.real_name if author else "",
            "team_id": self._conversations.team_id,
            "channel_id": room.id,
            "channel_name": room.name,
            "message_ts": message["ts"],
            "content": message.get("text", ""),
            "is_author_bot": bool(message.get("bot_id")),
            "permalink": f"https://local.slack.com/archives/{at}",
        }


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


AT_ONCE = 100


class ChannelContents:
    """They are listed where the bot is a member."""

    def __init__(self, conversations: Conversations, files: Files) -> None:
        self._conversations, self._files = conversations, files

    def methods(self) -> dict[str, Method]:
        return {
            "files.list": Method(self._list, "files:read", TIER_3),
            "pins.list": Method(self._pins, "pins:read", TIER_2),
            "bookmarks.list": Method(self._bookmarks, "bookmarks:read", TIER_3),
        }

    def _list(self, call: Call) -> Answer:
        room = self._conversations.own_room(call.text("channel"))
        posted = [described(each, call.base_url) for each in self._files.posted_in(room)]
        at_once, page = int(call.number("count", AT_ONCE)), int(call.number("page", 1))
        pages = math.ceil(len(posted) / at_once)
        shown = posted[(page - 1) * at_once : page * at_once]
        paging = {"count": at_once, "total": len(posted), "page": page, "pages": pages}
        return {"files": shown, "paging": paging}

    def _pins(self, call: Call) -> Answer:
        self._conversations.own_room(call.text("channel"))
        return {"items": []}

    def _bookmarks(self, call: Call) -> Answer:
        self._conversations.own_room(call.text("channel_id"))
        return {"bookmarks": []}
