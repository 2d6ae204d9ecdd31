"""The bot at work on a Slack that its makers did not make: real inbox, real audit store.

What its methods answer is in `tests/contracts`; what answering does is tested elsewhere.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from emulated import BOT_TOKEN, BOT_USER, Emulated, Emulator
from office import MEANINGS, Answers, AtOnce, rules_of, until
from slack_sdk import WebClient
from slack_sdk.web import SlackResponse

from audit.log import AuditReader, AuditWriter, open_reader, open_writer
from audit.record import AuditEvent, EventKind
from bot.access.people import People, Person
from bot.slack.blocks.system_messages import Trouble
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import Exchange, Incoming, Stage, reply_mark
from bot.slack.failures import Advising, understand
from bot.slack.inbox.store import Inbox
from bot.slack.steps.answering import AnswerStep, EarlierQuestions, PlaceholderStep, Progress
from bot.slack.steps.posting import DeliveryStep, PostStep, WithdrawStep
from bot.slack.steps.sending import PostingOnce, TroubleNotice
from bot.slack.worker_pool import Step, WorkerPool
from bot.wording.slack import NOT_YET_ALOUD

pytest_plugins = ["emulated"]

ASKED = "How much leave do I get?"
PEOPLE = People({"ana": Person("ana", "Ana Silva", "ana@westhill.test", {})})
SCOPES = (
    "channels:history",
    "chat:write",
    "im:history",
    "im:write",
    "users:read",
    "users:read.email",
)
"""Nothing more is needed for this."""
WHERE = ["channel", "direct message", "command"]

Message = dict[str, Any]


class LossyClient(WebClient):
    """A network on which the answer to a request may be lost after it was carried out."""

    loses = ""
    """The method whose next answer is."""

    def api_call(self, api_method: str, **options: Any) -> SlackResponse:
        answer = super().api_call(api_method, **options)
        if api_method == self.loses:
            self.loses = ""
            raise ConnectionResetError("the network went away")
        return answer


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Desk:
    """One bot, and one person who asks it."""

    slack: Emulated
    client: LossyClient
    inbox: Inbox
    writer: AuditWriter
    records: AuditReader
    answers: Answers

    @property
    def ana(self) -> str:
        return self.slack.people["ana"]

    @property
    def office(self) -> str:
        return self.slack.channels["office"]

    def steps(self) -> dict[Stage, Step]:
        people = SlackPeople(self.client, lambda: PEOPLE)
        earlier = EarlierQuestions(self.client, self.inbox, MEANINGS)
        rules = rules_of(self.inbox, people, self.client)
        answering = AnswerStep(
            self.client,
            earlier,
            people,
            self.answers,
            self.records,
            date.today,
            SlackChannels(self.client),
            Progress(self.client, AtOnce()),
            rules,
        )
        once = PostingOnce(self.client, self.inbox, now)
        return {
            Stage.PLACEHOLDER: PlaceholderStep(
                self.client, once, self.inbox, earlier, people, lambda _: BOT_USER, now, rules
            ),
            Stage.ANSWERING: answering,
            Stage.POSTING: PostStep(
                self.client, once, self.records, now, self.inbox, lambda _: False, rules
            ),
            Stage.DELIVERY: DeliveryStep(self.writer.append, self.inbox.stale_messages),
            Stage.WITHDRAWN: WithdrawStep(
                self.records, self.writer.append, self.inbox.stale_messages, now
            ),
        }

    def asks(self, where: str) -> None:
        """Ana's question, as the bot hears it."""
        if where == "command":
            ts = f"{now().timestamp():.6f}"
            heard = Incoming("command:1", ASKED, self.ana, "", True, "", ts, quoted=True)
        else:
            private = where == "direct message"
            room = self.direct() if private else self.office
            said = self.slack.as_person("ana").chat_postMessage(channel=room, text=ASKED)
            ts = str(said["ts"])
            thread = "" if private else ts
            heard = Incoming(f"{room}:{ts}", ASKED, self.ana, room, private, thread, ts)
        assert self.inbox.take_in(heard, now()).stored

    def direct(self) -> str:
        return str(self.client.conversations_open(users=self.ana)["channel"]["id"])

    def bot_said(self, where: str) -> list[Message]:
        """The bot's messages where the reply belongs, as Slack has them."""
        if where != "channel":
            said = self.client.conversations_history(channel=self.direct())["messages"]
        else:
            [asked] = self.client.conversations_history(channel=self.office, limit=1)["messages"]
            there = {"channel": self.office, "ts": asked["ts"]}
            said = self.client.conversations_replies(**there)["messages"]
        return [each for each in said if each["user"] == BOT_USER]

    def claimed(self, stage: Stage) -> Exchange:
        exchange = self.inbox.claim(stage, now())
        assert exchange, f"nothing waits at {stage.name}"
        return exchange

    def step(self, stage: Stage) -> Exchange:
        """The exchange does one step."""
        done = self.steps()[stage](self.claimed(stage))
        self.inbox.save(done)
        return done

    def broken_off(self, stage: Stage) -> Exception:
        """The step fails, and may be done again."""
        exchange = self.claimed(stage)
        with pytest.raises(ConnectionResetError) as failed:
            self.steps()[stage](exchange)
        self.inbox.postpone(replace(exchange, attempts=1), now())
        return failed.value


