"""The organisation's levels, facets and contacts are read from one small file."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.errors import BadOntology
from retrieval.metadata.access import EVERYONE, HOME, TEAM, TEAM_STATED, Audience
from retrieval.metadata.strict_yaml import load
from retrieval.types import Metadata, Scope

LONGEST_OWNER = 120
LONGEST_NAME = 60
"""Characters of what is no address: "Examinations Office, Faculty of Computing"."""
LONGEST_LINK = 1_000
_MAILBOX = r"[\w.+'’-]+@[\w-]+(?:\.[\w-]+)+"
_ADDRESS = re.compile(
    rf"<{_MAILBOX}>|{_MAILBOX}"
    r"|<@[UW][A-Z0-9]{2,20}>|<\#[CG][A-Z0-9]{2,20}(?:\|[\w-]*)?>"
    r"|(?<!\S)@(?!(?:channel|here|everyone|group)\b)[\w.-]+|(?<!\S)\#[\w-]+",
    re.IGNORECASE,
)
"""A mailbox, a Slack user or a Slack channel."""
_OF_NAMES = frozenset(" .,;/&'’()|+–-_")
_LEADS_SOMEWHERE = re.compile(r"(?i:www)\.|[\w-]\.(?:[a-z]{2,}|[A-Z]{2,})\b|:(?! )")
_IN_NO_ADDRESS = re.compile(r"[\s<>\"|\\^`{}]")


def check_owner(text: str) -> str:
    """What is wrong with it, to put after "`owner`"; empty where nothing is."""
    name = _ADDRESS.sub(" ", text)
    if len(text) <= LONGEST_OWNER and len(name.strip()) <= LONGEST_NAME and _is_name(name):
        return ""
    return (
        "must name whom to ask: an e-mail address, a Slack user or channel, or a short name "
        "without a link"
    )


def check_link(text: str) -> str:
    """What is wrong with it, to put after "`link`"; empty where nothing is."""
    if not text or _is_link(text):
        return ""
    return (
        "must be an address that begins with https:// or http://, without spaces and without a "
        "user name before the host"
    )


def is_relative(text: str) -> bool:
    """Whether it is a path below wherever it stands, such as `../rooms/`."""
    return re.fullmatch(r"(?!//)(?:\.{0,2}/|#|\?)?[\w./#?=&%-]*", text) is not None


def _is_name(text: str) -> bool:
    """Letters with their accents, numbers and what stands between names; "Dept. of Law: room 4"."""
    known = (c in _OF_NAMES or c == ":" or unicodedata.category(c)[0] in "LMN" for c in text)
    return all(known) and not _LEADS_SOMEWHERE.search(text)


def _is_link(text: str) -> bool:
    if len(text) > LONGEST_LINK or _IN_NO_ADDRESS.search(text) or not is_printable(text):
        return False
    try:
        parts = urlsplit(text)
        known = parts.scheme.lower() in ("http", "https") and parts.port != 0
    except ValueError:  # such as a port that is no number
        return False
    return known and bool(parts.hostname) and "@" not in parts.netloc


def is_printable(text: str) -> bool:
    """Without controls, what turns the direction of a text, and what has no width."""
    return not any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") for each in text)


SHIPPED = Path(__file__).parent / "ontology.yaml"


class Level(BaseModel):
    """A level is one of the organisation, such as department."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    score: float = Field(ge=0)
    facet: str | None = None
    """The facet that names its units; None for the organisation as a whole."""


