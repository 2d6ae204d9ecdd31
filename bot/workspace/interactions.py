"""A person gives commands, clicks and fills modals; the app is sent each, and answers.

It answers at once, or over its response URL.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.wording import slack as words
from bot.workspace import payloads
from bot.workspace.conversations import Conversations
from bot.workspace.deliveries import Deliveries, DeliveryKind
from bot.workspace.faults import Refused
from bot.workspace.methods import SIGNED
from bot.workspace.payloads import Sender
from bot.workspace.seed import Room, Seed
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
        """Say what the app answered.

        What else Slack does over these, the app never asks for: it is refused here, so that an
        answer which all would read is not taken for one that a single person does
        (https://docs.slack.dev/interactivity/handling-user-interaction#message_responses).
        """
        others = body.get("response_type", "ephemeral") != "ephemeral"
        if others or body.get("replace_original") or body.get("delete_original"):
            raise Refused("invalid_arguments")
        fields = {**content(Call(body, "")), **SIGNED}
        if ticket.thread:
            fields["thread_ts"] = ticket.thread
        self._conversations.tell_privately(ticket.room, ticket.user, fields)


@dataclass(frozen=True, slots=True)
class InteractionTools:
    """Tools are what the app is handed with an interaction, and what it answers over."""

    triggers: Triggers
    urls: ResponseUrls
    responses: Responses
    views: Views


@dataclass(frozen=True, slots=True)
class Interactions:
    """There is one method for each thing that a person can do besides writing."""

    seed: Seed
    conversations: Conversations
    tools: InteractionTools
    deliveries: Deliveries
    base_url: Callable[[], str]

    async def command(self, user: str, room: Room, name: str, text: str) -> None:
        """Sends a slash command; what the app acknowledges with is shown."""
        if name not in {known.command for known in self.seed.commands}:
            raise Refused("unknown_command")
        if "commands" not in self.seed.scopes:
            raise Refused("unknown_command")
        secret = self.tools.urls.give(user, room)
        sender = self._sender(user, secret)
        said = await self.deliveries.once(
            DeliveryKind.COMMAND, payloads.command(sender, room, name, text)
        )
        if not said:
            return
        try:
            self.tools.responses.apply(self.tools.urls.use(secret), said)
        except Refused:
            raise Refused("invalid_command_response") from None

    async def shortcut(self, user: str, callback_id: str) -> None:
        """Sends a shortcut that is not about a message."""
        self._registered(callback_id, about_message=False)
        payload = payloads.shortcut(self._sender(user), callback_id, self.conversations.now())
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    async def message_shortcut(self, user: str, callback_id: str, room: Room, ts: str) -> None:
        self._registered(callback_id, about_message=True)
        message = self._seen(user, room, ts)
        sender = self._sender(user, self.tools.urls.give(user, room))
        now = self.conversations.now()
        payload = payloads.message_shortcut(sender, callback_id, room, message, now)
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    def _registered(self, callback_id: str, *, about_message: bool) -> None:
        known = {(each.callback_id, each.about_message) for each in self.seed.shortcuts}
        if (callback_id, about_message) not in known or "commands" not in self.seed.scopes:
            raise Refused("unknown_shortcut")

    async def click_in_message(
        self, user: str, room: Room, ts: str, given: Mapping[str, Any]
    ) -> None:
        """Sends what was done with an element of a message."""
        message = self._seen(user, room, ts)
        action = self._action(message.get("blocks", []), given)
        sender = self._sender(user, self.tools.urls.give(user, room, message.get("thread_ts", "")))
        payload = payloads.message_click(sender, room, message, action)
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    async def click_in_view(self, user: str, view_id: str, given: Mapping[str, Any]) -> None:
        """Sends what was done with an element of a modal."""
        view = self.tools.views.of(user, view_id)
        payload = payloads.view_click(self._sender(user), view, self._action(view["blocks"], given))
        await self.deliveries.once(DeliveryKind.INTERACTION, payload)

    async def submit(self, user: str, view_id: str, given: Mapping[str, Any]) -> Mapping[str, str]:
        """Sends a modal; what is wrong with it by block, empty where all is well."""
        view = self.tools.views.of(user, view_id)
        values = payloads.input_values(view["blocks"], given)
        if empty := payloads.missing(view["blocks"], values):
            return dict.fromkeys(empty, words.REQUIRED)
        payload = payloads.submission(self._sender(user), view, values)
        said = await self.deliveries.once(DeliveryKind.INTERACTION, payload)
        return self._answered(user, view_id, said)

    async def close(self, user: str, view_id: str) -> None:
        """Takes a modal away, and tells the app where it wants to know."""
        view = self.tools.views.close(user, view_id)
        if view["notify_on_close"]:
            await self.deliveries.once(
                DeliveryKind.INTERACTION, payloads.closing(self._sender(user), view)
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
        element = payloads.find_element(blocks, block_id, str(given.get("action_id") or ""))
        return payloads.action(element, block_id, given, self.conversations.now())

    def _sender(self, user: str, secret: str = "") -> Sender:
        return Sender(
            person=self.conversations.person(user),
            team=self.seed.team_id,
            trigger_id=self.tools.triggers.give(user),
            response_url=f"{self.base_url()}/response/{secret}" if secret else "",
        )
