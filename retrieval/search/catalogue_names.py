"""Which two documents a question names that asks how they differ, and what it asks of them.

"Compare the travel policy and the remote work policy on meals": where the two names begin and end
is told by what the documents are called, and by nothing else.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.search.catalogue import NameStems, called_so
from retrieval.types import Document

BESIDE = 2
"""Words from a name, within which a number tells an edition: "policy 2026", "policy edition 2"."""


@dataclass(frozen=True, slots=True)
class Named:
    """Two documents are named, in this order."""

    one: Document
    other: Document
    aspect: str
    """What is asked of both, in the question's words; empty for everything."""


@dataclass(frozen=True, slots=True)
class _Found:
    document: Document
    name: Sequence[str]
    left: Sequence[str]
    """Words that are no part of the name."""


def two_named(
    question: str, is_around: Callable[[str], bool], documents: Sequence[Document]
) -> Named | None:
    """The two of the documents that a question names, each of which can be meant alone; else None.

    `is_around` tells words that say nothing of what is compared. Words that both names share may
    stand with the second alone: "the 2024 and the 2026 leave policy".
    """
    names = [NameStems.of(each) for each in documents]
    known = frozenset[str]().union(*(each.all for each in names))
    called = cache(lambda wanted: called_so(wanted, names))
    found = [
        named
        for before, after in _cut(question, is_around)
        for named in _both(before, after, lambda name, left: _meant(name, left, known, called))
    ]
    fewest = min((len(words_of(each.aspect)) for each in found), default=0)
    best = [each for each in found if len(words_of(each.aspect)) == fewest]
    pairs = {frozenset((each.one.document_id, each.other.document_id)) for each in best}
    return best[0] if len(pairs) == 1 else None


def _cut(
    question: str, is_around: Callable[[str], bool]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """What stands before and after each word that may join two names."""
    words = words_of(question)
    silent = [each in FUNCTION_WORDS or is_around(each) for each in words]
    carrying = [each for each, is_silent in zip(words, silent, strict=True) if not is_silent]
    places = {
        sum(not each for each in silent[:n]) for n, is_silent in enumerate(silent) if is_silent
    }
    for at in sorted(places - {0, len(carrying)}):
        yield carrying[:at], carrying[at:]


def _both(
    before: Sequence[str],
    after: Sequence[str],
    meant: Callable[[Sequence[str], Sequence[str]], _Found | None],
) -> Iterator[Named]:
    """By the longest names; none where a number beside one is no part of it: another edition."""
    for end in range(len(after), 0, -1):
        other = meant(after[:end], after[end:])
        if other is None:
            continue
        for start in range(len(before)):
            shared = [other.name[n:] for n in range(len(other.name), 0, -1)]
            tried = (meant((*before[start:], *more), before[:start]) for more in shared)
            one = next((each for each in tried if each and each.document != other.document), None)
            if one and not any(map(str.isdecimal, (*one.left[-BESIDE:], *other.left[:BESIDE]))):
                yield Named(one.document, other.document, " ".join((*one.left, *other.left)))
            if one:
                return
        return


def _meant(
    name: Sequence[str],
    left: Sequence[str],
    known: frozenset[str],
    called: Callable[[frozenset[str]], Sequence[Document]],
) -> _Found | None:
    """The one document that is called so; "number 3" is 3 where no title has the word."""
    numbered = (*(word.isdecimal() for word in name[1:]), False)
    each = [(stems([word]), skip) for word, skip in zip(name, numbered, strict=True)]
    if not all(word <= known or skip for word, skip in each):
        return None
    meant = called(frozenset().union(*(word for word, _ in each)) & known)
    return _Found(meant[0], name, left) if len(meant) == 1 else None
