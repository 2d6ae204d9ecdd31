"""The chapters of a book become one draft, each sentence at its place in its chapter."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.parsing.draft import Draft
from retrieval.parsing.epub.package import Chapter
from retrieval.types import FragmentKind, Sentence


class BookDraft(Draft):
    """It moves what is read of a chapter to where the chapter stands in the book's source."""

    def __init__(self) -> None:
        super().__init__()
        self._chapter: Chapter | None = None
        self._offset = 0

    def begin(self, chapter: Chapter, offset: int) -> None:
        """A chapter's source begins at `offset`; what it says stands under no earlier heading."""
        self._chapter, self._offset = chapter, offset
        self.end_sections()

    def heading(self, level: int, text: str, place: Sentence | None = None) -> None:
        super().heading(level, text, self._moved(place) if place else None)

    def fragment(self, kind: FragmentKind, sentences: Sequence[Sentence]) -> None:
        super().fragment(kind, [self._moved(each) for each in sentences])

    def _moved(self, sentence: Sentence) -> Sentence:
        assert self._chapter is not None  # noqa: S101  # `begin` comes before all text
        return replace(
            sentence,
            char_start=sentence.char_start + self._offset,
            char_end=sentence.char_end + self._offset,
            page=self._chapter.number,
            page_label=self._chapter.label,
        )
