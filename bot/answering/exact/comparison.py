"""Comparison, and never a model, tells what in a claim its sources do not bear out."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from bot.answering.exact.amounts import WHEN, missing_amounts
from bot.answering.exact.connections import invented_connections
from bot.answering.exact.names import missing_names, swapped_name
from bot.answering.exact.near_copies import (
    NEAR_COPY,
    Alignment,
    align,
    cut_short,
    differences,
    omitted_condition,
    says_something,
)
from bot.answering.exact.table_rows import of_another_column, of_another_row
from bot.answering.exact.writing import plainly
from retrieval.language.questions import is_anaphoric
from retrieval.language.table_rows import cells_of
from retrieval.language.words import FUNCTION_WORDS, stems


def objections(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """In plain words, for the audit; empty where nothing speaks against the claim.

    `sentences` are those of the cited passages, the first one's heading before all others.
    """
    claim, sentences = plainly(claim), [plainly(each) for each in sentences]
    source = "\n".join(sentences)
    unknown = [*missing_amounts(claim, source), *missing_names(claim, source)]
    nearest = _nearly_copied(claim, sentences)
    swapped = _swapped_name(claim, nearest, sentences) if nearest else None
    return (
        *(f"the source does not say “{each}”" for each in unknown),
        *([f"it says “{swapped[1]}” where its source says “{swapped[0]}”"] if swapped else []),
        *said_of_another(claim, sentences[1:] or sentences),
        *differences(claim, sentences),
        *of_another_column(claim, sentences),
    )


def against(
    claim: str, source: str, sentences: Sequence[str], left: Sequence[str]
) -> tuple[str, ...]:
    """What no source of all that are cited bears out; in plain words, for the audit.

    `sentences` are those of the source; `left` is what the claim leaves out.
    """
    unknown = missing_addresses(claim, source)
    return (
        *(f"it leaves out “{each}”" for each in left),
        *(f"the source does not say “{each}”" for each in unknown),
        *cut_short(claim, sentences),
        *said_of_another(claim, sentences),
        *([] if says_something(claim) else ["it is too little to say anything"]),
    )


_ADDRESS = re.compile(
    r"\w[\w+.-]*://[^\s<>\"“”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|www\.[^\s<>\"“”]+"
    r"|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?/[^\s<>\"“”]*",
    re.IGNORECASE,
)


def missing_addresses(claim: str, source: str) -> list[str]:
    """Those of the claim that the source does not have."""
    named = source.casefold()
    found = (each.rstrip(".,;:!?)]}’”") for each in _ADDRESS.findall(claim))
    return [address for address in dict.fromkeys(found) if address.casefold() not in named]


def said_of_another(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """What it says of one that its sources say of another; in plain words, for the audit."""
    exchanged = exchanged_roles(claim, sentences)
    return (
        *(f"“{one}” and “{other}” stand in each other's place" for one, other in exchanged),
        *of_another_row(claim, sentences),
    )


def _nearly_copied(claim: str, sentences: Sequence[str]) -> Alignment | None:
    nearest = align(claim, sentences)
    return nearest if nearest and nearest.alike >= NEAR_COPY else None


def _swapped_name(
    claim: str, nearest: Alignment, sentences: Sequence[str]
) -> tuple[str, str] | None:
    """None where the sentence before has both names, as in "The Registrar is Anna Silva."."""
    swapped = swapped_name(claim, nearest.sentence)
    before = _before(nearest, sentences).casefold()
    return None if swapped and all(name.casefold() in before for name in swapped) else swapped


def _before(nearest: Alignment, sentences: Sequence[str]) -> str:
    at = sentences.index(nearest.sentence)
    return sentences[at - 1] if at else ""


def doubts(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """What may be implied, or told in other words: a model must be sure of it.

    Connections that no source words, and conditions of what the claim nearly copies.
    """
    connected = invented_connections(claim, sentences)
    return (
        *(f"the source does not connect with “{each}”" for each in connected),
        *omitted_condition(claim, sentences),
    )


_WORD = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(r"(?<=[.;:!?]) |, |,? (?:and|but|or|while) ")
_NO_ROLE = frozenset(
    """
    a an and are as been be is it its of or so that the their to was were
    """.split()  # noqa: SIM905  # a list of words reads as one
)
_NAMES = re.compile(
    r"(?!(?:We|Our|You|Your|There|If|When|While|Where|Note|Not)\b)[A-Z].*[.!]$", re.S
)
_GENITIVE = re.compile(r"((?:[A-Z][\w-]* )*[\w-]+)['’]s? (\w+)")
_IS = re.compile(r"\b(?:am|are|be|been|being|is|was|were)\b")
_PASSIVE = re.compile(rf"^(.*?) {_IS.pattern} (\w+(?: .*)?) by (.*?)[.]?$")
LONGEST_ROLE = 2
"""Words by which somebody is named, without those that say nothing: "head of department"."""
MOST_BETWEEN = 12
"""Words that stand between two of whom one does something to the other."""
NEARLY_ALL = 0.65
"""Share, 0 to 1, of the words of claim and source that both must have: what was reworded is left to
the model. The lowest of 0.65, 0.75 and 0.8, which found most without holding back more
(`docs/measurements.md`)."""


def exchanged_roles(claim: str, sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Two words or names, of which the claim says of each what a source says of the other."""
    told = [each for each in sentences if not cells_of(each)]
    clauses = [each for sentence in told for each in _CLAUSE.split(sentence)]
    own = _CLAUSE.split(claim)
    pairs = ((claim, " ".join(told)), *product((claim,), told), *product(own, clauses))
    alike = ((_active(one, other), _active(other, one)) for one, other in pairs)
    exchanged = (
        _exchanged(_words(one), _words(other))
        for one, other in alike
        if bool(_IS.search(one)) == bool(_IS.search(other))
    )
    elsewhere = (each for clause in own for each in _of_another(clause, told))
    return [each for each in (*exchanged, *elsewhere) if each][:1]


