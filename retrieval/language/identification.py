"""Whether a text is in English, the only language that anything here understands."""

import re
from functools import cache
from typing import TYPE_CHECKING

from retrieval.language.words import SUBJECTLESS

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LEAST_ENGLISH = 0.005
"""Probability, 0 to 1, under which a text is not in English. Of the 10,791 English questions and
remarks that were in `retrieval/training` and `tests/bot/slack/heard` and have at least
`FEWEST_WORDS`, none lies lower; the lowest that is no piece of code has 0.010."""
FEWEST_WORDS = 3
"""In an alphabet that English is written in too, fewer words tell no language from another."""
UNMISTAKABLE = 4
"""Letters from which a function word is hardly one of another language too: not "am" and "was"."""
ENOUGH = 2
"""Such words in an English question about something foreign: "what does Hausarbeit mean"."""
LEAST_OURS = 0.25
"""Share of function words, 0 to 1, from which a document's text is English without asking further.
Of 4,786 paragraphs of the 18F handbook 992 have less, of which three, links alone, are not taken
for English; of 19 in German, French, Spanish and Hindi none has more than 0.13."""
MOST_READ = 5_000
"""Characters of a text by which its language is told."""
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]")


def asked_in_english(question: str) -> bool:
    """In doubt it is: a short one, one of numbers and names."""
    words = _WORD.findall(question)
    ours = [word for word in words if len(word) >= UNMISTAKABLE and word.lower() in SUBJECTLESS]
    return len(ours) >= ENOUGH or _may_be_english(question, words)


def written_in_english(text: str) -> bool:
    """Likewise of a document's text; the model, slow to load, is asked of few that are English."""
    read = text[:MOST_READ]
    words = _WORD.findall(read)
    ours = sum(word.lower() in SUBJECTLESS for word in words)
    return ours >= LEAST_OURS * len(words) or _may_be_english(read, words)


def _may_be_english(text: str, words: list[str]) -> bool:
    latin = sum(1 for word in words if _LATIN.search(word))
    if latin * 2 >= len(words) and len(words) < FEWEST_WORDS:
        return True
    return bool(dict(_model().rank(text))["en"] >= LEAST_ENGLISH)


@cache
def _model() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
