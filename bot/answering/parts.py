"""Finding the several things that one question asks, without a language model."""

import re

_ASKS = (
    r"(?:how|what|whats|what's|when|where|which|who|whom|whose|why|can|could|do|does|did|is|are|"
    r"was|will|would|should|must|may)"
)
_BOUNDARY = re.compile(
    rf"(?<=[?!.])\s+(?={_ASKS}\b)|[,;]?\s+(?:and|or|also|plus|but)\s+(?:also\s+)?(?={_ASKS}\b)",
    re.IGNORECASE,
)
FEWEST_WORDS = 3
"""A shorter piece ("and why?") asks nothing by itself."""


def parts_of(question: str) -> tuple[str, ...]:
    """The question's parts in order; a question that asks one thing is its only part.

    Cut where a new sentence or a conjunction begins with a word that asks. Pieces that
    are too short to be searched stay with what stands before them.
    """
    parts: list[str] = []
    for piece in _BOUNDARY.split(question):
        cleaned = piece.strip(" ,;")
        if not cleaned:
            continue
        if parts and len(cleaned.split()) < FEWEST_WORDS:
            parts[-1] = f"{parts[-1]} {cleaned}"
        else:
            parts.append(cleaned)
    if len(parts) > 1 and not re.match(rf"{_ASKS}\b", parts[0], re.IGNORECASE):
        parts[:2] = [f"{parts[0]} {parts[1]}"]  # a situation told first belongs to what it asks
    return tuple(parts) or (question,)
