"""A number names the thing that stands before it: room 2041, step 9, rooms 12 to 15.

It is no year and no amount, and what is said of another one of its kind says nothing of this one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from text_to_num import alpha2digit

from retrieval.language.questions import QUESTION_WORDS
from retrieval.language.words import asked_by, stems, words_of
from retrieval.types import Passage

THINGS = frozenset(
    """
    account annex apartment appendix article badge bay bed bench berth block booth box building
    bus cabin cabinet car carriage case cell chapter clause code counter court desk dock door
    drawer elevator error exhibit ext extension figure flat flight floor form gate grade hall
    house id invoice issue item key lab lane level lift line locker lot machine meter module no
    node nr number office option order page paragraph parcel part phase pitch platform plot
    point port printer question rack room route row rule seat section severity shelf space stage
    stand station step stop store suite table tank task terminal theatre ticket tier track train
    tram unit vehicle version volume ward window wing zone
    """.split()  # noqa: SIM905
)
"""What people number, in the singular."""
_ALSO_VERBS = frozenset(
    {"case", "form", "house", "number", "order", "part", "seat", "stop", "store"}
)
"""What follows them may be counted: "order 2 laptops", "in case 3 people are ill"."""
ITEMS = frozenset({"item", "option", "phase", "point", "rule", "stage", "step"})
"""What people call the items of a list that is numbered."""
_KIND = "|".join(sorted(THINGS, key=len, reverse=True))
_NUMBER = r"(?<![\w.,])\d{1,6}(?![\w%]|[.,:/]\d)"
_UP_TO = r" ?(?:-|\N{EN DASH}|to|through) ?"
_AND = r"(?:,? (?:and|or) |, ?| ?[&/] ?)"
_NAMED = re.compile(
    rf"(?P<from>\b(?:from|above|over|at least|after) (?:the )?)?"
    rf"(?P<to>\b(?:up to|below|under|before|until) (?:the )?)?"
    rf"\b(?P<kind>{_KIND})(?P<several>s)?\b(?:\.|:)? ?(?:(?:no\.?|nr\.?|numbers?):? |#)?"
    rf"(?P<numbers>{_NUMBER}(?:(?:{_UP_TO}|{_AND})(?:{_NUMBER}|(?<=-)\d+))*)"
    r"(?P<above>\+| ?(?:and|or) (?:above|up|upwards?|higher|over|more|later)\b| onwards?\b)?"
    r"(?P<below> ?(?:and|or) (?:below|under|lower|less|earlier)\b)?",
    re.IGNORECASE,
)
_RUN = re.compile(rf"(?P<low>\d+)(?:{_UP_TO}(?P<high>\d+))?")
_ORDINAL = re.compile(rf"\b(\d{{1,3}})(?:st|nd|rd|th) ({'|'.join(sorted(ITEMS))})\b", re.IGNORECASE)
_COUNTED = re.compile(r" (?:more |new |other )?(?:people\b|\w{2,}[^\Wsui]s\b)")
_ENDLESS = 10**6


@dataclass(frozen=True, slots=True)
class Numbered:
    """Some things of a kind are named by their numbers, from the first to the last."""

    kind: str
    first: int
    last: int


def numbered_in(text: str) -> Iterator[Numbered]:
    """Each that is named there; of a list or a range, all."""
    for found in _found(text):
        for run in _RUN.finditer(found["numbers"]):
            low, high = int(run["low"]), int(run["high"] or run["low"])
            yield Numbered(
                found["kind"].lower(),
                0 if found["to"] or found["below"] else low,
                _ENDLESS if found["from"] or found["above"] else high,
            )


def numbered_spans(text: str) -> list[tuple[int, int]]:
    """Where the numbers stand that name something."""
    return [found.span("numbers") for found in _found(text)]


def _found(text: str) -> Iterator[re.Match[str]]:
    """Not the year of "rules 2027": one number behind several things names none of them."""
    for found in _NAMED.finditer(text):
        one = found["numbers"].isdigit() and not (found["above"] or found["below"])
        counts = found["kind"].lower() in _ALSO_VERBS and _COUNTED.match(text, found.end())
        if not counts and not (one and found["several"]):
            yield found


@lru_cache(maxsize=256)
def named_by(question: str) -> tuple[Numbered, ...]:
    """What a question names, with its number in words too: "step nine", "the ninth step"."""
    return tuple(numbered_in(_in_digits(question)))


def _in_digits(question: str) -> str:
    return _ORDINAL.sub(r"\2 \1", alpha2digit(question, "en", 0))


def items_called(question: str) -> str:
    """What a question calls the items of which it names one by its number; else empty."""
    return next((each.kind for each in named_by(question) if each.kind in ITEMS), "")


def of_another(question: str, text: str) -> bool:
    """Whether a text names others of what is asked by number, and neither that one nor all."""
    asked = named_by(question)
    if not asked:
        return False
    named = list(numbered_in(text))
    for kind in {each.kind for each in asked}:
        wanted = [each for each in asked if each.kind == kind]
        there = [each for each in named if each.kind == kind]
        if there and not any(
            one.first <= other.last and other.first <= one.last for one in wanted for other in there
        ):
            return not re.search(rf"\b(?:all|any|every|each|other)(?: \w+)? {kind}s?\b", text, re.I)
    return False


def is_about_others(question: str, passage: Passage) -> bool:
    return of_another(question, passage.with_items(items_called(question)))


def sentences_about_others(question: str, passage: Passage) -> frozenset[int]:
    called = items_called(question)
    return frozenset(
        index
        for index, sentence in enumerate(passage.sentences)
        if of_another(question, sentence.as_item(called))
    )


def items_looked_up(question: str, passage: Passage) -> frozenset[int]:
    """By index, the item that it asks for by its number, and else for what leads or heads it."""
    numbers = [each for each in named_by(question) if each.kind in ITEMS]
    if len(numbers) != 1 or numbers[0].first != numbers[0].last:
        return frozenset()
    wanted = numbers[0]
    asked = asked_by(_in_digits(question)) - stems([wanted.kind, str(wanted.first)])
    if next(filter(QUESTION_WORDS.__contains__, words_of(question)), "when") != "when":
        asked -= {"when"}  # it joins what is done: "what is step 6 when closing the shop"
    return frozenset(
        index
        for index, sentence in enumerate(passage.sentences)
        if sentence.item_number == wanted.first
        and asked
        and asked <= stems(words_of(f"{passage.heading} {sentence.list_lead}"))
    )
