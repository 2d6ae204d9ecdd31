"""Whether a question is in English, the only language that anything here understands."""

import re
from functools import cached_property
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
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]")


class EnglishIdentifier:
    """Asks py3langid's model; loading it takes about a second."""

    def __call__(self, text: str) -> bool:
        """In doubt a text is in English: a short one, one of numbers and names."""
        words = _WORD.findall(text)
        latin = [word for word in words if _LATIN.search(word)]
        if len(latin) * 2 >= len(words) and len(words) < FEWEST_WORDS:
            return True
        ours = [word for word in words if len(word) >= UNMISTAKABLE and word.lower() in SUBJECTLESS]
        if len(ours) >= ENOUGH:
            return True
        return bool(dict(self._model.rank(text))["en"] >= LEAST_ENGLISH)

    @cached_property
    def _model(self) -> "LanguageIdentifier":
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
