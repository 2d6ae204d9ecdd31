"""Names and what is spelt in one way only: addresses, options, codes."""

import re

from Stemmer import Stemmer

_WORD = re.compile(r"[\w@][\w@&'’./:+-]*[\w]|\w")
_SPELT = re.compile(r"[@/_:\\]|\w\.\w|\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]|^[A-Z]{2,}s?$|^--")
_ADDRESS = re.compile(r"[@/:\\]|\w\.\w")
"""Right as a whole or not at all."""
_NO_NAMES = frozenset(["i", "i'm", "i'll", "i've", "i'd"])


def missing_names(claim: str, source: str) -> list[str]:
    """Names of the claim that the source nowhere has, not even by its initials."""
    known, initials = _parts(source), _initials(source)
    folded = source.casefold()
    return [
        name
        for name in _names(claim)
        if not (
            name.casefold() in folded
            or (_parts(name) <= known and not _ADDRESS.search(name))
            or name.casefold().removesuffix("s") in initials
        )
    ]


def _names(claim: str) -> list[str]:
    """Capitalised words within sentences, and what is spelt like no word."""
    found = []
    for sentence in re.split(r"(?<=[.!?:;]) ", claim):
        for number, word in enumerate(_words(sentence)):
            capital = word[0].isupper() and number > 0
            named = capital or (_SPELT.search(word) and re.search(r"[A-Za-z]", word))
            if named and word.casefold() not in _NO_NAMES:
                found.append(word)
    return found


def _words(text: str) -> list[str]:
    return [re.sub(r"['’]s$", "", word) for word in _WORD.findall(text)]


def _parts(text: str) -> set[str]:
    """Stems of the words' parts, so that "Slack-based" has "Slack"."""
    stem = Stemmer("english").stemWord
    return {
        stem(part) for word in _words(text) for part in re.split(r"[\W_]+", word.casefold()) if part
    }


def _initials(text: str) -> set[str]:
    capitals = re.findall(r"(?:\b[A-Z][\w-]+ (?:(?:of|for|the|and|in) )*){1,6}[A-Z][\w-]+", text)
    return {
        "".join(word[0] for word in name.split() if word[0].isupper()).casefold()
        for name in capitals
    }
