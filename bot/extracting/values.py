"""What came of a field, and of a document; all frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.values import Status
from bot.answering.values import Claim
from bot.extracting.reading import Json
from bot.extracting.schema import Field
from retrieval.documents.holdings import Parsed
from retrieval.types import Document, Passage


class FieldStatus(StrEnum):
    """How far a value can be relied on."""

    SUPPORTED = "supported"
    """It stands there, and nothing speaks against it."""
    DOUBTFUL = "doubtful"
    """It may mean something else; the reason says why."""
    CONTRADICTED = "contradicted"
    """The document says different things; no value, and all places."""
    NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class FieldValue:
    value: Json | tuple[Json, ...]
    written: str
    claim: Claim
    """It was checked as this, against the sentences that it cites."""
    score: float
    """How surely it is the field's, 0 to 1; 1 behind a label."""
    named: bool = True
    """Whether a word of the field's own stands with it."""
    is_second: bool = False
    """Whether its sentence tells another value of the field, and surer."""
    line_at: tuple[int, int] | None = None
    """Which of how many lines of what it cites has it, from 0; None where that is not told."""

    @property
    def holds(self) -> bool:
        """Whether what it cites bears it out."""
        return self.claim.status is Status.VERIFIED


@dataclass(frozen=True, slots=True)
class Extracted:
    field: Field
    status: FieldStatus
    value: Json | tuple[Json, ...] | None = None
    reason: str = ""
    places: tuple[FieldValue, ...] = ()
    """Where it stands, the surest first; of a contradiction each value's."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A document is there to be read."""

    passages: tuple[Passage, ...]
    """In order, at least one."""
    parsed: Parsed | None
    """Its text as it was read; None where that is not kept."""
    content: bytes = b""
    """Of a file that was opened by itself; empty of a document of the library."""


@dataclass(frozen=True, slots=True)
class ByModel:
    """A language model was asked; all empty where none was."""

    model: str = ""
    prompt_hash: str = ""
    template_hash: str = ""
    output: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    degraded: str = ""
    """Why it was done without."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """All fields of one document, in the schema's order."""

    document: Document
    fields: tuple[Extracted, ...]
    by_model: ByModel = ByModel()
    audit_id: str = ""
    """Of its record; empty before there is one."""
