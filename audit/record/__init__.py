"""One answer is kept with what happened to it later, in plain frozen values.

A record must explain its answer years later, without the index, the models or the
settings of the day: so it holds every candidate with its scores, the filter that was
in force, what the writer wrote before the gate cut it, and the versions of everything.
The bot fills these values in; nothing here knows how an answer is made.

Fields that are added later need a default, so that older records can still be read.
"""

import secrets
import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
)


def new_id(at: datetime) -> str:
    """An id of UUID version 7 (RFC 9562): sorts by time to the millisecond.

    74 random bits, so that nobody can guess a colleague's record. `at` is aware.
    """
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

_CELL = r"[A-Z]{1,7}[1-9][0-9]{0,9}"
_CELLS = rf"^({_CELL}(:{_CELL})?)?$"


class Value(BaseModel):
    """A value is frozen; it refuses unknown fields, and NaN and infinities, which JSON has not."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Decision(StrEnum):
    """What the gate decided."""

    ANSWER = "ANSWER"
    PARTIAL = "PARTIAL"
    ABSTAIN = "ABSTAIN"


class Status(StrEnum):
    """A claim is borne out by what it cites or not; BROKEN: there is no such place or quote."""

    VERIFIED = "VERIFIED"
    UNSUPPORTED = "UNSUPPORTED"
    BROKEN = "BROKEN"


class ClaimKind(StrEnum):
    """A claim is cited, or inferred from cited ones."""

    CITED = "cited"
    INFERENCE = "inference"


class Prevails(StrEnum):
    """One of two sources that contradict each other holds for one of these reasons."""

    OWN_UNIT = "own unit"
    """It is the rule of the audience's own unit, the other that of a wider one."""
    NEWER = "newer"
    NEITHER = "neither"


class PersonRecord(Value):
    """A person asked, or acted later."""

    id: str
    name: str = ""
    """As it was shown at the time."""


class Channel(Value):
    """A question was asked in a channel; all is empty outside one, as on the command line."""

    id: str = ""
    name: str = ""
    thread: str = ""


class BoundingBox(Value):
    """A box is a rectangle on a page, in points from the page's top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class SourcePlace(Value):
    """A place in a file counts pages, lines and paragraphs from 1; None where it has none."""

    page: int | None = None
    line_start: int | None = None
    line_end: int | None = None
    paragraph: int | None = None
    section_path: tuple[str, ...] = ()
    page_label: str = ""
    """What people call the page where that is not "page N"; older records lack it, as the next."""
    cell_range: Annotated[str, Field(pattern=_CELLS)] = ""
    """Such as `B7` or `B7:D9` in a spreadsheet."""
    misread: bool = False
    """Whether text recognition read a word so unsurely that it may have misread it."""


class CandidateScores(Value):
    """Every number led to a candidate's place; None where a stage did not see it.

    A score of another name is kept under that name, so that a new retriever needs no field here.
    """

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
    __pydantic_extra__: dict[str, float] = Field(init=False)
    cosine: float | None = None
    dense_rank: int | None = None
    bm25: float | None = None
    """Of older records alone: it moves with words of documents that the reader may not see."""
    bm25_rank: int | None = None
    fusion: float | None = None
    logit: float | None = None
    """The cross-encoder's raw score."""
    sentence_logit: float | None = None
    """The best of its sentences read alone; given by sentence reranking, as the next three."""
    sentence_cosine: float | None = None
    bare_logit: float | None = None
    """Of the text without its heading."""
    bare_cosine: float | None = None
    relevance: float | None = None
    hierarchy: float | None = None
    recency: float | None = None


class Candidate(Value):
    """A candidate was considered, whether or not the answer rests on it."""

    passage_id: str
    document_id: str
    file: str
    version: str
    place: SourcePlace = SourcePlace()
    scores: CandidateScores = CandidateScores()
    eligibility: str = ""
    """Whether it may be evidence, and why not, in words; empty in older records."""
    used: bool
    """The draft was written from it."""
    overridden_by: str | None = None
    """Passage id of the rule that prevailed for this person."""


