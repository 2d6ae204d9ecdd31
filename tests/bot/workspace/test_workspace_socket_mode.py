"""Both transports: sockets, and signed requests to an app's own server."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from remote_places import JsonSite, Said, served
from slack_sdk import WebClient
from slack_sdk.signature import SignatureVerifier
from starlette.types import Message
from starlette.websockets import WebSocket
from westhill import QUICK, SEED, App
from workspace_client import Refusal, Slack

from bot.workspace.deliveries import Deliveries, Sockets
from bot.workspace.seed import BOT_ID, BOT_USER
from bot.workspace.server import Workspace
from bot.workspace.web_api import AppTokens


def heard(slack: Slack, app: App, kind: str, count: int = 1) -> list[dict[str, Any]]:
    """The app's events of this type, as soon as there are so many."""
    slack.wait_for(lambda: len(app.events(kind)) >= count)
    return app.events(kind)


def test_a_mention_comes_as_a_message_and_as_a_mention(slack: Slack, app: App) -> None:
    ts = slack.says("U0ANA", "C0GENERAL", "@Vouch when is <the exam> & why?")
    (mention,) = heard(slack, app, "app_mention")
    (message,) = heard(slack, app, "message")
    assert message["text"] == f"<@{BOT_USER}> when is &lt;the exam&gt; &amp; why?"
    assert (message["channel_type"], message["ts"], message["user"]) == ("channel", ts, "U0ANA")
    assert (mention["ts"], mention["channel"]) == (ts, "C0GENERAL")
    envelope = app.requests[0]
    assert envelope.payload["type"] == "event_callback"
    assert envelope.payload["event_id"].startswith("Ev")
    assert envelope.payload["authorizations"][0]["user_id"] == BOT_USER


def test_a_mention_that_was_changed_comes_as_a_mention_again(slack: Slack, app: App) -> None:
    ts = slack.says("U0ANA", "C0GENERAL", "when is the exam?")
    slack.edits("U0ANA", "C0GENERAL", ts, "@Vouch when is the exam?")
    (mention,) = heard(slack, app, "app_mention")
    _, message = heard(slack, app, "message", 2)
    assert (mention["ts"], mention["edited"]) == (ts, message["message"]["edited"])


def test_each_kind_of_room_is_named(slack: Slack, app: App) -> None:
    direct = slack.direct("U0ANA")
    slack.says("U0ANA", direct, "@Vouch hello")
    slack.says("U0BEN", "G0STAFF", "hello")
    kinds = {one["channel"]: one["channel_type"] for one in heard(slack, app, "message", 2)}
    assert kinds == {direct: "im", "G0STAFF": "group"}
    assert app.events("app_mention") == []
    (opened,) = app.events("app_home_opened")
    assert (opened["user"], opened["tab"]) == ("U0ANA", "messages")


def test_nothing_is_heard_where_the_bot_is_not(slack: Slack, app: App) -> None:
    slack.says("U0ANA", "C0NOBOT", "@Vouch are you here?")
    slack.says("U0ANA", "C0GENERAL", "and here?")
    assert [one["text"] for one in heard(slack, app, "message")] == ["and here?"]


def test_the_bot_hears_itself_and_every_change(slack: Slack, app: App) -> None:
    ts = app.web.chat_postMessage(channel="C0GENERAL", text="wait")["ts"]
    app.web.chat_update(channel="C0GENERAL", ts=ts, text="done")
    app.web.chat_delete(channel="C0GENERAL", ts=ts)
    said, changed, deleted = heard(slack, app, "message", 3)
    assert (said["bot_id"], said["user"]) == (BOT_ID, BOT_USER)
    assert (changed["subtype"], changed["message"]["text"]) == ("message_changed", "done")
    assert changed["previous_message"]["text"] == "wait"
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", ts)


def test_a_person_edits_and_deletes(slack: Slack, app: App) -> None:
    ts = slack.says("U0ANA", "C0GENERAL", "one")
    slack.edits("U0ANA", "C0GENERAL", ts, "two")
    slack.deletes("U0ANA", "C0GENERAL", ts)
    kinds = [one.get("subtype") for one in heard(slack, app, "message", 3)]
    assert kinds == [None, "message_changed", "message_deleted"]


