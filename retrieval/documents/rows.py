"""Documents and passages as rows of the library's tables, and back.

A passage keeps the source under it as it stands; a sentence keeps its own reading only
where that differs from the source with white space folded, which is where there is markup.
"""

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter

from retrieval.documents.holdings import Acquisition, Fingerprint, Holding
from retrieval.filters import access_id
from retrieval.types import Box, Document, Metadata, Passage, Sentence

_METADATA = TypeAdapter(Metadata)


def document_values(acquisition: Acquisition) -> tuple[object, ...]:
    document = acquisition.document
    return (
        document.document_id,
        acquisition.root,
        document.file,
        int(document.version),
        document.ingested_at.isoformat(),
        document.title,
        _METADATA.dump_json(document.metadata).decode(),
        access_id(document.metadata.access),
        fingerprint_value(acquisition.fingerprint),
    )


def passage_values(passage: Passage) -> tuple[object, ...]:
    return (
        passage.passage_id,
        passage.document.document_id,
        passage.ordinal,
        json.dumps(passage.section_path, ensure_ascii=False),
        passage.source,
        json.dumps([_pack(passage, s) for s in passage.sentences], ensure_ascii=False),
    )


def fingerprint_value(fingerprint: Fingerprint) -> str:
    return json.dumps(
        [
            fingerprint.size,
            fingerprint.modified_ns,
            fingerprint.sha256,
            fingerprint.circumstances,
            fingerprint.changed_ns,
        ]
    )


def metadata_of(row: sqlite3.Row) -> Metadata:
    return _METADATA.validate_json(row["metadata"])


def holding_of(row: sqlite3.Row) -> Holding:
    fingerprint = Fingerprint(*json.loads(row["fingerprint"]))
    return Holding(_document(row), fingerprint, bool(row["suspended"]))


def _document(row: sqlite3.Row) -> Document:
    return Document(
        document_id=row["document_id"],
        file=row["file"],
        version=str(row["version"]),
        ingested_at=datetime.fromisoformat(row["ingested_at"]),
        title=row["title"],
        metadata=metadata_of(row),
    )


def _pack(passage: Passage, sentence: Sentence) -> list[object]:
    offset = passage.sentences[0].char_start
    source = passage.source[sentence.char_start - offset : sentence.char_end - offset]
    return [
        None if sentence.text == " ".join(source.split()) else sentence.text,
        sentence.char_start,
        sentence.char_end,
        [sentence.line_start, sentence.line_end, sentence.page, sentence.paragraph],
        [[box.page, box.x0, box.y0, box.x1, box.y1] for box in sentence.boxes],
        sentence.in_list,
        sentence.list_goes_on,
        sentence.list_lead,
    ]


def passage_of(row: sqlite3.Row) -> Passage:
    packed = json.loads(row["sentences"])
    source, offset = row["source"], packed[0][1]
    return Passage(
        passage_id=row["passage_id"],
        document=_document(row),
        ordinal=row["ordinal"],
        section_path=tuple(json.loads(row["section_path"])),
        sentences=tuple(_unpack(source, offset, *values) for values in packed),
        source=source,
    )


def _unpack(
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
) -> Sentence:
    read = " ".join(source[start - offset : end - offset].split()) if text is None else text
    located = tuple(Box(*box) for box in boxes)
    return Sentence(read, start, end, *place, located, in_list, list_goes_on, list_lead)
