"""Questions that a sentence or a heading answers, by patterns of English.

A statement becomes a question by moving its auxiliary before the subject, or by asking for the part
that a person would want to know: how many, how long, when, what (after Heilman and Smith, "Good
question! Statistical ranking for question generation", 2010, without parsing). Such questions only
have to be near to what people ask; nobody reads them. What no pattern fits yields none.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

LONGEST_STATEMENT = 40
"""Words: longer sentences say several things."""
LONGEST_SUBJECT = 8

_MODALS = r"must|may|can|should|shall|will"
_NUMBER = (
    r"(?:[$£€]\s?)?\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|fourteen|fifteen|twenty|thirty|sixty|ninety"
)
_AT_MOST = r"(?:(?:up to|at most|at least|a maximum of|no more than|a minimum of)\s+)?"
_TIME = r"(?:calendar |working |business )?(?:minute|hour|day|week|month|year|semester|term)s?\b"

_PURPOSE = re.compile(r"(?:in order )?to (?P<aim>[a-z][^,]{2,100}),\s", re.IGNORECASE)
_CONDITION = re.compile(r"(?P<word>if|when) (?P<case>[^,]{3,120}),\s", re.IGNORECASE)
_MODAL = re.compile(
    rf"(?P<subject>[^,;:?]+?) (?P<modal>{_MODALS})(?P<negated>not| not)? (?P<rest>.+)",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"(?P<subject>[^,;:?]+?) (?P<verb>needs?|have|has) to (?P<rest>.+)", re.IGNORECASE
)
_BE = re.compile(r"(?P<subject>[^,;:?]+?) (?P<be>is|are|was|were) (?P<rest>.+)", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"(?:please )?(?P<order>(?:apply|ask|book|bring|call|check|choose|click|complete|contact|create"
    r"|email|enter|file|fill|follow|go|keep|log|make|notify|open|pay|print|register|report|request"
    r"|return|send|sign|submit|take|tell|upload|use|write)\b .+)",
    re.IGNORECASE,
)
_MANY = re.compile(rf"(?P<act>\w.*?) {_AT_MOST}(?:{_NUMBER})\s+(?P<thing>[a-z].*)", re.IGNORECASE)
_LIMIT = re.compile(
    r"(?P<act>\w.*?) (?:within|by|until|before|no later than|after|at|on)"
    rf" (?=(?:the )?(?:{_NUMBER}|end|start|first|last|\w+day\b|[A-Z][a-z]+ \d))",
    re.IGNORECASE,
)
_LONG = re.compile(rf"{_AT_MOST}(?:{_NUMBER})[ -]{_TIME}", re.IGNORECASE)
_MUCH = re.compile(rf"{_AT_MOST}(?:[$£€]\s?\d|\d[\d.,]*\s?(?:%|percent|USD|EUR|GBP|dollars|euros))")
_WHEN = re.compile(r"(?:due|open|closed|held)\b(?=.* \S)", re.IGNORECASE)
_DEFINES = re.compile(r"(?:an?|the|any|what|how|when|where|who)\b", re.IGNORECASE)
_ANAPHORIC = frozenset(
    "he it she that there these they this those we what which who i here such".split()  # noqa: SIM905
)
"""Subjects that tell nothing without the sentence before."""
_CLAUSE_ENDS = re.compile(r"[,;:(]|\s[-\u2013\u2014]+\s|\s(?:because|although|unless|which)\s")
_ORDINAL = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[a-z][.)])\s+", re.IGNORECASE)


def questions_of_heading(names: Sequence[str]) -> list[str]:
    """What a section is read for; `names`: the title and the headings down to it."""
    told = [
        name for each in names if (name := _ORDINAL.sub("", " ".join(each.split())).strip(" :"))
    ]
    if not told:
        return []
    own = told[-1]
    if own.endswith("?"):
        return [own]
    above = [name for name in told[:-1] if name.casefold() != own.casefold()]
    within = [f"What does {above[-1]} say about {own}?"] if above else []
    if how := re.match(r"how to (.+)", own, re.IGNORECASE):
        return [f"How do I {_in_first_person(how[1])}?", *within]
    if re.match(r"\w+ing\b", own):
        return [f"How does {_uncapitalised(own)} work?", *within]
    return [f"What are the rules for {_uncapitalised(own)}?", *within]


def questions_of_sentence(sentence: str) -> list[str]:
    """Each once; none of what is too short or too long, or leans on the sentence before."""
    text = " ".join(sentence.split())
    if text.endswith("?"):
        return [text]
    text = text.rstrip(" .!;:")
    if not 3 <= len(text.split()) <= LONGEST_STATEMENT:
        return []
    found = chain(
        _of_what_comes_first(text),
        _of_modal(text),
        _of_needs(text),
        _of_be(text),
    )
    return list(dict.fromkeys(f"{each[0].upper()}{each[1:]}?" for each in found))


def _of_what_comes_first(text: str) -> Iterator[str]:
    """Of a purpose, a condition or an order."""
    if purpose := _PURPOSE.match(text):
        yield f"how do I {_in_first_person(purpose['aim'])}"
    elif condition := _CONDITION.match(text):
        yield f"what happens {condition['word'].lower()} {_in_first_person(condition['case'])}"
    elif order := _IMPERATIVE.match(text):
        yield f"how do I {_in_first_person(_clause(_uncapitalised(order['order'])))}"


def _of_modal(text: str) -> Iterator[str]:
    if not (found := _MODAL.match(text)) or not (subject := _subject(found["subject"])):
        return
    modal, rest = found["modal"].lower(), _in_first_person(_clause(found["rest"]))
    if not rest:
        return
    yield f"{modal} {subject} {rest}"
    if found["negated"]:
        return
    if limit := _LIMIT.match(rest):
        yield f"when {modal} {subject} {limit['act']}"
    elif many := _MANY.match(rest):
        yield f"how many {many['thing']} {modal} {subject} {many['act']}"


def _of_needs(text: str) -> Iterator[str]:
    if not (found := _NEEDS.match(text)) or not (subject := _subject(found["subject"])):
        return
    does = "does" if found["verb"].lower() in {"needs", "has"} else "do"
    if rest := _in_first_person(_clause(found["rest"])):
        yield f"{does} {subject} need to {rest}"
        if limit := _LIMIT.match(rest):
            yield f"when {does} {subject} need to {limit['act']}"


def _of_be(text: str) -> Iterator[str]:
    if not (found := _BE.match(text)) or not (subject := _subject(found["subject"])):
        return
    be, rest = found["be"].lower(), _in_first_person(_clause(found["rest"]))
    if not rest:
        return
    be = "am" if subject == "I" and be == "are" else be
    yield f"{be} {subject} {rest}"
    asked = ((_LONG, "how long"), (_MUCH, "how much"), (_WHEN, "when"), (_DEFINES, "what"))
    for pattern, word in asked:
        if pattern.match(rest):
            yield f"{word} {be} {subject} {rest.split()[0] if word == 'when' else ''}".rstrip()
            return


def _subject(words: str) -> str:
    """As it stands after an auxiliary; empty for one that is none or leans on what was said."""
    told = words.split()
    if not 0 < len(told) <= LONGEST_SUBJECT or told[0].casefold() in _ANAPHORIC:
        return ""
    return "I" if words.casefold() == "you" else _in_first_person(_uncapitalised(words))


def _clause(text: str) -> str:
    return _CLAUSE_ENDS.split(text, maxsplit=1)[0].strip()


def _uncapitalised(text: str) -> str:
    """Without the capital of a sentence's start; abbreviations keep theirs."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _in_first_person(text: str) -> str:
    """As who is addressed would say it."""
    for pattern, own in _PERSONS:
        text = pattern.sub(own, text)
    return text


_PERSONS = tuple(
    (re.compile(pattern, re.IGNORECASE), own)
    for pattern, own in (
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byou(?: are|'re|’re)\b", "I am"),
        (r"(?<=\b(?:for) )you\b|(?<=\b(?:to|of) )you\b|(?<=\b(?:with|from) )you\b", "me"),
        (r"\byou\b", "I"),
    )
)
