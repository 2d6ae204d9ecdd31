"""Placed text knows where each of its characters stands in the source.

What people read differs from what the file says (`&amp;`, `**bold**`, a Liquid tag), yet
every sentence must lead back to the file. So each change of text carries the way back.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.language.sentences import cut, sentence_spans
from retrieval.parsing.limits import LONGEST_SENTENCE

INVISIBLE = "\u00ad\u200b\u2060\ufeff"
"""Soft hyphen, zero-width space, word joiner, byte order mark: nobody reads them."""
_WORD = re.compile(r"\S+")
_UNFOLDED = re.compile(rf"\A\s|\s\Z|\s\s|[^\S ]|[{INVISIBLE}]")
_VISIBLE = re.compile(rf"[^\s{INVISIBLE}]")
_UNSEEN = f"{INVISIBLE}{''.join(chr(c) for c in range(0x3001) if chr(c).isspace())}"
"""All that `\\s` is, beside it."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """It is a text, and for each character the range [start, end) of source it stands for."""

    text: str = ""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()

    @classmethod
    def verbatim(cls, text: str, start: int) -> "PlacedText":
        """Text exactly as the source has it from offset `start`."""
        first, last = start, start + len(text)
        return cls(text, range(first, last), range(first + 1, last + 1))

    @classmethod
    def in_place_of(cls, text: str, start: int, end: int) -> "PlacedText":
        """Text that is read in place of the source range [start, end)."""
        return cls(text, (start,) * len(text), (end,) * len(text))

    def __getitem__(self, part: slice) -> "PlacedText":
        return PlacedText(self.text[part], self.starts[part], self.ends[part])

    def __bool__(self) -> bool:
        return bool(self.text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The source range under the characters [start, end) of this text."""
        if start == end:
            place = self.starts[start] if start < len(self.text) else self.end
            return place, place
        return self.starts[start], self.ends[end - 1]

    @property
    def start(self) -> int:
        """Where it begins in the source; 0 for no text at all."""
        return self.starts[0] if self.text else 0

    @property
    def end(self) -> int:
        return self.ends[-1] if self.text else 0

    def folded(self) -> "PlacedText":
        """White space folded to single spaces, without invisible characters."""
        if isinstance(self.starts, range) and not _UNFOLDED.search(self.text):
            return self
        text: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for word in _WORD.finditer(self.text):
            visible = [i for i in range(*word.span()) if self.text[i] not in INVISIBLE]
            if not visible:
                continue
            if text:
                text.append(" ")
                starts.append(ends[-1])
                ends.append(self.starts[visible[0]])
            text.extend(self.text[i] for i in visible)
            starts.extend(self.starts[i] for i in visible)
            ends.extend(self.ends[i] for i in visible)
        return PlacedText("".join(text), starts, ends)


def visible_place(text: PlacedText) -> tuple[int, int] | None:
    """The source range from the first to the last character that people see; None for none."""
    first = _VISIBLE.search(text.text)
    if first is None:
        return None
    last = len(text.text.rstrip(_UNSEEN)) - 1
    return text.starts[first.start()], text.ends[last]


def join(parts: Iterable[PlacedText]) -> PlacedText:
    """One text of several, nothing between them."""
    kept = [part for part in parts if part]
    if len(kept) == 1:
        return kept[0]
    starts: list[int] = []
    ends: list[int] = []
    for part in kept:
        starts.extend(part.starts)
        ends.extend(part.ends)
    return PlacedText("".join(part.text for part in kept), starts, ends)


def item_spans(text: str) -> list[tuple[int, int]]:
    """Of an item of a list: all of it, or its sentences where that is too long for one."""
    return [(0, len(text))] if len(text) <= LONGEST_SENTENCE else sentence_spans(text)


def replaced(
    text: PlacedText, found: Iterable["re.Match[str]"], by: Callable[["re.Match[str]"], PlacedText]
) -> PlacedText:
    parts, done = [], 0
    for each in found:
        parts += [text[done : each.start()], by(each)]
        done = each.end()
    return join([*parts, text[done:]])


