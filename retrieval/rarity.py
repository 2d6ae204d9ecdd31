"""Words of a question that a passage lacks: what no vector and no sum of matches shows.

"Can I carry over leave as a contractor?" is close to every passage on carrying over leave; that
one of them says nothing of contractors, while others do not lack the word, tells a lot.
"""

import math
import re
from collections.abc import Sequence

from Stemmer import Stemmer

_WORD = re.compile(r"[^\W_]{2,}")


def rarest_missing(question: str, texts: Sequence[str]) -> list[float]:
    """For each text the rarity of the rarest word of the question that it lacks, 0 for none.

    The rarity is the inverse document frequency among these texts, ln((N + 1) / (n + 0.5)) for
    a word that n of N have (Robertson and Zaragoza, "The probabilistic relevance framework:
    BM25 and beyond", 2009, section 3.1, smoothed to stay above 0); words count by their stems.
    """
    stemmed = [_stems(text) for text in texts]
    rarity = {
        word: math.log((len(texts) + 1) / (sum(word in words for words in stemmed) + 0.5))
        for word in _stems(question)
    }
    return [
        max((rarity[word] for word in rarity if word not in words), default=0.0)
        for words in stemmed
    ]


def _stems(text: str) -> set[str]:
    return set(Stemmer("english").stemWords(_WORD.findall(text.casefold())))
