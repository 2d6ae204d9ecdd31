"""A labelled claim may cite a document of its own, which is read and cut as ingest does."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from bot.answering.values import DraftClaim
from bot.errors import BadConfiguration
from retrieval.ingest.chunking import cut
from retrieval.metadata.ontology import load_ontology
from retrieval.metadata.statements import metadata, statements
from retrieval.parsing import parser_for
from retrieval.types import Document, Passage

FILE = "claims.md"


def citing(
    claim: str, document: str, cites: Sequence[str]
) -> tuple[DraftClaim, tuple[Passage, ...]]:
    """The claim with anchors in the document's passages.

    Raise `BadConfiguration` where no sentence begins as is said.
    """
    passages = _passages(document)
    anchors = tuple(_anchor(beginning, passages) for beginning in cites)
    return DraftClaim(claim, anchors), passages


def _anchor(beginning: str, passages: Sequence[Passage]) -> str:
    for number, passage in enumerate(passages, start=1):
        for index, sentence in enumerate(passage.sentences, start=1):
            if sentence.text.startswith(beginning):
                return f"{number}.{index}"
    raise BadConfiguration(f"No sentence of its document begins with {beginning!r}.")


@lru_cache(maxsize=64)
def _passages(text: str) -> tuple[Passage, ...]:
    """Kept for a while: many claims cite one document."""
    parsed = parser_for(FILE)(text.encode())
    ontology = load_ontology()
    known = metadata(statements(parsed.stated, ontology), ontology)
    title = known.title or parsed.title
    document = Document(FILE, FILE, "1", datetime.now(UTC), title, known)
    return tuple(cut(document, parsed))
