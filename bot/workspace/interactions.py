"""Commands, clicks and modals: the app answers at once, or over its response URL."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.wording import slack as words
from bot.workspace.conversations import Conversations
from bot.workspace.deliveries import Deliveries, DeliveryKind
from bot.workspace.faults import Refused
from bot.workspace.methods import SIGNED
from bot.workspace.seed import APP_ID, Member, Room, Seed
from bot.workspace.views import ResponseTicket, ResponseUrls, Triggers, Views
from bot.workspace.web_api import Call, content


class Responses:
    """They say something for the app, to one person alone."""

    def __init__(self, conversations: Conversations, urls: ResponseUrls) -> None:
        self._conversations = conversations
        self._urls = urls

    async def endpoint(self, request: Request) -> Response:
        """Serve `POST /response/<secret>`; Slack answers a plain ok, or 404 and a code."""
        try:
            ticket = self._urls.use(request.path_params["secret"])
            self.apply(ticket, await request.json())
        except Refused as refused:
            late = refused.code in ("expired_url", "used_url")
            body = {"ok": False, "error": refused.code, **refused.more}
            return JSONResponse(body, 404 if late else 400)
        except ValueError:
            return PlainTextResponse("invalid_payload", 400)
        return PlainTextResponse("ok")

    def apply(self, ticket: ResponseTicket, body: Mapping[str, Any]) -> None:
        """Say what the app answered; what it never asks for is refused, not shown to all."""
        others = body.get("response_type", "ephemeral") != "ephemeral"
        if others or body.get("replace_original") or body.get("delete_original"):
            raise Refused("invalid_arguments")
        fields = {**content(Call(body, "")), **SIGNED}
        if ticket.thread:
            fields["thread_ts"] = ticket.thread
        self._conversations.tell_privately(ticket.room, ticket.user, fields)


@dataclass(frozen=True, slots=True)
class InteractionTools:
    triggers: Triggers
    urls: ResponseUrls
    responses: Responses
    views: Views


@dataclass(frozen=True, slots=True)
class Interactions:
    seed: Seed
    conversations: Conversations
    tools: InteractionTools
    deliveries: Deliveries
    base_url: Callable[[], str]

    async def command(self, user: str, room: Room, name: str, text: str) -> None:
        if name not in {known.command for known in self.seed.commands}:
            raise Refused("unknown_command")
        if "commands" not in self.seed.scopes:
            raise Refused("unknown_command")
        secret = self.tools.urls.give(user, room)
        sender = self._sender(user, secret)
        said = await self.deliveries.once(
            DeliveryKind.COMMAND, command_payload(sender, room, name, text)
        )
        if not said:
            return
        try:
            self.tools.responses.apply(self.tools.urls.use(secret), said)
        except Refused:
            raise Refused("invalid_command_response") from None

    async def shortcut(self, user: str, callback_id: str) -> None:
        self._registered(callback_id, about_message=False)
        payload = shortcut_payload(self._sender(user), callback_id, self.conversations.now())
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    async def message_shortcut(self, user: str, callback_id: str, room: Room, ts: str) -> None:
        self._registered(callback_id, about_message=True)
        message = self._seen(user, room, ts)
        sender = self._sender(user, self.tools.urls.give(user, room))
        now = self.conversations.now()
        payload = message_shortcut_payload(sender, callback_id, room, message, now)
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    def _registered(self, callback_id: str, *, about_message: bool) -> None:
        known = {(each.callback_id, each.about_message) for each in self.seed.shortcuts}
        if (callback_id, about_message) not in known or "commands" not in self.seed.scopes:
            raise Refused("unknown_shortcut")

    async def click_in_message(
        self, user: str, room: Room, ts: str, given: Mapping[str, Any]
    ) -> None:
        message = self._seen(user, room, ts)
        action = self._action(message.get("blocks", []), given)
        sender = self._sender(user, self.tools.urls.give(user, room, message.get("thread_ts", "")))
        payload = message_click_payload(sender, room, message, action)
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    async def click_in_view(self, user: str, view_id: str, given: Mapping[str, Any]) -> None:
        view = self.tools.views.of(user, view_id)
        payload = view_click_payload(self._sender(user), view, self._action(view["blocks"], given))
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    async def submit(self, user: str, view_id: str, given: Mapping[str, Any]) -> Mapping[str, str]:
        view = self.tools.views.of(user, view_id)
        values = input_values(view["blocks"], given)
        if empty := missing(view["blocks"], values):
            return dict.fromkeys(empty, words.REQUIRED)
        payload = submission_payload(self._sender(user), view, values)
        said = await self.deliveries.once(DeliveryKind.INTERACTION, payload)
        return self._answered(user, view_id, said)

    async def close(self, user: str, view_id: str) -> None:
        """Takes a modal away, and tells the app where it wants to know."""
        view = self.tools.views.close(user, view_id)
        if view["notify_on_close"]:
            await self.deliveries.once(
                DeliveryKind.INTERACTION, closing_payload(self._sender(user), view)
            )

    def _answered(self, user: str, view_id: str, said: Mapping[str, Any]) -> Mapping[str, str]:
        """Follow https://docs.slack.dev/surfaces/modals#response_actions."""
        views = self.tools.views
        match said.get("response_action"):
            case None:
                views.close(user, view_id)
            case "update":
                views.update(view_id, said.get("view") or {})
            case "errors":
                errors: dict[str, str] = said.get("errors") or {}
                return errors
            case _:
                raise Refused("invalid_response_action")
        return {}

    def _seen(self, user: str, room: Room, ts: str) -> Mapping[str, Any]:
        for message in self.conversations.all(room, user):
            if message["ts"] == ts:
                return message
        raise Refused("message_not_found")

    def _action(self, blocks: list[dict[str, Any]], given: Mapping[str, Any]) -> dict[str, Any]:
        block_id = str(given.get("block_id") or "")
        element = find_element(blocks, block_id, str(given.get("action_id") or ""))
        return action(element, block_id, given, self.conversations.now())

    def _sender(self, user: str, secret: str = "") -> "Sender":
        return Sender(
            person=self.conversations.person(user),
            team=self.seed.team_id,
            trigger_id=self.tools.triggers.give(user),
            response_url=f"{self.base_url()}/response/{secret}" if secret else "",
        )


