"""What people read after a command or a click in Slack, besides replies."""

from collections.abc import Sequence

COMMAND_NOT_STORED = (
    "I could not keep your question just now, so I did not start on it. "
    "Please ask again in a minute."
)
AUDIT_QUOTES = 'A quotation mark is left open. Write `/audit text "two words"`.'
NOT_THERE = "I no longer find this exchange. The audit store has it, if it was ever answered."
NOT_HERE = "This button belongs to another conversation, so I do not open it here."
ASKER_ALONE = "Only whoever asked can say which passage was it."
NOT_KEPT = "That button is over, so I did not keep this."
STORE_AWAY = "The audit store does not answer just now. Please try again in a minute."
CLICK_FAILED = "That did not work; the operator finds the reason in the log. Please try again."
WINDOW_LATE = (
    "Slack lets me open a window only in the three seconds after you ask, and I was too slow. "
    "Please try again."
)
WINDOW_FAILED = "The window could not be opened just now. Please try again in a minute."
PEOPLE_AWAY = "I cannot look up who you are just now. Please try again in a minute."
ASKED_ALREADY = "I have this question of yours already: look into our direct message."

_MOST_NAMED = 5
"""Documents in one sentence."""


def audit_not_understood(word: str) -> str:
    return f"I don't understand `{word}` there."


def audit_value_missing(key: str) -> str:
    return f"After `{key}` I expected what to look for."


def audit_several_documents(name: str, files: Sequence[str]) -> str:
    """`files`: all that go by the name, two or more."""
    named = ", ".join(f"`{file}`" for file in files[:_MOST_NAMED])
    more = f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
    return f"{len(files)} documents are called “{name}”; give the file of one: {named}{more}."


def audit_no_decision(value: str) -> str:
    return f"`{value}` is no decision. Write `answer`, `partial` or `abstain`."


def audit_no_key_of_feedback(key: str) -> str:
    return f"Feedback is not listed by `{key}`. Write `person`, `since` or `until`."


def audit_no_time(value: str) -> str:
    return f"`{value}` is no date. Write it as `2026-01-31` or `2026-01-31T14:00`."
