"""What came of a document, as JSON, as rows of CSV, and as a page beside the document."""

import base64
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from audit.places import Box
from audit.rows import harmless
from bot.answering.as_json import claim_as_json
from bot.answering.kept import claim_record
from bot.extracting.service import in_text
from bot.extracting.values import Extracted, Extraction, Found
from bot.web.pages import template
from bot.wording import extracting as wording
from bot.wording.untrusted_text import visible
from retrieval.types import PageSize


def as_json(extraction: Extraction) -> dict[str, object]:
    """The form of `vouch extract --json`; pages count from 1, boxes are in points."""
    return {
        "audit_id": extraction.audit_id,
        "file": extraction.document.file,
        "title": extraction.document.title,
        "fields": {each.field.name: _field(each) for each in extraction.fields},
    }


def _field(each: Extracted) -> dict[str, object]:
    first = each.places[0] if each.places else None
    place = _place(first) if first else {"page": None, "box": None, "quote": None}
    value = list(each.value) if isinstance(each.value, tuple) else each.value
    others = [_place(one) | {"value": one.value} for one in each.places[1:]]
    if each.value is None and first:  # of a contradiction no place is the first
        others = [place | {"value": first.value}, *others]
    return {
        "value": value,
        "status": each.status.value,
        "reason": each.reason or None,
        **place,
        "other_places": others,
    }


def _place(found: Found) -> dict[str, object]:
    claim = claim_record(found.claim)
    cited, boxes = (claim.citations or (None,))[0], boxes_of(found)
    return {
        "page": cited.place.page if cited else None,
        "box": asdict(boxes[0]) if boxes else None,
        "boxes": [asdict(box) for box in boxes],
        "quote": quote_of(found) or None,
        "place": cited.place.in_words(cited.file) if cited else None,
        "claim": claim_as_json(claim),
    }


def boxes_of(found: Found) -> tuple[Box, ...]:
    """Where a value stands on its pages: its line alone, where lines are told apart."""
    boxes = tuple(box for each in claim_record(found.claim).citations for box in each.boxes)
    if found.line_at and found.line_at[1] == len(boxes):
        return (boxes[found.line_at[0]],)
    return boxes


def quote_of(found: Found) -> str:
    """The source as it stands, of which the line alone, likewise."""
    quote = "\n".join(each.quote for each in found.claim.citations)
    lines = [each for each in quote.splitlines() if each.strip()]
    if found.line_at and found.line_at[1] == len(lines):
        return lines[found.line_at[0]].strip()
    return quote


COLUMNS = ("file", "field", "value", "status", "reason", "page", "box", "quote", "audit_id")


def as_csv(extractions: Sequence[Extraction]) -> str:
    """A row for each field; no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for extraction in extractions:
        for each in extraction.fields:
            first = each.places[0] if each.places else None
            cited, boxes = (first.claim.citations, boxes_of(first)) if first else ((), ())
            box = boxes[0] if boxes else None
            row = (
                extraction.document.file,
                each.field.name,
                in_text(each.value),
                each.status.value,
                each.reason,
                cited[0].place.page if cited else None,
                f"{box.x0:.1f} {box.y0:.1f} {box.x1:.1f} {box.y1:.1f}" if box else "",
                quote_of(first) if first else "",
                extraction.audit_id,
            )
            writer.writerow([harmless(one) for one in row])
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a field's value stands on a page; lengths are hundredths of its width and height."""

    number: int
    name: str
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page with its picture, as a `data:` address; empty where there is none."""

    page: PageSize
    picture: str
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
        Sheet(page, _data(pictures.get(page.number)), tuple(_marks(extraction, page)))
        for page in pages
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
        (one.claim.citations[0].place.in_words(), visible(quote_of(one)))
        for one in each.places
        if one.claim.citations
    )
    value = in_text(each.value)
    return Row(number, each.field.name, value, each.status.value, each.reason, places)


def _data(picture: bytes | None) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}" if picture else ""


def _marks(extraction: Extraction, page: PageSize) -> Iterator[Mark]:
    for number, each in enumerate(extraction.fields, start=1):
        for found in each.places:
            for box in boxes_of(found):
                if box.page == page.number:
                    yield _mark(number, each.field.name, box, page)


def _mark(number: int, name: str, box: Box, page: PageSize) -> Mark:
    across, down = 100 / page.width, 100 / page.height
    return Mark(
        number,
        name,
        round(box.x0 * across, 3),
        round(box.y0 * down, 3),
        round((box.x1 - box.x0) * across, 3),
        round((box.y1 - box.y0) * down, 3),
    )
