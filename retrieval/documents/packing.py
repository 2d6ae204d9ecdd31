"""Documents and passages as rows of the library's tables, and back.

A passage keeps the source under it as it stands; a sentence keeps its own reading only
where that differs from the source with white space folded, which is where there is markup.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from datetime import datetime
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import RowMapping

from retrieval.documents.holdings import Fingerprint, KnownSource, Parsed
from retrieval.metadata.access import Audience
from retrieval.types import (
    Box,
    Cell,
    Document,
    Fragment,
    FragmentKind,
    Metadata,
    PageSize,
    Passage,
    PlacedHeading,
    Sentence,
)

Row = Mapping[str, Any] | RowMapping
_METADATA = TypeAdapter(Metadata)
_READERS = TypeAdapter(tuple[Audience | None, Audience | None])
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_SEALED = (
    *("document_id", "version", "ordinal", "passage_id", "section_path", "source", "sentences"),
    *("file", "title", "metadata", "ingested_at"),
)
"""The columns, of a passage and of its version, that a seal covers."""


def sealed_parts(row: Row) -> tuple[str, ...]:
    """Return what is sealed of a passage's row, joined with that of its version."""
    return tuple(str(row[column]) for column in _SEALED)


def packed_metadata(metadata: Metadata) -> str:
    return _METADATA.dump_json(metadata).decode()


def metadata_of(packed: str) -> Metadata:
    return _METADATA.validate_json(packed)


def packed_fingerprint(fingerprint: Fingerprint) -> str:
    return json.dumps(astuple(fingerprint))


def fingerprint_of(packed: str) -> Fingerprint:
    return Fingerprint(*json.loads(packed))


def packed_readers(source: KnownSource) -> str:
    return json.dumps([source.said, source.stated])


def readers_of(packed: str) -> tuple[Audience | None, Audience | None]:
    """What the operator said of a source, and what its folder states."""
    said, stated = _READERS.validate_json(packed)
    return said, stated


def document_of(row: Row) -> Document:
    return Document(
        document_id=row["document_id"],
        file=row["file"],
        version=str(row["version"]),
        ingested_at=datetime.fromisoformat(row["ingested_at"]),
        title=row["title"],
        metadata=metadata_of(row["metadata"]),
    )


def packed_passage(passage: Passage) -> dict[str, object]:
    offset = passage.sentences[0].char_start
    return {
        "document_id": passage.document.document_id,
        "version": int(passage.document.version),
        "ordinal": passage.ordinal,
        "passage_id": passage.passage_id,
        "section_path": json.dumps(passage.section_path, ensure_ascii=False),
        "source": passage.source,
        "sentences": json.dumps(
            _packed(passage.sentences, passage.source, offset), ensure_ascii=False
        ),
    }


def passage_of(row: Row) -> Passage:
    packed = json.loads(row["sentences"])
    source, offset = row["source"], packed[0][1]
    return Passage(
        passage_id=row["passage_id"],
        document=document_of(row),
        ordinal=row["ordinal"],
        section_path=tuple(json.loads(row["section_path"])),
        sentences=tuple(_unpacked(source, offset, *values) for values in packed),
        source=source,
    )


def packed_parsed(parsed: Parsed) -> bytes:
    """Pack a version's source text and fragments, and how it is laid out."""
    source = parsed.source
    layout = {
        "pages": [astuple(each) for each in parsed.pages],
        "headings": [_packed_heading(each, source) for each in parsed.headings],
        "left_out": _packed_fragments(parsed.left_out, source),
    }
    packed = [source, _packed_fragments(parsed.fragments, source), layout]
    return zlib.compress(json.dumps(packed).encode())


def parsed_of(packed: bytes) -> Parsed:
    """Nothing of the layout is known of what 0.3 and before packed."""
    source, fragments, *more = json.loads(zlib.decompress(packed))
    layout = more[0] if more else {"pages": (), "headings": (), "left_out": ()}
    return Parsed(
        source,
        _unpacked_fragments(fragments, source),
        pages=tuple(PageSize(*values) for values in layout["pages"]),
        headings=tuple(_unpacked_heading(source, *values) for values in layout["headings"]),
        left_out=_unpacked_fragments(layout["left_out"], source),
    )


