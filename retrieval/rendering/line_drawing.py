"""Lines of a document as a picture: numbered, what is cited highlighted, wide as a phone is.

Its text stands in few wide characters, for Slack shows a picture no wider than its window.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from retrieval.errors import NoPicture
from retrieval.rendering.fonts import is_drawn, sans
from retrieval.rendering.highlighting import highlighted
from retrieval.rendering.page_drawing import Drawn, as_png
from retrieval.rendering.picture import Line

WIDTH = 960
"""Pixels; a phone shows a third of them to an inch, so that the text is as large as its own."""
_SIZE, _LABEL_SIZE, _ROW = 36, 28, 50
"""Pixels of the text, of the numbers, and from one row to the next."""
_EDGE, _GAP = 24, 20
"""Pixels around all of it, and between two lines."""
MOST_ROWS = 48
"""A picture with more is no longer looked at."""
CONTEXT_ROWS = 3
"""Of a line that is not cited, those next to what is."""
_INK, _PALE = (17, 17, 17), (89, 89, 89)
"""17:1 and 7:1 to white (WCAG 2.2, 1.4.3 asks 4.5:1)."""
_LONGEST = 20_000
"""Characters of one line."""


def draw_lines(lines: Sequence[Line]) -> Drawn:
    """Draw lines one below the other.

    Raise `NoPicture` for what the font has no shapes for, and for what is too long to be seen.
    """
    beside = max((sans(_LABEL_SIZE).getlength(_shown(line.label)) for line in lines), default=0)
    left = _EDGE + (round(beside) + _GAP if beside else 0)
    rows = [_rows(lines, at, WIDTH - _EDGE - left) for at in range(len(lines))]
    count = sum(map(len, rows))
    if not count or count > MOST_ROWS:
        raise NoPicture("The lines are too many for a picture.")
    height = 2 * _EDGE + count * _ROW + _GAP * (len(lines) - 1)
    image = Image.new("RGB", (WIDTH, height), "white")
    draw = ImageDraw.Draw(image)
    cited: list[tuple[float, float, float, float]] = []
    y = _EDGE
    for line, own in zip(lines, rows, strict=True):
        label, middle = _shown(line.label), (_SIZE - _LABEL_SIZE) * 2 // 3
        draw.text((_EDGE, y + middle), label, _PALE, sans(_LABEL_SIZE))
        if line.is_cited:
            cited.append((left - _GAP / 2, y - 6, WIDTH - _EDGE / 2, y + len(own) * _ROW - 4))
        for row in own:
            draw.text((left, y), row, _INK if line.is_cited else _PALE, sans(_SIZE))
            y += _ROW
        y += _GAP
    return as_png(highlighted(image, cited, outline=2)), WIDTH, height, 1.0, 0.0, 0.0


def _rows(lines: Sequence[Line], at: int, width: int) -> list[str]:
    """A line's text in rows; of one that is not cited, only what stands next to the cited ones."""
    rows = list(_wrapped(_shown(lines[at].text), width))
    if lines[at].is_cited or len(rows) <= CONTEXT_ROWS:
        return rows
    if any(line.is_cited for line in lines[at:]):
        first, *others = rows[-CONTEXT_ROWS:]
        return [f"… {first.partition(' ')[2]}", *others]
    *others, last = rows[:CONTEXT_ROWS]
    return [*others, f"{last.rpartition(' ')[0]} …"]


def _wrapped(text: str, width: int) -> Iterator[str]:
    font, row = sans(_SIZE), ""
    for word in text.split():
        longer = f"{row} {word}" if row else word
        if font.getlength(longer) <= width:
            row = longer
            continue
        if row:
            yield row
        row = word
        while font.getlength(row) > width:  # an address, say: broken where the row ends
            fits = next(n for n in range(len(row) - 1, 0, -1) if font.getlength(row[:n]) <= width)
            yield row[:fits]
            row = row[fits:]
    if row:
        yield row


def _shown(text: str) -> str:
    """As it is drawn: composed, without what is not seen; raise `NoPicture`."""
    if len(text) > _LONGEST:
        raise NoPicture("The lines are too long for a picture.")
    composed = unicodedata.normalize("NFC", text)
    seen = "".join(each for each in composed if unicodedata.category(each) != "Cf")
    missing = next((each for each in seen if not is_drawn(each)), "")
    if missing:
        raise NoPicture(f"The font has no shape for U+{ord(missing):04X}.")
    return seen