@dataclass(slots=True)
class Source:
    """A source in the making, of a format whose files are no text: what is read, line by line."""

    lines: list[str] = field(default_factory=list)
    end: int = 0
    """Where the next line begins."""

    def add(self, line: str) -> PlacedText:
        """Add a line; return it where it stands."""
        placed = PlacedText.verbatim(line, self.end)
        self.lines.append(line)
        self.end += len(line) + 1
        return placed

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Lines:
    """They give the 1-based line of an offset; a line ends after its line feed."""

    source: str
    _starts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0, *(feed.end() for feed in re.finditer("\n", self.source))]
        object.__setattr__(self, "_starts", starts)

    def at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def start_of(self, line: int) -> int:
        return self._starts[line - 1]


@dataclass(frozen=True, slots=True)
class _Wrap:
    start: int
    text_start: int
    text_end: int
    end: int


@dataclass
class Run:
    """It is text in the making; read it only when nothing more is added."""

    parts: list[PlacedText] = field(default_factory=list)
    is_plain: bool = False
    """Whether a word of it is not bold."""
    ends: list[tuple[int, int]] = field(default_factory=list)
    """How many parts each block in it has, those before it counted, and its level as a heading."""
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

    def blocks(self) -> "Iterator[tuple[Run, int]]":
        """What stands in it one below the other, and as which heading; without text, all of it."""
        done = 0
        is_blank = not join(self.parts).folded()
        wraps = sorted(self._wraps, key=lambda wrap: wrap.text_start)
        starts = [wrap.text_start for wrap in wraps]
        for end, level in [] if is_blank else [*self.ends, (len(self.parts), 0)]:
            part = Run(self.parts[done:end])
            done = end
            if not part.is_blank:
                first, last = (bisect_left(starts, at) for at in (part.text.start, part.text.end))
                part._wraps = wraps[first:last]
                yield part, level
        if is_blank:
            yield self, 0

    @property
    def is_blank(self) -> bool:
        return not self.text

    @property
    def is_picture(self) -> bool:
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


_TELLING = 6
"""Words that tell where a block begins."""
_BETWEEN = r"[\s*_`+#^~]+"
_NEAR = 400
"""Characters; a lone word is not looked for farther on, and so much markup may be in a block."""


class Tracer:
    """It goes through a source; what it is asked for stands there in order."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.at = 0
        """Where the next word is looked for from."""
        self._end = 0
        """Of the block that words are looked for in."""
        self._last = (0, 1)
        """The word that was found last: what stands nowhere goes by it."""

    def begin(self, block: str) -> None:
        """What follows stands in a block of such lines, the next one; nowhere, if there is none."""
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        first = self._source.find(lines[0], self.at) if lines else -1
        if first < 0:
            self._end = self.at
            return
        self.at = self._end = first
        self._last = first, first + len(lines[0])
        for line in lines:
            found = self._source.find(line, self._end)
            self._end = found + len(line) if found >= 0 else self._end

    def begin_words(self, words: str) -> None:
        """What follows stands where its first words do, with markup between them."""
        first = words.split()[:_TELLING]
        for count in range(len(first), 0, -1):
            pattern = _BETWEEN.join(re.escape(each) for each in first[:count])
            within = len(self._source) if count > 1 else self.at + _NEAR
            if found := re.compile(pattern).search(self._source, self.at, within):
                self.at = found.start()
                self._last = found.span()
                self._end = self.at + 2 * len(words) + _NEAR
                return
        self._end = self.at

    def placed(self, text: str) -> PlacedText:
        """A text of the block, with markup among its words."""
        parts: list[PlacedText] = []
        done = 0
        for word in _WORD.finditer(text):
            if word.start() > done:
                parts.append(PlacedText.in_place_of(" ", *self._last))
            parts.append(self._word(word[0]))
            done = word.end()
        if done < len(text):
            parts.append(PlacedText.in_place_of(" ", *self._last))
        return join(parts)

    def lines(self, text: str) -> PlacedText:
        parts: list[PlacedText] = []
        for line in text.splitlines():
            shown = line.strip()
            indent = line[: len(line) - len(line.lstrip())]
            parts.append(PlacedText.in_place_of(indent, *self._last))
            if shown:
                parts.append(self._word(shown))
            parts.append(PlacedText.in_place_of("\n", *self._last))
        return join(parts)

    def _word(self, word: str) -> PlacedText:
        found = self._source.find(word, self.at, self._end)
        if found < 0:
            return PlacedText.in_place_of(word, *self._last)
        self.at, self._last = found + len(word), (found, found + len(word))
        return PlacedText.verbatim(word, found)
