"""What a recipe's library and index hold, and how much room that takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from bot.lab.scale import disk_bytes
from retrieval.types import Passage

SourceOf = Callable[[str, str], str]
"""The text of a document's version, by its id and version."""


@dataclass(frozen=True, slots=True)
class Held:
    """Recipes that change the same settings hold the same."""

    passages: int
    words: float
    """Of a passage, on average: a longer one overlaps gold more easily."""
    text_bytes: int
    """Of the documents' text, each once, whatever the passages repeat of it."""
    index_bytes: int | None
    """All files of the index; None where they cannot be seen, as on a server."""


def held(passages: Sequence[Passage], source_of: SourceOf, index_files: Path | None) -> Held:
    documents = {(each.document.document_id, each.document.version) for each in passages}
    return Held(
        passages=len(passages),
        words=fmean(len(each.text.split()) for each in passages) if passages else 0.0,
        text_bytes=sum(len(source_of(*each).encode()) for each in documents),
        index_bytes=None if index_files is None else disk_bytes(index_files),
    )
