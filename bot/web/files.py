"""Pages that are one file without script, which loads nothing: what was read of a document.

Fields stand beside the documents that they were read out of: of a PDF its drawn pages, of all else
its text, with lines and marks as on a citation's page. Or all that a parser read is drawn over the
pages.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.answering.outcome import claim_record
from bot.extracting.service import boxes_of, in_text, line_of_quote, text_of
from bot.extracting.values import Extracted, Extraction, FieldValue
from bot.web.document_text import CitedSpan, FieldSpans, cited_span, whole_text
from bot.web.pages import template
from bot.web.views import BlockGroup, BlockKind, BlockView, TextPiece
from bot.wording import extracting as wording
from bot.wording.untrusted_text import printable
from retrieval.documents.holdings import Parsed
from retrieval.parsing.described import ReadDocument, ReadFragment, ReadPage
from retrieval.types import Box, PageSize


@dataclass(frozen=True, slots=True)
class Mark:
    number: int
    name: str
    box: Box


@dataclass(frozen=True, slots=True)
class Sheet:
    page: PageSize
    picture: bytes
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    name: str
    value: str
    status: str
    reason: str
    places: tuple[tuple[str, str], ...]
    link: str
    """To its first place in the document's text; empty where that is not shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    file: str
    audit_id: str
    rows: tuple[Row, ...]
    sheets: tuple[Sheet, ...]
    pages: int
    runs: tuple[BlockGroup, ...]


def shown(
    extraction: Extraction, number: int, parsed: Parsed | None, pictures: Mapping[int, bytes]
) -> Shown:
    """Lay out one document, the `number`th of the page; `pictures`: PNG files by number of page."""
    pages = parsed.pages if parsed else ()
    sheets = tuple(
        Sheet(page, pictures[page.number], tuple(_marks(extraction, page)))
        for page in pages
        if page.number in pictures
    )
    runs = tuple(_text(extraction, number, parsed)) if parsed and not sheets else ()
    anchors = {name for run in runs for block in run.blocks for name in block.anchors}
    rows = tuple(
        _row(at, each, anchors & {_anchor(number, at)})
        for at, each in enumerate(extraction.fields, start=1)
    )
    file, audit_id = extraction.document.file, extraction.audit_id
    return Shown(file, audit_id, rows, sheets, len(pages), runs)


def as_page(documents: Sequence[Shown]) -> str:
    """HTML without script that loads nothing; at least one document."""
    nothing = {"other": None, "picture": None}  # what else a citation's page shows
    return template("extracted.html").render(
        documents=documents, said=wording, token="", view=nothing
    )


def marked_pages(extraction: Extraction) -> list[int]:
    places = (found for each in extraction.fields for found in each.places)
    return sorted({box.page for found in places for box in boxes_of(found)})


def _row(number: int, each: Extracted, anchors: Iterable[str]) -> Row:
    places = tuple(
        (one.claim.citations[0].place.in_words(), printable(text_of(one)))
        for one in each.places
        if one.claim.citations
    )
    value, link = in_text(each.value), next(iter(anchors), "")
    return Row(number, each.field.name, value, each.status.value, each.reason, places, link)


def _marks(extraction: Extraction, page: PageSize) -> Iterator[Mark]:
    for number, each in enumerate(extraction.fields, start=1):
        for found in each.places:
            for box in boxes_of(found):
                if box.page == page.number:
                    yield Mark(number, each.field.name, box)


def _anchor(document: int, field: int) -> str:
    return f"d{document}-f{field}"


def _text(extraction: Extraction, number: int, parsed: Parsed) -> Iterator[BlockGroup]:
    """What the file states of itself, as far as it was read, and then the text, all marked."""
    places = [
        (at, found) for at, each in enumerate(extraction.fields, start=1) for found in each.places
    ]
    spans = [(at, found, span) for at, found in places for span in _spans(found, parsed)]
    runs = whole_text(parsed, FieldSpans(tuple((at, span) for at, _, span in spans)))
    marked = {at for run in runs for block in run.blocks for at in block.fields}
    above = tuple(_stated(at, found) for at, found, _ in spans if at not in marked)
    seen: set[int] = set()
    for run in (*([BlockGroup(BlockKind.TEXT, above)] if above else ()), *runs):
        blocks = []
        for block in run.blocks:
            anchors = tuple(_anchor(number, at) for at in block.fields if at not in seen)
            seen |= {*block.fields}
            blocks.append(replace(block, anchors=anchors, is_first_cited=False))
        yield replace(run, blocks=tuple(blocks))


def _stated(number: int, found: FieldValue) -> BlockView:
    place = found.claim.citations[0].place
    line = "" if place.line_start is None else str(place.line_start)
    return BlockView(
        BlockKind.TEXT, (TextPiece(text_of(found), cited=True),), line, fields=(number,)
    )


def _spans(found: FieldValue, parsed: Parsed) -> Iterator[CitedSpan]:
    for said, cited in zip(claim_record(found.claim).citations, found.claim.citations, strict=True):
        span = cited_span(said.quote, said.place, cited.passage, parsed, said.cells)
        if span is not None:
            start, end = line_of_quote(found, said.quote)
            yield replace(span, start=span.start + start, end=span.start + end)


@dataclass(frozen=True, slots=True)
class Frame:
    kind: str
    text: str
    box: Box
    is_first: bool
    """Of its fragment: it carries the name of the kind."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    page: ReadPage
    picture: bytes | None
    frames: tuple[Frame, ...]


def parsed_page(read: ReadDocument, pictures: Mapping[int, bytes]) -> str:
    pages = [_drawn(page, read, pictures.get(page.number)) for page in read.pages]
    return template("parsed.html").render(read=read, pages=pages, token="")


def _drawn(page: ReadPage, read: ReadDocument, picture: bytes | None) -> DrawnPage:
    frames = tuple(frame for each in read.fragments for frame in _frames(each, page))
    return DrawnPage(page, picture, frames)


def _frames(fragment: ReadFragment, page: ReadPage) -> Iterator[Frame]:
    placed = [(box, each.text) for each in fragment.sentences for box in each.boxes]
    here = [(box, text) for box, text in placed if box.page == page.number]
    for number, (box, text) in enumerate(here):
        yield Frame(fragment.kind.value, text, box, is_first=number == 0)
