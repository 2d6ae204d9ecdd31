"""What came of a document, as JSON and as rows of CSV."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import asdict

from audit.export import harmless
from audit.places import Box
from bot.answering.as_json import claim_as_json
from bot.answering.claim_records import claim_record
from bot.extracting.service import in_text
from bot.extracting.values import Extracted, Extraction, FieldValue


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
    place = _place(first) if first else {"page": None, "box": None, "quote": None, "text": None}
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


def _place(found: FieldValue) -> dict[str, object]:
    claim = claim_record(found.claim)
    cited, boxes = (claim.citations or (None,))[0], boxes_of(found)
    return {
        "page": cited.place.page if cited else None,
        "box": asdict(boxes[0]) if boxes else None,
        "boxes": [asdict(box) for box in boxes],
        "quote": quote_of(found) or None,
        "text": text_of(found) or None,
        "place": cited.place.in_words(cited.file) if cited else None,
        "claim": claim_as_json(claim),
    }


def boxes_of(found: FieldValue) -> tuple[Box, ...]:
    """Where a value stands on its pages: its line alone, where lines are told apart."""
    boxes = tuple(box for each in claim_record(found.claim).citations for box in each.boxes)
    if found.line_at and found.line_at[1] == len(boxes):
        return (boxes[found.line_at[0]],)
    return boxes


def quote_of(found: FieldValue) -> str:
    """The source as it stands, of which the line alone, likewise."""
    quote = "\n".join(each.quote for each in found.claim.citations)
    start, end = line_of_quote(found, quote)
    return quote[start:end]


def text_of(found: FieldValue) -> str:
    """The same as people read it, without markup."""
    quote = "\n".join(each.quote for each in found.claim.citations)
    if line_of_quote(found, quote) != (0, len(quote)):
        return quote_of(found)
    return "\n".join(each.text for one in found.claim.citations for each in one.sentences)


def line_of_quote(found: FieldValue, quote: str) -> tuple[int, int]:
    """Where in it the line begins and ends that the value was read in; else all of it."""
    lines = [each for each in _LINE.finditer(quote) if each[0].strip()]
    if not found.line_at or found.line_at[1] != len(lines):
        return 0, len(quote)
    line = lines[found.line_at[0]]
    start = line.start() + len(line[0]) - len(line[0].lstrip())
    return start, start + len(line[0].strip())


_LINE = re.compile(r"[^\r\n]+")


COLUMNS = (
    *("file", "field", "value", "status", "reason", "page", "box", "place", "quote", "text"),
    "audit_id",
)


def as_csv(extractions: Sequence[Extraction]) -> str:
    """A row for each field; no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for extraction in extractions:
        for each in extraction.fields:
            said, box = _field(each), boxes_of(each.places[0])[:1] if each.places else ()
            row = (
                extraction.document.file,
                each.field.name,
                in_text(each.value),
                said["status"],
                each.reason,
                said["page"],
                "".join(f"{one.x0:.1f} {one.y0:.1f} {one.x1:.1f} {one.y1:.1f}" for one in box),
                said.get("place"),
                said["quote"],
                said["text"],
                extraction.audit_id,
            )
            writer.writerow([harmless(None if one is None else str(one)) for one in row])
    return out.getvalue()
