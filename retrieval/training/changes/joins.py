"""Two true facts are joined by a connection that nobody stated, or by a mere "and".

The invented connection is the most dangerous mistake of a writer, as it cites real sources.
"""

import re
from collections.abc import Sequence
from random import Random

from retrieval.training.changes.negation import COMMAND
from retrieval.training.changes.places import capitalised

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
FORMS = (
    "{A}, because {b}.",
    "{A} because {b}.",
    "Because {b}, {a}.",
    "{A}, so {b}.",
    "{A}; therefore, {b}.",
    "{A}, and therefore {b}.",
    "{A}, which shows that {b}.",
    "{A}, which is why {b}.",
    "{A}, which means that {b}.",
    "{A}. As a result, {b}.",
    "{A}. Therefore, {b}.",
    "{A}. Consequently, {b}.",
    "Since {b}, {a}.",
    "{A}, as a result of which {b}.",
    "{A}, with the result that {b}.",
    "{A} in order that {b}.",
    "The reason why {a} is that {b}.",
    "{A}, which leads to this: {b}.",
    "{A}, more than {b}.",
    "That {a} matters more than that {b}.",
    "{A} only because {b}.",
    "{A}, from which it follows that {b}.",
    "{A}; that proves that {b}.",
    "Compared with the fact that {b}, it counts more that {a}.",
    "{A}, whenever {b}.",
    "{A} as soon as {b}.",
    "Thanks to the fact that {b}, {a}.",
    "{A}, so that {b}.",
)
UNSEEN_FORMS = (
    "{A}, given that {b}.",
    "{A}. This is due to the fact that {b}.",
    "{A}, as {b}.",
    "{A}, hence {b}.",
    "{A}, meaning that {b}.",
    "{A}; consequently, {b}.",
    "{A}. That is why {b}.",
    "{A}, thereby making sure that {b}.",
    "Owing to the fact that {b}, {a}.",
    "{A}, which explains why {b}.",
    "{A}, and this leads to the conclusion that {b}.",
    "{A}, which matters less than that {b}.",
)
"""Kept from training, to see whether connections are understood or only known by heart."""
_TRUE_FORMS = (
    "{A}, and {b}.",
    "{A} and {b}.",
    "{A}; {b}.",
    "{A}, while {b}.",
    "{A}. {B}.",
    "{A}. In addition, {b}.",
    "{A}. Also, {b}.",
    "{B}, and {a}.",
    "{A}; also, {b}.",
    "Not only is it so that {a}: {b}, too.",
    "It is said both that {a} and that {b}.",
    "{A}. Apart from that, {b}.",
)
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


def cause_first(sentence: str) -> str | None:
    """Turn "A because B" into "Because B, A", which is as true."""
    match = _BECAUSE.match(sentence)
    return f"Because {match[2]}, {_within(match[1])}." if match else None


def without_cause(sentence: str) -> str | None:
    """Turn "A because B" into "A", which is as true."""
    match = _BECAUSE.match(sentence)
    return f"{match[1]}." if match else None


def _joined(first: str, second: str, forms: Sequence[str], dice: Random) -> str | None:
    if first == second or not (is_fact(first) and is_fact(second)):
        return None
    a, b = first.rstrip("."), second.rstrip(".")
    return dice.choice(forms).format(A=a, B=b, a=_within(a), b=_within(b))


def _within(sentence: str) -> str:
    """Without its capital, where the first word is no name."""
    word = sentence.split(" ")[0]
    return sentence[:1].lower() + sentence[1:] if word.lower() in _LOWERED else sentence
