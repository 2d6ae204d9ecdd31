"""Program text is set in a typewriter font, line by line, and stands as it is printed.

Whether a font is one is told by its letters: an `i` takes as much room as an `m`. Names of fonts
and what fonts say of themselves are missing too often.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from retrieval.language.sentences import CAPTION
from retrieval.parsing.pdf.layout import LARGER, Body
from retrieval.parsing.pdf.lines import Line, Table

_NARROW = re.compile(r"[fijlrtI.,:;'|!()\[\]]")
_WIDE = re.compile(r"[abdeghkmnopquvwxyzA-HK-Z0-9]")
"""In any other font, of Latin letters, wider than those."""
_SAME = 0.02
"""Of the font size: widths that differ less are the same."""
_LEAST_FILLED = 0.9
"""Of a line by its characters, set side by side; of text that climbs the page all are as wide."""
_LEAST_PROSE = 0.2
"""Of a document's characters in other fonts; with fewer it is a typescript."""
_BLANK_LINES = 4.0
"""In font sizes from line to line: a blank line or two do not end program text."""
_CLOSE = 1.5
"""In font sizes from line to line: so near one goes on with the other."""
_FULL, _WORDS = 0.85, 5.0
"""Of the widest line, and words: on average, lines of wrapped prose have as much."""
_SAME_SIZE = 0.6
_ENDS = (".", "!", "?", ":", ";")


def mark_code(
    pages: Sequence[Sequence[Line | Table]], body: Body, left_out: Mapping[int, object]
) -> None:
    """Say of each line of which run of program text on its page it is, and set it as printed.

    `left_out` has the ids of lines that are no text of the document.
    """
    lines = [block for blocks in pages for block in blocks if isinstance(block, Line)]
    fonts = _typewriter_fonts(lines, body)
    if not fonts:
        return
    for blocks in pages:
        for number, run in enumerate(_runs(blocks, fonts, left_out), start=1):
            left = min(line.box[0] for line in run)
            for line in run:
                line.code = number
                line.set_in_columns(left, _pitch(line) or line.style.size)


def _typewriter_fonts(lines: Sequence[Line], body: Body) -> frozenset[str]:
    """None of a document that is set in them as a whole."""
    fonts = frozenset(
        style.font
        for line in lines
        if line.style.size < body.size * LARGER and _NARROW.search(line.text)
        if _WIDE.search(line.text) and _pitch(line) is not None
        for style in line.styles
    )
    every = sum(len(line.text) for line in lines)
    others = sum(len(line.text) for line in lines if not _fonts(line) <= fonts)
    return fonts if others >= _LEAST_PROSE * every else frozenset()


def _fonts(line: Line) -> set[str]:
    return {style.font for style in line.styles}


def _pitch(line: Line) -> float | None:
    """How wide each of its characters is, in points; None where they differ."""
    boxes = np.frombuffer(line.boxes).reshape(-1, 4)
    boxes = boxes[~np.isnan(boxes[:, 0])]
    if not len(boxes):
        return None
    widths = boxes[:, 2] - boxes[:, 0]
    pitch = float(widths.mean())
    across = float(boxes[:, 2].max() - boxes[:, 0].min())
    is_even = np.ptp(widths) <= _SAME * line.style.size
    return pitch if pitch > 0 and is_even and across >= _LEAST_FILLED * len(boxes) * pitch else None


def _runs(
    blocks: Sequence[Line | Table], fonts: frozenset[str], left_out: Mapping[int, object]
) -> Iterator[list[Line]]:
    run: list[Line] = []
    above: Line | None = None
    """Of the run."""
    before: Line | None = None
    for block in [*blocks, None]:
        line = block if isinstance(block, Line) and id(block) not in left_out else None
        is_code = line is not None and _may_be_code(line, fonts)
        if run and not (line and is_code and _goes_on(run[-1], line)):
            if _is_program(run, above):
                yield run
            run = []
        if line and is_code:
            above = above if run else before
            run.append(line)
        before = line


def _may_be_code(line: Line, fonts: frozenset[str]) -> bool:
    told = _fonts(line) <= fonts and _pitch(line) is not None
    return told and CAPTION.match(line.text) is None


def _goes_on(above: Line, line: Line) -> bool:
    size = max(above.style.size, 1.0)
    distance = (line.box[1] - above.box[1]) / size
    same_size = abs(above.style.size - line.style.size) <= _SAME_SIZE
    return same_size and not line.has_dot and -_SAME_SIZE < distance <= _BLANK_LINES


def _is_program(run: Sequence[Line], above: Line | None) -> bool:
    """Whether it has several lines, which are no prose and go on with none."""
    first = run[0]
    several = run[-1].box[1] - first.box[1] > 0.5 * first.style.size
    return several and not _is_prose(run) and not (above and _leads_into(above, first))


def _is_prose(run: Sequence[Line]) -> bool:
    widest = max(line.box[2] - line.box[0] for line in run)
    filled = fmean((line.box[2] - line.box[0]) / max(widest, 1.0) for line in run[:-1])
    words = fmean(len(line.text.split()) for line in run)
    return filled >= _FULL and words >= _WORDS


def _leads_into(above: Line, line: Line) -> bool:
    """Whether a paragraph goes on, with words such as those of a long path."""
    size = max(above.style.size, 1.0)
    near = 0 < line.box[1] - above.box[1] < _CLOSE * size
    alike = abs(above.style.size - line.style.size) <= _SAME_SIZE and not above.is_bold
    is_closed = CAPTION.match(above.text) or above.text.rstrip().endswith(_ENDS)
    return near and alike and not is_closed