def _active(text: str, other: str = "") -> str:
    """What is done by somebody as what somebody does, unless the other one has a "by" as well."""
    return text if " by " in other else _PASSIVE.sub(r"\3 \2 \1", text)


def _words(text: str) -> list[str]:
    words = (word.casefold() for word in _WORD.findall(_GENITIVE.sub(r"\2 \1", text)))
    return [next(iter(stems([word]))) for word in words if word not in _NO_ROLE]


def _exchanged(own: Sequence[str], theirs: Sequence[str]) -> tuple[str, str] | None:
    """The outer ones of three runs of words of which the middle one alone kept its place."""
    once = {each for each in own if own.count(each) == 1 == theirs.count(each)}
    if len(once) < NEARLY_ALL * max(len({*own}), len({*theirs})):
        return None
    mine, known = (" ".join(each for each in some if each in once) for some in (own, theirs))
    words = known.split()
    runs = range(1, LONGEST_ROLE + 1)
    sizes = product(range(len(words)), runs, runs, range(1, MOST_BETWEEN + 1))
    for start, first, last, between in sizes:
        middle, end = start + first, start + first + between
        if end + last > len(words):
            continue
        a, m, b = words[start:middle], words[middle:end], words[end : end + last]
        of_times = ({*a} <= WHEN) is ({*b} <= WHEN)
        if of_times and f" {' '.join((*b, *m, *a))} " in f" {mine} ":
            return " ".join(a), " ".join(b)
    return None


def _of_another(clause: str, sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The subject of the clause, and that of the sentence which says the rest of it."""
    known = [_content(each) for each in sentences]
    own = _content(_active(clause))
    if not any(own[:1] == each[:1] for each in known):
        return
    for text, theirs in zip(sentences, known, strict=True):
        said = own[next((at for at, word in enumerate(own) if word in theirs), len(own)) :]
        subject = own[: len(own) - len(said)]
        whole = len(said) > 1 and any({*said} == {*theirs[n:]} for n in (1, LONGEST_ROLE))
        alike = subject and (whole or len(said) > 2) and {*said} <= {*theirs[1:]}
        if not alike or is_anaphoric(text) or not _NAMES.match(text):
            continue
        if not any({*subject, *said} <= {*each} for each in known):
            yield subject[0], theirs[0]


def _content(text: str) -> list[str]:
    return [each for each in _words(text) if each not in FUNCTION_WORDS]
