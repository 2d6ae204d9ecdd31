"""Where one sentence ends and the next begins.

Sentencex is Wikimedia's segmenter: it keeps abbreviations, decimals, addresses and what
stands in quotation marks or brackets together, and is fast enough for whole libraries.
"""

import re

import sentencex  # type: ignore[import-untyped]

_A_WORD = re.compile(r"[^\W\d_]{2}|\d\S*\s+\S")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The ranges [start, end) of the sentences in folded text, in order, trimmed.

    A piece that holds no word, such as the number of a list item or a lone quotation
    mark, belongs to its neighbour.
    """
    spans: list[tuple[int, int]] = []
    waiting: int | None = None
    for boundary in sentencex.get_sentence_boundaries("en", text):
        start, end = boundary["start_index"], boundary["end_index"]
        if waiting is not None:
            start = waiting
        waiting = None
        piece = text[start:end]
        if not piece.strip():
            continue
        if _A_WORD.search(piece):
            spans.append(_trimmed(text, start, end))
        elif spans:
            spans[-1] = _trimmed(text, spans[-1][0], end)
        else:
            waiting = start
    if waiting is not None:
        spans.append(_trimmed(text, waiting, len(text)))
    return spans


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
