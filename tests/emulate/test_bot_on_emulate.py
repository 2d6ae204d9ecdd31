"""The bot at work on a Slack that its makers did not make: real inbox, real audit store.

What its methods answer is in `tests/contracts`; what answering does is tested elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from emulated import BOT_TOKEN, BOT_USER, Emulated, Emulator
from office import NotedClient, Office, open_with, until
from slack_sdk.web import SlackResponse

from audit.record import EventKind
from bot.access.people import People, Person
from bot.slack.blocks.system_messages import Trouble
from bot.slack.directory import SlackPeople
from bot.slack.exchange import Incoming, Stage, reply_mark
from bot.slack.failures import understand
from bot.slack.steps.sending import TroubleNotice
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


class LossyClient(NotedClient):
    """A network on which the answer to a request may be lost after it was carried out."""

    loses = ""
    """The method whose next answer is."""

    def api_call(self, api_method: str, **options: Any) -> SlackResponse:
        answer: SlackResponse = super().api_call(api_method, **options)
        if api_method == self.loses:
            self.loses = ""
            raise ConnectionResetError("the network went away")
        return answer


@dataclass
class Desk(Office):
    """An office on the emulator, and one person who asks there."""

    emulated: Emulated = field(init=False)

    @property
    def ana(self) -> str:
        return self.emulated.people["ana"]

    @property
    def office(self) -> str:
        return self.emulated.channels["office"]

    @property
    def lossy(self) -> LossyClient:
        assert isinstance(self.client, LossyClient)
        return self.client

    def asks(self, where: str) -> None:
        """Ana's question, as the bot hears it."""
        if where == "command":
            ts = f"{self.clock().timestamp():.6f}"
            heard = Incoming("command:1", ASKED, self.ana, "", True, "", ts, quoted=True)
        else:
            private = where == "direct message"
            room = self.direct_message() if private else self.office
            said = self.emulated.as_person("ana").chat_postMessage(channel=room, text=ASKED)
            ts = str(said["ts"])
            thread = "" if private else ts
            heard = Incoming(f"{room}:{ts}", ASKED, self.ana, room, private, thread, ts)
        assert self.inbox.take_in(heard, self.clock()).stored

    def direct_message(self) -> str:
        return str(self.client.conversations_open(users=self.ana)["channel"]["id"])

    def said_at(self, where: str) -> list[Message]:
        """The bot's messages where the reply belongs, as Slack has them."""
        if where != "channel":
            said = self.client.conversations_history(channel=self.direct_message())["messages"]
        else:
            [asked] = self.client.conversations_history(channel=self.office, limit=1)["messages"]
            there = {"channel": self.office, "ts": asked["ts"]}
            said = self.client.conversations_replies(**there)["messages"]
        return [each for each in said if each["user"] == BOT_USER]


@pytest.fixture
def desk(emulator: Emulator, tmp_path: Path) -> Iterator[Desk]:
    people = {"ana": "ana@westhill.test"}
    slack = emulator.fresh(people, {"office": ("ana", "vouch")}, (), SCOPES)
    client = LossyClient(token=BOT_TOKEN, base_url=slack.api_url)
    with open_with(client, SlackPeople(client, lambda: PEOPLE), tmp_path, Desk) as desk:
        desk.emulated = slack
        yield desk


@pytest.mark.parametrize("where", WHERE)
def test_a_reply_is_a_new_message_and_the_placeholder_goes(desk: Desk, where: str) -> None:
    desk.asks(where)
    shown = desk.step(Stage.PLACEHOLDER)
    [message] = desk.said_at(where)
    assert (message["ts"], message["blocks"][0]["block_id"]) == (shown.placeholder, shown.mark)
    assert "Reading" in message["text"]
    desk.step(Stage.ANSWERING)
    posted = desk.step(Stage.POSTING)
    [reply] = desk.said_at(where)
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
    desk.lossy.loses = "chat.postMessage"
    assert understand(desk.broken_off(Stage.PLACEHOLDER)).trouble is Trouble.NETWORK
    shown = desk.step(Stage.PLACEHOLDER)
    assert [each["ts"] for each in desk.said_at(where)] == [shown.placeholder]


def test_a_reply_whose_answer_was_lost_is_found_and_not_repeated(desk: Desk) -> None:
    desk.asks("channel")
    desk.step(Stage.PLACEHOLDER)
    desk.step(Stage.ANSWERING)
    desk.lossy.loses = "chat.postMessage"
    desk.broken_off(Stage.POSTING)
    posted = desk.step(Stage.POSTING)
    [reply] = desk.said_at("channel")
    assert reply["ts"] == posted.placeholder


def test_where_somebody_deleted_the_placeholder_the_reply_is_posted_all_the_same(
    desk: Desk,
) -> None:
    desk.asks("channel")
    shown = desk.step(Stage.PLACEHOLDER)
    desk.step(Stage.ANSWERING)
    desk.client.chat_delete(channel=desk.office, ts=shown.placeholder)
    desk.step(Stage.POSTING)
    [reply] = desk.said_at("channel")
    assert "14 weeks" in reply["text"]
    assert len(desk.answers.asked) == 1


def test_who_must_wait_is_told_so_in_the_placeholder(desk: Desk) -> None:
    desk.asks("direct message")
    shown = desk.step(Stage.PLACEHOLDER)
    TroubleNotice(desk.client)(shown, Trouble.INDEX)
    [message] = desk.said_at("direct message")
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
    desk.lossy.loses = "chat.postMessage"
    with desk.workers():
        until(lambda: desk.inbox.counts()[Stage.DONE] == 1)
    [reply] = desk.said_at(where)
    assert "14 weeks" in reply["text"]
    [question] = desk.answers.asked
    assert question.person is PEOPLE.by_id["ana"]
    assert question.audit_id
    assert [each.kind for each in desk.delivered(question.audit_id)] == [EventKind.DELIVERED]
