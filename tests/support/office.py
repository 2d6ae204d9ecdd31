"""A bot's insides in a real workspace, with real inbox and audit; only the answers are made up."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sample_records import a_record
from slack_bolt import BoltContext, BoltRequest, BoltResponse
from slack_sdk import WebClient
from workspace_client import UNHURRIED, Slack

from audit.log import AuditReader, AuditWriter, open_reader, open_writer
from audit.record import AuditEvent, AuditRecord, Decision
from audit.values import Channel
from bot.access.channels import Channels
from bot.access.people import People, Person
from bot.answering.followups import standalone
from bot.answering.values import Question
from bot.slack.channels import ChannelRules
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import Exchange, Incoming, Origin, Stage, asked_privately
from bot.slack.failures import Advising, Throttle
from bot.slack.inbox.store import Inbox
from bot.slack.intake import Intake, Notices
from bot.slack.steps.answering import AnswerStep, EarlierQuestions, PlaceholderStep, Progress
from bot.slack.steps.posting import DeliveryStep, PostStep, StaleMessageRemover, WithdrawStep
from bot.slack.steps.sending import PostingOnce, TroubleNotice
from bot.slack.worker_pool import Step, WorkerPool
from bot.workspace import seed
from bot.workspace.seed import BOT_USER, Room, Seed
from bot.workspace.server import Workspace
from retrieval.language.meanings import Meanings
from retrieval.models.embedders import BundledEmbedder
from retrieval.search.timing import Watch

if TYPE_CHECKING:
    from bot.slack.home import AppHome

MEANINGS = Meanings(BundledEmbedder())
"""Loads at its first use, once for all tests of a process."""
ANA, BEN, EVE = "U0ANA", "U0BEN", "U0EVE"
GENERAL, LOUNGE = "C0GENERAL", "C0LOUNGE"
ASKED = "How many weeks of leave?"
PATIENCE = 30.0

PEOPLE = People(
    {
        "ana": Person("ana", "Ana Silva", "ana@westhill.test", {}, admin=True),
        BEN: Person(BEN, "Ben Okafor", "", {}),
    }
)
SEED = Seed(
    team="Westhill",
    people=(
        seed.Member(ANA, "ana", "Ana Silva", "Ana@Westhill.test"),
        seed.Member(BEN, "ben", "Ben Okafor", "ben@elsewhere.test"),
        seed.Member(EVE, "eve", "Eve Adams", "eve@westhill.test"),
    ),
    channels=(
        Room(GENERAL, "general", (ANA, BEN, EVE, BOT_USER)),
        Room(LOUNGE, "lounge", (ANA, BEN, EVE, BOT_USER), creator=EVE),
    ),
)


class Clock:
    """The machine's clock, which a test can put forward."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def forward(self, seconds: float) -> None:
        self._ahead += timedelta(seconds=seconds)


class AtOnce(Executor):
    """Does what it is given at once, so that a test sees what came of it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class NotedClient(WebClient):
    """A client that remembers what it was asked to send."""

    def __init__(self, **options: Any) -> None:
        super().__init__(retry_handlers=[], **options)
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def api_call(self, api_method: str, **options: Any) -> Any:
        given = {**(options.get("params") or {}), **(options.get("json") or {})}
        self.calls.append((api_method, given))
        return super().api_call(api_method, **options)

    def count(self, method: str) -> int:
        return sum(name == method for name, _ in self.calls)


@dataclass
class Answers:
    """Answers every question, unless a test has put an error in the way."""

    writer: AuditWriter
    asked: list[Question] = field(default_factory=list)
    failing: Exception | None = None
    hold: Callable[[Question], None] = lambda _: None
    show: Callable[[Watch], None] = lambda _: None
    """Tells of its stages."""
    decision: Decision = Decision.ANSWER
    more_in_private: bool = False
    """The asker may read what not everyone in the channel may."""
    _turn: Lock = field(default_factory=Lock)

    def __call__(self, question: Question, watch: Watch, _: object = None) -> None:
        with self._turn:
            self.asked.append(question)
        if self.failing:
            raise self.failing
        self.hold(question)
        self.show(watch)
        assert question.audit_id
        record = record_for(question)
        private = {"more_in_private": self.more_in_private, "decision": self.decision}
        self.writer.append(record.model_copy(update=private))


def rules_of(inbox: Inbox, people: SlackPeople, client: WebClient) -> ChannelRules:
    """The rules of channels where #general is listed."""
    listed = Channels({GENERAL: {}})
    return ChannelRules(inbox.channel_settings, people, SlackChannels(client), lambda: listed)


