"""What the bot asks of Slack: the one list, to which the app manifest is held by a test.

Scopes: https://docs.slack.dev/reference/scopes, events: https://docs.slack.dev/reference/events,
methods: https://docs.slack.dev/reference/methods. Where a method takes any of several
scopes, the one for each kind of conversation that the bot is in is asked for.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

SCOPES: Mapping[str, str] = {
    "app_mentions:read": "to hear when it is mentioned",
    "assistant:write": "to offer questions above an empty talk with it",
    "bookmarks:read": "to read the bookmarks of a channel that is a source",
    "channels:history": "to hear follow-ups in public channels that it was invited to",
    "channels:read": "to keep a public channel's name with what was asked there",
    "chat:write": "to reply",
    "commands": "for /ask, /audit and /ask-settings",
    "files:read": "to read a file that comes with a question, or is given to be read in",
    "files:write": "to show the cited lines as pictures in a window, and to delete those again",
    "groups:history": "to hear follow-ups in private channels that it was invited to",
    "groups:read": "to keep a private channel's name with what was asked there",
    "im:history": "to hear direct messages",
    "im:write": "to open the direct message in which you are answered alone",
    "links:read": "to hear when the address of a citation's page is posted",
    "links:write": "to show there what everyone who reads it may read",
    "mpim:history": "to hear follow-ups in group direct messages that it was added to",
    "pins:read": "to read what is pinned in a channel that is a source",
    "reactions:read": "to take away an answer that nobody asked for, where somebody wants it gone",
    "search:read.public": "to have Slack search public channels for whoever asks",
    "usergroups:read": "to read who is in the user groups that people.yaml names",
    "users:read": "to look up who asks",
    "users:read.email": "to find who asks in people.yaml by e-mail",
}
"""Of the bot token, each with what it is for; it completes "Vouch needs it ..."."""

FOR_PICTURES = ("files:write",)
"""Of these, what is not needed where VOUCH_SLACK_PICTURES is off."""

FOR_LINKS = ("links:read", "links:write")
"""The same where VOUCH_WEB_URL names no pages whose addresses could be posted."""

FOR_SEARCH = ("search:read.public",)
"""The same where VOUCH_SLACK_SEARCH is off."""

FOR_CHANNELS = ("bookmarks:read", "pins:read")
"""The same where no channel of Slack is a source; one that is says itself what it lacks."""

EVENTS: Mapping[str, str] = {
    "app_home_opened": "",
    "app_mention": "app_mentions:read",
    "app_uninstalled": "",
    "entity_details_requested": "",
    "file_deleted": "files:read",
    "link_shared": "links:read",
    "member_joined_channel": "channels:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "pin_removed": "pins:read",
    "reaction_added": "reactions:read",
    "tokens_revoked": "",
}
"""Events that are subscribed to, each with the scope that Slack demands; empty for none."""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    name: str
    description: str
    usage: str
    """Shown while somebody types, behind the command's name."""


COMMANDS = (
    SlashCommand("/ask", "Ask the documents; only you see the answer", "your question"),
    SlashCommand(
        "/audit",
        "For administrators: what was answered, and from which source",
        "latest | an audit id | person, document, decision or time",
    ),
    SlashCommand(
        "/ask-settings",
        "For whoever manages this channel: how questions are answered here",
        "in the channel that you mean",
    ),
)


@dataclass(frozen=True, slots=True)
class AppShortcut:
    name: str
    callback_id: str
    about_message: bool
    """It stands in a message's menu, and not in everybody's own."""
    description: str


SHORTCUTS = (
    AppShortcut(
        "Ask Vouch about this",
        "ask_about_message",
        True,
        "Look the message's question up in the documents; only you see the answer",
    ),
    AppShortcut("Ask Vouch", "ask_anywhere", False, "Ask the documents from anywhere in Slack"),
    AppShortcut(
        "Read into Vouch",
        "read_in",
        True,
        "For administrators: read the message's files as documents, for whom you choose",
    ),
)


def missing_scopes(granted: Collection[str]) -> tuple[str, ...]:
    return tuple(scope for scope in SCOPES if scope not in granted)
