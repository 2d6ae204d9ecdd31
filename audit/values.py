"""What records are made of: ids and times, people, places, claims, contradictions; all frozen."""

import re
import secrets
import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer

from audit.places import CELLS, STRICT, Box, Place


def new_id(at: datetime) -> str:
    """UUID version 7 (RFC 9562): sorts by time, with 74 random bits; `at` is aware."""
    milliseconds = int(at.timestamp() * 1000) & (1 << 48) - 1
    random = secrets.randbits(74)
    version, variant = 0b0111, 0b10
    high = milliseconds << 16 | version << 12 | random >> 62
    low = variant << 62 | random & (1 << 62) - 1
    return str(uuid.UUID(int=high << 64 | low))


def stamp(at: datetime) -> str:
    """UTC and one width for every aware time, so that stamps sort as text."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


UtcTime = Annotated[
    AwareDatetime,
    AfterValidator(lambda at: at.astimezone(UTC)),
    PlainSerializer(stamp, when_used="json"),
]
EntryId = Annotated[str, Field(pattern=r"^[!-~]{1,100}$")]
"""Printable ASCII without spaces: an id is typed, compared by its beginning and indexed."""


def new_nonce() -> str:
    """128 random bits: without them nobody can guess what a hash is of."""
    return secrets.token_urlsafe(16)


class Value(BaseModel):
    """It refuses unknown fields, and NaN and infinities, which JSON has not."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def is_empty(value: object) -> bool:
    """Such a field is left out, so that a record without it reads as before there was one."""
    return not value


def is_none(value: object) -> bool:
    return value is None


class PersonRecord(Value):
    id: str
    name: str = ""


ATTACHED = "attached:"
"""What ids of documents begin with that are no documents: files that came with a question."""
SEARCHED = f"{ATTACHED}slack:"
"""The same of messages that Slack's own search found for a question."""


def is_attached(document_id: str) -> bool:
    """Whether it came with a question, and is read in that conversation alone."""
    return document_id.startswith(ATTACHED)


def is_searched(document_id: str) -> bool:
    """Whether it is a message of Slack, and no file."""
    return document_id.startswith(SEARCHED)


class Channel(Value):
    """All is empty outside one, as on the command line."""

    id: str = ""
    name: str = ""
    thread: str = ""


AGENTS = Channel(id="mcp", name="mcp")
"""Where an agent asked for a person who alone is told: no channel of Slack's has such an id."""


class Status(StrEnum):
    """A claim is borne out by what it cites or not; BROKEN: there is no such place or quote."""

    VERIFIED = "VERIFIED"
    UNSUPPORTED = "UNSUPPORTED"
    BROKEN = "BROKEN"


class ClaimKind(StrEnum):
    """A claim is cited, or inferred from cited ones."""

    CITED = "cited"
    INFERENCE = "inference"
    LISTED = "listed"
    """The library says it of a document, as its title, owner and dates, and it cites where that
    begins; or how many documents it has, and cites nothing. No model was asked."""


class CellRecord(Value):
    name: str = ""
    """Of its column; empty where it has none."""
    value: str
    reference: Annotated[str, Field(pattern=CELLS)] = ""
    sentence: int
    """Of which sentence of the citation it is a cell, from 0; parts of one row are one."""
    citations: tuple[int, ...] = Field(default=(), exclude_if=is_empty)
    """Which of the claim's it rests on alone, from 0, where cells of a row have their own."""


class Cited(Value):
    """A place in a document is cited, or quoted in place of an answer."""

    passage_id: str
    document_id: str
    file: str
    title: str = ""
    link: str = ""
    """Where a person can open the document; empty where it says none."""
    subtype: str = ""
    """What the document says that it is, such as "policy"; older records lack it and `level`."""
    level: str = ""
    """Of the organisation, as the document states it."""
    version: str
    place: Place = Place()
    boxes: tuple[Box, ...] = ()
    """Of a row of which cells are cited, those of the cells."""
    quote: str = ""
    """As it stands in the source."""
    char_start: int | None = Field(default=None, exclude_if=is_none)
    """Where the quote begins in the source text of the version, in characters from 0; older records
    lack it and the next."""
    ingested_at: UtcTime | None = Field(default=None, exclude_if=is_none)
    """When that version was read in."""
    recognised: float | None = None
    """From 0 to 1 how surely text recognition read its least sure word; None where it read none."""


