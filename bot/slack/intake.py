"""Where a question is kept before Slack hears that it was received.

Bolt acknowledges an event *before* its listener runs, so a process that dies in the
listener has lost it. This is a middleware therefore, which runs before: it stores, and
answers Slack itself. What could not be stored is not acknowledged, and Slack, which
knows nothing of our troubles, hands it over again at once, after a minute and after five.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slack_bolt import BoltContext, BoltResponse
from slack_sdk import WebClient

from bot.answering.length import shortened
from bot.errors import InboxUnavailable
from bot.slack.blocks import talk
from bot.slack.exchange import Incoming, Kind, asked_privately
from bot.slack.failures import UNSENT
from bot.slack.hearing import Hearing, is_spoken_to, thread_of
from bot.slack.inbox import Inbox
from bot.slack.message import Message
from bot.slack.quiet import Quiet
from bot.slack.smalltalk import kind_of
from bot.slack.text import plain
from bot.wording import commands as wording

RECEIVED = 200
NOT_NOW = 503
"""Slack delivers again: in Socket Mode because nothing is acknowledged, in HTTP mode
because it is no 2xx (https://docs.slack.dev/apis/events-api/#retries)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Intake:
    """A Bolt middleware: events and `/ask` end here, clicks and other commands go on."""

    inbox: Inbox
    client: WebClient
    aside: Executor
    """Sends what is said besides replies, so that acknowledging waits for no network."""
    quiet: Quiet
    now: Callable[[], datetime]

    def hear(
        self,
        body: dict[str, Any],
        context: BoltContext,
        next: Callable[[], BoltResponse],  # noqa: A002  # Bolt passes arguments by these names
    ) -> BoltResponse:
        bot_user = context.bot_user_id or ""
        if body.get("command") == "/ask":
            return self._command(body, bot_user)
        if "event" not in body:
            return next()
        shared = bool(body.get("is_ext_shared_channel"))
        return self._message(body["event"], bot_user, shared=shared)

    def _message(self, event: Mapping[str, Any], bot_user: str, *, shared: bool) -> BoltResponse:
        try:
            heard = Hearing(self.inbox.asked_in_thread)(event, bot_user)
            receipt = (
                self.inbox.take_in(replace(heard, shared=shared), self.now()) if heard else None
            )
        except InboxUnavailable as error:
            log.error("A message could not be stored, Slack will deliver it again: %s", error)
            if is_spoken_to(event, bot_user):  # a follow-up may as well be talk among people
                self._say(event, talk.not_stored())
            return BoltResponse(status=NOT_NOW)
        if receipt and receipt.refused:
            self._say(event, talk.too_many(receipt.waiting))
        return BoltResponse(status=RECEIVED)

    def _command(self, body: Mapping[str, Any], bot_user: str) -> BoltResponse:
        """`/ask`: Slack does not deliver a command twice, so the person hears at once."""
        incoming = asked_by_command(body, bot_user, self.now())
        if incoming.kind is not Kind.QUESTION:
            shown = talk.help_message(bot_user, admin=False, private=True)
            return _to_the_person(shown.text, shown)
        try:
            receipt = self.inbox.take_in(incoming, self.now())
        except InboxUnavailable as error:
            log.error("A command could not be stored: %s", error)
            return _to_the_person(wording.COMMAND_NOT_STORED)
        if receipt.refused:
            return _to_the_person(talk.too_many(receipt.waiting).text)
        return _to_the_person(talk.ask_acknowledged())

    def _say(self, event: Mapping[str, Any], message: Message) -> None:
        """Tell somebody that there will be no reply now; once a minute is enough."""
        if not self.quiet.may_say(f"{event['user']}: {message.text}"):
            return
        self.aside.submit(
            send_aside,
            self.client,
            message,
            channel=event["channel"],
            thread_ts=thread_of(event) or None,
        )


def asked_by_command(body: Mapping[str, Any], bot_user: str, now: datetime) -> Incoming:
    """A question asked with `/ask`: answered to the person alone, wherever it was typed."""
    text = shortened(plain(str(body.get("text") or ""), bot_user))
    key = f"command:{body['trigger_id']}"
    return asked_privately(key, text, body["user_id"], now, kind_of(text))


def send_aside(client: WebClient, message: Message, **where: Any) -> None:
    """Send what nobody waits for; a failure is logged and ends there."""
    try:
        client.chat_postMessage(text=message.text, blocks=list(message.blocks), **where)
    except UNSENT as error:
        log.warning("Could not be said in %s: %s", where.get("channel"), error)


def _to_the_person(text: str, message: Message | None = None) -> BoltResponse:
    """The acknowledgement of a command, with words that only the person sees."""
    body: dict[str, Any] = {"response_type": "ephemeral", "text": text}
    if message:
        body["blocks"] = list(message.blocks)
    return BoltResponse(status=RECEIVED, body=body)
