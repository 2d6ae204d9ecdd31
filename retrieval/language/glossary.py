"""The organisation's own words, and what people say for them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from retrieval.errors import BadGlossary
from retrieval.language.words import words_of
from retrieval.metadata.strict_yaml import facet_values, load
from retrieval.types import Passage

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
            words = tuple(_raw_words(each.casefold()))
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


def _raw_words(text: str) -> list[str]:
    """With their accents: a glossary has "résumé" beside "resume" where both are typed."""
    return re.findall(r"[^\W_]+", text)


def _found(words: str, text: str) -> re.Match[str] | None:
    pattern = r"[\W_]+".join(map(re.escape, _raw_words(words)))
    return re.search(rf"(?<![^\W_]){pattern}(?![^\W_])", text, re.IGNORECASE)


INITIALS = 2
"""Letters of a short form up to which each begins a word of the long one."""
_SHORT = re.compile(r"\(([A-Za-z][\w&./-]{1,9})\)")
_WORD = re.compile(r"[^\s()]+")
_BOUND = re.compile(r"[.;:!?]\s|[()\n]")


def long_forms(text: str) -> Iterator[tuple[str, str]]:
    """Each short form of 2 to 10 letters, two of them capitals, and its long form, as written.

    The long form has at most min(letters + 5, 2 * letters) words, in one sentence, as published.
    """
    for short, before in _in_brackets(text):
        if sum(each.isupper() for each in short) < 2:
            continue
        letters = sum(map(str.isalnum, short))
        words = list(_WORD.finditer(before))[-min(letters + 5, 2 * letters) :]
        if not words:
            continue
        long = _shortest(short, before[words[0].start() :])
        if long and short.casefold() not in long.casefold().split():
            yield short, long


def _in_brackets(text: str) -> Iterator[tuple[str, str]]:
    """What stands in brackets, and what its sentence says before; each bound is looked at once."""
    bounds, start = _BOUND.finditer(text), 0
    bound = next(bounds, None)
    for found in _SHORT.finditer(text):
        end = found.start()
        while end > start and text[end - 1].isspace():
            end -= 1
        while bound and bound.end() <= end:
            start, bound = bound.end(), next(bounds, None)
        yield found[1], text[start:end]


def _shortest(short: str, before: str) -> str:
    """From the right, letter by letter; empty where one is not there."""
    at, initials = len(before), len(short) <= INITIALS
    for n in range(len(short) - 1, -1, -1):
        letter = short[n].casefold()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= 0 and not (
            before[at].casefold() == letter
            and ((n > 0 and not initials) or at == 0 or not before[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return ""
    return before[before.rfind(" ", 0, at + 1) + 1 :].strip(" ,/\"'“”*_")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal is a term, other words for it, and the first file that explains them."""

    term: str
    others: tuple[str, ...]
    file: str


def proposals(passages: Iterable[Passage], glossary: Glossary) -> list[Proposal]:
    """One for each long form, by term, that a single short form stands for; none that is known."""
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