Payload = dict[str, Any]
_CHOSEN = {"conversations_select": "selected_conversation", "datepicker": "selected_date"}


@dataclass(frozen=True, slots=True)
class Sender:
    person: Member
    team: str
    trigger_id: str
    response_url: str = ""

    def common(self, kind: str) -> Payload:
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


def command_payload(sender: Sender, room: Room, name: str, text: str) -> dict[str, str]:
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


def shortcut_payload(sender: Sender, callback_id: str, now: str) -> Payload:
    return {**sender.common("shortcut"), "callback_id": callback_id, "action_ts": now}


def message_shortcut_payload(
    sender: Sender, callback_id: str, room: Room, message: Mapping[str, Any], now: str
) -> Payload:
    return {
        **sender.common("message_action"),
        "callback_id": callback_id,
        "action_ts": now,
        "channel": {"id": room.id, "name": room.name},
        "message_ts": message["ts"],
        "message": dict(message),
        "response_url": sender.response_url,
    }


def message_click_payload(
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


def view_click_payload(sender: Sender, view: Mapping[str, Any], action: Payload) -> Payload:
    return {
        **sender.common("block_actions"),
        "container": {"type": "view", "view_id": view["id"]},
        "view": dict(view),
        "actions": [action],
    }


def submission_payload(sender: Sender, view: Mapping[str, Any], values: Payload) -> Payload:
    return {
        **sender.common("view_submission"),
        "view": {**view, "state": {"values": values}},
        "response_urls": [],
    }


def closing_payload(sender: Sender, view: Mapping[str, Any]) -> Payload:
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
    return value if isinstance(value, Mapping) else {}
