"""What the bot asks of Slack is what its code uses, no more and no less."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from slack_sdk import WebClient

from bot.slack.permissions import COMMANDS, EVENTS, SCOPES, missing_scopes

HISTORY = frozenset({"channels:history", "groups:history", "im:history", "mpim:history"})
METHODS: Mapping[str, frozenset[str]] = {
    "apps.connections.open": frozenset(),  # by the app-level token
    "assistant.search.context": frozenset({"search:read.public"}),
    "assistant.threads.setStatus": frozenset({"chat:write"}),
    "assistant.threads.setSuggestedPrompts": frozenset({"assistant:write"}),
    "auth.test": frozenset(),
    "bookmarks.list": frozenset({"bookmarks:read"}),  # of a channel that is a source
    "chat.delete": frozenset({"chat:write"}),
    "chat.postEphemeral": frozenset({"chat:write"}),
    "chat.postMessage": frozenset({"chat:write"}),
    "chat.unfurl": frozenset({"links:write"}),
    "chat.update": frozenset({"chat:write"}),
    "conversations.history": HISTORY,
    "conversations.info": frozenset({"channels:read", "groups:read"}),
    "conversations.members": frozenset({"channels:read", "groups:read"}),
    "conversations.open": frozenset({"im:write"}),
    "conversations.replies": HISTORY,
    "entity.presentDetails": frozenset(),
    "files.completeUploadExternal": frozenset({"files:write"}),
    "files.delete": frozenset({"files:write"}),
    "files.getUploadURLExternal": frozenset({"files:write"}),
    "files.list": frozenset({"files:read"}),
    "pins.list": frozenset({"pins:read"}),
    "usergroups.list": frozenset({"usergroups:read"}),
    "usergroups.users.list": frozenset({"usergroups:read"}),
    "files.info": frozenset({"files:read"}),
    "oauth.v2.access": frozenset(),
    "users.info": frozenset({"users:read", "users:read.email"}),
    "users.lookupByEmail": frozenset({"users:read.email"}),
    "views.open": frozenset(),
    "views.publish": frozenset(),
    "views.push": frozenset(),
    "views.update": frozenset(),
}
"""Web API methods that the bot may call, each with the scopes that it needs for them."""
BOT = Path(__file__).resolve().parents[3] / "bot" / "slack"
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BOT.rglob("*.py")))
CALLED = sorted(
    name
    for name in set(re.findall(r"\.([a-z]+(?:_[a-zA-Z]+)+)\b", SOURCE))
    if callable(getattr(WebClient, name, None)) and name not in {"api_call", "issue_new_token"}
)


@pytest.mark.parametrize("method", CALLED)
def test_every_method_that_the_bot_calls_is_listed(method: str) -> None:
    assert method.replace("_", ".") in METHODS


def test_a_scope_is_asked_for_where_an_event_a_method_or_a_command_needs_it() -> None:
    by_events = {scope for scope in EVENTS.values() if scope}
    by_methods = {scope for scopes in METHODS.values() for scope in scopes}
    by_commands = {"commands"} if COMMANDS else set()
    assert set(SCOPES) == by_events | by_methods | by_commands


def test_missing_scopes_are_named_in_the_order_of_the_list() -> None:
    assert missing_scopes(SCOPES) == ()
    assert missing_scopes([*SCOPES, "files:read"]) == ()
    assert missing_scopes(set(SCOPES) - {"users:read.email", "chat:write"}) == (
        "chat:write",
        "users:read.email",
    )
