"""What leads to a sentence, what it refers to and what excepts from it is read with it."""

import re
from collections.abc import Iterator

from bot.answering.anchors import kept_out
from bot.answering.exact.near_copies import TAKES_AWAY, denies, points_ahead, restricts
from retrieval.language.questions import MOST_BEFORE, is_anaphoric
from retrieval.language.steering import sign_in
from retrieval.language.words import RAISED_DIGITS
from retrieval.metadata.restrictions import OVER
from retrieval.types import Passage

_EXCEPTING = re.compile(rf"(?!However|But|Otherwise){TAKES_AWAY.pattern}")
_GOES_ON = re.compile(r"(?:unless|except|if|only|but not|provided)\b")
"""Of a sentence that was cut in two, as a line of its own may be."""
_OVER = rf"(?:{OVER}|annulled|discontinued|invalid|replaced|suspended|void)"
_TAKES_BACK = re.compile(
    rf"(?:^|[,;(:–—-] ?|\b(?:is|are|was|were|been|now|since) ){_OVER}"
    r"(?=$|[).,;:!–—]| (?:since|in|on|as of|from|by|with effect|and) )"
    r"|\bno longer (?:\w+ )?"
    r"(?:valid|in force|appl(?:y|ies|icable)|true|current|binding|holds?|effective|in use)\b"
    r"|\bnot (?:valid|in force|applicable)(?: any ?more)?(?=$|[).,;:])"
    rf"|\b(?:old|former|previous|historic(?:al)?|{_OVER}) (?:\w+ )?"
    r"(?:arrangements?|editions?|fees?|guidance|guidelines|law|polic(?:y|ies)|prices|procedures?"
    r"|provisions?|rates|regulations?|rules?|sections?|terms|versions?|wording)\b"
    r"|\bnot yet (?:adopted|approved|in force|valid)(?=$|[).,;])"
    r"|\b(?:misconceptions?|myths?|rumou?rs)\b(?!.*\bfacts?\b)",
    re.IGNORECASE,
)
"""Of a heading: what stands under it does not hold. Of 13,058 headings of the handbooks that the
models learned from it takes those of one page, which says that it is out of date."""
_ALL_OF_IT = re.compile(
    r"(?:This|These|All (?:of )?(?:this|these)|The above)(?: [\w-]+){0,2} (?:no longer appl|"
    rf"(?:is|are|was|were|ha(?:s|ve) been)(?: \w+)? (?:{_OVER}\b|(?:in force|valid)\b))"
)
"""A sentence says so of those beside it: "This rule was abolished in 2023."."""
_EXAMPLE = re.compile(r"(?:for )?(?:example|instance)\b[^.!?:]{0,20}:", re.IGNORECASE)
"""With a colon, for that announces a case and how it ends; "For example, ..." is one sentence."""
_ENDS_WHOLE = (".", "!")
_ENDS = (*_ENDS_WHOLE, "?", ":", ";")
MOST_LINES_APART = 2
"""Lines between two sentences that still belong together."""
IN_PASSAGE_BEFORE = -1
"""The place of a lead that the passage itself does not have."""


def is_lead(text: str) -> bool:
    """It leads to what stands under it, and answers nothing alone: "Bring these:"."""
    return _unmarked(text).endswith((":", "...", "\u2026"))


def introduces(passage: Passage, index: int) -> bool:
    """Whether a sentence leads to what stands under it: so does one that a list ends, unmarked."""
    here, *below = passage.sentences[index : index + 2]
    if is_lead(here.text):
        return True
    if here.in_code or here.cells or _unmarked(here.text).endswith(_ENDS_WHOLE) or not below:
        return False
    goes_on = below[0].depth > here.depth if here.in_list else below[0].in_list
    return goes_on and is_next(passage, index + 1)


def parent(passage: Passage, index: int) -> int | None:
    """The item of which an item's list is a part, where that leads to it; None elsewhere."""
    depth = passage.sentences[index].depth
    for number in range(index - 1, -1, -1) if depth else ():
        above = passage.sentences[number]
        if not above.in_list:
            return None
        if above.depth < depth:
            return number if introduces(passage, number) else None
    return None


