"""What everyone in a channel has in common, and what may be set there, as `channels.yaml` says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path

from audit.values import known_as, slack_id, team_of
from bot.access.entries import GUEST, TEAM_KEY, Entry, Facets, entries_of, folded, same, unique
from bot.errors import UnknownChannel
from bot.wording import names as wording
from bot.wording.names import closest_names
from retrieval.metadata.access import EVERYONE
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import misspelt
from retrieval.types import Metadata


class Widening(StrEnum):
    """What a channel's managers may turn on, unless the operator forbids it."""

    UNASKED = "answer-unasked"
    """To answer, or offer to, what nobody asked the bot."""
    OUTSIDERS = "answer-outsiders"
    """To answer people of another company who read along (Slack Connect)."""


def widenings(stated: Iterable[object]) -> frozenset[Widening]:
    """Raise `ValueError`, naming those that there are, for another word."""
    known = {each.value: each for each in Widening}
    found = [known.get(str(each).strip()) for each in stated]
    if None in found:
        raise ValueError(f"write one of {', '.join(known)}")
    return frozenset(each for each in found if each)


def is_direct(channel: str) -> bool:
    """Whether only one person reads it, by its id: of events not all say their `channel_type`."""
    return slack_id(channel).startswith("D")


@dataclass(frozen=True, slots=True)
class Channels:
    by_id: Mapping[str, Facets]
    names: Mapping[str, str] = field(default_factory=dict)
    managers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Who may set how the bot answers there, besides those who may anyway: ids of Slack or of
    `people.yaml`, or e-mails."""
    forbidden: Mapping[str, frozenset[Widening]] = field(default_factory=dict)
    by_unit: Mapping[str, str] = field(default_factory=dict)
    """The channel that answers for a unit, by the unit's name in small letters; in another
    workspace than the home's own, with its id before it."""
    usergroups: Mapping[str, str] = field(default_factory=dict)
    """The user group of Slack, as `people.yaml` names it, in which everyone there is."""
    in_team: Callable[[str], Facets] = lambda _: GUEST
    """What everybody of a workspace has, guests too."""

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "Channels":
        """Read `channels.yaml`; none is listed where there is none. Raise `BadConfiguration`."""
        entries = entries_of(path, "channels", ontology.home_team)
        unique(path, "id", (entry.id for entry in entries))
        answers_for = [
            (known_as(entry.team, folded(unit)), entry.id)
            for entry in entries
            for unit in sorted(entry.values(ANSWERS_FOR, entry.keys.get(ANSWERS_FOR)))
        ]
        unique(path, ANSWERS_FOR, (unit for unit, _ in answers_for))
        return cls(
            {entry.id: _audience(entry, ontology) for entry in entries},
            {entry.id: entry.text("name") or entry.text("id") for entry in entries},
            {entry.id: entry.values("managers", entry.keys.get("managers")) for entry in entries},
            {entry.id: _forbidden(entry) for entry in entries},
            dict(answers_for),
            {entry.id: name for entry in entries if (name := _usergroup(entry))},
            ontology.in_team,
        )

    def __len__(self) -> int:
        return len(self.by_id)

    def is_listed(self, channel: str) -> bool:
        return channel in self.by_id

    def facets(self, channel: str) -> Facets:
        return {**self.by_id.get(channel, GUEST), **self.in_team(team_of(channel))}

    def owning_channel(self, units: Sequence[str], team: str = "") -> str | None:
        """The channel of a workspace that answers for the first of the units that has one.

        `units`: as `units_of` names a document's, or as a record's `owners`. None: administrators
        do. It opens nothing: whoever posts there shows what `facets` of the channel let everyone
        read.
        """
        names = (known_as(team, folded(unit)) for unit in units)
        return next(filter(None, map(self.by_unit.get, names)), None)

    def find(self, wanted: str) -> str:
        """The id of the listed channel with an id, else with a name; raise `UnknownChannel`.

        Slack's are not looked for: one that is not listed is an audience of guests.
        """
        if wanted in self.by_id:
            return wanted
        name = wanted.removeprefix("#")
        found = sorted(each for each in self.by_id if same(self.names.get(each, ""), name))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownChannel(wording.several_channels(wanted, found))
        known = {wording.called(each, name): (each, name) for each, name in self.names.items()}
        raise UnknownChannel(
            wording.unknown_channel(wanted, closest_names(wanted, known), list(known))
        )


ANSWERS_FOR = "answers_for"
"""Of a channel: units whose unanswered questions its people are to hear of."""
_KEYS = ("audience", "managers", "forbid", "usergroup", ANSWERS_FOR)
_ALIKE = 0.75
"""Of `difflib`; from there on another key counts as one of ours that is misspelt."""


def _demand_keys(entry: Entry) -> None:
    for key in entry.keys.keys() - ({TEAM_KEY} if entry.home_team else set()):
        near = get_close_matches(key.casefold(), _KEYS, 1, _ALIKE)
        meant = "audience" if misspelt(key) == "audience" else next(iter(near), key)
        if meant in _KEYS and key != meant:
            raise entry.wrong(key, f"is no key of ours; write `{meant}`")


def _usergroup(entry: Entry) -> str:
    """Of the channel's own workspace."""
    name = entry.text("usergroup")
    return known_as(entry.team, name) if name else ""


def _forbidden(entry: Entry) -> frozenset[Widening]:
    try:
        return widenings(entry.values("forbid", entry.keys.get("forbid")))
    except ValueError as error:
        raise entry.wrong("forbid", f"has a wrong value: {error}") from error


def _audience(entry: Entry, ontology: Ontology) -> Facets:
    _demand_keys(entry)
    audience = entry.keys.get("audience") or {}
    if not isinstance(audience, Mapping):
        raise entry.wrong("audience", "must map facets to lists")
    for facet in audience:
        if facet not in ontology.facets:
            known = ", ".join(ontology.facets)
            raise entry.wrong("audience", f"has the unknown facet {facet}; write one of {known}")
    return {facet: entry.values(f"audience.{facet}", audience[facet]) for facet in audience}


def units_of(metadata: Metadata, ontology: Ontology) -> tuple[str, ...]:
    """The unit to ask first, then those of its level that it is for: they give nobody access."""
    facet = next((each.facet for each in ontology.levels if each.name == metadata.level), None)
    own = dict(metadata.access.audience).get(facet, ()) if facet else ()
    return tuple(
        dict.fromkeys(unit for unit in (metadata.owner, *own) if unit not in ("", EVERYONE))
    )
