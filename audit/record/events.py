"""What happened to a recorded answer later."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field, JsonValue

from audit.record.asker import Channel, PersonRecord
from audit.record.base import EntryId, UtcTime, Value


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
