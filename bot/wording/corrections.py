"""What people read where an answer of before no longer holds."""

NOW = "Now:"
THEN = "What I said then:"
NOT_SHOWN = "The document that I answered from is not there any more."


def headline(day: str) -> str:
    return f"A document has changed since I answered this on {day}."


def more(left: int) -> str:
    return f"and {left} more"


def rested(file: str, count: int, corrected: int) -> str:
    answers = "answer" if count == 1 else "answers"
    others = {0: "none is another one now", 1: "one is another one now, and was corrected"}
    came_to = others.get(corrected, f"{corrected} are others now, and were corrected")
    return f"{file} changed: {count} {answers} rested on what it said; {came_to}."


def unposted(why: str) -> str:
    """`why`: Slack's code."""
    return f"A correction could not be posted ({why}); it is tried again at the next run."
