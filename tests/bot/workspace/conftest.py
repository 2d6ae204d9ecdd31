"""Fixtures: a workspace that runs, a person's page, the SDK's client and a connected app."""

from collections.abc import Iterator

import pytest
from slack_sdk import WebClient
from westhill import QUICK, SEED, App, Clock
from workspace_client import Slack

from bot.workspace.server import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace(SEED, options=QUICK) as running:
        yield running


@pytest.fixture
def slack(workspace: Workspace) -> Slack:
    return Slack(workspace.url)


@pytest.fixture
def web(workspace: Workspace) -> WebClient:
    return WebClient(workspace.bot_token, base_url=workspace.api_url)


@pytest.fixture
def app(workspace: Workspace, slack: Slack) -> Iterator[App]:
    connected = App(workspace)
    slack.wait_for_bot()
    yield connected
    connected.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()
