"""Pictures of the places that a modal quotes; in words they stand there anyway."""

from collections.abc import Mapping, Sequence

from audit.record.claims import CitationRecord
from bot.seen import Seen
from bot.slack.blocks.claims import MOST_CITATIONS
from bot.slack.blocks.elements import image
from bot.slack.blocks.limits import in_line
from bot.slack.blocks.places import cited_in_words
from bot.slack.message import Block

MOST_PICTURES = 4
_ALT, _TITLE = 1_900, 400
"""Bytes; Slack takes 2,000 characters of each."""
PlaceKey = tuple[str, str, str]
"""A document, its version, and the quote: what is drawn once."""
Pictures = Mapping[PlaceKey, str]
"""Ids of uploaded files."""


def key_of(citation: CitationRecord) -> PlaceKey:
    return citation.document_id, citation.version, citation.quote


def to_be_pictured(seen: Seen) -> list[CitationRecord]:
    """Return the first places that the modal quotes for this person, each once."""
    places: dict[PlaceKey, CitationRecord] = {}
    for claim in seen.record.claims:
        shown = claim.citations if seen.may_show(claim) else seen.readable(claim)
        for citation in shown[:MOST_CITATIONS]:
            if citation.quote.strip():
                places.setdefault(key_of(citation), citation)
    return list(places.values())[:MOST_PICTURES]


def pictures_of(citations: Sequence[CitationRecord], pictures: dict[PlaceKey, str]) -> list[Block]:
    """Make a block of each picture that there is of these, once in a modal: it is taken out.

    A screen reader reads the quote in its place.
    """
    blocks = []
    for citation in citations[:MOST_CITATIONS]:
        if file_id := pictures.pop(key_of(citation), ""):
            title = citation.title if citation.title.strip() else citation.file
            where = in_line(cited_in_words(citation, title), _TITLE)
            blocks.append(image(file_id, in_line(citation.quote, _ALT), where))
    return blocks