def is_question(text: str) -> bool:
    """It asks, and so says nothing."""
    return _unmarked(text).rstrip(' "”’)').endswith("?")


def _unmarked(text: str) -> str:
    """Without the marks of notes at its end."""
    return text.rstrip(RAISED_DIGITS)


def taken_back_by(passage: Passage, index: int) -> str:
    """The heading, or a sentence of the passage, that says that it does not hold; else empty."""
    said = (each.text for number, each in enumerate(passage.sentences) if number != index)
    about = (passage.heading, *(text for text in said if _ALL_OF_IT.match(text)))
    return next((text for text in about if says_it_is_over(text)), "")


def says_it_is_over(text: str) -> bool:
    return bool(_TAKES_BACK.search(text))


def restricting_lead(passage: Passage, index: int) -> int | None:
    """The line without which an item says something else, such as "You must never:" above it.

    An item is a line of program text too, and leads to nothing as such. `IN_PASSAGE_BEFORE` where
    the line stands there; None where there is none.
    """
    if not passage.sentences[index].is_item:
        return None
    directly = True
    for number in _above(passage, index):
        before = passage.sentences[number]
        opens = introduces(passage, number) and not before.in_code
        above = directly and not (before.is_item or len(before.cells) > 1)
        is_above = opens or (above and _leads_on(before.text, passage.sentences[index].text))
        if is_above and restricts(before.text):
            return number
        is_within = passage.sentences[number + 1].depth > passage.sentences[index].depth
        if opens and not before.in_list and not is_within:
            return None
        directly = directly and before.is_item
    return IN_PASSAGE_BEFORE if restricts(lead_before(passage, index)) else None


def lead_before(passage: Passage, index: int) -> str:
    """The lines in a passage before that lead to the list which an item is of; mostly none."""
    found, depth = "", passage.sentences[0].depth + 1
    for sentence in passage.sentences[: index + 1]:
        if sentence.in_list and sentence.depth < depth:
            found, depth = sentence.list_lead, sentence.depth
    return found


def _leads_on(text: str, item: str) -> bool:
    """Of a line right above a list, without a colon: a whole sentence may stand for itself."""
    if not _unmarked(text).endswith(_ENDS_WHOLE) or points_ahead(text):
        return True
    whole = _unmarked(item).endswith(_ENDS_WHOLE)
    return denies(text) and (is_anaphoric(text) or not whole)


def read_before(passage: Passage, first: int) -> tuple[str, ...]:
    """What must be read to understand what begins with `first`, in order: none of it is cited."""
    at = first
    while first - at < MOST_BEFORE and refers_back(passage, at):
        at -= 1
    if at and is_question(passage.sentences[at - 1].text) and is_next(passage, at):
        at -= 1
    near = range(at, first)
    texts = [passage.sentences[number].text for number in (*_leads(passage, first, at), *near)]
    lead = lead_before(passage, first)
    if passage.sentences[first].in_list and lead and not _opened(passage, first):
        texts.insert(0, lead)
    return tuple(text for text in texts if sign_in(text) is None)


def with_its_lead(passage: Passage, index: int) -> str:
    """An item with the line right above its list, as one sentence: "You may not: smoke."."""
    sentence = passage.sentences[index]
    above = _leads(passage, index, index)
    lead = passage.sentences[above[-1]].text if above else lead_before(passage, index)
    return f"{lead} {sentence.text}" if sentence.in_list and lead else sentence.text


def refers_back(passage: Passage, index: int) -> bool:
    """Whether it says nothing without the one before it, which stands there for people."""
    before, here = passage.sentences[max(0, index - 1)], passage.sentences[index]
    is_within = here.in_list and before.in_list and before.depth > here.depth
    return (
        index > 0 and not is_within and is_anaphoric(here.text) and _stands_for(passage, index, -1)
    )


def takes_away(passage: Passage, index: int) -> bool:
    return _limits(passage, index, TAKES_AWAY) or _is_cut_off(passage, index)


