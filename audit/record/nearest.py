"""What is told where nothing answers, or will soon answer otherwise."""

from datetime import date

from audit.record.base import Value
from audit.record.claims import CellRecord
from audit.record.places import BoundingBox, SourcePlace


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
    rows: tuple[tuple[CellRecord, ...], ...] = ()
    """As of a claim."""
    overridden: bool = False
    """A rule of the audience's own unit, quoted before it, holds in its place."""


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
