"""Questions that a sentence or a heading answers, by patterns of English.

A statement becomes a question by moving its auxiliary before the subject, or by asking how many
(after Heilman and Smith, "Good question! Statistical ranking for question generation", 2010,
without parsing). Such questions only have to be near to what people ask; nobody reads them. What no
pattern fits yields none.
"""

import re
from collections.abc import Iterator, Sequence

LONGEST_STATEMENT = 40
"""Words: longer sentences say several things."""
LONGEST_SUBJECT = 8

_MODALS = r"must|may|can|should|shall|will"
_NUMBER = (
    r"(?:[$£€]\s?)?\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|fourteen|fifteen|twenty|thirty|sixty|ninety"
)
_AT_MOST = r"(?:(?:up to|at most|at least|a maximum of|no more than|a minimum of)\s+)?"

_MODAL = re.compile(
    rf"(?P<subject>[^,;:?]+?) (?P<modal>{_MODALS})(?P<negated>not| not)? (?P<rest>.+)",
    re.IGNORECASE,
)
_BE = re.compile(r"(?P<subject>[^,;:?]+?) (?P<be>is|are|was|were) (?P<rest>.+)", re.IGNORECASE)
_MANY = re.compile(rf"(?P<act>\w.*?) {_AT_MOST}(?:{_NUMBER})\s+(?P<thing>[a-z].*)", re.IGNORECASE)
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
    found = dict.fromkeys((*_of_modal(text), *_of_be(text)))
    return [f"{each[0].upper()}{each[1:]}?" for each in found]


def _of_modal(text: str) -> Iterator[str]:
    if not (found := _MODAL.match(text)) or not (subject := _subject(found["subject"])):
        return
    modal, rest = found["modal"].lower(), _in_first_person(_clause(found["rest"]))
    if not rest:
        return
    yield f"{modal} {subject} {rest}"
    if not found["negated"] and (many := _MANY.match(rest)):
        yield f"how many {many['thing']} {modal} {subject} {many['act']}"


def _of_be(text: str) -> Iterator[str]:
    if not (found := _BE.match(text)) or not (subject := _subject(found["subject"])):
        return
    if rest := _in_first_person(_clause(found["rest"])):
        be = found["be"].lower()
        yield f"{'am' if subject == 'I' and be == 'are' else be} {subject} {rest}"


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