class ShownRecord(Value):
    """A passage that the writer was shown; what it says is kept elsewhere, to be erased there."""

    passage_id: str
    document_id: str
    version: str
    sha256: str
    """Of its heading and its text, as they were shown."""


class SearchFilter(Value):
    """The filter in force says what the audience could read on that day."""

    facets: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    on: date


class WriterRecord(Value):
    """A writer wrote the draft from a prompt; its output is kept word for word."""

    name: str
    model: str = ""
    prompt_hash: str = ""
    output: str = ""


class CellRecord(Value):
    """A cell of a table's row is what a claim rests on."""

    name: str = ""
    """Of its column; empty where it has none."""
    value: str
    reference: Annotated[str, Field(pattern=_CELLS)] = ""
    """Such as `B7` in a spreadsheet; empty elsewhere."""
    sentence: int
    """Of which sentence of the citation it is a cell, from 0."""


class CitationRecord(Value):
    """A citation is one place that a claim cites, its quote as it stands in the source."""

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
    status: Status
    score: float | None = None
    """The probability that this place entails the claim, 0 to 1."""
    place: SourcePlace = SourcePlace()
    boxes: tuple[BoundingBox, ...] = ()
    """Of a row of which `cells` are cited, those of the cells."""
    quote: str = ""
    cells: tuple[CellRecord, ...] = ()
    """Of its rows those whose values the claim says; empty where it rests on whole rows."""
    recognised: float | None = None
    """From 0 to 1 how surely text recognition read its least sure word; None where it read none."""


class LineRecord(Value):
    """A line is a sentence of a copied list, or what stands around it."""

    text: str
    number: int | None = None
    """Of an item of an ordered list, as the document counts."""
    in_list: bool = False
    citation: int
    """Which of the claim's citations it is copied from, from 0."""


class ClaimRecord(Value):
    """A claim is one sentence of the reply, or one that was dropped from it."""

    text: str
    status: Status
    kind: ClaimKind = ClaimKind.CITED
    reasoning: str = ""
    """Why it follows, for an inference."""
    score: float | None = None
    """The probability that one place, or all together, entail it; None where it cites none."""
    copied: bool = False
    """Word for word from what it cites, which then entails it; in older records nobody noted it."""
    objections: tuple[str, ...] = ()
    """What differs from all that it cites, by exact comparison."""
    lines: tuple[LineRecord, ...] = ()
    """Its text again, line by line, where it copies items of a list."""
    citations: tuple[CitationRecord, ...] = ()


class SideRecord(Value):
    """A side is one of two sources that contradict each other."""

    citation: CitationRecord
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


class NearestRecord(Value):
    """A nearest document came close and was quoted in place of an answer."""

    document_id: str
    file: str
    title: str = ""
    link: str = ""
    subtype: str = ""
    level: str = ""
    place: SourcePlace = SourcePlace()
    passage_id: str = ""
    """Empty, as all that follows, where the document was only named, as in older records."""
    version: str = ""
    boxes: tuple[BoundingBox, ...] = ()
    quote: str = ""
    """As it stands in the source."""
    text: str = ""
    """The same as people read it, as it was shown."""
    recognised: float | None = None
    """As of a citation."""


class ExpiredRecord(Value):
    """An expired document would have answered, had its time not run out."""

    source: NearestRecord
    valid_to: date | None = None
    """Its last day."""


class UpcomingRecord(Value):
    """An upcoming rule holds on a day that was asked about, and did not on the day of the reply."""

    day: date
    """That was asked about."""
    valid_from: date
    """Its first day."""


class ConfidenceRecord(Value):
    """The gate's confidences lie between 0 and 1; None stands for one not measured.

    In records of 0.3 and before coverage is the share of the parts that have evidence, and the
    entailment of copied sentences the relevance of their passages.
    """

    retrieval: float | None = None
    coverage: float | None = None
    entailment: float | None = None
    consistency: float | None = None
    overall: float | None = None


class TokenUsage(Value):
    """A language model counted so many tokens; 0 for a writer that counts none."""

    prompt: int = 0
    completion: int = 0


