"""A badge says at a glance what a reply is worth, more finely than the decision does."""

from collections.abc import Sequence
from enum import StrEnum

from audit.record.verdict import Decision


class Badge(StrEnum):
    """A reply bears one badge, at every door."""

    ANSWERED = "answered"
    PROBABLY = "probably"
    """PARTIAL, but no part is missing: it answers all that was asked, without being sure."""
    IN_PART = "in part"
    UNKNOWN = "unknown"


def badge_of(decision: Decision, missing: Sequence[str]) -> Badge:
    """`missing`: the parts of the question that the reply names as unanswered."""
    if decision is Decision.ANSWER:
        return Badge.ANSWERED
    if decision is Decision.ABSTAIN:
        return Badge.UNKNOWN
    return Badge.IN_PART if missing else Badge.PROBABLY
