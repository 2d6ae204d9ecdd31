"""The app is sent a payload when somebody uses a command, an element or a modal.

https://docs.slack.dev/reference/interaction-payloads
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.workspace.faults import Refused
from bot.workspace.seed import APP_ID, Member, Room

Payload = dict[str, Any]
_CHOSEN = {"conversations_select": "selected_conversation", "datepicker": "selected_date"}


@dataclass(frozen=True, slots=True)
class Sender:
    """A sender says who did it, where, and what the app may do about it."""

    person: Member
    team: str
    """Its id."""
    trigger_id: str
    response_url: str = ""

    def common(self, kind: str) -> Payload:
        """Return what every interaction says."""
        person = self.person
        return {
            "type": kind,
            "user": {
                "id": person.id,
                "username": person.name,
                "name": person.name,
                "team_id": self.team,
            },
            "team": {"id": self.team, "domain": "local"},
            "api_app_id": APP_ID,
            "token": "local",
            "trigger_id": self.trigger_id,
            "enterprise": None,
            "is_enterprise_install": False,
        }


def command(sender: Sender, room: Room, name: str, text: str) -> dict[str, str]:
    """Follow https://docs.slack.dev/interactivity/implementing-slash-commands."""
    return {
        "token": "local",
        "team_id": sender.team,
        "team_domain": "local",
        "channel_id": room.id,
        "channel_name": "privategroup" if room.channel_type == "group" else room.name,
        "user_id": sender.person.id,
        "user_name": sender.person.name,
        "command": name,
        "text": text,
        "api_app_id": APP_ID,
        "is_enterprise_install": "false",
        "response_url": sender.response_url,
        "trigger_id": sender.trigger_id,
    }


def shortcut(sender: Sender, callback_id: str, now: str) -> Payload:
    """Make what a shortcut sends that stands in everybody's menu."""
    return {**sender.common("shortcut"), "callback_id": callback_id, "action_ts": now}


def message_shortcut(
    sender: Sender, callback_id: str, room: Room, message: Mapping[str, Any], now: str
) -> Payload:
    """Make what a shortcut in a message's menu sends."""
    return {
        **sender.common("message_action"),
        "callback_id": callback_id,
        "action_ts": now,
        "channel": {"id": room.id, "name": room.name},
        "message_ts": message["ts"],
        "message": dict(message),
        "response_url": sender.response_url,
    }


def message_click(
    sender: Sender, room: Room, message: Mapping[str, Any], action: Payload
) -> Payload:
    """Make `block_actions` from a message; of an ephemeral one the container tells."""
    container = {
        "type": "message",
        "message_ts": message["ts"],
        "channel_id": room.id,
        "is_ephemeral": bool(message.get("ephemeral")),
    }
    if message.get("thread_ts"):
        container["thread_ts"] = message["thread_ts"]
    shown = {} if message.get("ephemeral") else {"message": dict(message)}
    return {
        **sender.common("block_actions"),
        "container": container,
        "channel": {"id": room.id, "name": room.name},
        **shown,
        "state": {"values": {}},
        "response_url": sender.response_url,
        "actions": [action],
    }


def view_click(sender: Sender, view: Mapping[str, Any], action: Payload) -> Payload:
    """Make `block_actions` from a modal."""
    return {
        **sender.common("block_actions"),
        "container": {"type": "view", "view_id": view["id"]},
        "view": dict(view),
        "actions": [action],
    }


def submission(sender: Sender, view: Mapping[str, Any], values: Payload) -> Payload:
    return {
        **sender.common("view_submission"),
        "view": {**view, "state": {"values": values}},
        "response_urls": [],
    }


def closing(sender: Sender, view: Mapping[str, Any]) -> Payload:
    return {**sender.common("view_closed"), "view": dict(view), "is_cleared": False}


def find_element(blocks: list[dict[str, Any]], block_id: str, action_id: str) -> Mapping[str, Any]:
    """Find an element that is really there; a page cannot invent one."""
    for block in blocks:
        for element in _elements(block):
            if block["block_id"] == block_id and element.get("action_id") == action_id:
                return element
    raise Refused("action_not_found")


def action(
    element: Mapping[str, Any], block_id: str, given: Mapping[str, Any], now: str
) -> Payload:
    """Say what was done with an element, its value as the app had set it."""
    return {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block_id,
        "action_ts": now,
        **_chosen(element, given),
    }


def input_values(blocks: list[dict[str, Any]], given: Mapping[str, Any]) -> Payload:
    """Return the state of a modal's inputs, as `view_submission` has it."""
    values: Payload = {}
    for block in blocks:
        for element in _elements(block):
            of_block = _object(given.get(block["block_id"]))
            entered = _object(of_block.get(element["action_id"]))
            if block["type"] == "input" or entered:
                stated = {"type": element["type"], **_stated(element, entered)}
                values.setdefault(block["block_id"], {})[element["action_id"]] = stated
    return values


def missing(blocks: list[dict[str, Any]], values: Payload) -> list[str]:
    """Return the ids of the required inputs that were left empty."""
    return [
        block["block_id"]
        for block in blocks
        if block["type"] == "input"
        and not block.get("optional")
        and not any(_filled(stated) for stated in values[block["block_id"]].values())
    ]


def _elements(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if block["type"] in ("actions", "context_actions"):
        yield from block["elements"]
    for name in ("accessory", "element"):
        if name in block:
            yield block[name]


def _chosen(element: Mapping[str, Any], given: Mapping[str, Any]) -> Payload:
    kind = element["type"]
    if kind == "button":
        return {name: element[name] for name in ("text", "value", "style") if name in element}
    if kind == "feedback_buttons":
        thumbs = (element["positive_button"], element["negative_button"])
        for thumb in thumbs:
            if thumb["value"] == given.get("value"):
                return {"value": thumb["value"], "text": thumb["text"]}
        raise Refused("action_not_found")
    return _stated(element, given)


def _stated(element: Mapping[str, Any], given: Mapping[str, Any]) -> Payload:
    kind = element["type"]
    if kind in ("radio_buttons", "static_select"):
        wanted = _object(given.get("selected_option")).get("value")
        groups = element.get("option_groups") or [element]
        options = (option for group in groups for option in group["options"])
        chosen = [option for option in options if option["value"] == wanted]
        return {"selected_option": chosen[0] if chosen else None}
    if kind == "checkboxes":
        ticked = [_object(one).get("value") for one in given.get("selected_options") or ()]
        return {"selected_options": [one for one in element["options"] if one["value"] in ticked]}
    name = _CHOSEN.get(kind, "value")
    return {name: given.get(name) or None}


def _filled(stated: Mapping[str, Any]) -> bool:
    return any(value for name, value in stated.items() if name != "type")


def _object(value: object) -> Mapping[str, Any]:
    """Return what a page sent, where it sent an object."""
    return value if isinstance(value, Mapping) else {}
