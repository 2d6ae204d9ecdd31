"""One question may ask several things, which are found without a language model."""

import re

_WHICH = r"how|what|whats|what's|when|where|which|who|whom|whose|why"
_ASKS = rf"(?:{_WHICH}|can|could|do|does|did|is|are|was|will|would|should|must|may)"
_BOUNDARY = re.compile(
    rf"(?<=[?!.])\s+(?={_ASKS}\b)"
    rf"|[,;]?\s+(?:(?:and|also|plus|but)\s+(?:also\s+)?(?={_ASKS}\b)|or\s+(?=(?:{_WHICH})\b))",
    re.IGNORECASE,
)
"""What follows "or" is mostly the other answer to the same question: "or do I sign up again"."""
_BEGINS_ASKING = re.compile(rf"{_ASKS}\b", re.IGNORECASE)
FEWEST_WORDS = 3
"""A shorter piece ("and why?") asks nothing by itself."""


def parts_of(question: str) -> tuple[str, ...]:
    """The question's parts in order; a question that asks one thing is its only part.

    Cut where a new sentence or a conjunction begins with a word that asks. A piece that
    is too short to be searched stays with what stands before it, and a situation that is
    told first stays with what it asks.
    """
    starts, ends = [0], []
    asks = bool(_BEGINS_ASKING.match(question.lstrip()))
    for boundary in _BOUNDARY.finditer(question):
        following = question[boundary.end() :].split()
        if asks and len(following) >= FEWEST_WORDS:
            ends.append(boundary.start())
            starts.append(boundary.end())
        asks = True
    pieces = zip(starts, [*ends, len(question)], strict=True)
    return tuple(question[start:end].strip(" ,;") for start, end in pieces)
