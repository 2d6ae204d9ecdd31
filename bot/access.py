"""From who asks, and where, to what may be read.

`people.yaml` and `channels.yaml` say which units people and channels belong to; whom they
do not name is a guest, who reads what is stated to be for nobody in particular.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import yaml

from bot.errors import BadConfiguration, UnknownPerson
from retrieval.filters import EVERYONE
from retrieval.ontology import Ontology
from retrieval.types import Scope

Facets = Mapping[str, frozenset[str]]
OWN_KEYS = ("id", "name", "email", "admin")
NOBODY: Facets = {}


@dataclass(frozen=True, slots=True)
class Person:
    """Someone whom `people.yaml` names."""

    id: str
    name: str
    email: str
    facets: Facets
    admin: bool = False
    profile: Mapping[str, str] = field(default_factory=dict)
    """Further keys, such as semester or role: shown to a writer, never used to filter."""


class People:
    """Everyone who is known, found by id, e-mail or name."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._people = tuple(people)

    def __len__(self) -> int:
        return len(self._people)

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "People":
        """Read a file; where there is none nobody is known. Raise `BadConfiguration`."""
        entries = _entries(path, "people")
        people = [_person(entry, f"{path}, person {n}", ontology) for n, entry in entries]
        ids = [person.id for person in people]
        for twice in {each for each in ids if ids.count(each) > 1}:
            raise BadConfiguration(f"{path} has two people with the id {twice!r}.")
        return cls(people)

    def find(self, wanted: str) -> Person:
        """The one person who goes by this; raise `UnknownPerson`, never take a guess.

        An id must match exactly; e-mail and name in any case.
        """
        for person in self._people:
            if person.id == wanted:
                return person
        low = wanted.strip().casefold()
        found = [p for p in self._people if low and low in (p.email.casefold(), p.name.casefold())]
        if not found:
            raise UnknownPerson(
                f"Nobody is known as {wanted!r}. Add them to people.yaml, or ask as a guest "
                "by leaving --as out."
            )
        if len(found) > 1:
            ids = ", ".join(person.id for person in found)
            raise UnknownPerson(f"Several people go by {wanted!r}. Name one by id: {ids}.")
        return found[0]


class Channels:
    """What everyone in a channel has in common, as `channels.yaml` says."""

    def __init__(self, audiences: Mapping[str, Facets]) -> None:
        self._audiences = audiences

    def __len__(self) -> int:
        return len(self._audiences)

    @classmethod
    def load(cls, path: Path, ontology: Ontology) -> "Channels":
        """Read a file; where there is none every channel counts as a guest."""
        audiences = {}
        for n, entry in _entries(path, "channels"):
            where = f"{path}, channel {n}"
            audience = entry.get("audience") or {}
            if not isinstance(audience, dict):
                raise BadConfiguration(f"{where}: audience must be a mapping from facet to values.")
            for facet in audience:
                if facet not in ontology.facets:
                    raise BadConfiguration(f"{where}: audience.{facet} is no facet.")
            audiences[_required(entry, "id", where)] = _facets(audience, where, ontology)
        return cls(audiences)

    def facets(self, channel: str) -> Facets:
        """A channel that is not listed counts as a guest."""
        return self._audiences.get(channel, NOBODY)


@dataclass(frozen=True, slots=True)
class Access:
    """Turns person, channel and day into a scope."""

    people: People
    channels: Channels

    def scope_for(self, person: Person | None, channel: str | None, on: date) -> Scope:
        """In a channel what everyone there may read, else what the person may read."""
        if channel is not None:
            return Scope(self.channels.facets(channel), on)
        return Scope(person.facets if person else NOBODY, on)


def _entries(path: Path, key: str) -> list[tuple[int, Mapping[str, object]]]:
    if not path.exists():
        return []
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadConfiguration(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    entries = content.get(key) if isinstance(content, dict) else None
    if entries is None or not isinstance(entries, list):
        raise BadConfiguration(f"{path} must hold a list under `{key}:`.")
    for n, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise BadConfiguration(f"{path}, entry {n} of {key}: must be a mapping.")
    return list(enumerate(entries, start=1))


def _person(entry: Mapping[str, object], where: str, ontology: Ontology) -> Person:
    admin = entry.get("admin", False)
    if not isinstance(admin, bool):
        raise BadConfiguration(f"{where}: admin must be true or false.")
    identity = _required(entry, "id", where)
    known = (*OWN_KEYS, *ontology.facets)
    return Person(
        id=identity,
        name=str(entry.get("name") or identity),
        email=str(entry.get("email") or ""),
        facets=_facets(entry, where, ontology),
        admin=admin,
        profile={str(k): str(v) for k, v in entry.items() if k not in known and v is not None},
    )


def _required(entry: Mapping[str, object], key: str, where: str) -> str:
    value = entry.get(key)
    if value is None or isinstance(value, (dict, list, bool)) or not str(value).strip():
        raise BadConfiguration(f"{where}: {key} is missing.")
    return str(value).strip()


def _facets(entry: Mapping[str, object], where: str, ontology: Ontology) -> Facets:
    facets = {}
    for facet in ontology.facets:
        values = entry.get(facet)
        if isinstance(values, dict):  # courses: {current: [...], completed: [...]}
            values = [each for listed in values.values() for each in _listed(listed, where, facet)]
        texts = frozenset(_listed(values, where, facet))
        if texts:
            facets[facet] = texts
    return facets


def _listed(values: object, where: str, facet: str) -> list[str]:
    if values is None:
        return []
    listed = values if isinstance(values, list) else [values]
    texts = [str(each).strip() for each in listed]
    wrong = any(each is None or isinstance(each, (dict, list, bool)) for each in listed)
    if wrong or "" in texts or EVERYONE in texts:
        raise BadConfiguration(f'{where}: {facet} must be a list of names (not "*").')
    return texts
