"""A workspace starts with a seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BOT_USER = "U0VOUCH"
BOT_ID = "B0VOUCH"
APP_ID = "A0VOUCH"
TEAM_ID = "T0LOCAL"

ALL_SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "bookmarks:read",
    "pins:read",
    "reactions:read",
    "search:read.public",
    "usergroups:read",
    "links:read",
    "links:write",
    "users:read",
    "users:read.email",
)


@dataclass(frozen=True, slots=True)
class Member:
    id: str
    name: str
    real_name: str
    email: str = ""
    about: str = ""
    """A line that tells who this is; for the page alone, Slack has no such thing."""
    is_bot: bool = False
    is_admin: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    id: str
    name: str
    members: tuple[str, ...]
    topic: str = ""
    is_private: bool = False
    is_im: bool = False
    is_archived: bool = False
    creator: str = ""
    """Id of whoever made it; empty where nobody knows any more."""

    @property
    def channel_type(self) -> str:
        if self.is_im:
            return "im"
        return "group" if self.is_private else "channel"

    def other(self, user: str) -> str:
        return next((member for member in self.members if member != user), user)


@dataclass(frozen=True, slots=True)
class UserGroup:
    id: str
    handle: str
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command:
    command: str
    usage: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Shortcut:
    callback_id: str
    name: str
    about_message: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    person: str
    channel: str | None
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tour:
    """`tour.yaml` says whose documents these are, and what to ask first."""

    organisation: str
    stops: Sequence[Mapping[str, str]]
    """Questions: who asks (`as`), what (`question`), what it shows (`note`)."""
    questions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What each person, by their id in `people.yaml`, is offered to ask besides."""
    beside: Mapping[str, "Tour"] = field(default_factory=dict)
    folder: Path = Path()


@dataclass(frozen=True, slots=True)
class Seed:
    """A seed is a workspace before anybody said anything."""

    team: str
    people: tuple[Member, ...]
    channels: tuple[Room, ...]
    commands: tuple[Command, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    examples: tuple[Example, ...] = ()
    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each person, by id, is offered to ask in the direct message with the bot."""
    bot_name: str = "Vouch"
    scopes: tuple[str, ...] = ALL_SCOPES
    usergroups: tuple[UserGroup, ...] = ()
    team_id: str = TEAM_ID
    documents: int = 0
    opens_as: str = ""
    """Whom the page starts as; the first person where empty."""
    opens_channel: str = ""
    """Where the page starts; the first channel where empty."""

    @property
    def bot(self) -> Member:
        return Member(BOT_USER, self.bot_name.lower(), self.bot_name, is_bot=True)
