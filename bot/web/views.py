"""What a citation's page shows, in plain frozen values; nothing in them is withheld any more."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from string import digits

from audit.values import Status


class Freshness(StrEnum):
    """How a cited document stands today to the version that was cited."""

    AS_CITED = "as cited"
    CHANGED = "changed"
    """Its file has other content now."""
    LEFT = "left"
    """It is not served any more; administrators alone are shown it."""


class BlockKind(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    CAPTION = "caption"
    FIGURE = "figure"
    """The words of a picture, which is not shown."""
    PAGE = "page"
    """What the following is called that is no page of paper: "slide 3", "sheet Fees"."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str
    cited: bool = False
    doubtful: bool = False
    """Read from a picture, and perhaps not as it stands there."""


@dataclass(frozen=True, slots=True)
class CellView:
    name: str
    text: str
    cited: bool = False
    reference: str = ""
    """Such as `B7` in a spreadsheet; empty elsewhere."""

    @property
    def column(self) -> str:
        """Its name, else the letter of a spreadsheet's; empty where it has neither."""
        return self.name or self.reference.rstrip(digits)


@dataclass(frozen=True, slots=True)
class BlockView:
    """A heading, a paragraph, a list item or a table row, as a parser read it."""

    kind: BlockKind
    pieces: tuple[TextPiece, ...]
    number: str = ""
    """Of its lines or its paragraph, such as `8-11`; empty where it has none."""
    level: int = 0
    item_number: int | None = None
    """Before an item of an ordered list, as the document counts."""
    is_first_cited: bool = False
    """Of those on the page: where a link to the cited words leads."""
    cells: tuple[CellView, ...] = ()
    """Of a table row, those that are filled; empty where they are not told apart."""
    fields: tuple[int, ...] = ()
    """The numbers of those that were read here, where fields are shown beside the document."""
    anchors: tuple[str, ...] = ()

    @property
    def cited(self) -> bool:
        return any(piece.cited for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class BlockGroup:
    """Neighbouring blocks of one kind: a list's items, a table's rows."""

    kind: BlockKind
    blocks: tuple[BlockView, ...]
    columns: tuple[str, ...] = ()
    """Of rows that make a table; empty where they are read one by one."""


@dataclass(frozen=True, slots=True)
class Body:
    """The part of a document that a page shows: around the citation, or where somebody went on."""

    runs: tuple[BlockGroup, ...]
    before: int | None = None
    """Where the part before begins: a page's number, or else a sentence's, from 1; None for none.
    """
    after: int | None = None
    page: int | None = None
    pages: int = 0
    holds_citation: bool = True
    """Whether the cited words stand in this part."""
    cut_before: bool = False
    """Whether a block begins before this part."""
    cut_after: bool = False

    @property
    def has_doubtful(self) -> bool:
        return any(
            piece.doubtful for run in self.runs for each in run.blocks for piece in each.pieces
        )


@dataclass(frozen=True, slots=True)
class ClaimView:
    text: str
    status: Status
    copied: bool
    listed: bool
    score: float | None
    """The probability that what it cites entails it; None where nobody measured it."""
    concluded: bool
    objections: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """The names of all that it cites, this one among them; this reader may read each."""


class WordChange(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Now(StrEnum):
    STANDS = "stands"
    """They stand in their section, word for word."""
    CHANGED = "changed"
    ELSEWHERE = "elsewhere"
    SECTION_GONE = "section gone"


@dataclass(frozen=True, slots=True)
class ComparedSentence:
    """A sentence, in pieces of which each stayed, left or came; none for a gap between others."""

    pieces: tuple[tuple[WordChange, str], ...]

    @property
    def is_same(self) -> bool:
        return all(change is WordChange.SAME for change, _ in self.pieces)


@dataclass(frozen=True, slots=True)
class VersionComparison:
    now: Now
    differences: tuple[ComparedSentence, ...]
    """Those places alone at which it differs, with what stands beside them."""
    elsewhere: tuple[str, ...] = ()
    """The section in which the cited words stand now, where that is another."""


@dataclass(frozen=True, slots=True)
class VersionView:
    digest: str
    since: datetime
    until: datetime | None
    """None while it stands."""
    cited: bool
    same_file: bool
    """Whether its bytes are those that were cited: what changed is how they were read."""
    shown: bool = False
    opens: str = ""
    """By which name in an address this reader opens it; empty where it is not to be opened."""


@dataclass(frozen=True, slots=True)
class OtherVersion:
    version: VersionView
    says_the_same: bool | None
    """Whether the cited words stand there too; None where that cannot be told."""


@dataclass(frozen=True, slots=True)
class CitationView:
    audit_id: str
    ref: str
    title: str
    file: str
    kind: str
    """What the document says that it is, such as "Policy, department"; empty where it does not."""
    link: str
    host: str
    """Which machine `link` leads to, shown beside it."""
    place: str
    section_path: tuple[str, ...]
    quote: str
    """As it stands in the source, but for what cannot be seen; a very long one's beginning."""
    version: VersionView
    freshness: Freshness
    answered_at: datetime
    claim: ClaimView | None
    """None where this reader is shown the place alone."""
    nearest: bool
    """It came near and was quoted in place of an answer."""
    other_side: str
    """By which name what says otherwise opens, where the reply set it against this; else empty."""
    body: Body | None
    """None where the text of this version is not kept, or is not what was cited."""
    picture: int | None
    """The page that is shown as it looks, with the cited places marked; fetched apart."""
    comparison: VersionComparison | None = None
    """Of a document that changed, where the texts of both versions are kept."""
    versions: tuple[VersionView, ...] = ()
    other: OtherVersion | None = None
    """None while the cited version is shown."""


@dataclass(frozen=True, slots=True)
class DocumentView:
    title: str
    file: str
    link: str
    host: str
    body: Body | None