class Recency(BaseModel):
    """A newer document gains points, beside those of its level."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    points: float = Field(ge=0, strict=True, allow_inf_nan=False)
    """What a document of today gains."""
    years: float = Field(gt=0, strict=True, allow_inf_nan=False)
    """The age at which it gains nothing any more."""


PUBLISHED = Recency(points=15.0, years=5.0)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    levels: tuple[Level, ...] = Field(min_length=1)
    facets: tuple[str, ...] = Field(min_length=1)
    recency: Recency | None = None
    contacts: dict[str, dict[str, str]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ontology:
    """An ontology has the names, scores and facets of an organisation's levels."""

    levels: tuple[Level, ...]
    facets: tuple[str, ...]
    contacts: tuple[tuple[str, str, str], ...] = ()
    """(facet, unit, whom to ask there)."""
    recency: Recency = PUBLISHED
    """As published where the file states none."""
    home_team: str = field(default="", repr=False)
    """Id of the home's own workspace, where there are several; else empty."""

    def in_team(self, team: str) -> Mapping[str, frozenset[str]]:
        """What everybody of a workspace has, guests too; `team`: empty for the home's own."""
        return {TEAM: frozenset({team or HOME})} if self.home_team else {}

    def contact_of(self, scope: Scope) -> str:
        """Whom to ask in the audience's own unit, the nearest that has anybody; empty for none."""
        for level in self.levels:
            for facet, unit, contact in self.contacts:
                if facet == level.facet and unit in scope.facets.get(facet, frozenset()):
                    return contact
        return ""

    def with_home(self, audience: Audience) -> Audience:
        """The same, the home's own workspace named as in every rule."""
        return tuple(
            (facet, tuple(sorted({HOME if each == self.home_team else each for each in values})))
            if facet == TEAM
            else (facet, values)
            for facet, values in audience
        )

    @property
    def organisation_score(self) -> float:
        """What a document counts that is not of the person's own unit."""
        return next(level.score for level in self.levels if level.facet is None)

    @property
    def level_names(self) -> tuple[str, ...]:
        return tuple(level.name for level in self.levels)

    def hierarchy_score(self, metadata: Metadata, scope: Scope) -> float:
        """The level's score where it is of the audience's own unit, else the organisation's."""
        audience = dict(metadata.access.audience)
        for level in self.levels:
            if level.name == metadata.level and level.facet is not None:
                units = set(audience.get(level.facet, ())) - {EVERYONE}
                if units & scope.facets.get(level.facet, frozenset()):
                    return level.score
        return self.organisation_score


def load_ontology(path: Path | None = None, home_team: str = "") -> Ontology:
    """Read a file, or the shipped one; raise `BadOntology`. `home_team`: its id, of several."""
    source = path or SHIPPED
    try:
        file = _File.model_validate(load(source.read_text(encoding="utf-8"), own=True))
    except ValidationError as error:
        wrongs = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise BadOntology(f"The ontology {source} is wrong: {'; '.join(wrongs)}.") from error
    except (OSError, ValueError) as error:
        raise BadOntology(f"The ontology {source} cannot be read: {error}.") from error
    wrong = [level.facet for level in file.levels if level.facet and level.facet not in file.facets]
    if wrong:
        raise BadOntology(f"The ontology {source} names no facet {wrong[0]!r} under `facets`.")
    if sum(level.facet is None for level in file.levels) != 1:
        raise BadOntology(
            f"The ontology {source} needs exactly one level without a facet: the organisation."
        )
    if len({level.name for level in file.levels}) < len(file.levels):
        raise BadOntology(f"The ontology {source} has two levels of the same name.")
    facets = file.facets
    if home_team:
        if taken := {TEAM, TEAM_STATED} & {*facets}:
            raise BadOntology(
                f"The ontology {source} has the facet {taken.pop()!r}, by which several workspaces "
                "are kept apart (VOUCH_SLACK_TEAM); call it otherwise."
            )
        facets = (*facets, TEAM)
    recency = file.recency or PUBLISHED
    return Ontology(file.levels, facets, _contacts(file, source), recency, home_team)


def _contacts(file: _File, source: Path) -> tuple[tuple[str, str, str], ...]:
    of_units = {level.facet for level in file.levels}
    for facet, contacts in file.contacts.items():
        if facet not in of_units:
            raise BadOntology(
                f"The ontology {source} has contacts of {facet!r}, whose units no level has."
            )
        for unit, contact in contacts.items():
            if wrong := check_owner(contact) or ("" if contact else "must not be empty"):
                raise BadOntology(f"The ontology {source}: the contact of {unit!r} {wrong}.")
    return tuple(
        (facet, unit, contact)
        for facet, contacts in file.contacts.items()
        for unit, contact in contacts.items()
    )