@pytest.fixture
def desk(emulator: Emulator, tmp_path: Path) -> Iterator[Desk]:
    people = {"ana": "ana@westhill.test"}
    slack = emulator.fresh(people, {"office": ("ana", "vouch")}, (), SCOPES)
    client = LossyClient(BOT_TOKEN, base_url=slack.api_url, retry_handlers=[])
    url = f"sqlite:///{tmp_path / 'audit.sqlite'}"
    with ExitStack() as open_now:
        inbox = open_now.enter_context(Inbox.open(f"sqlite:///{tmp_path / 'inbox.sqlite'}"))
        writer = open_now.enter_context(open_writer(url))
        records = open_now.enter_context(open_reader(url))
        yield Desk(slack, client, inbox, writer, records, Answers(writer))


@pytest.mark.parametrize("where", WHERE)
def test_a_reply_is_a_new_message_and_the_placeholder_goes(desk: Desk, where: str) -> None:
    desk.asks(where)
    shown = desk.step(Stage.PLACEHOLDER)
    [message] = desk.bot_said(where)
    assert (message["ts"], message["blocks"][0]["block_id"]) == (shown.placeholder, shown.mark)
    assert "Reading" in message["text"]
    desk.step(Stage.ANSWERING)
    posted = desk.step(Stage.POSTING)
    [reply] = desk.bot_said(where)
    assert reply["ts"] == posted.placeholder > shown.placeholder
    assert reply["blocks"][0]["block_id"] == reply_mark(shown.exchange_id)
    assert "14 weeks" in reply["text"]
    assert (ASKED in str(reply["blocks"])) == (where == "command")
    assert desk.step(Stage.DELIVERY).stage is Stage.DONE


@pytest.mark.parametrize("where", WHERE)
def test_a_placeholder_whose_answer_was_lost_is_found_and_not_repeated(
    desk: Desk, where: str
) -> None:
    desk.asks(where)
    desk.client.loses = "chat.postMessage"
    assert understand(desk.broken_off(Stage.PLACEHOLDER)).trouble is Trouble.NETWORK
    shown = desk.step(Stage.PLACEHOLDER)
    assert [each["ts"] for each in desk.bot_said(where)] == [shown.placeholder]


def test_a_reply_whose_answer_was_lost_is_found_and_not_repeated(desk: Desk) -> None:
    desk.asks("channel")
    desk.step(Stage.PLACEHOLDER)
    desk.step(Stage.ANSWERING)
    desk.client.loses = "chat.postMessage"
    desk.broken_off(Stage.POSTING)
    posted = desk.step(Stage.POSTING)
    [reply] = desk.bot_said("channel")
    assert reply["ts"] == posted.placeholder


def test_where_somebody_deleted_the_placeholder_the_reply_is_posted_all_the_same(
    desk: Desk,
) -> None:
    desk.asks("channel")
    shown = desk.step(Stage.PLACEHOLDER)
    desk.step(Stage.ANSWERING)
    desk.client.chat_delete(channel=desk.office, ts=shown.placeholder)
    desk.step(Stage.POSTING)
    [reply] = desk.bot_said("channel")
    assert "14 weeks" in reply["text"]
    assert len(desk.answers.asked) == 1


def test_who_must_wait_is_told_so_in_the_placeholder(desk: Desk) -> None:
    desk.asks("direct message")
    shown = desk.step(Stage.PLACEHOLDER)
    TroubleNotice(desk.client)(shown, Trouble.INDEX)
    [message] = desk.bot_said("direct message")
    assert NOT_YET_ALOUD in message["text"]
    assert message["ts"] == shown.placeholder


def test_who_asks_is_known_by_their_e_mail(desk: Desk) -> None:
    people = SlackPeople(desk.client, lambda: PEOPLE)
    assert people.person(desk.ana) is PEOPLE.by_id["ana"]
    assert people.person(BOT_USER) is None
    assert people.person("U0NOBODY") is None


@pytest.mark.parametrize("where", WHERE)
def test_the_line_of_workers_brings_one_reply(desk: Desk, where: str) -> None:
    desk.asks(where)
    desk.client.loses = "chat.postMessage"
    line = WorkerPool(desk.inbox, desk.steps(), TroubleNotice(desk.client), 2, now, Advising(None))
    line.start()
    until(lambda: desk.inbox.counts()[Stage.DONE] == 1)
    assert line.drain(30.0)
    [reply] = desk.bot_said(where)
    assert "14 weeks" in reply["text"]
    [question] = desk.answers.asked
    assert question.person is PEOPLE.by_id["ana"]
    assert question.audit_id
    events = [stored.entry for stored in desk.records.events(question.audit_id)]
    assert [each.kind for each in events if isinstance(each, AuditEvent)] == [EventKind.DELIVERED]
