"""Rewordings by rule leave a sentence true; a connection of two facts may be invented."""

import re
from collections.abc import Sequence
from random import Random

from retrieval.training.changes.editing import (
    by_table,
    capitalised,
    changing,
    first_that_works,
    phrases,
)
from retrieval.training.changes.falsifying import COMMAND, DIGITS, VALUES, WORDS, of_a_date

_CAUSE = re.compile(
    r"\b(?:because|since|therefore|thus|hence|consequently|as a result|so that|due to|"
    r"which means|this means|that's why|that is why|which is why|in order to|leads? to|so)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|can|could|should|will|would|must|may|might|has|have|had|do|does|did"
    r"|\w{2,}ed|uses?|needs?|gets?|makes?|includes?|requires?|provides?|helps?|works?|pays?"
    r"|runs?|takes?|gives?|sends?|holds?|keeps?|meets?|applies|starts?|ends?|opens?|costs?)\b"
)
_LEANS = re.compile(
    r"^(?:It|This|That|These|Those|They|He|She|But|And|So|Or|Then|Also|However|Instead|If|When|"
    r"Here|There|Which|What|Who|Why|How|Where|Because|Since|Yes|No|Such|Both|Do|Don't|Another|"
    r"Example|Note|See|For|In|As|To|Despite|Although|Though|Even|Without|Please|Be|Never|Always|After|Before|Once|While|With|By|On|At)\b"
)
FORMS = tuple[str, ...](phrases("connections"))
UNSEEN_FORMS = tuple[str, ...](phrases("unseen connections"))
"""Kept from training, to see whether connections are understood or only known by heart."""
_TRUE_FORMS = tuple[str, ...](phrases("true joins"))
_GROUPS = (
    "teams employees users students customers managers engineers members staff visitors "
    "patients applicants residents"
)
_LOWERED = frozenset(
    "the a an we you your our all each every some most many any one no both several only new "
    f"other everyone anyone people {_GROUPS}".split()
)
_BECAUSE = re.compile(r"^(.{12,}?),? (?:because|since) ([^,;]{10,})\.$")


def is_fact(sentence: str) -> bool:
    """A statement that can stand within another sentence: no question, order or list item."""
    words = sentence.split()
    return (
        5 <= len(words) <= 28
        and sentence[0].isupper()
        and sentence.endswith(".")
        and not any(mark in sentence for mark in '?:!\n"“(')
        and _LEANS.match(sentence) is None
        and COMMAND.match(sentence) is None
        and _VERB.search(" ".join(words[1:])) is not None
        and not states_cause(sentence)
    )


def is_statement(sentence: str) -> bool:
    """It has a verb, unlike a heading, a table row or an entry of a list."""
    return _VERB.search(sentence) is not None or COMMAND.match(sentence) is not None


def states_cause(sentence: str) -> bool:
    return _CAUSE.search(sentence) is not None


def invented_connection(
    first: str, second: str, dice: Random, forms: Sequence[str] = FORMS
) -> str | None:
    """Both facts, joined by a cause, comparison or conclusion; None where they are no facts."""
    return _joined(first, second, forms, dice)


def true_join(first: str, second: str, dice: Random) -> str | None:
    """Both facts side by side; None where they are no facts or the same one."""
    return _joined(first, second, _TRUE_FORMS, dice)


def reversed_cause(sentence: str) -> str | None:
    """Turn "A because B" into "B because A"; None where the sentence states no such cause."""
    match = _BECAUSE.match(sentence)
    return f"{capitalised(match[2])} because {_within(match[1])}." if match else None


def _joined(first: str, second: str, forms: Sequence[str], dice: Random) -> str | None:
    if first == second or not (is_fact(first) and is_fact(second)):
        return None
    a, b = first.rstrip("."), second.rstrip(".")
    return dice.choice(forms).format(A=a, B=b, a=_within(a), b=_within(b))


def _within(sentence: str) -> str:
    """Without its capital, where the first word is no name."""
    word = sentence.split(" ")[0]
    return sentence[:1].lower() + sentence[1:] if word.lower() in _LOWERED else sentence


