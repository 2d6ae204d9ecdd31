"""The first two steps: the person sees that they were heard, and the answer is put on record.

A placeholder stands where the reply will be posted, and tells what is being done where that takes
long; it never tells what was found. The answer is in the audit store before anyone sees it.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from threading import Lock
from typing import Any

from cachetools import TTLCache
from slack_sdk import WebClient

from audit.errors import UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord
from audit.values import ATTACHED, Channel
from bot.answering.followups import recalled
from bot.answering.values import Elsewhere, Question, SearchElsewhere, shortened
from bot.errors import NotAudited
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import Message, marked, own_message
from bot.slack.blocks.system_messages import placeholder, working
from bot.slack.channels import ChannelRules
from bot.slack.clicked import unlisted_in
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import CameWith, Exchange, Incoming, Intent, Stage
from bot.slack.failures import LIMITED, UNSENT, code_of
from bot.slack.inbox.store import Inbox
from bot.slack.message_events import SPOKEN, Understand, asks_to_read, intent_of, own_words
from bot.slack.steps.sending import REFUSED, PostingOnce, message_fields, tell_alone, update
from bot.wording import channels
from bot.wording import slack as wording
from retrieval.language.meanings import Meaning
from retrieval.language.questions import QUESTION_WORDS, asks, says_something
from retrieval.search.timing import Watch
from retrieval.types import Passage

SHOWN_AFTER = 1.0
"""Seconds of work before the first update, and between two."""
MOST_A_MINUTE = 30
"""Updates for all questions together: of `chat.update`'s 50 a minute (docs.slack.dev, Tier 3) some
are left to say what went wrong."""
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Shown:
    steps: dict[str, str] = field(default_factory=dict)
    last: float = 0.0
    over: bool = False


class Progress:
    """Updates placeholders in the background: no answer waits for it. Safe to share."""

    def __init__(
        self,
        client: WebClient,
        background: Executor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._background = background
        self._clock = clock
        self._recent = TTLCache[float, None](MOST_A_MINUTE, 60.0, clock)
        self._quiet_until = 0.0
        self._plans = True
        self._turn = Lock()

    @contextmanager
    def watching(self, exchange: Exchange) -> Iterator[Watch]:
        """Give what is told of each stage of answering; nothing is updated after the block."""
        shown = _Shown(last=self._clock())

        def watch(stage: str, counts: Mapping[str, int]) -> None:
            said = wording.step(stage, counts)
            if said and not shown.over:
                shown.steps[stage] = said
            if said and exchange.placeholder and self._may_show(shown):
                self._background.submit(self._show, exchange, shown)

        try:
            yield watch
        finally:
            shown.over = True

    def _may_show(self, shown: _Shown) -> bool:
        now = self._clock()
        with self._turn:
            full = len(self._recent) >= MOST_A_MINUTE or now < self._quiet_until
            if full or now - shown.last < SHOWN_AFTER:
                return False
            self._recent[now] = None
            shown.last = now
        return True

    def _show(self, exchange: Exchange, shown: _Shown) -> None:
        if shown.over:
            return
        as_plan = self._plans
        message = working(
            exchange.exchange_id,
            exchange.asked.text,
            quoted=exchange.quoted,
            steps=list(shown.steps.values()),
            as_plan=as_plan,
        )
        try:
            self._client.chat_update(
                channel=exchange.channel, ts=exchange.placeholder, **message_fields(message)
            )
        except UNSENT as error:
            if as_plan and code_of(error) in REFUSED:
                self._plans = False
                self._show(exchange, shown)
                return
            log.debug("Exchange %d: no progress is shown: %s", exchange.exchange_id, error)
            if code_of(error) in LIMITED:
                self._quiet_until = self._clock() + 60.0


_MOST_READ = 100
"""Messages of a thread, its first among them."""


@dataclass(frozen=True, slots=True)
class EarlierQuestions:
    """The inbox has what was asked of the bot; a thread that people began is read."""

    client: WebClient
    inbox: Inbox
    understand: Understand

    def __call__(self, exchange: Exchange) -> tuple[str, ...]:
        of_the_bot = self.inbox.previous(exchange)
        asked = exchange.asked
        if asked.stands_alone or asked.private or exchange.moved:
            return of_the_bot
        if self.inbox.heard_by(f"{asked.channel}:{asked.thread}"):  # so the thread began
            return of_the_bot
        return self._of_people(exchange) or of_the_bot

    def asked_above(self, exchange: Exchange) -> str:
        """Return what a person asks in a channel's thread right above it; empty for nothing.

        Whoever asks for help there, and says with what nowhere, means that.
        """
        asked = exchange.asked
        if asked.private or exchange.moved or asked.thread == asked.ts:
            return ""
        above = self._above(asked)
        if not 0 < len(above) < _MOST_READ or not _is_before(above[-1], asked.ts):
            return ""
        text = shortened(" ".join(own_words(str(above[-1].get("text") or "")).split()))
        return text if says_something(text) and self.understand(text).asking > 0 else ""

    def _of_people(self, exchange: Exchange) -> tuple[str, ...]:
        """Only what asks is kept with the question, else what the thread began with."""
        asked = exchange.asked
        said = [each for each in self._above(asked) if _is_before(each, asked.ts)]
        texts = [shortened(own_words(str(each.get("text") or ""))) for each in said]
        asking = [text for text in texts if text and self.understand(text).asking > 0]
        return recalled(asking or texts[:1])

    def _above(self, asked: Incoming) -> list[Mapping[str, Any]]:
        """Read the thread; where Slack lets nobody, the question is understood without it."""
        try:
            page = self.client.conversations_replies(
                channel=asked.channel, ts=asked.thread, latest=asked.ts, limit=_MOST_READ
            )
        except UNSENT as error:
            log.warning("The thread of %s was not read: %s", asked.key, error)
            return []
        return [each for each in page["messages"] if float(each["ts"]) < float(asked.ts)]


def _only_calls(text: str) -> bool:
    """Tell whether it says nothing, or asks to help; "help", or "what can you do?", wants help."""
    words = text.lower().split()
    return not any(map(str.isalnum, text)) or (asks(text) and QUESTION_WORDS.isdisjoint(words))


def _is_before(message: Mapping[str, Any], ts: str) -> bool:
    by_person = message.get("subtype") in SPOKEN and not message.get("bot_id")
    return by_person and float(message["ts"]) < float(ts)


@dataclass(frozen=True, slots=True)
class PlaceholderStep:
    """Posts a placeholder; to a greeting or thanks, the few words that are all of the reply."""

    client: WebClient
    post_once: PostingOnce
    inbox: Inbox
    earlier: EarlierQuestions
    people: SlackPeople
    bot_user: Callable[[str], str]
    now: Callable[[], datetime]
    rules: ChannelRules

    def __call__(self, exchange: Exchange) -> Exchange:
        asked = exchange.asked
        if asked.shared and self.rules.refuses(asked.channel, asked.user):
            if not asked.is_unasked:  # who did not ask the bot is told nothing
                tell_alone(self.client, exchange, own_message(channels.TURNED_AWAY))
            return replace(exchange, stage=Stage.DONE)
        if asked.is_unasked:
            return replace(exchange, stage=Stage.ANSWERING)
        if asked.kind is Intent.UNTOLD:
            # With a file, an administrator's "read this" is no question.
            reads = asked.attached and asks_to_read(asked.text) and self.people.operator(asked.user)
            intent = Intent.READ_IN if reads else intent_of(asked.text, self.earlier.understand)
            helps = intent is Intent.HELP and not asked.attached and _only_calls(asked.text)
            if above := self.earlier.asked_above(exchange) if helps else "":
                intent, asked = Intent.QUESTION, replace(asked, text=above, quoted=True)
            exchange = self.inbox.set_intent(replace(exchange, asked=asked), intent, self.now())
        if exchange.respond_at and self._intent(exchange) is Intent.QUESTION:
            return replace(exchange, stage=Stage.ANSWERING)  # its acknowledgement stands there
        here = exchange if exchange.channel else self._opened(exchange)
        kind = self._intent(here)
        message = self._message(here, kind)
        ts = self.post_once(here, message, message.text)
        shown = replace(here, placeholder=ts, sending_since=None)
        goes_on = kind is Intent.QUESTION or (asked.attached and here.asked.kind is Intent.HELP)
        return replace(shown, stage=Stage.ANSWERING if goes_on else Stage.DONE)

    def _intent(self, exchange: Exchange) -> Intent:
        """Tell what is wanted: "and then?" asks nothing where nothing was asked before."""
        kind, text = exchange.asked.kind, exchange.asked.text
        if kind is not Intent.QUESTION or says_something(text) or self.earlier(exchange):
            return kind
        return Intent.HELP

    def _opened(self, exchange: Exchange) -> Exchange:
        answer = self.client.conversations_open(users=exchange.asked.user)
        opened = replace(exchange, channel=answer["channel"]["id"], respond_at="")
        self.inbox.save(opened, keep=True)
        return opened

    def _message(self, exchange: Exchange, kind: Intent) -> Message:
        if kind is not Intent.QUESTION:
            said = self._said(exchange.asked, kind)
            return Message(said.text, marked(exchange.mark, said.blocks))
        now = self.now()
        slowed = max(0.0, (exchange.paced_until - now).total_seconds())
        return placeholder(
            exchange.exchange_id,
            self.people.named(exchange.asked.text, exchange.asked.user),
            quoted=exchange.quoted,
            ahead=self.inbox.ahead(exchange, now),
            slowed_seconds=round(slowed),
        )

    def _said(self, asked: Incoming, kind: Intent) -> Message:
        """What administrators can do besides, they are told alone."""
        if kind is Intent.READ_IN:
            return system_messages.choose(asked.attached)
        if kind is not Intent.HELP:
            return system_messages.small_talk(kind)
        if asked.attached:
            return system_messages.only_files(asked.attached, {})
        person = self.people.person(asked.user) if asked.private else None
        admin = person is not None and person.admin
        bot_user = self.bot_user(asked.user)
        return system_messages.help_message(bot_user, admin=admin, private=asked.private)


def recorded(records: AuditReader, audit_id: str) -> AuditRecord | None:
    """Return None where it is not answered yet; raise `AuditError` where the store cannot say."""
    try:
        return records.record(audit_id).record
    except UnknownRecord:
        return None


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """Asks the pipeline, unless the question was answered before a crash."""

    client: WebClient
    earlier: EarlierQuestions
    people: SlackPeople
    answering: Callable[[Question, Watch, SearchElsewhere], object]
    """Its outcome is read back from the audit store, as after a crash."""
    records: AuditReader
    today: Callable[[], date]
    channels: SlackChannels
    progress: Progress
    rules: ChannelRules
    attached: Callable[[Exchange], tuple[Passage, ...]] = lambda _: ()
    """What its files say, and those before it in its thread; raises what another attempt may help.
    """
    came_with: Callable[[Exchange], CameWith] = lambda _: CameWith()
    searched: Callable[[Exchange, str], Elsewhere] = lambda *_: Elsewhere()
    """What Slack's own search finds for a question, as it is asked in the second argument."""

    def __call__(self, exchange: Exchange) -> Exchange:
        if exchange.asked.kind is Intent.HELP:
            return self._read_alone(exchange)
        if not recorded(self.records, exchange.audit_id):
            with self._busy(exchange), self.progress.watching(exchange) as watch:
                self._answer(self._question(exchange), exchange, watch)
        return replace(exchange, stage=Stage.POSTING)

    def _read_alone(self, exchange: Exchange) -> Exchange:
        """Files that came alone are read at once: nobody is to ask of one that cannot be."""
        self.attached(exchange)
        of_all, files = self.came_with(exchange).unread, exchange.asked.attached
        keys = {each.file_id: f"{ATTACHED}{each.file_id}" for each in files}
        unread = {name: of_all[key] for name, key in keys.items() if key in of_all}
        if unread or exchange.told:
            said = system_messages.only_files(files, unread)
            message = Message(said.text, marked(exchange.mark, said.blocks))
            update(self.client, exchange.channel, exchange.placeholder, message)
        return replace(exchange, stage=Stage.DONE)

    def _question(self, exchange: Exchange) -> Question:
        """In a channel its audience and sources count; its name is that of today."""
        asked = exchange.asked
        meant, place = self.earlier.understand(asked.text).meaning, reply_channel(exchange)
        attached, files = self.attached(exchange), self.came_with(exchange)
        return Question(
            text=self.people.named(asked.text, asked.user),
            person=self.people.person(asked.user) or self.people.guest(asked.user),
            on=asked.as_of or self.today(),
            channel=channel_that_counts(asked),
            previous=tuple(self.people.named(each, asked.user) for each in self.earlier(exchange)),
            place=place.model_copy(update={"name": self.channels.name(place.id)}),
            audit_id=exchange.audit_id,
            attached=attached,
            came_with=(*files.read, *files.unread),
            goes_on=meant in (Meaning.SITUATION, Meaning.CORRECTION),
            corrects=meant is Meaning.CORRECTION,
            sources=() if asked.private else tuple(sorted(self.rules.of(asked.channel).sources)),
        )

    def _answer(self, question: Question, exchange: Exchange, watch: Watch) -> None:
        try:
            self.answering(question, watch, partial(self.searched, exchange))
        except NotAudited:
            # The append may have had no known outcome, or another process was faster.
            if not recorded(self.records, exchange.audit_id):
                raise

    @contextmanager
    def _busy(self, exchange: Exchange) -> Iterator[None]:
        """Slack says under the thread, or under the question, that the bot is at work."""
        self._say_status(exchange, wording.STATUS_READING)
        try:
            yield
        finally:
            self._say_status(exchange, "")

    def _say_status(self, exchange: Exchange, status: str) -> None:
        """Show a courtesy; a failure is no trouble, as the placeholder says the same."""
        under = exchange.thread or ("" if exchange.quoted else exchange.asked.ts)
        if not under or exchange.asked.is_unasked:
            return
        try:
            self.client.assistant_threads_setStatus(
                channel_id=exchange.channel, thread_ts=under, status=status
            )
        except UNSENT as error:
            log.debug("Exchange %d: no status was shown: %s", exchange.exchange_id, error)


def channel_that_counts(asked: Incoming) -> str | None:
    """Return whose channel counts; guests' where another company reads, None in private."""
    if asked.private:
        return None
    return unlisted_in(asked.channel) if asked.shared else asked.channel


def reply_channel(exchange: Exchange) -> Channel:
    return Channel(id=exchange.channel, thread=exchange.thread)
