"""One answer is kept with what happened to it later, in plain frozen values.

A record must explain its answer years later, without the index, the models or the
settings of the day: so it holds every candidate with its scores, the filter that was
in force, what the writer wrote before the gate cut it, and the versions of everything.
The bot fills these values in; nothing here knows how an answer is made.

Fields that are added later need a default, so that older records can still be read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue

from audit.places import STRICT, Place
from audit.values import (
    CellRecord,
    Channel,
    Cited,
    ClaimRecord,
    ContradictionRecord,
    EntryId,
    PersonRecord,
    UtcTime,
    Value,
    is_empty,
    new_id,
    new_nonce,
)


class Decision(StrEnum):
    ANSWER = "ANSWER"
    PARTIAL = "PARTIAL"
    ABSTAIN = "ABSTAIN"


@dataclass(frozen=True, slots=True)
class Confidence:
    """The four and what they come to lie between 0 and 1; None stands for one not measured.

    In records of 0.3 and before coverage is the share of the parts that have evidence, and the
    entailment of copied sentences the relevance of their passages.
    """

    __pydantic_config__: ClassVar = STRICT
    retrieval: float | None = None
    coverage: float | None = None
    """Share of the question's parts that the draft answers, by claims that are borne out."""
    entailment: float | None = None
    """Mean entailment of the claims; None of a writer that only copies, and where there is none."""
    consistency: float | None = None
    """Agreement of several runs; None where there was one."""
    overall: float | None = None
    """The probability, by the calibration, that the draft is right; where nothing was
    drafted, that the best passage would have been."""


class Badge(StrEnum):
    """A reply bears one badge, at every door."""

    ANSWERED = "answered"
    PROBABLY = "probably"
    """PARTIAL, but no part is missing: it answers all that was asked, without being sure."""
    IN_PART = "in part"
    UNKNOWN = "unknown"


def badge_of(decision: Decision, missing: Sequence[str]) -> Badge:
    """`missing`: the parts of the question that the reply names as unanswered."""
    if decision is Decision.ANSWER:
        return Badge.ANSWERED
    if decision is Decision.ABSTAIN:
        return Badge.UNKNOWN
    return Badge.IN_PART if missing else Badge.PROBABLY


class SearchFilter(Value):
    facets: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    on: date
    sources: tuple[str, ...] = ()
    """Names of those that alone were searched; empty for all."""


class CandidateScores(Value):
    """None where a stage did not see it; a score of another name is kept under that."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
    __pydantic_extra__: dict[str, float | None] = Field(init=False)
    cosine: float | None = None
    dense_rank: int | None = None
    bm25: float | None = None
    """Of older records alone: it moves with words of documents that the reader may not see."""
    bm25_rank: int | None = None
    fusion: float | None = None
    logit: float | None = None
    relevance: float | None = None
    hierarchy: float | None = None
    recency: float | None = None


def _of_any_name(scores: object) -> CandidateScores:
    """Keep them also where fields that a newer program added are left out."""
    return CandidateScores.model_validate(scores)


class Candidate(Value):
    passage_id: str
    document_id: str
    file: str
    version: str
    place: Place = Place()
    scores: Annotated[CandidateScores, BeforeValidator(_of_any_name)] = CandidateScores()
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
    text: str = Field(default="", exclude_if=is_empty)
    """What a message says that a search found for the question, where such words are to be kept."""
    by: str = Field(default="", exclude_if=is_empty)
    """Whose words these are, so that they go with them."""


class WriterRecord(Value):
    name: str
    model: str = ""
    prompt_hash: str = ""
    output: str = ""
    template_hash: str = Field(default="", exclude_if=is_empty)
    """Of what every prompt begins with, where a language model wrote."""


class TokenUsage(Value):
    prompt: int = 0
    completion: int = 0


class SettingsRecord(Value):
    hash: str = ""
    values: Mapping[str, JsonValue] = Field(default_factory=dict)


class Versions(Value):
    software: str
    index: str = ""
    models: Mapping[str, str] = Field(default_factory=dict)
    """Role, such as reranker, to the model's name and version."""
    settings: SettingsRecord = SettingsRecord()


class NearestRecord(Cited):
    passage_id: str = ""
    """Empty, as are version, boxes, quote and all that follows, where the document was only named,
    as in older records."""
    version: str = ""
    text: str = ""
    """The quote as people read it, as it was shown."""
    rows: tuple[tuple[CellRecord, ...], ...] = ()
    overridden: bool = False
    """A rule of the audience's own unit, quoted before it, holds in its place."""


class ExpiredRecord(Value):
    source: NearestRecord
    valid_to: date | None = None


@dataclass(frozen=True, slots=True)
class Upcoming:
    __pydantic_config__: ClassVar = STRICT
    day: date
    """That was asked about."""
    valid_from: date
    """Its first day, of several the first rule's; after the reply's, and not after `day`."""


class ErasedRecord(Value):
    on: UtcTime
    by: str
    because: str
    cited: Mapping[str, Mapping[str, JsonValue]] = Field(default_factory=dict)
    """Places in documents, by the names that the tree's leaf has of them."""


