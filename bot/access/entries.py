"""The entries of `people.yaml` and `channels.yaml`, each of which knows where it stands."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from audit.values import TEAM_ID, is_like_another, known_as
from bot.errors import BadConfiguration
from retrieval.metadata.access import EVERYONE
from retrieval.metadata.strict_yaml import facet_values, load

TEAM_KEY = "team"
Facets = Mapping[str, frozenset[str]]
GUEST: Facets = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of one of the files knows where it stands, to say what is wrong."""

    path: Path
    number: int
    keys: Mapping[str, object]

    home_team: str = ""
    """Id of the home's own workspace, where there are several; else empty, and `team` means
    nothing here."""

    @property
    def id(self) -> str:
        """Return under which id it is known: that of another workspace has its team before it."""
        stated = self.text("id")
        if not stated:
            raise self.wrong("id", "is missing")
        if self.home_team and is_like_another(stated):
            said = f"begins as that of a workspace; write it without, and `{TEAM_KEY}` beside it"
            raise self.wrong("id", said)
        return known_as(self.team, stated)

    @property
    def team(self) -> str:
        """Return the workspace that it is of; empty for the home's own."""
        stated = self.text(TEAM_KEY) if self.home_team else ""
        if stated and not TEAM_ID.fullmatch(stated):
            raise self.wrong(TEAM_KEY, "must be the id of a workspace, such as T0123ABCD")
        return "" if stated == self.home_team else stated

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


def mapping_in(path: Path) -> Mapping[str, object]:
    """Read a file; empty where there is none, or nothing in it. Raise `BadConfiguration`."""
    try:
        content = load(path.read_text(encoding="utf-8-sig"), own=True)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadConfiguration(f"{path} cannot be read: {error}.") from error
    if content is not None and not isinstance(content, dict):
        raise BadConfiguration(f"{path} must be a mapping.")
    return {str(key): value for key, value in (content or {}).items()}


def entries_of(path: Path, key: str, home_team: str) -> list[Entry]:
    """Those under a key; none where there is no such file. `home_team`: as each has it."""
    content = mapping_in(path)
    if not content:
        return []
    if key not in content:
        raise BadConfiguration(f"{path} must be a mapping with the key `{key}`.")
    entries = content[key] or []
    if not isinstance(entries, list):
        raise BadConfiguration(f"{path} must have a list under `{key}`.")
    return list(_mappings(path, entries, home_team))


def _mappings(path: Path, entries: Iterable[object], home_team: str) -> Iterator[Entry]:
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise BadConfiguration(f"{path}: entry number {number} must be a mapping with an `id`.")
        yield Entry(path, number, {str(key): value for key, value in entry.items()}, home_team)


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def unique(
    path: Path, key: str, values: Iterable[str], alike: Callable[[str], str] = folded
) -> None:
    times = Counter(alike(value) for value in values if value)
    for value, count in times.items():
        if count > 1:
            raise BadConfiguration(f"{path}: {count} entries have the `{key}` {value}; change one.")


def same(one: str, other: str) -> bool:
    return folded(one) == folded(other) != ""
