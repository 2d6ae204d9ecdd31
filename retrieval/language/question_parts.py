"""One question may ask several things, which are found without a language model."""

import re

from retrieval.language.asking import opens_a_question

_WHICH = r"how|what|whats|what's|when|where|which|who|whom|whose|why"
_ASKS = rf"(?:{_WHICH}|can|could|do|does|did|is|are|was|will|would|should|must|may)"
_BRIEF = r"(?:(?:by|until|from|since) when|how (?:much|long|many|often))"
"""Asks something in two words, of what was named before: "..., how much and by when"."""
_BULLET = r"(?:[•◦▪‣*\u2013-]|\d{1,2}[.)])\s+"
"""Before an item of a list, whose lines were joined."""
_BOUNDARY = re.compile(
    rf"(?P<item>(?:^|\s){_BULLET})(?={_ASKS}\b)"
    rf"|(?<=[?!.])\s+(?={_ASKS}\b)"
    rf"|[,;]?\s+(?:(?:and|also|plus|but)\s+(?:also\s+)?(?={_ASKS}\b|{_BRIEF}\b)"
    rf"|or\s+(?=(?:{_WHICH})\b))"
    rf"|(?P<comma>[,;]\s+)(?=(?:{_WHICH})\b)"
    rf"|(?P<lead>:\s+)(?=(?:{_ASKS}|{_BRIEF})\b)",
    re.IGNORECASE,
)
"""What follows "or" is mostly the other answer to the same question: "or do I sign up again".
What a colon ends says what is asked about: "parking: who may, and what does it cost?"."""
_ITEM = re.compile(rf"^\s*{_BULLET}")
_BEGINS_ASKING = re.compile(rf"{_ASKS}\b", re.IGNORECASE)
_HAS_A_VERB = re.compile(
    r"(?:who|what)\b|.*\b(?:is|are|was|were|do|does|did|can|could|will|would|should|must|may"
    r"|has|have|what's|where's|when's)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:if|when|while|once|unless)\b(?! (?:is|are|do|does|can|will)\b)", re.IGNORECASE
)
"""What is asked after it holds in that case: "what if I lose my card, how do I get in"."""
_RELATIVE = re.compile(r"(?:who|which|whose) (?:is|isn't|are|was|were|has|have)\b", re.IGNORECASE)
"""After a comma it may go on about what was named: "my partner, who is ill, ..."."""
_DIFFERENCE = r"(?:(?:what(?:['\u2019]?s| is| are)|is there) )?(?:the |an? |any )?diff(?:erences?)?"
_AND = r" (?:and|or|vs\.?|versus) "
_COMPARES = re.compile(
    rf"{_DIFFERENCE} between (?P<between>.+?{_AND}.+)"
    rf"|(?P<before>.+?{_AND}.+?)[,:;\u2013-]? {_DIFFERENCE}"
    r"|how (?:do|does|is|are) (?P<one>.+?) (?:differ|different) (?:from|to|than) (?P<other>.+)",
    re.IGNORECASE,
)
FEWEST_WORDS = 3
"""A shorter piece ("and why?") asks nothing by itself."""


def parts_of(question: str) -> tuple[str, ...]:
    """The question's parts in order; a question that asks one thing is its only part.

    Cut where a new sentence or a conjunction begins with a word that asks, and between two
    questions that a comma joins. A piece that is too short to be searched stays with what
    stands before it, and a situation that is told first stays with what it asks.
    """
    starts, ends, before = [0], [], 0
    asks = bool(_BEGINS_ASKING.match(question.lstrip()))
    boundaries = list(_BOUNDARY.finditer(question))
    is_list = sum(bool(each["item"]) for each in boundaries) > 1
    for boundary in boundaries:
        if boundary["item"] and not is_list:  # a dash between two clauses
            continue
        clause, following = question[before : boundary.start()], question[boundary.end() :]
        before = boundary.end()
        if boundary["lead"] or (boundary["item"] and not asks):
            asks = True  # of what is told first: "Two things: - who may, - what does it cost"
            continue
        is_comma, after = bool(boundary["comma"]), following.partition(",")[0]
        if is_comma and not _asks_by_itself(after):
            continue
        joined = not is_comma or (opens_a_question(clause) and not _DEPENDS.search(clause))
        if asks and joined and _asks_enough(following):
            ends.append(boundary.start())
            starts.append(boundary.end())
        asks = True
    pieces = zip(starts, [*ends, len(question)], strict=True)
    return tuple(_ITEM.sub("", question[start:end]).strip(" ,;") for start, end in pieces)


def _asks_enough(following: str) -> bool:
    return len(following.split()) >= FEWEST_WORDS or bool(
        re.match(_BRIEF, following, re.IGNORECASE)
    )


def _asks_by_itself(clause: str) -> bool:
    """Whether what stands after a comma opens a question with a verb of its own."""
    brief = re.match(_BRIEF, clause, re.IGNORECASE)
    has_a_verb = _HAS_A_VERB.match(clause) and not _RELATIVE.match(clause)
    return bool(brief or has_a_verb) and opens_a_question(clause)


def things_compared(question: str) -> tuple[str, ...]:
    """The two things of which the difference is asked; none where that is not asked.

    What tells of both says seldom that they differ, so it is found by their names. A word that
    both share stands with both: "database backups" and "file share backups". Of what is written as
    a name none is shared: "Gmail and Google Groups".
    """
    found = _COMPARES.fullmatch(question.strip(" ?!."))
    if not found:
        return ()
    if found["one"]:
        return found["one"], found["other"]
    both = found["between"] or found["before"]
    one, other = re.split(_AND, both, maxsplit=1, flags=re.IGNORECASE)
    *before, shared = other.split()
    shares = before and len(one.split()) <= len(before) and shared.casefold() not in one.casefold()
    shares = shares and shared.islower()
    return (f"{one} {shared}" if shares else one), other
