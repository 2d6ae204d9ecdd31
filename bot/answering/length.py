"""So much of a question is read, and no more.

Every stage goes over the question again, beside each passage, so that a pasted book would
keep everybody waiting. What is left out shows: reply and record have the question as it was
read.
"""

import re
from dataclasses import replace

from bot.answering.values import Question

LONGEST_QUESTION = 4_000
"""Characters: the models read the first 1,000 or so."""
LONGEST_WORD = 100
"""Characters: to the models a longer one is unknown."""
_TOO_LONG = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")


def shortened(text: str) -> str:
    """As much as is read, with an ellipsis in place of the rest."""
    if len(text) > LONGEST_QUESTION:
        text = f"{text[:LONGEST_QUESTION].rstrip()}…"
    return _TOO_LONG.sub(r"\1…", text)


def as_read(question: Question) -> Question:
    """The question and those before it, as far as they are read."""
    earlier = tuple(map(shortened, question.previous))
    return replace(question, text=shortened(question.text), previous=earlier)
