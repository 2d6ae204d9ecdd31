"""The other transport: signed requests to a Bolt app's own server."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import parse_qs

import pytest
from remote_places import JsonSite, Said, served
from slack_sdk.signature import SignatureVerifier
from westhill import QUICK, SEED
from workspace_client import Refusal, Slack

from bot.workspace.server import Workspace
from bot.workspace.web_api import AppTokens


class Door(JsonSite):
    """An app's HTTP server that remembers what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"http://{self.place}/slack/events"
        self.heard: list[tuple[Mapping[str, str], str]] = []
        self.statuses: list[int] = []
        """Of the next answers, before 200."""

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
def slack(door: Door) -> Iterator[Slack]:
    tokens = replace(AppTokens.new(), signing_secret="shh")
    options = replace(QUICK, events_url=door.url, acknowledge_within=2.0)
    with Workspace(SEED, tokens=tokens, options=options) as workspace:
        page = Slack(workspace.url)
        page.wait_for_bot()
        yield page


def test_events_are_signed_and_repeated(slack: Slack, door: Door) -> None:
    door.statuses = [500, 500]
    slack.says("U0ANA", "C0GENERAL", "hello ‘there’")
    slack.wait_for(lambda: len(door.heard) == 3)
    for headers, body in door.heard:
        assert SignatureVerifier("shh").is_valid_request(body, headers)
        assert json.loads(body)["event"]["text"] == "hello ‘there’"
    again = [
        (headers.get("x-slack-retry-num"), headers.get("x-slack-retry-reason"))
        for headers, _ in door.heard
    ]
    assert again == [(None, None), ("1", "http_error"), ("2", "http_error")]


def test_commands_and_clicks_come_as_forms(slack: Slack, door: Door) -> None:
    slack.command("U0ANA", "C0GENERAL", "/ask", "a & b")
    headers, body = door.heard[-1]
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert SignatureVerifier("shh").is_valid_request(body, headers)
    form = parse_qs(body)
    assert (form["command"], form["text"]) == (["/ask"], ["a & b"])
    assert slack.messages("C0GENERAL", "U0ANA")[-1]["text"] == "heard"


def test_a_door_that_answers_badly_fails_the_command(slack: Slack, door: Door) -> None:
    door.statuses = [404]
    with pytest.raises(Refusal) as refused:
        slack.command("U0ANA", "C0GENERAL", "/ask")
    assert refused.value.code == "operation_timeout"
