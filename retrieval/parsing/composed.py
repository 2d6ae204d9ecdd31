"""Several documents in one file, such as the parts of a message, become one document."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.parsing.draft import Draft, in_reading_order
from retrieval.parsing.placed import Source
from retrieval.types import (
    FragmentKind,
    HiddenText,
    ParsedDocument,
    Sentence,
    Stated,
)


class Composition:
    """It takes the parts in order; `draft` and the source hold them one after the other.

    A part is what its label says ("cell 3"), under its number; its own lines and pages are counted
    in it. What it states counts for the whole.
    """

    def __init__(self) -> None:
        self.draft = Draft()
        self._source = Source()
        self._hidden: list[HiddenText] = []

    def add(self, part: ParsedDocument, number: int, label: str, *, below: int = 0) -> None:
        """Its headings stand `below` so many levels of the whole."""
        aside = set(map(id, part.left_out))
        headings = {each.sentence.char_start: each for each in part.headings}
        for fragment in in_reading_order(part.fragments, part.headings, part.left_out):
            moved = [self._moved(each, number, label) for each in fragment.sentences]
            heading = headings.get(fragment.sentences[0].char_start)
            if fragment.kind is FragmentKind.HEADING and heading is not None:
                self.draft.heading(heading.level + below, heading.text, moved[0])
            elif id(fragment) in aside:
                self.draft.leave_out(fragment.kind, moved)
            else:
                self.draft.fragment(fragment.kind, moved)
        self.draft.state(replace(each, describes=False) for each in part.stated)
        self._hidden += (replace(each, where=f"{label}, {each.where}") for each in part.hidden)
        self._source.add(part.source)

    def add_text(self, kind: FragmentKind, text: str, number: int, label: str) -> None:
        """A part of lines that are read as they stand."""
        sentences, at = [], 0
        for line, said in enumerate(text.split("\n"), start=1):
            if shown := said.strip():
                start = self._source.end + at + said.index(shown)
                end = start + len(shown)
                sentences.append(
                    Sentence(" ".join(shown.split()), start, end, line, line, number, None)
                )
            at += len(said) + 1
        self.draft.fragment(kind, [replace(each, page_label=label) for each in sentences])
        self._source.add(text)

    def document(self, title: str = "", stated: Sequence[Stated] = ()) -> ParsedDocument:
        self.draft.state(stated)
        hidden = tuple(self._hidden)
        return self.draft.document(self._source.text, stated_title=title, hidden=hidden)

    def _moved(self, sentence: Sentence, number: int, label: str) -> Sentence:
        """Boxes are places on pages of a file that is not at hand."""
        own = sentence.page_label or (f"page {sentence.page}" if sentence.page else "")
        return replace(
            sentence,
            char_start=sentence.char_start + self._source.end,
            char_end=sentence.char_end + self._source.end,
            page=number,
            page_label=f"{label}, {own}" if own else label,
            boxes=(),
            picture=None,
            cells=tuple(replace(each, box=None) for each in sentence.cells),
        )
