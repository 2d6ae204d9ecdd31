"""What asks until when is answered by a time: a date, a deadline or a duration."""

import re

from bot.answering.exact.amounts import measures

_ASKS_UNTIL_WHEN = re.compile(r"(?:by|until) when|how late", re.IGNORECASE)
_DURATIONS = ("second", "month", "semester", "term", "day", "week", "hour", "year")
_SAYS_WHEN = re.compile(
    r"\b(?:deadline|(?:no|not) later than|until|before|(?:end|start|beginning) of"
    r"|immediately|at once|as soon as|at any time|next (?:working )?day"
    r"|(?:week|day|semester|term|hour) \d+)\b",
    re.IGNORECASE,
)
"""Of a deadline that has no number of its own: "before the examination"."""


def asks_until_when(question: str) -> bool:
    """Whether it begins by asking so."""
    return bool(_ASKS_UNTIL_WHEN.match(question))


def leaves_open_when(question: str, claim: str) -> bool:
    """Whether the question begins by asking until when, and the claim names no time at all."""
    return asks_until_when(question) and not _names_a_time(claim)


def _names_a_time(text: str) -> bool:
    found = measures(text)
    dated = found.times or found.months or found.weekdays or "ordinal" in found.amounts
    lasts = any(duration in unit for unit in found.amounts for duration in _DURATIONS)
    return bool(dated or lasts or _SAYS_WHEN.search(text))
