"""Who somebody is decides what the audience of a reply may read.

In a channel a reply is read by everyone there, so it is the channel's audience that counts and
never that of the person who asks. Nobody enumerates a channel's members: `channels.yaml` says what
they have in common, and a channel that is not listed is an audience of guests.

A program that runs for months reads people and channels as their files stand now (`LiveAccess`):
somebody who leaves, or a channel that becomes more restricted, must count at the next question, not
at the next start.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from threading import Lock

from bot.errors import BadConfiguration, UnknownChannel, UnknownPerson
from bot.wording import names as wording
from bot.wording.names import closest_names
from retrieval.metadata.access import EVERYONE
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import facet_meant_by, misspelt
from retrieval.metadata.strict_yaml import facet_values, load
from retrieval.types import Scope

Facets = Mapping[str, frozenset[str]]
GUEST: Facets = {}
UNLISTED = ""
"""No channel has this id: its audience are guests."""
CURRENT = "current"
COURSES = frozenset({CURRENT, "completed"})
"""Lists that a facet may be divided into; what somebody may read is what is in either."""
OWN_KEYS = frozenset({"id", "name", "email", "admin"})


@dataclass(frozen=True, slots=True)
class Person:
    """A person is somebody of `people.yaml`."""

    id: str
    """As they choose it, or a Slack user id."""
    name: str
    email: str
    """Empty where none is stated."""
    facets: Facets
    admin: bool = False
    current: Facets = field(default_factory=dict)
    """Of facets that are divided into current and completed values the current ones: what comes
    first where they are asked for. They give no access of their own."""
    profile: Mapping[str, str] = field(default_factory=dict)
    """Further keys, such as semester or role: shown to a writer, never used to filter."""


@dataclass(frozen=True, slots=True)
class People:
    """They are everybody who is known, by id."""

    by_id: Mapping[str, Person]

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "People":
        """Read `people.yaml`; nobody is known where there is none. Raise `BadConfiguration`."""
        entries = _entries(path, "people")
        people = [_person(entry, ontology) for entry in entries]
        for key in ("id", "email"):
            _unique(path, key, (getattr(person, key) for person in people))
        return cls({person.id: person for person in people})

    def __len__(self) -> int:
        return len(self.by_id)

    def by_email(self, email: str) -> Person | None:
        """The person with an e-mail, in any case; nobody has an empty one."""
        return next((who for who in self.by_id.values() if _same(who.email, email)), None)

    def find(self, wanted: str) -> Person:
        """The person with an id, else an e-mail, else a name; the latter two in any case.

        Raise `UnknownPerson`, naming who may be meant, where there is none, or more than one of
        that name.
        """
        if wanted in self.by_id:
            return self.by_id[wanted]
        for key in ("email", "name"):
            found = [
                person for person in self.by_id.values() if _same(getattr(person, key), wanted)
            ]
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
class Channels:
    """By a channel's id they tell what everyone in it has in common."""

    by_id: Mapping[str, Facets]
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "Channels":
        """Read `channels.yaml`; none is listed where there is none. Raise `BadConfiguration`."""
        entries = _entries(path, "channels")
        _unique(path, "id", (entry.id for entry in entries))
        return cls(
            {entry.id: _audience(entry, ontology) for entry in entries},
            {entry.id: entry.text("name") or entry.id for entry in entries},
        )

    def __len__(self) -> int:
        return len(self.by_id)

    def is_listed(self, channel: str) -> bool:
        return channel in self.by_id

    def facets(self, channel: str) -> Facets:
        return self.by_id.get(channel, GUEST)

    def find(self, wanted: str) -> str:
        """The id of the listed channel with an id, else with a name, in any case.

        Raise `UnknownChannel`, naming what may be meant, where there is none, or more than one of
        that name. Slack's channels are not looked for here: one that is not listed there is an
        audience of guests, and a misspelt one at the command line would quietly be one too.
        """
        if wanted in self.by_id:
            return wanted
        name = wanted.removeprefix("#")
        found = sorted(each for each in self.by_id if _same(self.names.get(each, ""), name))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownChannel(wording.several_channels(wanted, found))
        known = {wording.called(each, name): (each, name) for each, name in self.names.items()}
        raise UnknownChannel(
            wording.unknown_channel(wanted, closest_names(wanted, known), list(known))
        )