class EventKind(StrEnum):
    """An answer can meet these after it was recorded; the last ones are of the log itself."""

    DELIVERED = "delivered"
    WITHDRAWN = "withdrawn"
    """The person deleted or changed the question, and the answer was not delivered."""
    FOLDED = "folded"
    """They did so later: the reply is a line by now that says it."""
    FEEDBACK = "feedback"
    CORRECTION = "correction"
    REFERRED = "referred"
    GIVEN = "given"
    RETRACTED = "retracted"
    RESOLVED = "resolved"
    REOPENED = "reopened"
    FOLLOWED = "followed"
    """What it cites has changed since, and `details` say whether that changes the answer."""
    ERASED = "erased"
    """What a person said and was is gone; `details["entries"]` says of which entries."""
    EXPIRED = "expired"
    """So is what was older than the organisation keeps it."""
    HELD = "held"
    """Nothing of a person or a channel may be erased, until it is released."""
    RELEASED = "released"
    EXPORTED = "exported"
    """So many records were written to a file; of which is not said, for that may name somebody."""
    UPLOADED = "uploaded"
    """An administrator gave a file to be read as a document; `details` say which, and for whom."""
    MEMBERSHIP = "membership"
    """Somebody came into a user group from which they may read more, or is in it no more."""


OF_THE_LOG = (
    *(EventKind.ERASED, EventKind.EXPIRED, EventKind.HELD, EventKind.RELEASED),
    *(EventKind.EXPORTED, EventKind.UPLOADED, EventKind.MEMBERSHIP),
)
"""Events that are about no record; their `audit_id` is their own id."""
OF_OPERATORS = tuple(kind for kind in OF_THE_LOG if kind is not EventKind.MEMBERSHIP)
"""What was done to the log or the documents, and is kept whoever did it."""


class AuditEvent(Value):
    kind: EventKind
    schema_version: int = 1
    event_id: EntryId
    audit_id: EntryId
    time: UtcTime
    person: PersonRecord | None = None
    channel: Channel = Channel()
    text: str = ""
    details: Mapping[str, JsonValue] = Field(default_factory=dict)
    """What belongs to one kind only: a message's time stamp, a thumb up or down."""
    nonce: str = Field(default_factory=new_nonce)
    erased: ErasedRecord | None = Field(default=None, exclude_if=is_empty)


def of_the_log(
    kind: EventKind, at: datetime, by: str, text: str = "", details: Mapping[str, JsonValue] = {}
) -> AuditEvent:
    """Return an event of one of `OF_THE_LOG`; `at` is aware, `by` whose it is."""
    event_id = new_id(at)
    return AuditEvent(
        kind=kind,
        event_id=event_id,
        audit_id=event_id,
        time=at,
        person=PersonRecord(id=by),
        text=text,
        details=details,
    )


class AuditRecord(Value):
    """A record is everything about one answer: asked, found, written, judged and said."""

    kind: Literal["answer"] = "answer"
    schema_version: int = 2
    """From 2 on what an abstention named as near is not searched with its words."""
    audit_id: EntryId
    time: UtcTime
    person: PersonRecord
    channel: Channel = Channel()
    question: str
    standalone_question: str
    """The text that was searched for."""
    in_english: bool = True
    """Else its words alone were searched for; in older records nothing was, and the reply said so.
    """
    sought: tuple[str, ...] = ()
    """Its parts, as they were asked, where it has several; empty else, and in older records."""
    previous_questions: tuple[str, ...] = ()
    corrects: EntryId | None = Field(default=None, exclude_if=is_empty)
    """The earlier answer in whose place it stands, where nobody asked again; else None."""
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
    """How its sentences said what they cite: by numbers of pages, or, once, by ids of passages."""
    claims: tuple[ClaimRecord, ...] = ()
    dropped: tuple[ClaimRecord, ...] = ()
    answered: tuple[str, ...] = ()
    """Aspects of the question that the reply answers, where it has several."""
    missing: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    """Of `missing`, those that a cited passage may answer; empty in older records."""
    reasons: tuple[str, ...] = ()
    contradictions: tuple[ContradictionRecord, ...] = ()
    confidence: Confidence = Confidence()
    calibration_id: str = ""
    decision: Decision
    nearest: tuple[NearestRecord, ...] = ()
    """On ABSTAIN: what the reply named as closest."""
    owners: tuple[str, ...] = ()
    expired: tuple[ExpiredRecord, ...] = ()
    upcoming: Upcoming | None = None
    """The reply said that another rule will hold on the day asked about; where `filter.on` is that
    day, it answered as of then, else it said no more of it."""
    more_in_private: bool = False
    """The asker may read evidence that not everyone in the channel may."""
    own_rule_in_private: bool = False
    """It has a rule of the asker's own unit, over one that was found for the channel."""
    degraded: tuple[str, ...] = ()
    """What was out of order and how the answer was made without it."""
    latency_ms: Mapping[str, float] = Field(default_factory=dict)
    tokens: TokenUsage = TokenUsage()
    tokens_by_stage: Mapping[str, TokenUsage] = Field(default_factory=dict)
    """Of those stages that asked a language model; empty in records that know the sum alone."""
    versions: Versions
    nonce: str = Field(default_factory=new_nonce)
    """Without it the hash could be guessed of what was erased; empty in older records."""
    erased: ErasedRecord | None = Field(default=None, exclude_if=is_empty)
    """Who erased what is not here, when and why."""


Entry = AuditRecord | AuditEvent