class CitationRecord(Cited):
    status: Status
    score: float | None = None
    """The probability that this place entails the claim, 0 to 1."""
    also: bool = False
    """Whether a further document says the same, which the claim was not drafted from; older
    records do not tell."""
    cells: tuple[CellRecord, ...] = ()
    """Of its rows those whose values the claim says; empty where it rests on whole rows."""

    @property
    def references(self) -> tuple[str, ...]:
        return tuple(cell.reference for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A sentence of a copied list, or what stands around it."""

    __pydantic_config__: ClassVar = STRICT
    text: str
    number: int | None
    """Of an item of an ordered list, as the document counts."""
    in_list: bool
    citation: int
    """Which of the claim's citations it is copied from, from 0."""
    depth: int = 0
    """Of an item, how many lists its own stands in; in older records nobody noted it."""


class ClaimRecord(Value):
    """One sentence of the reply, or one that was dropped from it."""

    text: str
    status: Status
    kind: ClaimKind = ClaimKind.CITED
    reasoning: str = ""
    """Why it follows, for an inference."""
    score: float | None = None
    """The probability that one place, or all together, entail it; None where it cites none, or is
    listed."""
    copied: bool = False
    """Word for word from what it cites, which then entails it; in older records nobody noted it."""
    objections: tuple[str, ...] = ()
    """What differs from all that it cites, by exact comparison."""
    lines: tuple[ClaimLine, ...] = ()
    """Its text again, line by line, where it copies items of a list."""
    rows: tuple[tuple[CellRecord, ...], ...] = ()
    """Its text again, where it copies rows of one table, or is a row of what was compared;
    `sentence` counts the rows."""
    citations: tuple[CitationRecord, ...] = ()
    broken_anchors: tuple[str, ...] = Field(default=(), exclude_if=is_empty)
    """What it cites and is not there, as the writer wrote it."""


class Prevails(StrEnum):
    """One of two sources that contradict each other holds for one of these reasons."""

    OWN_UNIT = "own unit"
    """It is the rule of the audience's own unit, the other that of a wider one."""
    NEWER = "newer"
    NEITHER = "neither"

    @classmethod
    def of(cls, hierarchy: tuple[float, float], *, is_newer: bool) -> Self:
        """Why one holds over another, if it does, by the scores of both: its unit first."""
        own, other = hierarchy
        if own != other:
            return cls.OWN_UNIT if own > other else cls.NEITHER
        return cls.NEWER if is_newer else cls.NEITHER


class SideRecord(Value):
    citation: CitationRecord
    text: str = ""
    """The sentence as people read it; empty in older records."""
    level: str = ""
    """Of the organisation, as the document states it."""
    effective: date | None = None


class ContradictionRecord(Value):
    """Two sources cannot both hold; one may prevail for this audience."""

    holds: SideRecord
    """What prevails, or where neither does, what the draft says."""
    against: SideRecord
    differs: tuple[str, ...]
    """What stands against what, `holds` first."""
    prevails: Prevails


# Ids of Slack's people, channels and files are one workspace's own, and another's in another. So
# those of a workspace that is not the home's own are known as `T0TEAM//U0SOMEBODY`; what is of the
# home's own, or of no workspace, has its bare id. People may be called `TECH/anna` there, so one
# slash says no workspace.
TEAM_ID = re.compile(r"[TE][A-Z0-9]{2,}")
_OF_TEAM = re.compile(rf"({TEAM_ID.pattern})//(.*)", re.DOTALL)
_LIKE_A_TEAM = re.compile(rf"{TEAM_ID.pattern}/")


def known_as(team: str, own: str) -> str:
    """`team`: empty for the home's own."""
    return f"{team}//{own}" if team else own


def team_of(known: str) -> str:
    """The workspace's id; empty for the home's own."""
    found = _OF_TEAM.fullmatch(known)
    return found[1] if found else ""


def slack_id(known: str) -> str:
    found = _OF_TEAM.fullmatch(known)
    return found[2] if found else known


def is_like_another(stated: str) -> bool:
    """Whether a stated id reads as if a workspace stood before it."""
    return _LIKE_A_TEAM.match(stated) is not None
