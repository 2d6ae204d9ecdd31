"""What a text names: people, offices, forms, systems, by how English writes their names."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from retrieval.language.words import SUBJECTLESS

_WORD = r"[A-Z][\w&'’-]*"
_NAME = re.compile(rf"{_WORD}(?:\s+(?:(?:of|for|and|de|van)\s+(?:the\s+)?)?{_WORD})*")
_ABBREVIATION = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z])[A-Z0-9][\w-]+\b")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|#[a-z][\w-]+")
"""E-mail addresses and channels."""


def entities_in(sentences: Sequence[str]) -> list[str]:
    """Each once, those that are named most often first, then as they stand.

    A capital letter at the start of a sentence tells nothing, so a single word there is no name
    unless it is an abbreviation.
    """
    counts = Counter(name for sentence in sentences for name in _names(sentence))
    return [name for name, _ in counts.most_common()]


def _names(sentence: str) -> Iterator[str]:
    yield from _ADDRESS.findall(sentence)
    rest = _ADDRESS.sub(" ", sentence)
    for found in _NAME.finditer(rest):
        name = _without_function_words(found[0])
        begins = not re.search(r"\w", rest[: found.start()])
        several = " " in name or bool(_ABBREVIATION.fullmatch(name))
        if name and (several or (not begins and len(name) > 1)):
            yield name


def _without_function_words(name: str) -> str:
    """Not "The" of "The Registrar", nor "If" of "If Finance"."""
    words = name.split()
    while words and words[0].casefold() in SUBJECTLESS:
        words.pop(0)
    while words and words[-1].casefold() in SUBJECTLESS:
        words.pop()
    return " ".join(words).removesuffix("'s").removesuffix("’s").rstrip("-&'’")