def _packed_fragments(fragments: Sequence[Fragment], source: str) -> list[list[object]]:
    return [
        [each.kind, each.section_path, _packed(each.sentences, source, 0)] for each in fragments
    ]


def _unpacked_fragments(packed: Sequence[Any], source: str) -> tuple[Fragment, ...]:
    return tuple(
        Fragment(
            FragmentKind(kind),
            tuple(path),
            tuple(_unpacked(source, 0, *values) for values in sentences),
        )
        for kind, path, sentences in packed
    )


def _packed_heading(heading: PlacedHeading, source: str) -> list[object]:
    sentence = _packed_sentence(heading.sentence, source, 0)
    pages = heading.first_page, heading.last_page
    return [heading.level, heading.section_path, sentence, *pages]


def _unpacked_heading(
    source: str,
    level: int,
    section_path: Sequence[str],
    sentence: Sequence[Any],
    first_page: int | None,
    last_page: int | None,
) -> PlacedHeading:
    place = _unpacked(source, 0, *sentence)
    return PlacedHeading(level, tuple(section_path), place, first_page, last_page)


def _packed(sentences: Sequence[Sentence], source: str, offset: int) -> list[list[object]]:
    return [_packed_sentence(sentence, source, offset) for sentence in sentences]


def _packed_sentence(sentence: Sentence, source: str, offset: int) -> list[object]:
    stands = source[sentence.char_start - offset : sentence.char_end - offset]
    return [
        None if sentence.text == " ".join(stands.split()) else sentence.text,
        sentence.char_start,
        sentence.char_end,
        [sentence.line_start, sentence.line_end, sentence.page, sentence.paragraph],
        [_packed_box(box) for box in sentence.boxes],
        sentence.in_list,
        sentence.list_goes_on,
        sentence.list_lead,
        sentence.item_number,
        *_packed_further(sentence),
    ]


def _packed_further(sentence: Sentence) -> list[dict[str, object]]:
    """Pack what few sentences have, by name; nothing for all others."""
    further: dict[str, object] = {}
    if sentence.page_label:
        further["page_label"] = sentence.page_label
    if sentence.cells:
        further["cells"] = [
            [each.start, each.end, each.name, each.reference, _packed_box(each.box)]
            for each in sentence.cells
        ]
    if sentence.recognised is not None:
        further["recognised"] = sentence.recognised
    if sentence.picture is not None:
        further["picture"] = _packed_box(sentence.picture)
    if sentence.in_code:
        further["in_code"] = True
    if sentence.depth:
        further["depth"] = sentence.depth
    return [further] if further else []


def _packed_box(box: Box | None) -> list[float] | None:
    return None if box is None else [box.page, box.x0, box.y0, box.x1, box.y1]


def _unpacked(
    source: str,
    offset: int,
    text: str | None,
    start: int,
    end: int,
    place: tuple[int | None, int | None, int | None, int | None],
    boxes: Sequence[tuple[int, float, float, float, float]],
    in_list: bool = False,  # a library of 0.2.0 knows nothing of lists until the next ingest
    list_goes_on: bool = False,
    list_lead: str = "",
    item_number: int | None = None,
    further: Mapping[str, Any] = _NOTHING,
) -> Sentence:
    read = " ".join(source[start - offset : end - offset].split()) if text is None else text
    located = tuple(Box(*box) for box in boxes)
    of_list = in_list, list_goes_on, list_lead, item_number
    return Sentence(read, start, end, *place, located, *of_list, **_unpacked_further(further))


def _unpacked_further(further: Mapping[str, Any]) -> dict[str, Any]:
    unpacked = dict(further)
    if "cells" in further:
        unpacked["cells"] = tuple(
            Cell(start, end, name, reference, Box(*box) if box else None)
            for start, end, name, reference, box in further["cells"]
        )
    if "picture" in further:
        unpacked["picture"] = Box(*further["picture"])
    return unpacked
