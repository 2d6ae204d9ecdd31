"""A picture of what a citation cites, as it stood in the version that was cited.

Of a PDF it is the page itself; of what has no pages, its sentences with their numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.documents.cells import range_of, table_and_row
from retrieval.documents.port import LibraryReader
from retrieval.errors import NoPicture
from retrieval.rendering.drawing import DrawnLine, DrawnPicture
from retrieval.rendering.renderer import PageRenderer
from retrieval.types import Box, Passage, Sentence

CONTEXT_SENTENCES = 1
"""Before and after what is cited."""


@dataclass(frozen=True, slots=True)
class CitedWords:
    """What a citation says of its place, as an audit record keeps it."""

    document_id: str
    version: str
    passage_id: str
    file: str
    quote: str
    """As it stands in the source."""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPictures:
    """Draws from the library alone. Whether somebody may see a picture is the caller's to know."""

    library: LibraryReader
    renderer: PageRenderer

    def picture(self, cited: CitedWords) -> DrawnPicture:
        """What is cited, highlighted, with what stands around it.

        Of a place on two pages, the first of them. Raise `NoPicture` where what was cited is
        not kept any more, or cannot be drawn; `LibraryUnavailable`.
        """
        if cited.boxes and cited.file.lower().endswith(".pdf"):
            content = self.library.original(cited.document_id, cited.version)
            if content is None:
                raise NoPicture("The file is not kept.")
            return self.renderer.around(content, cited.boxes[0].page, cited.boxes)
        return self.renderer.lines(self._lines(cited))

    def _lines(self, cited: CitedWords) -> list[DrawnLine]:
        key = cited.document_id, cited.version, cited.passage_id
        passage = self.library.passages_at([key]).get(cited.passage_id)
        if passage is None:
            raise NoPicture("The passage is not kept.")
        start, end = _stretch(passage, cited.quote)
        parsed = self.library.parsed(cited.document_id, cited.version)
        sentences = (
            [sentence for fragment in parsed.fragments for sentence in fragment.sentences]
            if parsed
            else passage.sentences
        )
        return list(_around(sentences, start, end))


def _stretch(passage: Passage, quote: str) -> tuple[int, int]:
    """Where the quoted sentences begin and end in the source. Raise `NoPicture`."""
    count = len(passage.sentences)
    for first in range(count):
        for last in range(first, count):
            if passage.quote(first, last) == quote:
                return passage.sentences[first].char_start, passage.sentences[last].char_end
    raise NoPicture("The quote does not stand in the passage.")


def _around(sentences: Sequence[Sentence], start: int, end: int) -> Iterator[DrawnLine]:
    cited = [
        at for at, each in enumerate(sentences) if each.char_start < end and each.char_end > start
    ]
    if not cited:
        raise NoPicture("The sentences are not kept.")
    first = max(0, cited[0] - CONTEXT_SENTENCES)
    shown = range(first, min(len(sentences), cited[-1] + 1 + CONTEXT_SENTENCES))
    above = ""
    for at in shown:
        label = _label(sentences[at])
        yield DrawnLine("" if label == above else label, sentences[at].text, at in cited)
        above = label


def _label(sentence: Sentence) -> str:
    """Its line, or those that it spans; in a sheet its cells, else its paragraph or row."""
    cells = range_of(cell.reference for cell in sentence.cells if cell.reference)
    if cells:
        return cells
    first, last = sentence.line_start, sentence.line_end
    if first is not None:
        return str(first) if last in (None, first) else f"{first}–{last}"
    _, row = table_and_row(sentence.page_label)
    return row or ("" if sentence.paragraph is None else f"¶ {sentence.paragraph}")
