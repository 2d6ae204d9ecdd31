"""What a recipe's library and index hold, and how much room that takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from bot.wiring import Container
from bot.wiring.retrieval import index_files
from retrieval.types import Passage


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


def held(container: Container, passages: Sequence[Passage]) -> Held:
    documents = {(each.document.document_id, each.document.version) for each in passages}
    parsed = (container.stores.library.parsed(*each) for each in documents)
    files = index_files(container.settings)
    return Held(
        passages=len(passages),
        words=fmean(len(each.text.split()) for each in passages) if passages else 0.0,
        text_bytes=sum(len(each.source.encode()) for each in parsed if each),
        index_bytes=(
            sum(path.stat().st_size for path in files.rglob("*") if path.is_file())
            if files and files.is_dir()
            else None
        ),
    )
