"""What all values of a record have in common: they are frozen, and their ids and times sort."""

import secrets
import uuid
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer


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


class Value(BaseModel):
    """A value is frozen; it refuses unknown fields, and NaN and infinities, which JSON has not."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
