"""Where something stands, as a person would say it."""

from typing import Protocol

from audit.record.claims import CitationRecord
from audit.record.nearest import ExpiredRecord
from audit.record.places import SourcePlace
from bot import wording
from bot.cited_links import OpeningCitation, OpeningNearest
from bot.links import document_link
from bot.slack.blocks.limits import in_line, weight
from retrieval.types import Location

_LONGEST_LINK = 1_000


class Placed(Protocol):
    """A recorded citation or nearest document says where it stands."""

    @property
    def file(self) -> str:
        """The path inside its source; never empty."""

    @property
    def title(self) -> str:
        """The document's title, as written; may be empty."""

    @property
    def link(self) -> str:
        """The address that the document states for people; empty where it states none."""

    @property
    def subtype(self) -> str:
        """What the document says that it is; empty where it does not."""

    @property
    def level(self) -> str:
        """Of the organisation, as the document states it."""

    @property
    def place(self) -> SourcePlace:
        """Pages, lines and paragraphs from 1; None for those that the file has not."""


def kind_in_words(source: Placed) -> str:
    """Say what the document is, such as "Policy, department"; empty where it does not say."""
    kind = wording.document_kind(source.subtype, source.level)
    return in_line(kind, 80) if kind else ""


def place_in_words(place: SourcePlace, file: str = "") -> str:
    """Return a stored place, as every door says it; empty where none is known."""
    return location(place).in_words(file)


def cited_in_words(citation: CitationRecord, file: str = "") -> str:
    """Return the same of what is cited, which may be some cells of a row."""
    return location(citation.place).in_words(file, cells_of(citation))


def cells_of(citation: CitationRecord) -> tuple[str, ...]:
    """Return the names of the cells on which a claim rests; none for whole rows."""
    return tuple(cell.reference for cell in citation.cells)


def location(place: SourcePlace) -> Location:
    return Location(**place.model_dump())


def expired_document(expired: ExpiredRecord) -> str:
    """Name its title, or its file, and the last day of its time."""
    source = expired.source
    title = source.title if source.title.strip() else source.file
    return in_line(wording.expired(title, expired.valid_to), 150)


def opens_at(source: Placed) -> str:
    """Return the address of a page of ours that shows it; empty where there is none."""
    return source.opens_at if isinstance(source, OpeningCitation | OpeningNearest) else ""


def web_link(source: Placed) -> str:
    """Return the address of its page, or else of the document, where a person can open it.

    Empty where there is none.
    """
    url, place = source.link, source.place
    return document_link(url, place.page, place.page_label) if weight(url) <= _LONGEST_LINK else ""
