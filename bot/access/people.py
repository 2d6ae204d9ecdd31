"""Who somebody is decides what the audience of a reply may read.

In a channel a reply is read by everyone there, so it is the channel's audience that counts and
never that of the person who asks. Nobody enumerates a channel's members: `channels.yaml` says what
they have in common, and a channel that is not listed is an audience of guests.

A program that runs for months reads people and channels as their files stand now (`LiveAccess`):
somebody who leaves, or a channel that becomes more restricted, must count at the next question, not
at the next start.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock

from audit.values import known_as, team_of
from bot.access.channels import Channels
from bot.access.entries import GUEST, TEAM_KEY, Entry, Facets, entries_of, same, unique
from bot.access.user_groups import KEY, ReadGroup, UserGroups, joined
from bot.errors import BadConfiguration, UnknownPerson
from bot.wording import names as wording
from bot.wording.names import closest_names
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import facet_meant_by
from retrieval.types import Scope

UNLISTED = ""
"""No channel has this id: its audience are guests."""
CURRENT = "current"
COURSES = frozenset({CURRENT, "completed"})
"""Lists that a facet may be divided into; what somebody may read is what is in either."""
OWN_KEYS = frozenset({"id", "name", "email", "admin"})


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    """As they choose it, or a Slack user id."""
    name: str
    email: str
    facets: Facets
    admin: bool = False
    current: Facets = field(default_factory=dict)
    """Of facets that are divided into current and completed values the current ones: what comes
    first where they are asked for. They give no access of their own."""
    profile: Mapping[str, str] = field(default_factory=dict)
    """Further keys, such as semester or role: shown to a writer, never used to filter."""

    @property
    def team(self) -> str:
        return team_of(self.id)


def belongs(person: Person, audience: Facets) -> bool:
    return all(values & person.facets.get(facet, frozenset()) for facet, values in audience.items())


@dataclass(frozen=True, slots=True)
class People:
    by_id: Mapping[str, Person]

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "People":
        """Read `people.yaml`; nobody is known where there is none. Raise `BadConfiguration`."""
        entries = entries_of(path, "people", ontology.home_team)
        people = [_person(entry, ontology) for entry in entries]
        unique(path, "id", (person.id for person in people))
        emails = [known_as(who.team, who.email) for who in people if who.email]
        unique(path, "email", emails)
        return cls({person.id: person for person in people})

    def __len__(self) -> int:
        return len(self.by_id)

    def by_email(self, email: str, team: str = "") -> Person | None:
        """The person of a workspace with an e-mail, in any case; nobody has an empty one."""
        mine = (who for who in self.by_id.values() if who.team == team)
        return next((who for who in mine if same(who.email, email)), None)

    def find(self, wanted: str) -> Person:
        """By id, else e-mail, else name; raise `UnknownPerson`, naming who may be meant."""
        if wanted in self.by_id:
            return self.by_id[wanted]
        for key in ("email", "name"):
            found = [person for person in self.by_id.values() if same(getattr(person, key), wanted)]
            if len(found) == 1:
                return found[0]
            if found:
                ids = sorted(who.id for who in found)
                raise UnknownPerson(wording.several_people(wanted, ids))
        known = {
            wording.called(who.id, who.name): (who.id, who.name, who.email)
            for who in self.by_id.values()
        }
        raise UnknownPerson(
            wording.unknown_person(wanted, closest_names(wanted, known), list(known))
        )


@dataclass(frozen=True, slots=True)
class Access:
    people: People
    channels: Channels
    usergroups: UserGroups = field(default_factory=UserGroups)
    in_team: Callable[[str], Facets] = lambda _: GUEST
    """What everybody of a workspace has, guests too."""

    @classmethod
    def load(cls, home: Path, ontology: Ontology) -> "Access":
        """Read `people.yaml` and `channels.yaml` of a home. Raise `BadConfiguration`."""
        people, channels = home / "people.yaml", home / "channels.yaml"
        found = cls(
            People.load(people, ontology),
            Channels.load(channels, ontology),
            UserGroups.load(people, ontology),
            ontology.in_team,
        )
        for channel, name in found.channels.usergroups.items():
            if name not in found.usergroups.facets:
                raise BadConfiguration(
                    f"{channels}: entry {channel}: `usergroup` is {name}, which {people} does "
                    f"not name under `{KEY}`."
                )
        return found

    def scope_for(self, person: Person | None, channel: str | None, on: date) -> Scope:
        """A channel's audience, or else the person; None is a guest of the home's workspace."""
        if channel is not None:
            return Scope(self.channels.facets(channel), on)
        if person is None:
            return Scope(self.in_team(""), on)
        return Scope(person.facets, on, current=person.current)


def _person(entry: Entry, ontology: Ontology) -> Person:
    admin = entry.keys.get("admin", False)
    if not isinstance(admin, bool):
        raise entry.wrong("admin", "must be true or false")
    own_keys = OWN_KEYS | ({TEAM_KEY} if ontology.home_team else set())
    for key in entry.keys:
        meant = None if key in own_keys else facet_meant_by(key, ontology.facets)
        if meant and key != meant:
            raise entry.wrong(key, f"is no key of ours; write `{meant}`, or call it otherwise")
    facets = [key for key in ontology.facets if key in entry.keys]
    return Person(
        id=entry.id,
        name=entry.text("name") or entry.text("id"),
        email=entry.text("email"),
        facets={**{facet: _held(entry, facet) for facet in facets}, **ontology.in_team(entry.team)},
        admin=admin,
        current={
            facet: values for facet in facets if (values := _current(entry, facet)) is not None
        },
        profile={
            key: str(value)
            for key, value in entry.keys.items()
            if value is not None and key not in own_keys and key not in ontology.facets
        },
    )


def _held(entry: Entry, facet: str) -> frozenset[str]:
    """A person's values for a facet: one list, or current and completed ones."""
    stated = entry.keys[facet]
    if not isinstance(stated, Mapping):
        return entry.values(facet, stated)
    if unknown := set(stated) - COURSES:
        raise entry.wrong(facet, f"has {unknown.pop()}; write a list, or `current` and `completed`")
    return frozenset().union(*(entry.values(facet, values) for values in stated.values()))