def excepts(passage: Passage, index: int) -> bool:
    """Whether the one before it is not true without it."""
    return _limits(passage, index, _EXCEPTING) or _is_cut_off(passage, index)


def _limits(passage: Passage, index: int, limiting: re.Pattern[str]) -> bool:
    if not 0 < index < len(passage.sentences):
        return False
    return bool(limiting.match(passage.sentences[index].text)) and _stands_for(passage, index, 0)


def _is_cut_off(passage: Passage, index: int) -> bool:
    if not 0 < index < len(passage.sentences):
        return False
    before, here = passage.sentences[index - 1], passage.sentences[index]
    if before.in_list or here.in_list or _unmarked(before.text).endswith(_ENDS):
        return False
    return bool(_GOES_ON.match(here.text)) and _stands_for(passage, index, 0)


def _stands_for(passage: Passage, index: int, offset: int) -> bool:
    return is_next(passage, index) and index + offset not in kept_out(passage)


def is_next(passage: Passage, index: int) -> bool:
    before, here = passage.sentences[index - 1], passage.sentences[index]
    if before.page != here.page:
        return False
    if before.line_end is None or here.line_start is None:
        return True
    return here.line_start - before.line_end <= MOST_LINES_APART


def has(passage: Passage, index: int) -> bool:
    return 0 <= index < len(passage.sentences)


def goes_on(passage: Passage, index: int) -> bool:
    """Whether a sentence stands with the one before it in a paragraph, as far as that is known."""
    if not (has(passage, index - 1) and has(passage, index) and is_prose(passage, index)):
        return False
    before, here = passage.sentences[index - 1 : index + 1]
    unknown = before.line_end is None or here.line_start is None
    return unknown or (here.line_start or 0) - (before.line_end or 0) <= 1


def is_prose(passage: Passage, index: int) -> bool:
    """Whether a sentence goes on below the one before it, no item and no row, and leads nowhere."""
    here = passage.sentences[index]
    is_apart = here.is_item or here.cells or introduces(passage, index)
    return not is_apart and is_next(passage, index)


def example_of(passage: Passage, index: int) -> int | None:
    """Where the example begins that a sentence is a part of: it supposes a case, and tells none."""
    while not _EXAMPLE.match(passage.sentences[index].text):
        before, here = passage.sentences[max(0, index - 1)], passage.sentences[index]
        if not goes_on(passage, index) or before.paragraph != here.paragraph:
            return None
        index -= 1
    return index


def example_ends(passage: Passage, index: int) -> int:
    """The last sentence of the example that a sentence is a part of; of none, its own place."""
    begins = example_of(passage, index)
    while begins is not None and has(passage, index + 1):
        if example_of(passage, index + 1) != begins:
            break
        index += 1
    return index


def _above(passage: Passage, index: int) -> Iterator[int]:
    """Upwards, the sentences above an item, without those that lead to another list beside it."""
    depth = passage.sentences[index].depth
    for number in range(index - 1, -1, -1):
        before, below = passage.sentences[number : number + 2]
        leads_here = before.depth < depth or not introduces_sublist(passage, number)
        is_open = is_lead(before.text) and below.in_list and below.depth <= before.depth
        if not before.in_list or is_open or (before.depth <= depth and leads_here):
            yield number
            depth = min(depth, before.depth) if before.in_list else depth


def introduces_sublist(passage: Passage, index: int) -> bool:
    here, *below = passage.sentences[index : index + 2]
    return (
        here.in_list and bool(below) and below[0].depth > here.depth and introduces(passage, index)
    )


def _leads(passage: Passage, index: int, end: int) -> list[int]:
    """The lines above an item that lead to it, of those before `end`; in order."""
    above: list[int] = []
    if not passage.sentences[index].in_list:
        return above
    for number in _above(passage, index):
        before = passage.sentences[number]
        if introduces(passage, number):
            if number < end:
                above.insert(0, number)
            if not before.in_list:
                break
    return above


def _opened(passage: Passage, index: int) -> bool:
    above = range(index)
    return any(introduces(passage, at) and not passage.sentences[at].in_list for at in above)
