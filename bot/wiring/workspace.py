"""The local workspace, with the organisation's people and channels in it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from cryptography.fernet import Fernet
from pydantic import SecretStr
from slack_sdk.oauth.installation_store import Installation

from audit.values import slack_id, team_of
from bot.access.entries import Facets
from bot.access.people import Person, belongs
from bot.access.user_groups import UserGroups
from bot.settings import Settings
from bot.slack.permissions import COMMANDS, SCOPES, SHORTCUTS
from bot.wiring.container import Container
from bot.wiring.slack import library_view
from bot.wording.redaction import Address
from bot.workspace import seed
from bot.workspace.server import Options, Workspace
from retrieval.metadata.access import TEAM

_SLACK_ID = re.compile(r"[UW][A-Z0-9]{2,}")
_GROUP_ID = re.compile(r"S[A-Z0-9]{2,}")
FALLBACK_CHANNEL = ("C0GENERAL", "general")
"""Where no channel is listed, there is one all the same."""
GUEST = seed.Member(
    id="U0GUEST",
    name="guest",
    real_name="A guest",
    about="not in people.yaml: reads what everyone may read",
)


def local_workspace(container: Container, tour: seed.Tour | None = None) -> Workspace:
    """A workspace on this machine, and those besides in `people.yaml`, for everybody in it."""
    teams = sorted({team_of(each) for each in container.stores.access.people.by_id} - {""})
    theirs = tour.beside if tour else {}
    return Workspace(
        workspace_seed(container, tour),
        port=container.settings.workspace_port,
        options=Options(path=container.home / "workspace.sqlite"),
        beside=[workspace_seed(container, theirs.get(team), team) for team in teams],
    )


def connected_to(settings: Settings, workspace: Workspace) -> Container:
    """The same container in the local workspace, with an inbox of its own."""
    settings = settings.model_copy(
        update={
            "slack_bot_token": SecretStr(workspace.bot_token),
            "slack_app_token": SecretStr(workspace.app_token),
            "slack_api_url": Address(workspace.api_url),
            "slack_transport": "socket",
            "slack_client_id": workspace.client_id,
            "slack_client_secret": SecretStr(workspace.client_secret),
            "health_port": settings.health_port if _is_watched(settings) else 0,
            "inbox_url": Address(workspace_inbox(settings.home)),
        }
    )
    return _installed(Container(settings), workspace) if workspace.beside else Container(settings)


def _installed(container: Container, workspace: Workspace) -> Container:
    """The same, the bot being installed in the workspaces beside; as by its own OAuth page."""
    keys = {
        "slack_team": workspace.team_id,
        "slack_tokens_key": SecretStr(Fernet.generate_key().decode()),
    }
    container = container.with_settings(keys)
    for each in workspace.beside:
        container.stores.installations.save(
            Installation(
                user_id="",
                team_id=each.team_id,
                bot_token=each.bot_token,
                bot_user_id=seed.BOT_USER,
                bot_id=seed.BOT_ID,
            )
        )
    return container


def _is_watched(settings: Settings) -> bool:
    """Whether somebody asked for its health checks: two of them on a machine need two ports."""
    return settings.metrics or "health_port" in settings.model_fields_set


def workspace_inbox(home: Path) -> str:
    return f"sqlite:///{(home / 'workspace-inbox.sqlite').absolute()}"


def workspace_seed(
    container: Container, tour: seed.Tour | None = None, team: str = ""
) -> seed.Seed:
    """The people of `people.yaml`, a guest, and the channels with who fits in, of a `team`."""
    everybody = container.stores.access.people.by_id.values()
    people = [each for each in everybody if each.team == team]
    channels = container.stores.access.channels
    groups, library = container.stores.access.usergroups, library_view(container)
    rooms = [
        _of_group(
            _room(channel, channels.names.get(channel, channel), audience, people),
            channels.usergroups.get(channel, ""),
            groups,
            people,
        )
        for channel, audience in channels.by_id.items()
        if team_of(channel) == team
    ] or [_room(*FALLBACK_CHANNEL, {}, people)]
    by_id = {slack_id(each.id): each for each in people}
    return seed.Seed(
        team=tour.organisation if tour else team or "Our organisation",
        team_id=team or container.settings.slack_team or seed.TEAM_ID,
        people=(*(_member(person, groups) for person in people), GUEST),
        channels=tuple(rooms),
        commands=tuple(seed.Command(each.name, each.usage, each.description) for each in COMMANDS),
        shortcuts=tuple(
            seed.Shortcut(each.callback_id, each.name, each.about_message) for each in SHORTCUTS
        ),
        examples=tuple(_example(stop, by_id) for stop in tour.stops)
        if tour
        else _own_examples(container, people),
        questions={
            user_id(by_id[who]): tuple(asked)
            for who, asked in (tour.questions if tour else {}).items()
        },
        scopes=tuple(SCOPES),
        documents=sum(map(library.documents, (each.name for each in library.sources(team)))),
        usergroups=tuple(
            _usergroup(name, groups, people) for name in groups.facets if team_of(name) == team
        ),
    )


def _usergroup(name: str, groups: UserGroups, people: Sequence[Person]) -> seed.UserGroup:
    handle, stated = slack_id(name).removeprefix("@").lower(), slack_id(name)
    by_handle = f"S0{re.sub('[^A-Z0-9]', '', handle.upper())}"
    own = stated if _GROUP_ID.fullmatch(stated) else by_handle
    mine = [user_id(person) for person in people if person.id in groups.local_members[name]]
    return seed.UserGroup(own, handle, tuple(mine))


def _of_group(
    room: seed.Room, name: str, groups: UserGroups, people: Sequence[Person]
) -> seed.Room:
    if not name:
        return room
    inside = {*_usergroup(name, groups, people).users, seed.BOT_USER}
    members = tuple(each for each in room.members if each in inside)
    handle = slack_id(name).removeprefix("@")
    return replace(room, members=members, topic=f"everyone here is in @{handle}")


def _example(stop: Mapping[str, str], by_id: Mapping[str, Person]) -> seed.Example:
    return seed.Example(
        person=user_id(by_id[stop["as"]]),
        channel=stop.get("channel"),
        text=stop["question"],
        note=stop["note"],
    )


def _own_examples(container: Container, people: Sequence[Person]) -> tuple[seed.Example, ...]:
    """Questions made from the headings of what the first one there may read."""
    person = people[0] if people else None
    scope = container.stores.access.scope_for(person, None, date.today())
    asked = library_view(container).prompts(scope)
    who = user_id(person) if person else GUEST.id
    return tuple(seed.Example(who, None, text) for text in asked)


def user_id(person: Person) -> str:
    """As Slack would name them: the workspace's id if there is an e-mail, else `people.yaml`'s."""
    own = slack_id(person.id)
    if not person.email or _SLACK_ID.fullmatch(own):
        return own
    return f"U0{re.sub('[^A-Z0-9]', '', own.upper())}"


def _member(person: Person, groups: UserGroups) -> seed.Member:
    return seed.Member(
        id=user_id(person),
        name=slack_id(person.id),
        real_name=person.name,
        email=person.email,
        about=_about(person, groups),
    )


def _about(person: Person, groups: UserGroups) -> str:
    """What tells people apart: role, what they belong to, whether they may audit."""
    stated = [values for facet, values in person.facets.items() if facet != TEAM]
    belongs = [next(iter(values)) for values in stated if len(values) == 1]
    role = person.profile.get("role", "")
    mine = [name for name, members in groups.local_members.items() if person.id in members]
    handles = [f"@{slack_id(name).removeprefix('@')}" for name in mine]
    told = [role, *belongs, *handles, "may audit" if person.admin else ""]
    return " · ".join(each for each in told if each)


def _room(channel: str, name: str, audience: Facets, people: Sequence[Person]) -> seed.Room:
    members = [user_id(person) for person in people if belongs(person, audience)]
    guests = [] if audience else [GUEST.id]
    topic = "everyone" if not audience else _only(audience)
    return seed.Room(
        slack_id(channel), slack_id(name), (*members, *guests, seed.BOT_USER), topic=topic
    )


def _only(audience: Facets) -> str:
    values = [value for each in audience.values() for value in sorted(each)]
    return f"everyone here has: {', '.join(values)}"