class SettingsRecord(Value):
    """The settings in force are a hash over all, and the values that are no secret."""

    hash: str = ""
    values: Mapping[str, JsonValue] = Field(default_factory=dict)


class Versions(Value):
    """The answer was made with these."""

    software: str
    index: str = ""
    models: Mapping[str, str] = Field(default_factory=dict)
    """Role, such as reranker, to the model's name and version."""
    settings: SettingsRecord = SettingsRecord()


class AuditRecord(Value):
    """A record is everything about one answer: asked, found, written, judged and said."""

    kind: Literal["answer"] = "answer"
    schema_version: int = 2
    """From 2 on what an abstention named as near is not searched with its words."""
    audit_id: EntryId
    time: UtcTime
    """When it was asked."""
    person: PersonRecord
    channel: Channel = Channel()
    question: str
    standalone_question: str
    """The text that was searched for."""
    in_english: bool = True
    """Else nothing was searched for, and the reply said so."""
    sought: tuple[str, ...] = ()
    """Its parts, as they were asked, where it has several; empty else, and in older records."""
    previous_questions: tuple[str, ...] = ()
    imagined_passage: str = ""
    """Made up by a language model to search with, and never shown as an answer."""
    embedding_model: str
    filter: SearchFilter
    candidates: tuple[Candidate, ...] = ()
    shown: tuple[ShownRecord, ...] = ()
    """Empty in older records."""
    writer: WriterRecord
    reply: str
    citation_style: Literal["numbers", "src"] = "numbers"
    """How its sentences say what they cite: by numbers of pages, or by ids of passages."""
    claims: tuple[ClaimRecord, ...] = ()
    """Those that were posted."""
    dropped: tuple[ClaimRecord, ...] = ()
    answered: tuple[str, ...] = ()
    """Aspects of the question that the reply answers, where it has several."""
    missing: tuple[str, ...] = ()
    """Those that it does not."""
    reasons: tuple[str, ...] = ()
    contradictions: tuple[ContradictionRecord, ...] = ()
    confidence: ConfidenceRecord = ConfidenceRecord()
    calibration_id: str = ""
    decision: Decision
    nearest: tuple[NearestRecord, ...] = ()
    """On ABSTAIN: what the reply named as closest."""
    owners: tuple[str, ...] = ()
    """Whom the reply said to ask."""
    expired: tuple[ExpiredRecord, ...] = ()
    """On ABSTAIN: what the reply named as out of date."""
    upcoming: UpcomingRecord | None = None
    """The reply said that another rule will hold, and no more of it."""
    more_in_private: bool = False
    """The asker may read evidence that not everyone in the channel may."""
    own_rule_in_private: bool = False
    """It has a rule of the asker's own unit, over one that was found for the channel."""
    degraded: tuple[str, ...] = ()
    """What was out of order and how the answer was made without it."""
    latency_ms: Mapping[str, float] = Field(default_factory=dict)
    """By stage."""
    tokens: TokenUsage = TokenUsage()
    tokens_by_stage: Mapping[str, TokenUsage] = Field(default_factory=dict)
    """Of those stages that asked a language model; empty in records that know the sum alone."""
    versions: Versions


class EventKind(StrEnum):
    """An answer can meet these after it was recorded."""

    DELIVERED = "delivered"
    WITHDRAWN = "withdrawn"
    """The person deleted the question, and the answer was not delivered."""
    FEEDBACK = "feedback"
    CORRECTION = "correction"


class AuditEvent(Value):
    """An event happened to a recorded answer later."""

    kind: EventKind
    schema_version: int = 1
    event_id: EntryId
    audit_id: EntryId
    """The record that it is about."""
    time: UtcTime
    person: PersonRecord | None = None
    channel: Channel = Channel()
    text: str = ""
    """A person's own words."""
    details: Mapping[str, JsonValue] = Field(default_factory=dict)
    """What belongs to one kind only: a message's time stamp, a thumb up or down."""


Entry = AuditRecord | AuditEvent
