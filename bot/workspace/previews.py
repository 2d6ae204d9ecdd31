"""Previews of addresses in messages: work objects, which the app shows each person in detail.

https://docs.slack.dev/reference/methods/chat.unfurl and entity.presentDetails beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.workspace.conversations import Conversations, Message
from bot.workspace.events import BotEvents, Listeners
from bot.workspace.faults import Refused
from bot.workspace.seed import Room
from bot.workspace.views import Triggers, Views
from bot.workspace.web_api import TIER_3, Answer, Call, Method

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
        """Ask the app for what one person sees of a preview."""
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
    """Return a work object; `Refused` where one of its required parts is missing."""
    try:
        titled = given["entity_payload"]["attributes"]["title"]["text"]
        complete = titled and given["url"] and given["external_ref"]["id"]
    except (KeyError, TypeError):
        complete = False
    if not complete or given.get("entity_type") not in _TYPES:
        raise Refused("invalid_metadata")
    return dict(given)
