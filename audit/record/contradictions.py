"""Sources that contradict each other, and which of them prevails."""

from datetime import date
from enum import StrEnum

from audit.record.base import Value
from audit.record.claims import CitationRecord


class Prevails(StrEnum):
    """One of two sources that contradict each other holds for one of these reasons."""

    OWN_UNIT = "own unit"
    """It is the rule of the audience's own unit, the other that of a wider one."""
    NEWER = "newer"
    NEITHER = "neither"


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
