"""The organisation's own words, and what people say for them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from retrieval.errors import BadGlossary
from retrieval.language.words import words_of
from retrieval.metadata.strict_yaml import facet_values, load

ABBREVIATED = 2
"""Capitals from which a word is an abbreviation."""
NO_WORDS = "has no words, so no question would ever have it"


@dataclass(frozen=True, slots=True)
class Glossary:
    """A glossary has terms as documents write them, each with other words for it."""

    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By term; no other word stands for two."""

    def meant_in(self, text: str, is_english: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
        """Where in a text another word for a term ends, and the term, where the text lacks it.

        Any case will do, but for an abbreviation that in small letters is a word of English:
        "IT" is a department, and "it" is not.
        """
        for term, others in self.terms.items():
            said = ((other, _found(other, text)) for other in others)
            found = next(
                (each for other, each in said if each and _is_meant(other, each[0], is_english)),
                None,
            )
            if found and not has_words(term, text):
                yield found.end(), term


def load_glossary(path: Path) -> Glossary:
    """Read `term: [other words]`; raise `BadGlossary`, with the file and what is wrong with it."""
    try:
        stated = load(path.read_text(encoding="utf-8"), own=True)
    except FileNotFoundError as error:
        raise BadGlossary(f"{path} is not there. Write it, or leave VOUCH_GLOSSARY out.") from error
    except (OSError, ValueError) as error:
        raise BadGlossary(f"{path}: {error}.") from error
    if not isinstance(stated, dict) or not stated:
        raise BadGlossary(f"{path} needs lines such as `paid time off: [PTO, holiday]`.")
    terms: dict[str, tuple[str, ...]] = {}
    owners: dict[tuple[str, ...], str] = {}
    for key, others in stated.items():
        try:
            [term], said = facet_values(key), facet_values(others)
        except ValueError as error:
            raise BadGlossary(f"{path}, {key}: {error}.") from error
        for each in (term, *said):
            words = tuple(words_of(each))
            if not words:
                raise BadGlossary(f"{path}, {key}: {each!r} {NO_WORDS}.")
            if words in owners:
                raise BadGlossary(
                    f"{path} has {each!r} twice, under {owners[words]!r} and {term!r}. "
                    "Leave one out."
                )
            owners[words] = term
        terms[term] = said
    return Glossary(terms)


def as_yaml(term: str, others: Sequence[str]) -> str:
    """One line of a glossary, that `load_glossary` reads again as it was meant."""
    line: str = yaml.safe_dump(
        {term: list(others)}, default_flow_style=None, width=10_000, allow_unicode=True
    )
    return line.strip()


def has_words(term: str, text: str) -> bool:
    """Tell whether a text has the words of a term one after another, in any case."""
    return _found(term, text) is not None


def _is_meant(other: str, typed: str, is_english: Callable[[str], bool]) -> bool:
    capitals = sum(each.isupper() for each in other)
    return typed == other or capitals < ABBREVIATED or not is_english(typed.casefold())


def _found(words: str, text: str) -> re.Match[str] | None:
    pattern = r"[\W_]+".join(map(re.escape, words_of(words)))
    return re.search(rf"(?<![^\W_]){pattern}(?![^\W_])", text, re.IGNORECASE)