def _current(entry: Entry, facet: str) -> frozenset[str] | None:
    """None where the facet is one list, of which nobody knows what is current."""
    stated = entry.keys[facet]
    if not isinstance(stated, Mapping) or CURRENT not in stated:
        return None
    return entry.values(facet, stated[CURRENT])


Stamp = tuple[tuple[int, int] | None, ...]
"""Time of change and size of each file; None where there is none."""
log = logging.getLogger(__name__)


class LiveAccess:
    """It reads the files again when one changes; it is safe to share between threads.

    One that an edit broke leaves what was read before in force, and `problem` says so.
    """

    def __init__(
        self,
        load: Callable[[], Access],
        files: Sequence[Path],
        read_groups: Callable[[], Sequence[ReadGroup]] = tuple,
    ) -> None:
        """`read_groups`: the user groups as they were last read; it is asked where any count."""
        self._load = load
        self._read_groups = read_groups
        self._files = files
        self._turn = Lock()
        self._stamp = self._look()
        self._access = load()
        self.problem = ""
        """What is wrong with a file since its last edit; empty where nothing is."""

    @property
    def people(self) -> People:
        return self._current().people

    @property
    def channels(self) -> Channels:
        return self._current().channels

    def scope_for(self, person: Person | None, channel: str | None, on: date) -> Scope:
        """See `Access.scope_for`; a channel of a user group has what that gives, too."""
        access = self._current()
        scope = access.scope_for(person, channel, on)
        group = access.channels.usergroups.get(channel or UNLISTED)
        if not group:
            return scope
        more = access.usergroups.of_group(group, self._read_groups(), datetime.now(UTC))
        return replace(scope, facets=joined([scope.facets, more]))

    def common_in(self, channel: str) -> Facets | None:
        """What everyone in a channel has; None where it is not listed or its group not read."""
        access = self._current()
        if not access.channels.is_listed(channel):
            return None
        group = access.channels.usergroups.get(channel)
        own = access.channels.facets(channel)
        if not group:
            return own
        more = access.usergroups.of_group(group, self._read_groups(), datetime.now(UTC))
        return joined([own, more]) if more else None

    def group_facets(self, user: str) -> Facets:
        """Return what user groups give to a user of Slack. Raise what reading them raises."""
        named = self.usergroups
        if not named.facets:
            return {}
        return named.of_user(user, self._read_groups(), datetime.now(UTC))

    @property
    def usergroups(self) -> UserGroups:
        return self._current().usergroups

    def _current(self) -> Access:
        with self._turn:
            stamp = self._look()
            if stamp != self._stamp:
                self._stamp = stamp
                self._read()
            return self._access

    def _read(self) -> None:
        try:
            self._access, self.problem = self._load(), ""
        except BadConfiguration as error:
            self.problem = str(error)
            log.error("What was read before stays in force: %s", error)

    def _look(self) -> Stamp:
        return tuple(_stamp(path) for path in self._files)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size
