"""The text of one block while it is being read, with its inline markup."""

from dataclasses import dataclass, field
from functools import cached_property

from retrieval.parsing.placed import PlacedText, join
from retrieval.parsing.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class _Wrap:
    """Inline markup around text: its own range in the source, and that of the text."""

    start: int
    text_start: int
    text_end: int
    end: int


@dataclass
class Run:
    """Text in the making; read it only when nothing more is added."""

    parts: list[PlacedText] = field(default_factory=list)
    _images: list[PlacedText] = field(default_factory=list)
    _wraps: list[_Wrap] = field(default_factory=list)

    def add(self, part: PlacedText) -> None:
        if part:
            self.parts.append(part)

    def add_image(self, alternative: PlacedText) -> None:
        self._images.append(alternative)

    def mark(self) -> int:
        """A point to say later where inline markup began."""
        return len(self.parts)

    def wrap(self, mark: int, start: int, end: int) -> None:
        """Markup from `start` to `end` stood around all that was added since the mark."""
        inner = join(self.parts[mark:]).folded()
        if inner:
            self._wraps.append(_Wrap(start, inner.start, inner.end, end))

    @cached_property
    def text(self) -> PlacedText:
        """As people read it: an image's alternative text only if there is nothing else."""
        text = join(self.parts).folded()
        return text or join(self._images).folded()

    @property
    def is_blank(self) -> bool:
        return not self.text

    def whole(self) -> list[tuple[str, int, int]]:
        """All of it as one sentence: text, and range in the source."""
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
                lines.append(self._placed(folded, 0, len(folded.text)))
        return lines

    def _placed(self, text: PlacedText, first: int, last: int) -> tuple[str, int, int]:
        """With the markup that opens or closes within the sentence.

        Markup around two sentences opens in the first and closes in the second.
        """
        start, end = text.span(first, last)
        opened = [wrap.start for wrap in self._wraps if start <= wrap.text_start < end]
        closed = [wrap.end for wrap in self._wraps if start < wrap.text_end <= end]
        return text.text[first:last], min([start, *opened]), max([end, *closed])
