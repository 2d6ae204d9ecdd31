"""What a glossary may take over from documents that explain their abbreviations."""

from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.language.glossary import Glossary
from retrieval.language.long_forms import long_forms
from retrieval.language.words import words_of
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal is a term, other words for it, and the first file that explains them."""

    term: str
    others: tuple[str, ...]
    file: str


def proposals(passages: Iterable[Passage], glossary: Glossary) -> list[Proposal]:
    """One for each long form, by term; together they are a glossary that can be read.

    A short form that is explained in two ways is left out, for it stands for either; so is what
    the glossary has.
    """
    terms: dict[tuple[str, ...], tuple[str, str]] = {}
    of_short: dict[str, set[tuple[str, ...]]] = {}
    written: dict[str, str] = {}
    for passage in passages:
        for short, long in long_forms(passage.text):
            key = tuple(words_of(long))
            terms.setdefault(key, (long, passage.document.file))
            of_short.setdefault(short.casefold(), set()).add(key)
            written.setdefault(short.casefold(), short)
    known = {
        tuple(words_of(each)) for term, others in glossary.terms.items() for each in (term, *others)
    }
    shorts: dict[tuple[str, ...], list[str]] = {}
    for short, keys in of_short.items():
        own = tuple(words_of(short))
        if len(keys) == 1 and not {own, *keys} & known and own not in terms:
            [key] = keys
            shorts.setdefault(key, []).append(written[short])
    found = [
        Proposal(terms[key][0], tuple(sorted(said)), terms[key][1]) for key, said in shorts.items()
    ]
    return sorted(found, key=lambda each: each.term.casefold())
