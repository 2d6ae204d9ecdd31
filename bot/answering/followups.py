"""Making a follow-up understood with the questions before it, without a language model."""

import re

_LEANS = re.compile(
    r"\b(it|its|that|this|those|these|they|them|their|there|then|one|ones|same|he|she|him|her)\b"
    r"|^(and|also|what about|how about|or|but|so)\b",
    re.IGNORECASE,
)
FEW_WORDS = 4
"""A question of fewer words seldom names its subject: "for contractors?"."""


def standalone(question: str, previous: tuple[str, ...]) -> str:
    """The question with the earlier one in front where it leans on it, else unchanged.

    It leans where a word points back ("it", "those"), where it starts as a continuation
    ("what about ..."), or where it is too short to name its subject. The nearest earlier
    question that leans on nothing itself names it.
    """
    if not previous or not _leans(question):
        return question
    subject = next((each for each in reversed(previous) if not _leans(each)), previous[0])
    return f"{subject.rstrip(' ?.!')}: {question}"


def _leans(question: str) -> bool:
    return bool(_LEANS.search(question)) or len(question.split()) < FEW_WORDS
