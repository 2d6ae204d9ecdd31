"""Names, and addresses, options and codes, are spelt in one way only."""

import re
from difflib import SequenceMatcher

from retrieval.language.words import stems

_WORD = re.compile(r"[\w@][\w@&'’./:+-]*[\w]|\w")
_SPELT = re.compile(r"[@/_:\\]|\w\.\w|\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]|^[A-Z]{2,}s?$|^--")
_ADDRESS = re.compile(r"[@/:\\]|\w\.\w")
"""Right as a whole or not at all."""
_ABBREVIATED = re.compile(
    r"((?:[A-Z][a-z]+ (?:(?:of|for|the|and|in) )*){2,6})(?:[a-z]+ )?\(([A-Z]{2,6})\)"
)
_NO_NAMES = frozenset(["i", "i'm", "i'll", "i've", "i'd"])


def missing_names(claim: str, source: str) -> list[str]:
    """Names of the claim that the source nowhere has, not even by its initials."""
    known, initials = _parts(source) | _spelt_out(source), _initials(source)
    folded, words = source.casefold(), frozenset(_words(source))
    return [
        name
        for name in _names(claim)
        if not (
            (name in words if len(name) == 1 else name.casefold() in folded)  # as "grade B"
            or (len(name) > 1 and _parts(name) <= known and not _ADDRESS.search(name))
            or name.casefold().removesuffix("s") in initials
        )
    ]


def swapped_name(claim: str, sentence: str) -> tuple[str, str] | None:
    """What the sentence says, and the other name that a near copy says in that place.

    Only where no other name was touched: a list in another order says the same. A name is no
    other one if it begins alike ("Operations", "Ops") or is the initials.
    """
    theirs, own = _told_apart(sentence), _told_apart(claim)
    was_words, now_words = ([word.casefold() for word, _ in some] for some in (theirs, own))
    alignment = SequenceMatcher(None, was_words, now_words, autojunk=False)
    touched = [
        (theirs[start:end], own[own_start:own_end])
        for kind, start, end, own_start, own_end in alignment.get_opcodes()
        if kind != "equal" and (_named(theirs[start:end]) or _named(own[own_start:own_end]))
    ]
    if len(touched) != 1:
        return None
    [(was, now)] = touched
    names, others = _named(was), _named(now)
    shortened = (_initials(sentence) | _initials(claim)) & (names | others)
    alike = {name[:2] for name in names} & {name[:2] for name in others}
    if not names or not others or shortened or alike:
        return None
    return " ".join(word for word, _ in was), " ".join(word for word, _ in now)


def _named(words: list[tuple[str, bool]]) -> set[str]:
    return {word.casefold().removesuffix("s") for word, named in words if named}


def _names(text: str) -> list[str]:
    return [word for word, named in _told_apart(text) if named]


def _told_apart(text: str) -> list[tuple[str, bool]]:
    """All words, and which are names: capitalised within a sentence, or spelt like no word."""
    return [
        (word, _is_name(word, first=number == 0))
        for sentence in re.split(r"(?<=[.!?:;]) ", text)
        for number, word in enumerate(_words(sentence))
    ]


def _is_name(word: str, *, first: bool) -> bool:
    capital = word[0].isupper() and not first
    spelt = _SPELT.search(word) and re.search(r"[A-Za-z]", word)
    return bool(capital or spelt) and word.casefold() not in _NO_NAMES


def _words(text: str) -> list[str]:
    return [re.sub(r"['’]s$", "", word) for word in _WORD.findall(text)]


def _parts(text: str) -> frozenset[str]:
    """Stems of the words' parts, so that "Slack-based" has "Slack"."""
    words = (part for word in _words(text) for part in re.split(r"[\W_]+", word.casefold()))
    return stems(word for word in words if word)


def _spelt_out(source: str) -> frozenset[str]:
    """What it says that an abbreviation means: "Human Resources department (HR)"."""
    return frozenset[str]().union(
        *(
            _parts(name)
            for name, short in _ABBREVIATED.findall(source)
            if "".join(filter(str.isupper, name)) == short
        )
    )


def _initials(text: str) -> set[str]:
    capitals = re.findall(r"(?:\b[A-Z][\w-]+ (?:(?:of|for|the|and|in) )*){1,6}[A-Z][\w-]+", text)
    return {
        "".join(word[0] for word in name.split() if word[0].isupper()).casefold()
        for name in capitals
    }
