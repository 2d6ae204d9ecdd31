"""Some questions are about what somebody takes now: "my current course", "this semester"."""

import re
from enum import StrEnum

_COURSES = r"(?:courses?|modules?|class(?:es)?|subjects?|lectures?|seminars?)"
_TERM = r"(?:semester|term|trimester|quarter)"
_NOW = rf"(?:now|currently|at the moment|right now|this {_TERM})"
_NAMED = re.compile(
    rf"\b(?:my|our) (?:current|present|ongoing) {_COURSES}\b"
    rf"|\b(?:my|our) {_COURSES} {_NOW}\b"
    rf"|\bthis {_TERM}'?s {_COURSES}\b"
    rf"|\b{_COURSES} (?:that |which )?(?:i'?m|i am|we'?re|we are) (?:currently |now )?"
    r"(?:taking|attending|doing|enrolled in|enrolled on|signed up for)\b"
    rf"|\b{_COURSES} (?:that |which )?i (?:currently|now) (?:take|attend|do)\b",
    re.IGNORECASE,
)
_NOW_ALONE = re.compile(rf"\b(?:this|the current|the present|my current) {_TERM}\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:not|except|besides|beside|apart from|other than|instead of|outside(?: of)?|unlike"
    r"|compared (?:to|with)) (?:in |of |for |with |from )?(?:the |any of )?(?:my|our|this|those) "
    rf"|\b(?:previous|past|earlier|former|completed|finished|passed|last {_TERM})\b",
    re.IGNORECASE,
)
"""Then what is over is asked for as well, or alone."""


class AsksOfCurrent(StrEnum):
    """How far a question is about what somebody takes now."""

    NO = "no"
    FIRST = "first"
    """It names the present semester: what is current is likelier to be meant."""
    ONLY = "only"
    """It names the current courses themselves."""


def asks_of_current(question: str) -> AsksOfCurrent:
    """By its form; where it names what is over as well, nothing is made of it."""
    text = " ".join(question.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if _OTHERS.search(text):
        return AsksOfCurrent.NO
    if _NAMED.search(text):
        return AsksOfCurrent.ONLY
    return AsksOfCurrent.FIRST if _NOW_ALONE.search(text) else AsksOfCurrent.NO