_CONTRACTED = phrases("contracted")
_contracted = by_table({long: (short,) for long, short in _CONTRACTED.items()})
_expanded = by_table({short: (long,) for long, short in _CONTRACTED.items()})
_same_meaning = by_table(phrases("same meaning"))
_LEAD_IN = re.compile(
    r"^(?:\d+[.)] |[-*•] |(?:Please note that|Note that|Note:|Please|In addition,|Additionally,|"
    r"However,|Also,|Generally,|In general,|For example,|Importantly,|Remember that|Finally,|"
    r"Then,|Next,|So,|And|But|First,|Second,|Furthermore,|Moreover,|Therefore,|As a result,) )"
)
_CLAUSES = re.compile(r"^(.{20,}?)(?:, and |; |, but |, while )(.{20,})$", re.DOTALL)
_HEDGED = re.compile(r"\b(?:if|unless|when|whether|between|both|either|only|not|n't)\b", re.I)
_IF_FIRST = re.compile(r"^(If|When|Unless|Before|After|Once) ([^,]{6,100}), ([^,;:]{10,})\.$")
_PERCENT = re.compile(r"(?<=\d)( ?%| percent| per cent)")
_HOUR = re.compile(r"(?<=\d)( ?)(am|pm)\b", re.IGNORECASE)
_FRAMES: Sequence[str] = phrases("frames")


def reworded(text: str, dice: Random) -> str | None:
    """The sentence in slightly other words, or a part of it, as true as it was."""
    small = [_same_meaning, _numbers, _contracted, _expanded, _percent, _hour]
    ways = [_lowered, _without_lead_in, _a_clause, _condition_last, _cause_first, _framed]
    throw = dice.random()
    found = first_that_works(text, small if throw < 0.6 else ways, dice)
    return found or first_that_works(text, [*small, *ways], dice)


def _lowered(text: str, _: Random) -> str | None:
    return text.lower().rstrip(".")


def _without_lead_in(text: str, _: Random) -> str | None:
    match = _LEAD_IN.match(text)
    return capitalised(text[match.end() :]) if match and len(text) > match.end() + 15 else None


def _a_clause(text: str, _: Random) -> str | None:
    """The first half of "A, and B", unless a condition or negation could reach over both."""
    match = _CLAUSES.match(text)
    if match is None or _HEDGED.search(text) or text.endswith(("?", ":")):
        return None
    return f"{match[1].rstrip('.')}."


def _condition_last(text: str, _: Random) -> str | None:
    match = _IF_FIRST.match(text)
    if match is None:
        return None
    word, condition, rest = match.groups()
    return f"{capitalised(rest)} {word.lower()} {condition}."


def _cause_first(text: str, dice: Random) -> str | None:
    """Turn "A because B" into "Because B, A" or into "A", which are as true."""
    is_kept, match = dice.choice([True, False]), _BECAUSE.match(text)
    if match is None:
        return None
    return f"Because {match[2]}, {_within(match[1])}." if is_kept else f"{match[1]}."


def _framed(text: str, dice: Random) -> str | None:
    if not is_fact(text):
        return None
    return dice.choice(_FRAMES).format(text[:1].lower() + text[1:])


def _numbers(text: str, dice: Random) -> str | None:
    """Digits in words, or words in digits."""
    return _in_words(text, dice) or _in_digits(text, dice)


@changing(DIGITS)
def _in_words(match: re.Match[str], _: Random) -> str | None:
    written = match.group()
    plain = written.isdigit() and 2 <= int(written) < len(WORDS)
    return WORDS[int(written)] if plain and match.start() and not of_a_date(match) else None


_SPELT_OUT = re.compile(
    rf"(?<![\w-])(?:{'|'.join(word for word, value in VALUES.items() if value > 1)})(?![\w-])",
    re.IGNORECASE,
)


_in_digits = changing(_SPELT_OUT)(lambda match, _: str(VALUES[match.group().lower()]))


@changing(_PERCENT)
def _percent(match: re.Match[str], dice: Random) -> str | None:
    return dice.choice([form for form in ("%", " %", " percent") if form != match.group()])


_hour = changing(_HOUR)(lambda match, _: match[2] if match[1] else f" {match[2]}")
