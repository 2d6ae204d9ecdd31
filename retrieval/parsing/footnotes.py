"""A note is told where a text refers to it, since what it says is a condition there."""

import re

_SENTENCE_ENDS = re.compile(r"[.!?]\s+")


def in_brackets(note: str) -> str:
    """A note as a part of the sentence that it is about."""
    return _SENTENCE_ENDS.sub("; ", " ".join(note.split()).rstrip("."))
