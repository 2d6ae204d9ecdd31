"""Text that says one thing over and over, to be found, is no evidence and no answer.

"Carry over carry over carry over ..." has every word of a question and says nothing. What people
write repeats its words, and a table its cells, but brings something new each time.
"""

import re
from collections import Counter
from functools import lru_cache

from retrieval.types import Passage

ROUNDS = 3
"""The same words so often one after another go round; "never, never" does not."""
FEWEST_WORDS = 6
"""Of all rounds together."""
ROUND_SHARE = 2 / 3
"""Share, 0 to 1, of a clause's words that its rounds are, from which it says nothing else. Not
measured; chosen so that a sentence may be emphatic ("it is very, very, very late") and say more."""
LONGEST_ROUND = 40
"""Words."""
LONG = 20
"""Words from which on a clause is long."""
FEWEST_DISTINCT = 0.2
"""Share, 0 to 1, of different words in a long clause, under which it repeats them in whatever
order. Not measured; chosen so that it lies far under prose, of whose 200 words half differ."""
SAME_CLAUSES = 8
"""Clauses of one sentence that are the same; a row about a week has seven."""
TIMES = 4
"""How often the same sentence stands in one passage, where most of them are that one."""
MOST_READ = 20_000
"""Characters of a sentence that are looked at."""
_BETWEEN_CLAUSES = re.compile(r"[;,|:.!?]+(?:\s|$)")
_WORD = re.compile(r"\w+")


def stuffed(passage: Passage) -> frozenset[int]:
    """Sentences that repeat themselves, or of which the passage mostly consists; by index."""
    texts = [sentence.text for sentence in passage.sentences]
    said = Counter(map(_folded, texts))
    mostly = {text for text, times in said.items() if times >= TIMES and 2 * times > len(texts)}
    return frozenset(
        n for n, text in enumerate(texts) if repeats_itself(text) or _folded(text) in mostly
    )


@lru_cache(maxsize=2048)
def repeats_itself(text: str) -> bool:
    """Whether a clause of it goes round, or what stands between its commas is mostly the same."""
    clauses = [_words(part) for part in _BETWEEN_CLAUSES.split(text[:MOST_READ])]
    clauses = [words for words in clauses if words]
    if not clauses:
        return False
    [(_, times)] = Counter(clauses).most_common(1)
    same = times >= SAME_CLAUSES and 2 * times > len(clauses)
    return same or any(map(_goes_round, clauses))


def _goes_round(words: tuple[str, ...]) -> bool:
    if len(words) >= LONG and len(set(words)) < FEWEST_DISTINCT * len(words):
        return True
    rounds = range(1, min(LONGEST_ROUND, len(words) // ROUNDS) + 1)
    return any(_covers(_longest_repeat(words, size), size, len(words)) for size in rounds)


def _covers(repeated: int, size: int, words: int) -> bool:
    """Whether rounds of that size, of which `repeated` words come again, are most of the words."""
    covered = repeated + size
    return covered >= max(ROUNDS * size, FEWEST_WORDS, ROUND_SHARE * words)


def _longest_repeat(words: tuple[str, ...], size: int) -> int:
    """How many words in a row are those that stand `size` words before them."""
    longest = here = 0
    for word, before in zip(words[size:], words, strict=False):
        here = here + 1 if word == before else 0
        longest = max(longest, here)
    return longest


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text[:MOST_READ].lower()))


def _folded(text: str) -> str:
    return " ".join(_words(text))
