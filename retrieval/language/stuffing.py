"""Text that says one thing over and over, to be found, is no evidence and no answer.

"Carry over carry over carry over ..." has every word of a question and says nothing. What people
write repeats its words, and a table its cells, but brings something new each time, and words that
hold it together.
"""

import re
from collections import Counter

from retrieval.language.words import SUBJECTLESS

ROUNDS = 3
"""The same words so often one after another go round; "never, never" does not."""
FEWEST_WORDS = 6
"""Of all rounds together."""
ROUND_SHARE = 2 / 3
"""Share, 0 to 1, of a clause's words that its rounds are, from which it says nothing else. Not
measured; chosen so that a sentence may be emphatic ("it is very, very, very late") and say more."""
LONGEST_ROUND = 40
"""Words."""
FEWEST_LISTED = 10
"""Words of a sentence from which on it may be a mere list of the words to be found by."""
REPEATED = 0.6
"""Share, 0 to 1, of its words that come again there."""
HELD_TOGETHER = 0.1
"""Share, 0 to 1, of its words that no such list exceeds of those that name no subject. Of 175,015
sentences of handbooks, manuals and articles these two take one, six commands in a row; a share of
words that come again of 0.5 takes six, one of words that name no subject of 0.2 seven."""
MOST_OFTEN = 4
"""How often one of the words comes at least."""
SAME_CLAUSES = 8
"""Clauses of one sentence that are the same; a row about a week has seven."""
TIMES = 4
"""How often the same sentence stands in one passage, where most of them are that one."""
MOST_READ = 20_000
"""Characters of a sentence that are looked at."""
_BETWEEN_SENTENCES = re.compile(r"[;|:.!?]+(?:\s|$)")
_WORD = re.compile(r"\w+")


def said_over(texts: tuple[str, ...]) -> frozenset[int]:
    """Of a passage's sentences, by index, the one that it mostly consists of."""
    folded = [" ".join(_words(text)) for text in texts]
    said = Counter(folded)
    mostly = {text for text, times in said.items() if times >= TIMES and 2 * times > len(texts)}
    return frozenset(n for n, text in enumerate(folded) if text in mostly)


def repeats_itself(text: str) -> bool:
    """Whether a clause of it goes round, or what stands between its commas is mostly the same."""
    parts = _BETWEEN_SENTENCES.split(text[:MOST_READ])
    clauses = [words for part in parts for clause in part.split(", ") if (words := _words(clause))]
    if not clauses:
        return False
    [(_, times)] = Counter(clauses).most_common(1)
    same = times >= SAME_CLAUSES and 2 * times > len(clauses)
    return same or any(map(_goes_round, clauses)) or any(map(_only_lists, parts))


def _only_lists(text: str) -> bool:
    """Whether its words are few, again and again, and nothing holds them together."""
    words = [word.strip(",()") for word in text.lower().split()]
    if len(words) < FEWEST_LISTED:
        return False
    naming = Counter(word for word in words if word not in SUBJECTLESS and word.isalpha())
    again = sum(times for times in naming.values() if times > 1)
    loose = naming.total() >= (1 - HELD_TOGETHER) * len(words)
    return loose and again >= REPEATED * len(words) and max(naming.values()) >= MOST_OFTEN


def _goes_round(words: tuple[str, ...]) -> bool:
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
