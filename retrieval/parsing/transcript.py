"""What a document shows, told in terms of HTML, for formats whose files are no text.

Each paragraph is a line of the source, so a sentence's line is the number of its paragraph.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.css.page_styles import ElementSink
from retrieval.parsing.draft import Draft
from retrieval.parsing.placed import PlacedText
from retrieval.parsing.spreadsheet import Place
from retrieval.types import HiddenText, ParsedDocument, Sentence, Stated

_NONE: Mapping[str, str | None] = MappingProxyType({})


_Event = Callable[[ElementSink], object]


class Transcript:
    """It takes elements and text in reading order."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._events: list[_Event] = []
        self._places: list[tuple[int, Place]] = []
        """From which line on something stands where."""
        self._lines = 1

    def open(self, name: str, attributes: Mapping[str, str | None] = _NONE) -> None:
        at = self._length
        self._events.append(lambda sink: sink.open(name, at, attributes))

    def close(self, name: str) -> None:
        at = self._length
        self._events.append(lambda sink: sink.close(name, at, at))

    def add(self, text: str) -> None:
        """Text of a paragraph, in which a line end is white space."""
        if text:
            shown = PlacedText.verbatim(text.replace("\n", " "), self._length)
            self._events.append(lambda sink: sink.add(shown))
            self._write(shown.text)

    def line_break(self) -> None:
        """Within a paragraph."""
        at = self._length
        self._events.append(lambda sink: sink.add(PlacedText.in_place_of("\n", at, at + 1)))
        self._write(" ")

    def image(self, alternative: str) -> None:
        at = self._length
        self._write(alternative.replace("\n", " "))
        shown = PlacedText.verbatim(alternative, at)
        self._events.append(lambda sink: sink.add_image(shown))

    def end_paragraph(self) -> None:
        self._write("\n")
        self._lines += 1

    def begin_page(self, place: Place) -> None:
        """What follows stands there, under no heading of the page before."""
        self._places.append((self._lines, place))

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def document(self, stated_title: str = "", stated: Sequence[Stated] = ()) -> ParsedDocument:
        """Its fragments; none where nothing is seen."""
        source = "".join(self._parts)
        page: int | None = None

        def moved(sentence: Sentence) -> Sentence:
            """A line is a paragraph, on its page where there are pages."""
            nonlocal page
            at = self._place_of(sentence.line_start or 1)
            if at.page != page:
                page = at.page
                draft.end_sections()
            return replace(
                sentence,
                paragraph=None if at.label else sentence.line_start,
                line_start=None,
                line_end=None,
                page=at.page,
                page_label=at.label,
            )

        draft = Draft(moved)
        builder = BlockBuilder(source, draft=draft)
        for event in self._events:
            event(builder)
        builder.finish()
        draft.state(stated)
        hidden = tuple(map(self._where, builder.hidden.all()))
        return draft.document(source, stated_title=stated_title, hidden=hidden)

    def _place_of(self, line: int) -> Place:
        found = bisect_right(self._places, line, key=lambda each: each[0])
        return self._places[found - 1][1] if found else Place()

    def _where(self, hidden: HiddenText) -> HiddenText:
        """The builder names a line; people know the page, or the paragraph."""
        number = hidden.where.removeprefix("line ")
        at = self._place_of(int(number))
        return replace(hidden, where=at.label or f"paragraph {number}")
