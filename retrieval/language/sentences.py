"""Where one sentence of a text ends and the next begins, and whether it is in English.

Sentencex is Wikimedia's segmenter: it keeps abbreviations, decimals, addresses and what stands in
quotation marks or brackets together, and is fast enough for whole libraries.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import sentencex  # type: ignore[import-untyped]  # ships no types

from retrieval.language.words import RAISED_DIGITS, SUBJECTLESS
from retrieval.parsing.limits import LONGEST_SENTENCE

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LEAST_ENGLISH = 0.005
"""Probability, 0 to 1, under which a text is not in English. Of the 10,791 English questions and
remarks that were in `retrieval/training` and `tests/bot/slack/heard` and have at least
`FEWEST_WORDS`, none lies lower; the lowest that is no piece of code has 0.010."""
FEWEST_WORDS = 3
"""In an alphabet that English is written in too, fewer words tell no language from another."""
UNMISTAKABLE = 4
"""Letters from which a function word is hardly one of another language too: not "am" and "was"."""
ENOUGH = 2
"""Such words in an English question about something foreign: "what does Hausarbeit mean"."""
LEAST_OURS = 0.25
"""Share of function words, 0 to 1, from which a document's text is English without asking further.
Of 4,786 paragraphs of the 18F handbook 992 have less, of which three, links alone, are not taken
for English; of 19 in German, French, Spanish and Hindi none has more than 0.13."""
MOST_READ = 5_000
"""Characters of a text by which its language is told."""
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]")


def asked_in_english(question: str) -> bool:
    """In doubt it is: a short one, one of numbers and names."""
    words = _WORD.findall(question)
    ours = [word for word in words if len(word) >= UNMISTAKABLE and word.lower() in SUBJECTLESS]
    return len(ours) >= ENOUGH or _may_be_english(question, words)


def written_in_english(text: str) -> bool:
    """Likewise of a document's text; the model, slow to load, is asked of few that are English."""
    read = text[:MOST_READ]
    words = _WORD.findall(read)
    ours = sum(word.lower() in SUBJECTLESS for word in words)
    return ours >= LEAST_OURS * len(words) or _may_be_english(read, words)


def _may_be_english(text: str, words: list[str]) -> bool:
    latin = sum(1 for word in words if _LATIN.search(word))
    if latin * 2 >= len(words) and len(words) < FEWEST_WORDS:
        return True
    return bool(dict(_model().rank(text))["en"] >= LEAST_ENGLISH)


@cache
def _model() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


_A_WORD = re.compile(r"[^\W\d_]{2}|\d[^\s\d]*\s+\S")
_NAME = re.compile(r"""[!?]["'”’)]*$""")
_ORDINAL = re.compile(r"(?<![\w.,])\d{1,3}\.$")
"""In other languages than English it may be read with what stands behind it: "1. März"."""
_MARK_OF_NOTE = re.compile(f"[{RAISED_DIGITS}]+")
_NAME_WITHIN = 40
"""Characters at the end of a sentence in which its last mark stands."""
_AT_ONCE = 2 * LONGEST_SENTENCE
"""Characters handed to sentencex, whose time is quadratic in unpaired quotation marks."""


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The ranges [start, end) of the sentences in folded text, in order, trimmed.

    A piece that holds no word, such as the number of a list item or a lone quotation
    mark, belongs to its neighbour; so do what goes on in lower case ("Yahoo! is"), what stands
    behind a number and a dot in another language than English, and the raised mark of a note right
    behind a full stop.
    A sentence longer than is read is cut, at white space where there is some.
    """
    return [piece for span in _whole(text) for piece in cut(text, *span)]


def _whole(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    waiting: int | None = None
    in_english = cache(lambda: written_in_english(text))
    for first, last in _bounds(text):
        start, end = _trimmed(text, first, last)
        mark = _MARK_OF_NOTE.match(text, start)
        if mark and spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], mark.end())
            start, end = _trimmed(text, mark.end(), last)
        if start == end:
            continue
        before = ""
        if spans and waiting is None:
            before = text[max(spans[-1][0], spans[-1][1] - _NAME_WITHIN) : spans[-1][1]]
        ordinal = _ORDINAL.search(before) is not None and not in_english()
        if before and (ordinal or _goes_on(before, text[start:end])):
            spans[-1] = (spans[-1][0], end)
        elif _A_WORD.search(text[start:end]):
            spans.append((start if waiting is None else waiting, end))
            waiting = None
        elif waiting is None:
            waiting = start
    if waiting is not None:
        spans.append(_trimmed(text, waiting, len(text)))
    return spans


def _bounds(text: str) -> Iterator[tuple[int, int]]:
    """Sentencex's ranges; in a long text it goes on where a piece's last sentence begins."""
    start = 0
    while start < len(text):
        window = text[start : start + _AT_ONCE]
        found = [
            (start + bound["start_index"], start + bound["end_index"])
            for bound in sentencex.get_sentence_boundaries("en", window)
        ]
        is_last = start + len(window) == len(text)
        complete = found if is_last or len(found) < 2 else found[:-1]
        yield from complete
        start = complete[-1][1] if complete and not is_last else start + len(window)


def cut(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """A range of folded text, in pieces no longer than a sentence may be."""
    end = len(text) if end is None else end
    while end - start > LONGEST_SENTENCE:
        space = text.rfind(" ", start, start + LONGEST_SENTENCE + 1)
        stop = space if space > start else start + LONGEST_SENTENCE
        yield start, stop
        start = stop + (text[stop] == " ")
    yield start, end


def _goes_on(ending: str, piece: str) -> bool:
    """Whether a piece belongs to the sentence of that ending."""
    wordless = not _A_WORD.search(piece) and not piece[0].isdigit()
    return wordless or (piece[0].islower() and bool(_NAME.search(ending)))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


_NUMBERED = (
    r" ?(?:\d{1,3}|[A-Z])(?:[.-]\d{1,3}){0,2}"
    r"(?:[.:]| [\u2013\u2014-])(?=\s|$)"
)
_PICTURES = r"figure|fig\.|chart|exhibit|plate"
CAPTION = re.compile(rf"(?:{_PICTURES}|table|listing){_NUMBERED}", re.IGNORECASE)
"""Such as "Figure 3:" or "Table 2.1."; "Table 2 shows" begins a sentence."""
_OF_TABLE = re.compile(rf"table{_NUMBERED}", re.IGNORECASE)
_OF_PICTURE = re.compile(rf"(?:{_PICTURES}){_NUMBERED}", re.IGNORECASE)


def names_picture(text: str) -> bool:
    """Whether a text begins as the caption of a picture does, not as that of a table."""
    return _OF_PICTURE.match(text) is not None


def names_table(text: str) -> bool:
    return _OF_TABLE.match(text) is not None