def test_a_reply_names_its_thread(slack: Slack, app: App) -> None:
    root = slack.says("U0ANA", "C0GENERAL", "root")
    slack.says("U0BEN", "C0GENERAL", "reply", thread=root)
    reply = heard(slack, app, "message", 2)[1]
    assert (reply["thread_ts"], reply["parent_user_id"]) == (root, "U0ANA")


def test_what_is_not_acknowledged_comes_again(slack: Slack, app: App) -> None:
    app.silent = 2
    slack.says("U0ANA", "C0GENERAL", "do you hear me?")
    heard(slack, app, "message", 3)
    assert [(one.retry_attempt, one.retry_reason) for one in app.requests] == [
        (0, ""),
        (1, "timeout"),
        (2, "timeout"),
    ]
    assert len({one.payload["event_id"] for one in app.requests}) == 1
    assert len({one.envelope_id for one in app.requests}) == 3


def test_slack_gives_up_after_three_more_times(slack: Slack, app: App) -> None:
    app.silent = 4
    slack.says("U0ANA", "C0GENERAL", "lost")
    heard(slack, app, "message", 4)
    slack.wait_for(lambda: app.silent == 0)
    slack.says("U0ANA", "C0GENERAL", "heard")
    texts = [one["text"] for one in heard(slack, app, "message", 5)]
    assert texts == ["lost"] * 4 + ["heard"]


def test_what_was_said_before_the_bot_came_is_delivered_when_it_comes() -> None:
    options = replace(QUICK, redelivery=(0.0, 0.1, *[0.2] * 50))
    with Workspace(SEED, options=options) as workspace:
        slack = Slack(workspace.url)
        slack.says("U0ANA", "C0GENERAL", "early")
        app = App(workspace)
        assert heard(slack, app, "message")[0]["text"] == "early"
        app.close()


def test_the_order_of_what_was_said_is_kept(slack: Slack, app: App) -> None:
    texts = [f"message {number}" for number in range(30)]
    for text in texts:
        slack.says("U0ANA", "C0GENERAL", text)
    envelopes = sorted(heard(slack, app, "message", 30), key=lambda event: str(event["ts"]))
    assert [one["text"] for one in envelopes] == texts


@pytest.mark.parametrize("how", ["cut", "refresh"])
def test_the_app_connects_again(workspace: Workspace, slack: Slack, app: App, how: str) -> None:
    before = app.client.session_id()
    workspace.cut_sockets() if how == "cut" else workspace.refresh_sockets()
    slack.wait_for(lambda: app.client.session_id() != before)
    slack.wait_for_bot()
    slack.says("U0ANA", "C0GENERAL", "still there?")
    assert heard(slack, app, "message")[-1]["text"] == "still there?"


def test_each_envelope_goes_to_one_of_several_connections(
    workspace: Workspace, slack: Slack, app: App
) -> None:
    other = App(workspace)
    for number in range(6):
        slack.says("U0ANA", "C0GENERAL", str(number))
    slack.wait_for(lambda: len(app.requests) + len(other.requests) == 6)
    assert len(app.requests) == len(other.requests) == 3
    other.close()


def test_a_link_admits_one_connection(workspace: Workspace) -> None:
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    opener = WebClient(workspace.app_token, base_url=workspace.api_url)
    url = opener.apps_connections_open(app_token=workspace.app_token)["url"]
    with connect(url) as socket:
        assert '"hello"' in str(socket.recv())
        with pytest.raises(InvalidStatus):
            connect(url)


@pytest.mark.parametrize("how", [Sockets.cut, Sockets.refresh])
def test_a_connection_that_the_app_just_ended_troubles_nobody(
    how: Callable[[Sockets], Awaitable[None]],
) -> None:
    """The server has not heard of the end yet, and notices it when it sends."""

    async def ended() -> None:
        sockets, gone = Sockets(acknowledge_within=1), asyncio.Event()
        greeted = asyncio.Event()
        scope = {"type": "websocket", "query_string": f"ticket={sockets.ticket()}".encode()}

        async def receive() -> Message:
            if not greeted.is_set():
                return {"type": "websocket.connect"}
            await gone.wait()
            return {"type": "websocket.disconnect", "code": 1006}

        async def send(message: Message) -> None:
            if greeted.is_set():
                raise OSError("as uvicorn says where the other side is gone")
            if message["type"] == "websocket.send":
                greeted.set()

        serving = asyncio.create_task(sockets.endpoint(WebSocket(scope, receive, send)))
        await greeted.wait()
        await how(sockets)
        gone.set()
        await serving
        assert not sockets.connected

    asyncio.run(ended())


