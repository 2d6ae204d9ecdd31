"""What a library makes of a marked-up text is found again in that text, word by word."""

import re

from retrieval.parsing.placed import PlacedText, join

_WORD = re.compile(r"\S+")
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
        """Program text, whose lines stand as they are, but for their indent."""
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
