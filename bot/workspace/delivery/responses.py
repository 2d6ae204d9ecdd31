"""The app answers a click or a command at once or over its response URL."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.workspace.conversations import Conversations
from bot.workspace.delivery.tickets import ResponseTicket, ResponseUrls
from bot.workspace.methods.calls import Call, content
from bot.workspace.methods.chat import SIGNED
from bot.workspace.methods.refusal import Refused
from bot.workspace.seed import BOT_USER


class Responses:
    """They say, replace or delete something for the app."""

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
        """Carry out what the app answered, as Slack does.

        https://docs.slack.dev/interactivity/handling-user-interaction#message_responses.
        """
        call = Call(body, "")
        if call.flag("delete_original") and ticket.ts:
            self._delete(ticket)
            return
        said = content(call)
        if call.flag("replace_original") and ticket.ts:
            self._replace(ticket, {"blocks": None, **said})
            return
        fields = {**said, **SIGNED}
        if thread := call.maybe("thread_ts") or ticket.thread:
            fields["thread_ts"] = thread
        if call.maybe("response_type") == "in_channel":
            self._conversations.say(ticket.room, BOT_USER, fields)
        else:
            self._conversations.tell_privately(ticket.room, ticket.user, fields)

    def _replace(self, ticket: ResponseTicket, fields: Mapping[str, Any]) -> None:
        room, conversations = ticket.room, self._conversations
        if ticket.ephemeral:
            before = conversations.ephemeral(room, ticket.user, ticket.ts)
            conversations.change_privately(room, ticket.user, before, fields)
        else:
            conversations.change(room, conversations.message(room, ticket.ts), fields)

    def _delete(self, ticket: ResponseTicket) -> None:
        room, conversations = ticket.room, self._conversations
        if ticket.ephemeral:
            before = conversations.ephemeral(room, ticket.user, ticket.ts)
            conversations.change_privately(room, ticket.user, before, None)
        else:
            conversations.delete(room, conversations.message(room, ticket.ts))
