"""What is judged and copied as one: a sentence, or a list with the line that leads to it.

"What do I do when my laptop is stolen?" is answered by all steps together and by none of them
alone, nor by the line "If it was stolen:" above them.
"""

import re
from collections.abc import Iterator

from bot.answering.machine_talk import speaks_to_a_machine
from retrieval.types import Passage

Unit = tuple[int, int]
"""The first and the last of its sentences, by index."""

_ITEM = re.compile(r"\n[\s>]*(?:[-*+•◦▪‣–]|\(?(?:\d+|[a-z])[.)])|<li\b")
"""A line that begins as those of lists do; in a DOCX none does."""
_ENDS = re.compile(r"\n|</?(?:p|ul|ol|div|h\d)\b")


def units(passage: Passage) -> list[Unit]:
    """All that may answer; what ends in a colon leads to an answer and is none by itself."""
    alone = [
        (index, index)
        for index, sentence in enumerate(passage.sentences)
        if not sentence.text.endswith(":")
    ]
    return [unit for unit in (*alone, *_lists(passage)) if _speaks_to_people(passage, unit)]


def text_of(passage: Passage, unit: Unit) -> str:
    first, last = unit
    return " ".join(sentence.text for sentence in passage.sentences[first : last + 1])


def _lists(passage: Passage) -> Iterator[Unit]:
    for first, sentence in enumerate(passage.sentences[:-1]):
        if sentence.text.endswith(":") and _ITEM.search(_between(passage, first)):
            last = first + 1
            while last + 1 < len(passage.sentences) and _goes_on(passage, last):
                last += 1
            yield first, last


def _goes_on(passage: Passage, index: int) -> bool:
    """Whether the sentence after this one is the next item, or more of the same item."""
    between = _between(passage, index)
    return bool(_ITEM.search(between)) or not _ENDS.search(between)


def _between(passage: Passage, index: int) -> str:
    """The source between a sentence and the next: white space and markup."""
    start = passage.sentences[0].char_start
    one, other = passage.sentences[index], passage.sentences[index + 1]
    return passage.source[one.char_end - start : other.char_start - start]


def _speaks_to_people(passage: Passage, unit: Unit) -> bool:
    first, last = unit
    return not any(speaks_to_a_machine(s.text) for s in passage.sentences[first : last + 1])
