"""What stands in for Slack: our own local workspace, and `emulate`, which knows nothing of it.

PYTEST_DONT_REWRITE: it is a plugin that tests also import names from.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import pytest
from emulated import Emulated, Emulator
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from westhill import App
from workspace_client import UNHURRIED, Slack

from bot.workspace import seed
from bot.workspace.server import Workspace

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "Reading …", "verbatim": True}}
MODAL: dict[str, Any] = {
    "type": "modal",
    "callback_id": "evidence",
    "private_metadata": "record-1",
    "title": {"type": "plain_text", "text": "Evidence"},
    "blocks": [SECTION],
}
FEW_SCOPES = ("chat:write", "users:read")
PEOPLE = {"ana": "ana@westhill.test", "ben": "ben@westhill.test", "eve": "eve@westhill.test"}
MEMBERS = {"office": ("ana", "ben", "vouch"), "lunch": ("ana", "ben"), "secret": ("ana", "ben")}
PRIVATE = ("secret",)


@dataclass(frozen=True, slots=True)
class StandIn:
    """A workspace, its people and channels by their names, and what happens in it by itself."""

    web: WebClient
    people: dict[str, str]
    """`ana` and `ben` are in every channel, `eve` in none; `vouch` is the bot."""
    channels: dict[str, str]
    """`office`, where the bot is; `lunch`, public, and `secret`, private, where it is not."""
    says: Callable[[str, str, str, str], str]
    """A person says something in a channel, and in a thread unless it is empty."""
    trigger: Callable[[str], str]
    """A person does something that lets the bot open a modal; the trigger's id."""
    archive: Callable[[str], None]

    def as_token(self, token: str) -> WebClient:
        return WebClient(token, base_url=self.web.base_url, retry_handlers=[])

    @property
    def office(self) -> str:
        return self.channels["office"]

    def direct(self, person: str = "ana") -> str:
        """The direct message of the bot with somebody."""
        return str(self.web.conversations_open(users=self.people[person])["channel"]["id"])


def refusal(web: WebClient, method: str, **arguments: Any) -> str:
    """The error with which Slack answers."""
    with pytest.raises(SlackApiError) as refused:
        web.api_call(method, json=arguments)
    return str(refused.value.response["error"])


def emulate_deviates(why: str) -> pytest.MarkDecorator:
    """The test holds for Slack, its documentation says so, and not for `emulate`.

    Fails as soon as it does hold, so that nothing is excused for longer than needed.
    """
    excused = pytest.mark.xfail(
        strict=True, reason=why, raises=(AssertionError, SlackApiError, pytest.fail.Exception)
    )
    both = ["workspace", pytest.param("emulate", marks=[pytest.mark.slow, excused])]
    return pytest.mark.parametrize("slack", both, indirect=True)


@pytest.fixture(params=["workspace", pytest.param("emulate", marks=pytest.mark.slow)])
def slack(request: pytest.FixtureRequest) -> Iterator[StandIn]:
    with _standing_in(request, seed.ALL_SCOPES) as slack:
        yield slack


@pytest.fixture(params=["workspace", pytest.param("emulate", marks=pytest.mark.slow)])
def slack_with_few_scopes(request: pytest.FixtureRequest) -> Iterator[StandIn]:
    with _standing_in(request, FEW_SCOPES) as slack:
        yield slack


def _standing_in(
    request: pytest.FixtureRequest, scopes: tuple[str, ...]
) -> AbstractContextManager[StandIn]:
    if request.param == "workspace":
        return _local_workspace(scopes)
    emulator: Emulator = request.getfixturevalue("emulator")
    return nullcontext(_of_emulate(emulator.fresh(PEOPLE, MEMBERS, PRIVATE, scopes)))


def _of_emulate(emulated: Emulated) -> StandIn:
    bot = emulated.client()

    def says(person: str, channel: str, text: str, thread: str) -> str:
        """Slack has no method to click with: people are tokens of their own."""
        answer = emulated.as_person(person).chat_postMessage(
            channel=channel, text=text, thread_ts=thread or None
        )
        return str(answer["ts"])

    def trigger(person: str) -> str:
        """A method that Slack does not have."""
        user = {"user_id": emulated.people[person]}
        return str(bot.api_call("views.generateTriggerId", json=user)["trigger_id"])

    def archive(channel: str) -> None:
        emulated.as_person("ana").conversations_archive(channel=channel)

    return StandIn(bot, dict(emulated.people), dict(emulated.channels), says, trigger, archive)


@contextmanager
def _local_workspace(scopes: tuple[str, ...]) -> Iterator[StandIn]:
    with Workspace(_seed(scopes), options=UNHURRIED) as workspace:
        yield _of_workspace(workspace)


def _seed(scopes: tuple[str, ...]) -> seed.Seed:
    ids = _ids()
    return seed.Seed(
        team="Westhill",
        people=tuple(
            seed.Member(ids[name], name, name.title(), email) for name, email in PEOPLE.items()
        ),
        channels=tuple(
            seed.Room(
                f"C0{name.upper()}",
                name,
                tuple(ids[member] for member in members),
                is_private=name in PRIVATE,
            )
            for name, members in MEMBERS.items()
        ),
        commands=(seed.Command("/ask"),),
        scopes=scopes,
    )


def _ids() -> dict[str, str]:
    return {name: f"U0{name.upper()}" for name in PEOPLE} | {"vouch": seed.BOT_USER}


def _of_workspace(workspace: Workspace) -> StandIn:
    page, ids = Slack(workspace.url), _ids()

    def says(person: str, channel: str, text: str, thread: str) -> str:
        return page.says(ids[person], channel, text, thread or None)

    def trigger(person: str) -> str:
        """With a command, as the connected app is told of it."""
        app = App(workspace)
        try:
            page.wait_for_bot()
            page.command(ids[person], "C0OFFICE", "/ask", "May I?")
            request = page.wait_for(lambda: list(app.requests))[0]
            return str(request.payload["trigger_id"])
        finally:
            app.close()

    return StandIn(
        WebClient(workspace.bot_token, base_url=workspace.api_url, retry_handlers=[]),
        ids,
        {name: f"C0{name.upper()}" for name in MEMBERS},
        says,
        trigger,
        workspace.archive,
    )
