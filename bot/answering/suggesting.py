"""What somebody who has no question yet could ask: headings under which the answer stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from bot.answering.values import Run
from bot.answering.writers.answer_spans import as_read
from bot.wording import slack as wording
from retrieval.documents.port import LibraryReader
from retrieval.ports import Reranker, RerankPair
from retrieval.types import Document, Passage

ANSWERS = 0.8
"""Relevance, 0 to 1, from which what stands below a heading answers. Of 19 questions about the
sample all nine over it were answered from there, and of ten under it one."""
_MOST_HEADINGS = 4
"""Of a document; each takes about a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Suggestions:
    library: LibraryReader
    reranker: Reranker

    def __call__(self, document: Document) -> str:
        ids = self.library.passage_ids([document.document_id])
        passages = sorted(self.library.passages(ids).values(), key=lambda each: each.ordinal)
        pairs = list(islice(_pairs(document, passages), _MOST_HEADINGS))
        scores = self.reranker.scores(pairs) if pairs else []
        fit = ((score.relevance, pair.question) for pair, score in zip(pairs, scores, strict=True))
        best, asked = max(fit, default=(0.0, ""))
        return asked if best >= ANSWERS else ""


def _pairs(document: Document, passages: Sequence[Passage]) -> Iterator[RerankPair]:
    """Each heading but the title's, with the first passage below it."""
    headed = (each for each in passages if each.section_path)
    for heading, below in groupby(headed, key=lambda each: each.section_path[-1]):
        if heading != document.title:
            first = next(below)
            question = wording.prompt(heading, document.title)
            whole = Run(first, 0, len(first.sentences) - 1)
            yield RerankPair(question, as_read(question, whole))
