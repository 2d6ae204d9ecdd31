"""Where a question is kept before Slack hears that it was received.

Bolt acknowledges an event *before* its listener runs, so a process that dies in the listener has
lost it. This is a middleware therefore, which runs before: it stores, and answers Slack itself.
What could not be stored is not acknowledged, and Slack, which knows nothing of our troubles, hands
it over again at once, after a minute and after five.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from cachetools import TTLCache
from slack_bolt import BoltContext, BoltRequest, BoltResponse
from slack_sdk import WebClient

from audit.values import slack_id
from bot.answering.values import shortened
from bot.errors import InboxUnavailable
from bot.slack.attachments import action_token_in, file_id_of
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import Message, marked
from bot.slack.channels import ChannelRules
from bot.slack.citations import DETAILS_REQUESTED, LINK_SHARED, LinkPreviews
from bot.slack.exchange import EDITED, Answers, Incoming, Intent, Origin, asked_privately, first_key
from bot.slack.failures import UNSENT, Advise, Throttle, understand
from bot.slack.home import AppHome, joined_channel, opened_tab
from bot.slack.inbox.queries import DELIVERED_FOR
from bot.slack.inbox.removals import NOT_STORED_MARK, StaleMessage, StaleMessages, reply_to_fold
from bot.slack.inbox.store import Inbox, Receipt
from bot.slack.message_events import (
    Understand,
    edited_message,
    incoming_of,
    intent_of,
    is_addressed_to,
    is_said_openly,
    spoken_words,
    still_asked,
    unasked_of,
)
from bot.slack.steps.sending import message_fields, post
from bot.wording import slack as wording
from retrieval.errors import RetrievalError

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _NotStored:
    """What could not be kept in one place, and the notices that say so."""

    keys: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _RefusedQuestions:
    """What somebody asked in one place within a minute that was not kept."""

    asked: list[Incoming] = field(default_factory=list)
    said: str = ""


MOST_PLACES = 1_000
MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Notices:
    """Says the same in each place once a minute; what is sent is sent one after another."""

    client: WebClient
    stale_messages: StaleMessages
    background: Executor
    """Of one thread: what is remembered here is only touched in it."""
    throttle: Throttle
    now: Callable[[], datetime]
    courtesies: Executor
    """Of its own, so that a Home that Slack makes wait delays no notice."""
    advise: Advise
    _places: dict[tuple[str, str], _NotStored] = field(default_factory=dict, init=False)
    """By channel and thread."""
    _refused: TTLCache[tuple[str, str, str], _RefusedQuestions] = field(
        default_factory=lambda: TTLCache(MOST_PLACES, MINUTE), init=False
    )

    def show(self, what: str, show: Callable[[], None]) -> None:
        """Show a courtesy, which is only logged where it fails: the person can open it anew."""
        self.courtesies.submit(self._shown, what, show)

    def _shown(self, what: str, show: Callable[[], None]) -> None:
        try:
            show()
        except Exception as error:
            log.warning("Not shown: %s: %s", what, error)
            self.advise(understand(error))

    def refused(self, asked: Incoming, waiting: int) -> None:
        """Say that somebody has too many questions waiting to have this one kept, too."""
        self.background.submit(self._list_refused, asked, waiting)

    def _list_refused(self, asked: Incoming, waiting: int) -> None:
        place = (asked.channel, asked.thread, asked.user)
        listed = self._refused.get(place)
        if listed is None or len(listed.asked) == system_messages.MOST_REFUSED:
            listed = self._refused[place] = _RefusedQuestions()
        others = [each for each in listed.asked if first_key(each.key) != first_key(asked.key)]
        listed.asked = [*others, asked]
        message = system_messages.too_many(waiting, listed.asked)
        listed.said = self._send(asked, message, listed.said)

    def not_stored(self, asked: Incoming) -> None:
        say = self.throttle.may_say(f"not stored: {asked.channel}:{asked.thread}")
        self.background.submit(self._not_stored, asked, say)

    def stored(self, asked: Incoming, *, delivered_again: bool) -> None:
        """It was kept after all, so nobody need read that it was not."""
        if delivered_again:
            self.background.submit(self._stored, asked)

    def _not_stored(self, asked: Incoming, say: bool) -> None:
        lost = self._places.setdefault((asked.channel, asked.thread), _NotStored())
        lost.keys.add(asked.key)
        notice = system_messages.not_stored()
        notice = replace(notice, blocks=marked(NOT_STORED_MARK, notice.blocks))
        if say and (ts := self._send(asked, notice)):
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
            try:
                self.stale_messages.add(stale, self.now())
            except InboxUnavailable as error:
                log.warning("A notice stays in %s: %s", stale.channel, error)

    def _send(self, asked: Incoming, message: Message, instead_of: str = "") -> str:
        """Return the message's `ts`; where it could not be said, which is only logged, the other's.

        `instead_of`: the `ts` of a message whose place it takes; empty for a new one.
        """
        try:
            if not instead_of:
                return post(self.client, asked.channel, message, asked.thread)
            fields = message_fields(message)
            self.client.chat_update(channel=asked.channel, ts=instead_of, **fields)
        except UNSENT as error:
            log.warning("Could not be said in %s: %s", asked.channel, error)
            self.advise(understand(error))
        return instead_of


UNWANTED = "x"
"""The reaction by which an answer that nobody asked for is taken away."""
RECEIVED = 200
NOT_NOW = 503
"""Slack delivers again: in Socket Mode because nothing is acknowledged, in HTTP mode
because it is no 2xx (https://docs.slack.dev/apis/events-api/#retries)."""


@dataclass(frozen=True, slots=True)
class EventContext:
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
    rules: ChannelRules
    links: LinkPreviews | None = None
    """None where no pages are served, and so no address is the bot's own."""
    source_changed: Callable[[Mapping[str, Any]], None] = lambda _: None
    """Keeps what an event says of a channel that is a source; raises what keeping it raises."""
    searches: bool = False
    """Whether Slack searches for who asks the bot directly."""

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
        # Slack counts from 1 (docs.slack.dev/apis/events-api#retries); Socket Mode says 0 at first.
        (number,) = request.headers.get("x-slack-retry-num") or ("0",)
        how_it_came = EventContext(
            bot_user=bot_user,
            shared=bool(body.get("is_ext_shared_channel")),
            is_repeated=number not in ("", "0"),
        )
        return self._event(body["event"], how_it_came)

    def _event(self, event: Mapping[str, Any], context: EventContext) -> BoltResponse:
        if self._shown(event, context):
            return BoltResponse(status=RECEIVED)
        try:
            if event.get("type") == "reaction_added":
                self._reaction(event)
            if event.get("type") == "file_deleted":
                self.inbox.attachments.forget(str(event.get("file_id") or ""))
            elif withdrawn := key_of_deleted(event):
                self.inbox.withdraw(withdrawn, self.now())
                self._forget_found(withdrawn)
            elif edited := edited_message(event):
                self._edited(*edited, context)
            else:
                self._message(event, context)
            self.source_changed(event)
        except InboxUnavailable as error:
            log.error("A message could not be stored, Slack will deliver it again: %s", error)
            return BoltResponse(status=NOT_NOW)
        except (RetrievalError, *UNSENT) as error:
            log.warning("An event could not be taken up, Slack delivers it again: %s", error)
            return BoltResponse(status=NOT_NOW)
        return BoltResponse(status=RECEIVED)

    def _forget_found(self, key: str) -> None:
        """What a search found of a message, as it was before."""
        channel, _, ts = key.rpartition(":")
        self.inbox.attachments.forget(file_id_of(slack_id(channel), ts))

    def _message(self, event: Mapping[str, Any], context: EventContext) -> None:
        """Whether somebody may go on in a thread is asked when it is stored."""
        heard = incoming_of(event, context.bot_user, self.understand)
        if heard is None:
            if unasked := self._unasked(event, context):
                self.inbox.take_in(unasked, self.now())
            return
        token = action_token_in(event) if self.searches and heard.private else ""
        asked = replace(heard, shared=context.shared, action_token=token)
        if not is_addressed_to(event, context.bot_user):
            receipt = self.inbox.follow_up(asked, self.now())
        else:
            receipt = self._taken_in(asked, context)
        if receipt.refused:
            self.notices.refused(asked, receipt.waiting)

    def _unasked(self, event: Mapping[str, Any], context: EventContext) -> Incoming | None:
        """Return a question that nobody asks the bot, where its channel wants such answered."""
        if not is_said_openly(event, context.bot_user):
            return None
        wanted = self.rules.of(str(event["channel"]))
        before_outsiders = context.shared and not wanted.outsiders
        if wanted.answers is Answers.MENTIONED or before_outsiders:
            return None
        heard = unasked_of(event, context.bot_user, self.understand)
        if heard is None:
            return None
        return self._placed(replace(heard, shared=context.shared, answers=wanted.answers))

    def _reaction(self, event: Mapping[str, Any]) -> None:
        """Fold an answer that nobody asked for, where its asker or a manager wants it gone."""
        item, user = event.get("item") or {}, str(event.get("user") or "")
        if event.get("reaction") != UNWANTED or item.get("type") != "message":
            return
        channel = str(item["channel"])
        found = self.inbox.unasked_reply(channel, str(item["ts"]))
        if found and (user == found.asked.user or self.rules.may_change(channel, user)):
            log.info("%s wants the reply of exchange %d gone", user, found.exchange_id)
            self.inbox.stale_messages.add(reply_to_fold(found, "unwanted"), self.now())

    def _shown(self, event: Mapping[str, Any], context: EventContext) -> bool:
        """Show what an event asks for besides answers, in the background; False for none such."""
        user, show = str(event.get("user") or ""), self.notices.show
        if self.links and event.get("type") in (LINK_SHARED, DETAILS_REQUESTED):
            preview = partial(self.links, event, shared=context.shared)
            show(f"citation for {user}", preview)
            return True
        tab, joined = opened_tab(event), joined_channel(event, context.bot_user)
        if tab == "home":
            show(f"home {user}", lambda: self.home.show(user))
        elif tab == "messages":
            show(f"prompts {user}", lambda: self.home.suggest(user, str(event["channel"])))
        elif joined:
            show(f"greeting {joined}", lambda: self.home.greet(joined, context.bot_user))
        return bool(tab or joined)

    def _edited(self, message: Mapping[str, Any], before: str, context: EventContext) -> None:
        """What was asked is asked anew as it is now; a mention that was added counts as one.

        One that is gone does not: it was asked, and it is withdrawn where it asks nothing now. So
        it is where what it said before was refused, or comes later.
        """
        original = f"{message['channel']}:{message['ts']}"
        self._forget_found(original)
        heard = incoming_of(message, context.bot_user, self.understand)
        may_come = float(message["ts"]) > (self.now() - DELIVERED_FOR).timestamp()
        meant = self._meant({**message, "text": before}, context, may_come)
        by = self.inbox.heard_by(original) or meant
        follows_up = by is None and not is_addressed_to(message, context.bot_user)
        if not heard and by is Answers.MENTIONED:
            heard = still_asked(message, context.bot_user, self.understand)
        unasked = self._unasked(message, context) if by and not heard else None
        asked = replace(heard, shared=context.shared) if heard else unasked
        key = f"{original}{EDITED}{message['edited']['ts']}"
        if asked is None:
            self.inbox.withdraw(key, self.now(), may_come=may_come)
            return
        asked = self._placed(replace(asked, key=key))
        take_in = self.inbox.follow_up if follows_up else self.inbox.take_in
        receipt = take_in(asked, self.now())
        if receipt.refused and not asked.is_unasked:
            self.notices.refused(asked, receipt.waiting)

    def _meant(
        self, message: Mapping[str, Any], context: EventContext, may_come: bool
    ) -> Answers | None:
        """Return by which setting a message is heard; None where it surely is not."""
        if is_addressed_to(message, context.bot_user):
            heard = incoming_of(message, context.bot_user, self.understand)
        else:
            heard = self._unasked(message, context) if may_come else None
        return heard.answers if heard else None

    def _taken_in(self, asked: Incoming, context: EventContext) -> Receipt:
        """Raise `InboxUnavailable`; then the person, who spoke to the bot for sure, is told."""
        try:
            receipt = self.inbox.take_in(self._placed(asked), self.now())
        except InboxUnavailable:
            self.notices.not_stored(asked)
            raise
        self.notices.stored(asked, delivered_again=context.is_repeated)
        return receipt

    def _placed(self, asked: Incoming) -> Incoming:
        """Say where its reply stands; in a thread that people began, it stays there."""
        begins = not asked.private and asked.thread == asked.ts
        return replace(asked, beside=begins and self.rules.of(asked.channel).beside)

    def _command(self, body: Mapping[str, Any], bot_user: str) -> BoltResponse:
        """Answer `/ask`: Slack does not deliver a command twice, so the person hears at once."""
        incoming = asked_by_command(body, bot_user, self.now(), self.understand)
        if incoming.kind is not Intent.QUESTION:
            shown = system_messages.help_message(bot_user, admin=False, private=True)
            return _to_the_person(shown)
        try:
            receipt = self.inbox.take_in(incoming, self.now())
        except InboxUnavailable as error:
            log.error("A command could not be stored: %s", error)
            return _to_the_person(wording.COMMAND_NOT_STORED)
        if receipt.refused:
            return _to_the_person(system_messages.too_many(receipt.waiting, [incoming]))
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


def asked_by_command(
    body: Mapping[str, Any], bot_user: str, now: datetime, understand: Understand
) -> Incoming:
    """Read a question asked with `/ask`: answered to the person alone, where it was typed."""
    text = shortened(spoken_words(str(body.get("text") or ""), bot_user))
    key = f"command:{body['trigger_id']}"
    return asked_privately(
        key,
        text,
        body["user_id"],
        now,
        intent_of(text, understand),
        origin=Origin(str(body.get("channel_id") or "")),
        respond_at=str(body.get("response_url") or ""),
    )


def _to_the_person(said: str | Message) -> BoltResponse:
    """Acknowledge a command, with words that only the person sees."""
    shown = {"text": said} if isinstance(said, str) else message_fields(said)
    return BoltResponse(status=RECEIVED, body={"response_type": "ephemeral", **shown})