def test_a_delivery_that_is_given_up_as_its_connection_ends_is_not_tried_again() -> None:
    """The workspace stops at that moment: it would wait for the next try, a minute later."""

    async def ended() -> None:
        sockets = Sockets(acknowledge_within=60)
        sent, gone = asyncio.Event(), asyncio.Event()
        scope = {"type": "websocket", "query_string": f"ticket={sockets.ticket()}".encode()}
        connecting = iter([{"type": "websocket.connect"}])

        async def receive() -> Message:
            if (message := next(connecting, None)) is None:
                await gone.wait()
            return message or {"type": "websocket.disconnect", "code": 1006}

        async def send(message: Message) -> None:
            if "events_api" in message.get("text", ""):
                sent.set()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(sockets.endpoint(WebSocket(scope, receive, send)))
            deliveries = Deliveries(sockets, (60.0,), lambda _: None)
            while not sockets.connected:
                await asyncio.sleep(0)
            deliveries.event({"type": "message"})
            await sent.wait()
            await sockets.cut()
            await asyncio.wait_for(deliveries.stop(), 5)
            gone.set()

    asyncio.run(ended())


class Door(JsonSite):
    """An app's HTTP server that remembers what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"http://{self.place}/slack/events"
        self.heard: list[tuple[Mapping[str, str], str]] = []
        self.statuses: list[int] = []

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        body = (posted or b"").decode()
        is_event = body.startswith("{")
        if is_event and (challenge := json.loads(body).get("challenge")):
            return 200, {}, str(challenge)
        self.heard.append((headers, body))
        status = self.statuses.pop(0) if self.statuses else 200
        return status, {}, "" if is_event else '{"text": "heard"}'


@pytest.fixture
def door() -> Iterator[Door]:
    door = Door()
    with served(door):
        yield door


@pytest.fixture
def over_http(door: Door) -> Iterator[Slack]:
    tokens = replace(AppTokens.new(), signing_secret="shh")
    options = replace(QUICK, events_url=door.url, acknowledge_within=2.0)
    with Workspace(SEED, tokens=tokens, options=options) as workspace:
        page = Slack(workspace.url)
        page.wait_for_bot()
        yield page


def test_events_are_signed_and_repeated(over_http: Slack, door: Door) -> None:
    door.statuses = [500, 500]
    over_http.says("U0ANA", "C0GENERAL", "hello ‘there’")
    over_http.wait_for(lambda: len(door.heard) == 3)
    for headers, body in door.heard:
        assert SignatureVerifier("shh").is_valid_request(body, headers)
        assert json.loads(body)["event"]["text"] == "hello ‘there’"
    again = [
        (headers.get("x-slack-retry-num"), headers.get("x-slack-retry-reason"))
        for headers, _ in door.heard
    ]
    assert again == [(None, None), ("1", "http_error"), ("2", "http_error")]


def test_commands_and_clicks_come_as_forms(over_http: Slack, door: Door) -> None:
    over_http.command("U0ANA", "C0GENERAL", "/ask", "a & b")
    headers, body = door.heard[-1]
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert SignatureVerifier("shh").is_valid_request(body, headers)
    form = parse_qs(body)
    assert (form["command"], form["text"]) == (["/ask"], ["a & b"])
    assert over_http.messages("C0GENERAL", "U0ANA")[-1]["text"] == "heard"


def test_a_door_that_answers_badly_fails_the_command(over_http: Slack, door: Door) -> None:
    door.statuses = [404]
    with pytest.raises(Refusal) as refused:
        over_http.command("U0ANA", "C0GENERAL", "/ask")
    assert refused.value.code == "operation_timeout"
