"""Placed text knows where each of its characters stands in the source.

What people read differs from what the file says (`&amp;`, `**bold**`, a Liquid tag), yet
every sentence must lead back to the file. So each change of text carries the way back.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

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
    def standing_for(cls, text: str, start: int, end: int) -> "PlacedText":
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
