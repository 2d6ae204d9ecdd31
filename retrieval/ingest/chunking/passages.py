"""What was cut becomes passages, with ids that tell whether they are the same as before."""

import hashlib
import json
from collections import Counter

from retrieval.ingest.chunking.paragraphs import PARAGRAPHS
from retrieval.ingest.chunking.port import Chunking
from retrieval.types import Document, ParsedDocument, Passage


def cut(
    document: Document, parsed: ParsedDocument, chunking: Chunking = PARAGRAPHS
) -> list[Passage]:
    """The document's passages in reading order."""
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for section_path, sentences in chunking(parsed.fragments):
        source = parsed.source[sentences[0].char_start : sentences[-1].char_end]
        content = json.dumps([document.document_id, section_path, source], ensure_ascii=False)
        passages.append(
            Passage(
                passage_id=_passage_id(content, seen[content]),
                document=document,
                ordinal=len(passages),
                section_path=section_path,
                sentences=tuple(sentences),
                source=source,
            )
        )
        seen[content] += 1
    return passages


def _passage_id(content: str, number: int) -> str:
    """A hash that a paragraph inserted above does not change.

    `number` tells equal contents under one heading apart.
    """
    return hashlib.sha256(f"{content}#{number}".encode()).hexdigest()[:24]
