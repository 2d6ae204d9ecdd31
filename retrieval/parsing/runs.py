"""The text of one block is kept while it is being read, with its inline markup."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.language.sentences import cut, sentence_spans
from retrieval.parsing.limits import LONGEST_SENTENCE
from retrieval.parsing.placed import PlacedText, join, visible_place


@dataclass(frozen=True, slots=True)
class _Wrap:
    """Inline markup wraps text: it has a range in the source, and the text has another."""

    start: int
    text_start: int
    text_end: int
    end: int


@dataclass
class Run:
    """It is text in the making; read it only when nothing more is added."""

    parts: list[PlacedText] = field(default_factory=list)
    _images: list[PlacedText] = field(default_factory=list)
    _wraps: list[_Wrap] = field(default_factory=list)
    _seen: list[int] = field(default_factory=list)
    """Which parts people see something of."""
    _places: list[tuple[int, int]] = field(default_factory=list)
    """Where what they see of them begins and ends in the source."""

    def add(self, part: PlacedText) -> None:
        if part:
            if place := visible_place(part):
                self._seen.append(len(self.parts))
                self._places.append(place)
            self.parts.append(part)

    def add_image(self, alternative: PlacedText) -> None:
        self._images.append(alternative)

    def mark(self) -> int:
        """A point to say later where inline markup began."""
        return len(self.parts)

    def wrap(self, mark: int, start: int, end: int) -> None:
        """Markup from `start` to `end` stood around all that was added since the mark."""
        first = bisect_left(self._seen, mark)
        if first < len(self._seen):
            self._wraps.append(_Wrap(start, self._places[first][0], self._places[-1][1], end))

    @cached_property
    def text(self) -> PlacedText:
        """As people read it: an image's alternative text only if there is nothing else."""
        text = join(self.parts).folded()
        return text or join(self._images).folded()

    @property
    def is_blank(self) -> bool:
        return not self.text

    @property
    def is_picture(self) -> bool:
        """Whether nothing but images is read."""
        return not self.is_blank and not join(self.parts).folded()

    def whole(self) -> list[tuple[str, int, int]]:
        """All of it as one sentence, if that is not too long: text, and range in the source."""
        if len(self.text.text) > LONGEST_SENTENCE:
            return self.sentences()
        return [self._placed(self.text, 0, len(self.text.text))]

    def sentences(self) -> list[tuple[str, int, int]]:
        """Where one piece of source reads as several sentences, they stay together."""
        spans: list[tuple[int, int]] = []
        for start, end in sentence_spans(self.text.text):
            if spans and self.text.starts[start] < self.text.ends[spans[-1][1] - 1]:
                start, _ = spans.pop()
            spans.append((start, end))
        return [self._placed(self.text, *span) for span in spans]

    def lines(self) -> list[tuple[str, int, int]]:
        """Each line that is not blank, as in program text."""
        text, lines, start = join(self.parts), [], 0
        for line in text.text.splitlines(keepends=True):
            folded = text[start : start + len(line)].folded()
            start += len(line)
            if folded:
                lines += [self._placed(folded, *span) for span in cut(folded.text)]
        return lines

    def _placed(self, text: PlacedText, first: int, last: int) -> tuple[str, int, int]:
        """With the markup that opens or closes within the sentence.

        Markup around two sentences opens in the first and closes in the second.
        """
        start, end = text.span(first, last)
        by_start, by_end = self._openings, self._closings
        opened = by_start[1][bisect_left(by_start[0], start) : bisect_left(by_start[0], end)]
        closed = by_end[1][bisect_right(by_end[0], start) : bisect_right(by_end[0], end)]
        return text.text[first:last], min([start, *opened]), max([end, *closed])

    @cached_property
    def _openings(self) -> tuple[Sequence[int], Sequence[int]]:
        """Where the text within markup begins, in order; and where that markup begins."""
        ordered = sorted((wrap.text_start, wrap.start) for wrap in self._wraps)
        return [text for text, _ in ordered], [start for _, start in ordered]

    @cached_property
    def _closings(self) -> tuple[Sequence[int], Sequence[int]]:
        """Where the text within markup ends, in order; and where that markup ends."""
        ordered = sorted((wrap.text_end, wrap.end) for wrap in self._wraps)
        return [text for text, _ in ordered], [end for _, end in ordered]
