"""Where a question is kept before Slack hears that it was received.

Bolt acknowledges an event *before* its listener runs, so a process that dies in the listener has
lost it. This is a middleware therefore, which runs before: it stores, and answers Slack itself.
What could not be stored is not acknowledged, and Slack, which knows nothing of our troubles, hands
it over again at once, after a minute and after five.

What was not kept, or refused, is said in its thread, and taken back when it is true no more.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cachetools import TTLCache
from slack_bolt import BoltContext, BoltRequest, BoltResponse
from slack_sdk import WebClient

from bot.answering.values import shortened
from bot.errors import InboxUnavailable
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import Message
from bot.slack.exchange import Incoming, Kind, Origin, asked_privately
from bot.slack.failures import UNSENT, Throttle
from bot.slack.home import AppHome, joined_channel, opened_tab
from bot.slack.inbox.queries import EDITED
from bot.slack.inbox.removals import NOT_STORED_MARK, StaleMessage, StaleMessages
from bot.slack.inbox.store import Inbox, Receipt
from bot.slack.message_events import (
    Understand,
    edited_message,
    incoming_of,
    is_addressed_to,
    kind_of,
    plain,
)
from bot.wording import slack as wording

log = logging.getLogger(__name__)
Place = tuple[str, str]
"""A channel and a thread in it."""


@dataclass(slots=True)
class _NotStored:
    """What could not be kept in one place, and the notices that say so."""

    keys: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Refused:
    """What somebody asked in one place within a minute that was not kept."""

    asked: list[Incoming] = field(default_factory=list)
    said: str = ""
    """The `ts` of the message that lists it."""


MOST_PLACES = 1_000
MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Notices:
    """Says the same in each place once a minute; `background` sends one after another."""

    client: WebClient
    stale_messages: StaleMessages
    background: Executor
    """Of one thread: what is remembered here is only touched in it."""
    throttle: Throttle
    now: Callable[[], datetime]
    _places: dict[Place, _NotStored] = field(default_factory=dict, init=False)
    _refused: TTLCache[tuple[str, str, str], _Refused] = field(
        default_factory=lambda: TTLCache(MOST_PLACES, MINUTE), init=False
    )

    def show(self, what: str, show: Callable[[], None]) -> None:
        """Show a courtesy, which is only logged where it fails: the person can open it anew."""
        self.background.submit(self._shown, what, show)

    def _shown(self, what: str, show: Callable[[], None]) -> None:
        try:
            show()
        except Exception as error:
            log.warning("Not shown: %s: %s", what, error)

    def refused(self, asked: Incoming, waiting: int) -> None:
        """Say that somebody has too many questions waiting to have this one kept, too."""
        self.background.submit(self._list_refused, asked, waiting)

    def _list_refused(self, asked: Incoming, waiting: int) -> None:
        place = (asked.channel, asked.thread, asked.user)
        listed = self._refused.get(place)
        if listed is None or len(listed.asked) == system_messages.MOST_REFUSED:
            listed = self._refused[place] = _Refused()
        listed.asked.append(asked)
        message = system_messages.too_many(waiting, listed.asked)
        listed.said = self._send(asked, message, listed.said)

    def not_stored(self, asked: Incoming) -> None:
        """Say that it could not be kept; Slack will deliver it again."""
        say = self.throttle.may_say(f"not stored: {asked.channel}:{asked.thread}")
        self.background.submit(self._not_stored, asked, say)

    def stored(self, asked: Incoming, *, delivered_again: bool) -> None:
        """It was kept after all, so nobody need read that it was not."""
        if delivered_again:
            self.background.submit(self._stored, asked)

    def _not_stored(self, asked: Incoming, say: bool) -> None:
        lost = self._places.setdefault((asked.channel, asked.thread), _NotStored())
        lost.keys.add(asked.key)
        if say and (ts := self._send(asked, _marked(system_messages.not_stored()))):
            lost.said.append(ts)

    def _stored(self, asked: Incoming) -> None:
        """A process that died may have said it, too: then it must be looked for."""
        place = (asked.channel, asked.thread)
        lost = self._places.get(place)
        if lost:
            lost.keys.discard(asked.key)
        if lost and lost.keys:
            return
        self._places.pop(place, None)
        known = [StaleMessage(asked.channel, ts=ts) for ts in lost.said] if lost else []
        unknown = StaleMessage(asked.channel, asked.thread, mark=NOT_STORED_MARK, oldest=asked.ts)
        for stale in known or [unknown]:
            self._have_removed(stale)

    def _have_removed(self, stale: StaleMessage) -> None:
        try:
            self.stale_messages.add(stale, self.now())
        except InboxUnavailable as error:
            log.warning("A notice stays in %s: %s", stale.channel, error)

    def _send(self, asked: Incoming, message: Message, instead_of: str = "") -> str:
        """Return the message's `ts`; where it could not be said, which is only logged, the other's.

        `instead_of`: the `ts` of a message whose place it takes; empty for a new one.
        """
        blocks = [dict(block) for block in message.blocks]
        said: dict[str, Any] = {
            "channel": asked.channel,
            "text": message.text,
            "blocks": blocks,
        }
        try:
            answer = (
                self.client.chat_update(ts=instead_of, **said)
                if instead_of
                else self.client.chat_postMessage(thread_ts=asked.thread or None, **said)
            )
        except UNSENT as error:
            log.warning("Could not be said in %s: %s", asked.channel, error)
            return instead_of
        return str(answer["ts"])


def _marked(message: Message) -> Message:
    first, *rest = message.blocks
    return replace(message, blocks=({**first, "block_id": NOT_STORED_MARK}, *rest))


RECEIVED = 200
NOT_NOW = 503
"""Slack delivers again: in Socket Mode because nothing is acknowledged, in HTTP mode
because it is no 2xx (https://docs.slack.dev/apis/events-api/#retries)."""


@dataclass(frozen=True, slots=True)
class EventContext:
    """How an event came."""

    bot_user: str
    shared: bool
    """People of another company read the channel too (Slack Connect)."""
    is_repeated: bool
    """An earlier delivery of it was not acknowledged."""


@dataclass(frozen=True, slots=True)
class Intake:
    """A Bolt middleware: events and `/ask` end here, clicks and other commands go on."""

    inbox: Inbox
    notices: Notices
    home: AppHome
    now: Callable[[], datetime]
    understand: Understand

    def handle(
        self,
        body: dict[str, Any],
        request: BoltRequest,
        context: BoltContext,
        next: Callable[[], BoltResponse],  # noqa: A002  # Bolt passes arguments by these names
    ) -> BoltResponse:
        bot_user = context.bot_user_id or ""
        if body.get("command") == "/ask":
            return self._command(body, bot_user)
        if "event" not in body:
            return next()
        how_it_came = EventContext(
            bot_user=bot_user,
            shared=bool(body.get("is_ext_shared_channel")),
            is_repeated=_is_repeated(request),
        )
        return self._event(body["event"], how_it_came)

    def _event(self, event: Mapping[str, Any], context: EventContext) -> BoltResponse:
        if self._shown(event, context):
            return BoltResponse(status=RECEIVED)
        try:
            if withdrawn := key_of_deleted(event):
                self.inbox.withdraw(withdrawn, self.now())
            elif edited := edited_message(event):
                self._edited(edited, context)
            else:
                self._message(event, context)
        except InboxUnavailable as error:
            log.error("A message could not be stored, Slack will deliver it again: %s", error)
            return BoltResponse(status=NOT_NOW)
        return BoltResponse(status=RECEIVED)

    def _message(self, event: Mapping[str, Any], context: EventContext) -> None:
        """Whether somebody may go on in a thread is asked when it is stored."""
        heard = incoming_of(event, context.bot_user, self.understand)
        if heard is None:
            return
        asked = replace(heard, shared=context.shared)
        if not is_addressed_to(event, context.bot_user):
            receipt = self.inbox.follow_up(asked, self.now())
        else:
            receipt = self._taken_in(asked, context)
        if receipt.refused:
            self.notices.refused(asked, receipt.waiting)

    def _shown(self, event: Mapping[str, Any], context: EventContext) -> bool:
        """Show what an event asks for besides answers, in the background; False for none such."""
        user, show = str(event.get("user") or ""), self.notices.show
        tab, joined = opened_tab(event), joined_channel(event, context.bot_user)
        if tab == "home":
            show(f"home {user}", lambda: self.home.show(user))
        elif tab == "messages":
            show(f"prompts {user}", lambda: self.home.suggest(user, str(event["channel"])))
        elif joined:
            show(f"greeting {joined}", lambda: self.home.greet(joined, context.bot_user))
        return bool(tab or joined)

    def _edited(self, message: Mapping[str, Any], context: EventContext) -> None:
        """What was asked is asked anew as it is now; a mention that was added counts as one."""
        heard = incoming_of(message, context.bot_user, self.understand)
        if heard is None:
            return
        if not self.inbox.is_known(heard.key):
            self._message(message, context)
            return
        key = f"{heard.key}{EDITED}{message['edited']['ts']}"
        asked = replace(heard, key=key, shared=context.shared)
        receipt = self.inbox.correct(asked, heard.key, self.now())
        if receipt.refused:
            self.notices.refused(asked, receipt.waiting)

    def _taken_in(self, asked: Incoming, context: EventContext) -> Receipt:
        """Raise `InboxUnavailable`; then the person, who spoke to the bot for sure, is told."""
        try:
            receipt = self.inbox.take_in(asked, self.now())
        except InboxUnavailable:
            self.notices.not_stored(asked)
            raise
        self.notices.stored(asked, delivered_again=context.is_repeated)
        return receipt

    def _command(self, body: Mapping[str, Any], bot_user: str) -> BoltResponse:
        """Answer `/ask`: Slack does not deliver a command twice, so the person hears at once."""
        incoming = asked_by_command(body, bot_user, self.now(), self.understand)
        if incoming.kind is not Kind.QUESTION:
            shown = system_messages.help_message(bot_user, admin=False, private=True)
            return _to_the_person(shown.text, shown)
        try:
            receipt = self.inbox.take_in(incoming, self.now())
        except InboxUnavailable as error:
            log.error("A command could not be stored: %s", error)
            return _to_the_person(wording.COMMAND_NOT_STORED)
        if receipt.refused:
            refusal = system_messages.too_many(receipt.waiting, [incoming])
            return _to_the_person(refusal.text, refusal)
        in_place = wording.ASKED_IN_PLACE if incoming.respond_at else wording.ASK_ACKNOWLEDGED
        return _to_the_person(in_place)


def key_of_deleted(event: Mapping[str, Any]) -> str:
    """Return the key of a message that somebody deleted; empty for any other event.

    Where it has replies, Slack puts a tombstone in its place and says that it changed.
    """
    if event.get("type") != "message":
        return ""
    now, before = event.get("message") or {}, event.get("previous_message") or {}
    if before.get("bot_id"):
        return ""
    if event.get("subtype") == "message_deleted":
        return f"{event['channel']}:{event.get('deleted_ts') or before.get('ts')}"
    if event.get("subtype") == "message_changed" and now.get("subtype") == "tombstone":
        return f"{event['channel']}:{now.get('ts')}"
    return ""


def _is_repeated(request: BoltRequest) -> bool:
    """Slack counts from 1 (docs.slack.dev/apis/events-api#retries); Socket Mode says 0 at first."""
    (number,) = request.headers.get("x-slack-retry-num") or ("0",)
    return number not in ("", "0")


def asked_by_command(
    body: Mapping[str, Any], bot_user: str, now: datetime, understand: Understand
) -> Incoming:
    """Read a question asked with `/ask`: answered to the person alone, where it was typed."""
    text = shortened(plain(str(body.get("text") or ""), bot_user))
    key = f"command:{body['trigger_id']}"
    return asked_privately(
        key,
        text,
        body["user_id"],
        now,
        kind_of(text, understand),
        origin=Origin(str(body.get("channel_id") or "")),
        respond_at=str(body.get("response_url") or ""),
    )


def _to_the_person(text: str, message: Message | None = None) -> BoltResponse:
    """Acknowledge a command, with words that only the person sees."""
    body: dict[str, Any] = {"response_type": "ephemeral", "text": text}
    if message:
        body["blocks"] = list(message.blocks)
    return BoltResponse(status=RECEIVED, body=body)
