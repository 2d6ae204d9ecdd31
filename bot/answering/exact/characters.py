"""A claim is written in its source's own characters: what only looks alike is something else.

A digit of another script, a raised one or a Cyrillic "a" can be told from what it looks like by
nobody who reads, so nothing is made equal before it is compared.
"""

import re
import unicodedata

_WORD = re.compile(r"\S+")
_ORDINARY = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sc", "Zs"})
"""Categories of what no letter or digit is taken for: marks of punctuation, currencies and spaces.
What an amount is in is compared with its number."""
_EDGES = "\"'“”‘’«»()[]{}.,;:!?…–—-"
_LETTERS = re.compile(r"[^\W\d_¹²³¼-¾⁰-₉⅐-↉]+")


def other_characters(claim: str, source: str) -> list[str]:
    """Words of the claim with characters that are none of ASCII, which the source does not have.

    And words of the source in letters of several alphabets, which the claim does not have.
    """
    known, own = _words(source), _words(claim)
    return [
        *(word for word in own if word not in known and not _is_plain(word)),
        *(word for word in known if word not in own and _is_of_several_alphabets(word)),
    ]


def _words(text: str) -> dict[str, None]:
    return dict.fromkeys(word.strip(_EDGES) for word in _WORD.findall(text))


def _is_plain(word: str) -> bool:
    return all(each.isascii() or _is_ordinary(each) for each in word)


def _is_ordinary(character: str) -> bool:
    return unicodedata.category(character) in _ORDINARY or character == "−"


def _is_of_several_alphabets(word: str) -> bool:
    return any(len(set(map(_alphabet, run))) > 1 for run in _LETTERS.findall(word))


def _alphabet(letter: str) -> str:
    """By the first word of its name: LATIN, CYRILLIC, FULLWIDTH."""
    return unicodedata.name(letter, "?").split()[0]
