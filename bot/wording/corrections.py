"""What people read where an answer of before no longer holds."""

NOW = "Now:"
THEN = "What I said then:"
NOT_SHOWN = "The document that I answered from is not there any more."


def headline(day: str) -> str:
    """`day`: when it was answered."""
    return f"A document has changed since I answered this on {day}."


def more(left: int) -> str:
    return f"and {left} more"


def unposted(why: str) -> str:
    """`why`: Slack's code."""
    return f"A correction could not be posted ({why}); it is tried again at the next run."
