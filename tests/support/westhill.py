"""A workspace with three people, and an app that connects to it as any bot would."""

import time
from dataclasses import replace
from typing import Any

from slack_sdk import WebClient
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from workspace_client import UNHURRIED

from bot.slack.transport import close_at_once
from bot.workspace.seed import BOT_USER, Command, Example, Member, Room, Seed
from bot.workspace.server import Workspace

SEED = Seed(
    team="Westhill University",
    people=(
        Member("U0ANA", "ana", "Ana Silva", "ana@westhill.test", "A first-year student"),
        Member("U0BEN", "ben", "Ben Okafor", "ben@westhill.test", "A lecturer"),
        Member("U0EVE", "eve", "Eve"),
    ),
    channels=(
        Room("C0GENERAL", "general", ("U0ANA", "U0BEN", BOT_USER), topic="Everything"),
        Room("C0NOBOT", "lunch", ("U0ANA", "U0BEN")),
        Room("G0STAFF", "staff", ("U0BEN", BOT_USER), is_private=True),
        Room("G0SECRET", "secret", ("U0BEN",), is_private=True),
    ),
    commands=(Command("/ask", "[question]", "Ask privately"),),
    examples=(Example("U0ANA", "C0GENERAL", "@Vouch When is the exam?", "In a channel"),),
)
QUICK = replace(UNHURRIED, redelivery=(0.0, 0.2, 0.4), acknowledge_within=0.4)
"""As Slack, but nobody waits for minutes."""


class Clock:
    def __init__(self) -> None:
        self._ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self._ahead

    def pass_by(self, seconds: float) -> None:
        self._ahead += seconds


class App:
    """A bot that remembers what it was sent, and acknowledges unless told not to."""

    def __init__(self, workspace: Workspace) -> None:
        self.requests: list[SocketModeRequest] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.silent = 0
        self.web = WebClient(workspace.bot_token, base_url=workspace.api_url)
        self.client = SocketModeClient(
            app_token=workspace.app_token, web_client=WebClient(base_url=workspace.api_url)
        )
        self.client.socket_mode_request_listeners.append(self._hear)
        self.client.connect()

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [
            request.payload["event"]
            for request in list(self.requests)
            if request.type == "events_api" and request.payload["event"]["type"] == kind
        ]

    def interactions(self, kind: str) -> list[dict[str, Any]]:
        return [
            request.payload
            for request in list(self.requests)
            if request.payload.get("type") == kind
        ]

    def close(self) -> None:
        close_at_once(self.client)

    def _hear(self, client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        self.requests.append(request)
        if self.silent:
            self.silent -= 1
            return
        kind = str(request.payload.get("type") or request.type)
        client.send_socket_mode_response(
            SocketModeResponse(request.envelope_id, self.answers.get(kind))
        )