@dataclass(frozen=True, slots=True)
class Access:
    """People and channels together lead to a scope."""

    people: People
    channels: Channels

    def scope_for(self, person: Person | None, channel: str | None, on: date) -> Scope:
        """What a reply's readers may read: a channel's audience, or else the person.

        No person is a guest. `channel` is None where only the person reads the reply.
        """
        if channel is not None:
            return Scope(self.channels.facets(channel), on)
        if person is None:
            return Scope(GUEST, on)
        return Scope(person.facets, on, current=person.current)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of one of the files knows where it stands, to say what is wrong."""

    path: Path
    number: int
    """From 1."""
    keys: Mapping[str, object]

    @property
    def id(self) -> str:
        stated = self.text("id")
        if not stated:
            raise self.wrong("id", "is missing")
        return stated

    def text(self, key: str) -> str:
        value = self.keys.get(key)
        if isinstance(value, bool | float) or not isinstance(value, str | int | None):
            raise self.wrong(key, "must be a text; put it in quotes")
        return "" if value is None else str(value).strip()

    def values(self, key: str, stated: object) -> frozenset[str]:
        try:
            values = frozenset(facet_values([] if stated is None else stated))
        except ValueError as error:
            raise self.wrong(key, f"has a wrong value: {error}") from error
        if EVERYONE in values:
            raise self.wrong(key, f'has the value "{EVERYONE}", which only documents may state')
        return values

    def wrong(self, key: str, reason: str) -> BadConfiguration:
        name = self.keys.get("id", f"number {self.number}")
        return BadConfiguration(f"{self.path}: entry {name}: `{key}` {reason}.")


def _entries(path: Path, key: str) -> list[_Entry]:
    try:
        content = load(path.read_text(encoding="utf-8-sig"), own=True)
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise BadConfiguration(f"{path} cannot be read: {error}.") from error
    if content is None:
        return []
    if not isinstance(content, dict) or key not in content:
        raise BadConfiguration(f"{path} must be a mapping with the key `{key}`.")
    entries = content[key] or []
    if not isinstance(entries, list):
        raise BadConfiguration(f"{path} must have a list under `{key}`.")
    return list(_mappings(path, entries))


def _mappings(path: Path, entries: Iterable[object]) -> Iterator[_Entry]:
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise BadConfiguration(f"{path}: entry number {number} must be a mapping with an `id`.")
        yield _Entry(path, number, {str(key): value for key, value in entry.items()})


def _person(entry: _Entry, ontology: Ontology) -> Person:
    admin = entry.keys.get("admin", False)
    if not isinstance(admin, bool):
        raise entry.wrong("admin", "must be true or false")
    for key in entry.keys:
        meant = None if key in OWN_KEYS else facet_meant_by(key, ontology.facets)
        if meant and key != meant:
            raise entry.wrong(key, f"is no key of ours; write `{meant}`, or call it otherwise")
    facets = [key for key in ontology.facets if key in entry.keys]
    return Person(
        id=entry.id,
        name=entry.text("name") or entry.id,
        email=entry.text("email"),
        facets={facet: _held(entry, facet) for facet in facets},
        admin=admin,
        current={
            facet: values for facet in facets if (values := _current(entry, facet)) is not None
        },
        profile={
            key: str(value)
            for key, value in entry.keys.items()
            if value is not None and key not in OWN_KEYS and key not in ontology.facets
        },
    )


def _held(entry: _Entry, facet: str) -> frozenset[str]:
    """A person's values for a facet: one list, or current and completed ones."""
    stated = entry.keys[facet]
    if not isinstance(stated, Mapping):
        return entry.values(facet, stated)
    if unknown := set(stated) - COURSES:
        raise entry.wrong(facet, f"has {unknown.pop()}; write a list, or `current` and `completed`")
    return frozenset().union(*(entry.values(facet, values) for values in stated.values()))


def _current(entry: _Entry, facet: str) -> frozenset[str] | None:
    """None where the facet is one list, of which nobody knows what is current."""
    stated = entry.keys[facet]
    if not isinstance(stated, Mapping) or CURRENT not in stated:
        return None
    return entry.values(facet, stated[CURRENT])


def _audience(entry: _Entry, ontology: Ontology) -> Facets:
    for key in entry.keys:
        if key != "audience" and misspelt(key) == "audience":
            raise entry.wrong(key, "is no key of ours; write `audience`")
    audience = entry.keys.get("audience") or {}
    if not isinstance(audience, Mapping):
        raise entry.wrong("audience", "must map facets to lists")
    for facet in audience:
        if facet not in ontology.facets:
            known = ", ".join(ontology.facets)
            raise entry.wrong("audience", f"has the unknown facet {facet}; write one of {known}")
    return {facet: entry.values(f"audience.{facet}", audience[facet]) for facet in audience}


def _unique(path: Path, key: str, values: Iterable[str]) -> None:
    times = Counter(_folded(value) for value in values if value)
    for value, count in times.items():
        if count > 1:
            raise BadConfiguration(f"{path}: {count} entries have the `{key}` {value}; change one.")


def _same(one: str, other: str) -> bool:
    return _folded(one) == _folded(other) != ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


Stamp = tuple[tuple[int, int] | None, ...]
"""Time of change and size of each file; None where there is none."""
log = logging.getLogger(__name__)


class LiveAccess:
    """It reads the files again when one changes; it is safe to share between threads.

    A file that is broken by an edit leaves what was read before in force, and says so in
    the log and in `problem`: one typing error must not make guests of everybody.
    """

    def __init__(self, load: Callable[[], Access], files: Sequence[Path]) -> None:
        self._load = load
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
        """See `Access.scope_for`."""
        return self._current().scope_for(person, channel, on)

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
