"""Where one sentence ends and the next begins.

Sentencex is Wikimedia's segmenter: it keeps abbreviations, decimals, addresses and what
stands in quotation marks or brackets together, and is fast enough for whole libraries.
"""

import re

import sentencex  # type: ignore[import-untyped]  # ships no types

_A_WORD = re.compile(r"[^\W\d_]{2}|\d\S*\s+\S")
_NAME = re.compile(r"""[!?]["'”’)]*$""")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The ranges [start, end) of the sentences in folded text, in order, trimmed.

    A piece that holds no word, such as the number of a list item or a lone quotation
    mark, belongs to its neighbour; so does what goes on in lower case ("Yahoo! is").
    """
    spans: list[tuple[int, int]] = []
    waiting: int | None = None
    for boundary in sentencex.get_sentence_boundaries("en", text):
        start, end = _trimmed(text, boundary["start_index"], boundary["end_index"])
        if start == end:
            continue
        if spans and waiting is None and _goes_on(text[slice(*spans[-1])], text[start:end]):
            spans[-1] = (spans[-1][0], end)
        elif _A_WORD.search(text[start:end]):
            spans.append((start if waiting is None else waiting, end))
            waiting = None
        elif waiting is None:
            waiting = start
    if waiting is not None:
        spans.append(_trimmed(text, waiting, len(text)))
    return spans


def _goes_on(sentence: str, piece: str) -> bool:
    wordless = not _A_WORD.search(piece) and not piece[0].isdigit()
    return wordless or (piece[0].islower() and bool(_NAME.search(sentence)))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