def record_for(question: Question) -> AuditRecord:
    return a_record(
        audit_id=question.audit_id,
        question=question.text,
        standalone_question=standalone(question.text, question.previous),
        previous_questions=question.previous,
        channel=question.place or Channel(),
        reply=f"Answer to: {question.text}",
    )


@dataclass
class Office:
    workspace: Workspace
    slack: Slack
    client: NotedClient
    inbox: Inbox
    writer: AuditWriter
    records: AuditReader
    people: SlackPeople
    answers: Answers
    clock: Clock

    @property
    def rules(self) -> ChannelRules:
        return rules_of(self.inbox, self.people, self.client)

    def steps(self) -> dict[Stage, Step]:
        once = PostingOnce(self.client, self.inbox, self.clock)
        earlier = EarlierQuestions(self.client, self.inbox, MEANINGS)
        return {
            Stage.PLACEHOLDER: PlaceholderStep(
                self.client,
                once,
                self.inbox,
                earlier,
                self.people,
                lambda _: BOT_USER,
                self.clock,
                self.rules,
            ),
            Stage.ANSWERING: AnswerStep(
                self.client,
                earlier,
                self.people,
                self.answers,
                self.records,
                date.today,
                SlackChannels(self.client),
                Progress(self.client, AtOnce(), lambda: self.clock().timestamp()),
                self.rules,
            ),
            Stage.POSTING: PostStep(
                self.client, once, self.records, self.clock, self.inbox, lambda _: False, self.rules
            ),
            Stage.DELIVERY: DeliveryStep(self.writer.append, self.inbox.stale_messages),
            Stage.WITHDRAWN: WithdrawStep(
                self.records, self.writer.append, self.inbox.stale_messages, self.clock
            ),
        }

    @contextmanager
    def workers(
        self, answering_threads: int = 2, tell_admins: Callable[[str], None] | None = None
    ) -> Iterator[WorkerPool]:
        notice = TroubleNotice(self.client)
        line = WorkerPool(
            self.inbox, self.steps(), notice, answering_threads, self.clock, Advising(tell_admins)
        )
        line.start()
        try:
            yield line
        finally:
            assert line.drain(PATIENCE)

    def clean_up(self) -> None:
        """Remove all that is due."""
        remove = StaleMessageRemover(
            self.client, self.inbox.stale_messages, self.writer.append, self.clock
        )
        while remove():
            pass

    def say(
        self, user: str, text: str, *, channel: str = GENERAL, thread: str = "", **more: Any
    ) -> Incoming:
        """Somebody writes in a channel, and the bot hears it as a question."""
        ts = self.slack.says(user, channel, text, thread or None)
        private = channel.startswith("D")
        heard = Incoming(
            key=f"{channel}:{ts}",
            text=text,
            user=user,
            channel=channel,
            private=private,
            thread=thread or ("" if private else ts),
            ts=ts,
            **more,
        )
        self.inbox.take_in(heard, self.clock())
        return heard

    def hears(
        self,
        event: Mapping[str, Any],
        *,
        shared: bool = False,
        source_changed: Callable[[Mapping[str, Any]], None] = lambda _: None,
    ) -> int:
        """Slack delivers an event; what the bot answers with."""
        notices = Notices(
            self.client,
            self.inbox.stale_messages,
            AtOnce(),
            Throttle(60.0, time.monotonic),
            self.clock,
            AtOnce(),
            Advising(None),
        )
        home = cast("AppHome", None)  # no event here shows anything
        intake = Intake(
            *(self.inbox, notices, home, self.clock, MEANINGS, self.rules),
            source_changed=source_changed,
        )
        body = {"event": event, "is_ext_shared_channel": shared}
        request = BoltRequest(body=body, mode="socket_mode")
        context = BoltContext({"bot_user_id": BOT_USER})
        answer = intake.handle(body, request, context, lambda: BoltResponse(status=0))
        return int(answer.status or 0)

    def command(self, user: str, text: str, respond_at: str = "") -> Incoming:
        """Somebody asks with `/ask` in #general; without an address, in the direct message."""
        now = self.clock()
        heard = asked_privately(
            f"command:{now.timestamp()}",
            text,
            user,
            now,
            origin=Origin(GENERAL),
            respond_at=respond_at,
        )
        self.inbox.take_in(heard, now)
        return heard

    def direct(self, user: str) -> str:
        """The direct message with the bot."""
        return self.slack.direct(user)

    def bot_said(self, channel: str = GENERAL, user: str = ANA) -> list[dict[str, Any]]:
        """The bot's messages as a person sees them, oldest first."""
        return [m for m in self._of_bot(channel, user) if not m.get("ephemeral")]

    def whispered(self, user: str, channel: str = GENERAL) -> list[dict[str, Any]]:
        """What a person alone was told there."""
        return [m for m in self._of_bot(channel, user) if m.get("ephemeral")]

    def _of_bot(self, channel: str, user: str) -> list[dict[str, Any]]:
        return [m for m in self.slack.messages(channel, user) if m["user"] == BOT_USER]

    def claimed(self, stage: Stage) -> Exchange:
        exchange = self.inbox.claim(stage, self.clock())
        assert exchange, f"nothing waits at {stage.name}"
        return exchange

    def reach(self, last: Stage) -> Exchange:
        """One exchange does all steps up to this one."""
        return [self.step(stage) for stage in Stage if stage <= last][-1]

    def asked(self, last: Stage, text: str = ASKED, user: str = ANA, **more: Any) -> Exchange:
        """Somebody asks, and it is brought so far."""
        self.say(user, text, **more)
        return self.reach(last)

    def step(self, stage: Stage) -> Exchange:
        """One exchange does one step."""
        exchange = self.claimed(stage)
        done = self.steps()[stage](exchange)
        self.inbox.save(done)
        return done

    def broken_off(self, stage: Stage) -> Exception:
        """One exchange fails at a step, and may be tried again."""
        exchange = self.claimed(stage)
        try:
            self.steps()[stage](exchange)
        except Exception as error:
            self.inbox.postpone(replace(exchange, attempts=1), self.clock())
            return error
        raise AssertionError("the step did not fail")

    def delivered(self, audit_id: str) -> list[AuditEvent]:
        events = [stored.entry for stored in self.records.events(audit_id)]
        return [event for event in events if isinstance(event, AuditEvent)]

    def wait_for(self, stage: Stage, count: int = 1) -> None:
        until(lambda: self.inbox.counts()[stage] >= count)

    def until_retried(self, holds: Callable[[], bool], hurry: float = 20.0) -> None:
        """Wait for what a later attempt brings about; time passes `hurry` seconds a look."""

        def look() -> bool:
            self.clock.forward(hurry)
            for wakeup in self.inbox.wakeups.values():
                wakeup.notify_all()  # else the workers look again by the machine's clock
            return holds()

        until(look)


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that other threads bring about."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


@contextmanager
def open_office(folder: Path) -> Iterator[Office]:
    with Workspace(SEED, options=UNHURRIED) as workspace:
        client = NotedClient(token=workspace.bot_token, base_url=workspace.api_url)
        people = SlackPeople(client, lambda: PEOPLE)
        with open_with(client, people, folder, Office) as office:
            office.workspace, office.slack = workspace, Slack(workspace.url)
            yield office


AnOffice = TypeVar("AnOffice", bound=Office)


@contextmanager
def open_with(
    client: NotedClient, people: SlackPeople, folder: Path, kind: type[AnOffice]
) -> Iterator[AnOffice]:
    """An office with a client of its own; nobody's Slack is known to it yet."""
    url, nothing = f"sqlite:///{folder / 'audit.sqlite'}", cast("Any", None)
    with (
        open_writer(url) as writer,
        open_reader(url) as records,
        Inbox.open(f"sqlite:///{folder / 'inbox.sqlite'}") as inbox,
    ):
        answers = Answers(writer)
        yield kind(nothing, nothing, client, inbox, writer, records, people, answers, Clock())
