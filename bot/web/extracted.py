"""Fields beside the document that they were read out of: one file, which loads nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.extracting.forms import boxes_of, quote_of
from bot.extracting.service import in_text
from bot.extracting.values import Extracted, Extraction
from bot.web.pages import template
from bot.wording import extracting as wording
from bot.wording.untrusted_text import printable
from retrieval.types import Box, PageSize


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a field's value stands on a page."""

    number: int
    name: str
    box: Box


@dataclass(frozen=True, slots=True)
class Sheet:
    page: PageSize
    picture: bytes | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A field in the page's table."""

    number: int
    name: str
    value: str
    status: str
    reason: str
    places: tuple[tuple[str, str], ...]
    """Place in words and quote of each."""


def as_page(
    extraction: Extraction, pages: Sequence[PageSize], pictures: Mapping[int, bytes]
) -> str:
    """HTML without script that loads nothing; `pictures` are PNG files by number of page."""
    rows = [_row(number, each) for number, each in enumerate(extraction.fields, start=1)]
    sheets = [
        Sheet(page, pictures.get(page.number), tuple(_marks(extraction, page))) for page in pages
    ]
    return template("extracted.html").render(
        file=extraction.document.file,
        audit_id=extraction.audit_id,
        rows=rows,
        sheets=sheets,
        said=wording,
        token="",
    )


def _row(number: int, each: Extracted) -> Row:
    places = tuple(
        (one.claim.citations[0].place.in_words(), printable(quote_of(one)))
        for one in each.places
        if one.claim.citations
    )
    value = in_text(each.value)
    return Row(number, each.field.name, value, each.status.value, each.reason, places)


def _marks(extraction: Extraction, page: PageSize) -> Iterator[Mark]:
    for number, each in enumerate(extraction.fields, start=1):
        for found in each.places:
            for box in boxes_of(found):
                if box.page == page.number:
                    yield Mark(number, each.field.name, box)
