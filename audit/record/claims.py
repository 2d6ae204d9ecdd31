"""What was said, sentence by sentence, and what each sentence rests on."""

from enum import StrEnum

from audit.record.base import Value
from audit.record.places import BoundingBox, CellRange, SourcePlace


class Status(StrEnum):
    """A claim is borne out by what it cites or not; BROKEN: there is no such place or quote."""

    VERIFIED = "VERIFIED"
    UNSUPPORTED = "UNSUPPORTED"
    BROKEN = "BROKEN"


class ClaimKind(StrEnum):
    """A claim is cited, or inferred from cited ones."""

    CITED = "cited"
    INFERENCE = "inference"


class CellRecord(Value):
    """A cell of a table's row is what a claim rests on."""

    name: str = ""
    """Of its column; empty where it has none."""
    value: str
    reference: CellRange = ""
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
    rows: tuple[tuple[CellRecord, ...], ...] = ()
    """Its text again, where it copies rows of one table; `sentence` counts the rows."""
    citations: tuple[CitationRecord, ...] = ()
