"""Slack's user groups lead to facets, as `people.yaml` says, for whoever was in them lately.

So do channels, by id: who is in one is a group as well.

A group counts for a day after it was read. One that was not, that there is not, or that shares its
handle with another gives nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from difflib import get_close_matches
from pathlib import Path

from audit.values import known_as, slack_id, team_of
from bot.access.entries import GUEST, TEAM_KEY, Entry, Facets, mapping_in, unique
from bot.errors import BadConfiguration
from retrieval.metadata.access import CHANNEL_ID, TEAM
from retrieval.metadata.ontology import Ontology

KEY = "usergroups"
LOCAL_MEMBERS = "local_members"
"""Who is in a group of the local workspace; in Slack its own list counts alone."""
COUNTS_FOR = timedelta(days=1)
_ALIKE = 0.75
_AN_ID = re.compile("S0[A-Z0-9]{3,}")


@dataclass(frozen=True, slots=True)
class ReadGroup:
    """A user group, as it was last read from Slack."""

    group_id: str
    """As `audit.values` knows it, and so its members."""
    handle: str
    members: frozenset[str]
    read_at: datetime


@dataclass(frozen=True, slots=True)
class UserGroups:
    """As `people.yaml` names them, by handle or id; of another workspace with its id before it."""

    facets: Mapping[str, Facets] = field(default_factory=dict)
    local_members: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "UserGroups":
        """Read `people.yaml`; there are none where it names none. Raise `BadConfiguration`."""
        content = mapping_in(path)
        for key in content.keys() - {KEY}:
            if get_close_matches(key.casefold(), [KEY], 1, _ALIKE):
                raise BadConfiguration(f"{path}: `{key}` is no key of ours; write `{KEY}`.")
        stated = content.get(KEY) or {}
        if not isinstance(stated, Mapping):
            raise BadConfiguration(f"{path} must map groups to facets under `{KEY}`.")
        entries = [
            _entry(path, number, name, one, ontology.home_team)
            for number, (name, each) in enumerate(stated.items(), 1)
            for one in (each if ontology.home_team and isinstance(each, list) and each else [each])
        ]
        unique(path, KEY, (entry.id for entry in entries), alike=str)
        return cls(
            {entry.id: _facets(entry, ontology) for entry in entries},
            {entry.id: _local_members(entry) for entry in entries},
        )

    def of_user(self, user: str, read: Sequence[ReadGroup], now: datetime) -> Facets:
        mine = {name for name in self.facets if user in _members(named(name, read), now)}
        return joined(self.facets[name] for name in sorted(mine))

    def of_group(self, name: str, read: Sequence[ReadGroup], now: datetime) -> Facets:
        """Return what a group gives to everyone in it; nothing for one that does not count."""
        group = named(name, read)
        return self.facets.get(name, GUEST) if group and _counts(group, now) else GUEST


def named(name: str, read: Iterable[ReadGroup]) -> ReadGroup | None:
    """The one with this id, or, of what is no id, the only one with this handle."""
    own = slack_id(name)
    wanted = own.removeprefix("@").casefold()
    found = [
        each
        for each in read
        if team_of(each.group_id) == team_of(name)
        and (each.group_id == name if _is_id(own) else each.handle.casefold() == wanted)
    ]
    return found[0] if len(found) == 1 else None


def is_channel(name: str) -> bool:
    """Whether it is the id of a channel, whose members count as a group."""
    return CHANNEL_ID.fullmatch(slack_id(name)) is not None


def _is_id(own: str) -> bool:
    return _AN_ID.fullmatch(own) is not None or is_channel(own)


def joined(facets: Iterable[Facets]) -> Facets:
    both: dict[str, frozenset[str]] = {}
    for each in facets:
        for facet, values in each.items():
            both[facet] = both.get(facet, frozenset()) | values
    return both


def _members(group: ReadGroup | None, now: datetime) -> frozenset[str]:
    return group.members if group and _counts(group, now) else frozenset()


def _counts(group: ReadGroup, now: datetime) -> bool:
    return now - group.read_at < COUNTS_FOR


def _entry(path: Path, number: int, name: object, stated: object, home_team: str) -> Entry:
    if not isinstance(stated, Mapping):
        raise BadConfiguration(f"{path}: the user group {name} must map facets to lists.")
    keys = {str(key): value for key, value in stated.items()}
    return Entry(path, number, {**keys, "id": name}, home_team)


def _facets(entry: Entry, ontology: Ontology) -> Facets:
    names = entry.keys.keys() - {"id", LOCAL_MEMBERS, *([TEAM_KEY] if entry.home_team else [])}
    facets = [facet for facet in ontology.facets if facet != TEAM]
    if unknown := sorted(names - set(facets)):
        known = ", ".join(facets)
        raise entry.wrong(KEY, f"has the unknown facet {unknown[0]}; write one of {known}")
    return {facet: entry.values(facet, entry.keys[facet]) for facet in sorted(names)}


def _local_members(entry: Entry) -> frozenset[str]:
    stated = entry.values(LOCAL_MEMBERS, entry.keys.get(LOCAL_MEMBERS))
    return frozenset(known_as(entry.team, each) for each in stated)
