"""Academic hits are read with their neighbours: a proof seldom fits one paragraph."""

from collections.abc import Sequence

from retrieval.documents.port import LibraryReader
from retrieval.types import Hit, Passage, Stream

NEIGHBOURS = 2
"""On each side of a hit."""


def neighbours_of(hits: Sequence[Hit], library: LibraryReader) -> tuple[Passage, ...]:
    """Passages around the academic hits, once each, none of them a hit itself."""
    hit_ids = {hit.passage.passage_id for hit in hits}
    around = {
        passage.passage_id: passage
        for hit in hits
        if hit.passage.document.metadata.stream is Stream.ACADEMIC
        for passage in library.neighbours(hit.passage, NEIGHBOURS)
    }
    return tuple(p for passage_id, p in around.items() if passage_id not in hit_ids)
