"""A sentence may say only where an answer stands: "If the card is lost, follow these steps."

Copied without the page that they lead to, they answer nobody.
"""

import re

from bot.answering.values import Claim
from retrieval.language.sentences import sentence_spans

_WHERE = (
    r"(?:instructions?|directions?|steps?|guides?|guidance|guidelines?|pages?|links?|documents?|"
    r"documentation|sections?|chapters?|checklists?|faqs?|wiki|articles?|posts?)"
)
_POINTS = re.compile(
    r"(?:(?:if|when|where|once|before|after|for|to|in|as|also|then|otherwise)\b[^,;:]*,\s*)?"
    r"(?:(?:[\w'-]+ ){0,4}(?:please|can|should|must|may|to) )?"
    r"(?:also )?(?:follow|see|read|check(?: out)?|use|visit|consult|review|refer to|go to|look at)"
    rf" (?:these|this|those|that|the|our) (?:[\w-]+ ){{0,2}}{_WHERE}"
    r"(?: (?:here|below|above))?\s*[.!]?",
    re.IGNORECASE,
)
"""A condition at most, somebody who should, and where to look."""


def only_refers(claim: Claim) -> bool:
    """Whether every sentence of it leads elsewhere and says nothing besides."""
    text = claim.text
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    return bool(sentences) and all(_POINTS.fullmatch(sentence) for sentence in sentences)
