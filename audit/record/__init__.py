"""One answer is kept with what happened to it later, in plain frozen values.

A record must explain its answer years later, without the index, the models or the
settings of the day: so it holds every candidate with its scores, the filter that was
in force, what the writer wrote before the gate cut it, and the versions of everything.
The bot fills these values in; nothing here knows how an answer is made.

Fields that are added later need a default, so that older records can still be read.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from audit.record.asker import Channel, PersonRecord
from audit.record.base import EntryId, UtcTime, Value
from audit.record.claims import ClaimRecord
from audit.record.contradictions import ContradictionRecord
from audit.record.events import AuditEvent
from audit.record.evidence import Candidate, SearchFilter, ShownRecord
from audit.record.made_with import TokenUsage, Versions, WriterRecord
from audit.record.nearest import ExpiredRecord, NearestRecord, UpcomingRecord
from audit.record.verdict import ConfidenceRecord, Decision


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
    unsure: tuple[str, ...] = ()
    """Of these, those that a cited passage may answer; empty in older records."""
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
    """The reply said that another rule will hold on the day asked about; where `filter.on` is that
    day, it answered as of then, else it said no more of it."""
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


Entry = AuditRecord | AuditEvent
