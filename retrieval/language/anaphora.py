"""Sentences that say nothing without the one before them, by how they begin.

"These must be submitted by May" leans on what "these" are; "This is how to apply" and "It is
best to ask" only look so.
"""

import re

_LEANING = re.compile(
    r"(?:(?:This|That|These|Those|Such|They|He|She|Its|Their|Both|Neither"
    r"|The (?:same|latter|former))\b(?! (?:is|are) (?:how|why|what|where)\b)"
    r"|It\b(?! (?:is|was|may be|can be|takes?|costs?|depends)\b.*\b(?:to|that|whether)\b)"
    r"|(?:However|But|Otherwise|Instead|Then|Also|Therefore|Thus|Hence|So|And|Or)\b"
    r"|(?:In|For) (?:this|that|these|those|such|both|either|all (?:these|other)) "
    r"|If (?:so|not|this|that|they|these|those)\b)"
)
MOST_BEFORE = 2
"""Sentences that are brought in to be leant on."""


def is_anaphoric(sentence: str) -> bool:
    return bool(_LEANING.match(sentence))
