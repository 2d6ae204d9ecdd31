"""Which cells of a table's row a claim rests on, so that they can be shown and not the whole row.

Found by words alone: a cell is cited whose value stands in the claim. Where that leaves nothing, or
only what the row is about, the whole row is cited: the claim then says the value in other words.
"""

import re

from retrieval.types import Box, Cell, Sentence

_LONGEST_SIGN = 2
"""Characters: values as short as a grade are told by their case, `A` is not `a`."""


def cited_cells(claim: str, sentence: Sentence) -> tuple[Cell, ...]:
    """Of a row those whose value stands in the claim; none where the whole row is cited."""
    said = " ".join(claim.split())
    cited = tuple(cell for cell in sentence.cells if stands(value_of(cell, sentence), said))
    tells_a_value = any(cell.start > sentence.cells[0].start for cell in cited)
    return cited if tells_a_value and len(cited) < len(sentence.cells) else ()


def cited_boxes(claim: str, sentence: Sentence) -> tuple[Box, ...]:
    """Where what it rests on of a sentence stands: the cells, or the whole sentence.

    With the caption of a picture that is the picture as well.
    """
    boxes = tuple(cell.box for cell in cited_cells(claim, sentence) if cell.box is not None)
    pictures = () if sentence.picture is None else (sentence.picture,)
    return boxes or (*sentence.boxes, *pictures)


def value_of(cell: Cell, sentence: Sentence) -> str:
    """What stands in a cell, as people read it."""
    return sentence.text[cell.start : cell.end]


def stands(value: str, said: str) -> bool:
    """Whether a value stands in a text by itself: `7` stands neither in `17` nor in `7.25`."""
    flags = re.NOFLAG if len(value) <= _LONGEST_SIGN else re.IGNORECASE
    alone = rf"(?<!\w)(?<!\d[.,:/-]){re.escape(value)}(?!\w)(?![.,:/-]\d)"
    return bool(value) and re.search(alone, said, flags) is not None
