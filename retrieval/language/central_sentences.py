"""The sentences that say what most of a text is about."""

from collections import Counter
from collections.abc import Sequence

from retrieval.language.words import FUNCTION_WORDS, stems, words_of


def most_central(sentences: Sequence[str], most: int) -> list[str]:
    """At most so many, in their order in the text.

    SumBasic (Nenkova and Vanderwende, "The impact of frequency on summarization", 2005): a word is
    as probable as it is frequent; a sentence weighs the mean of its words; the heaviest is taken,
    the probabilities of its words are squared, for what is said need not be said again, and so on.
    Function words have no part. Their version takes the heaviest with the most probable word; in
    the few sentences of a passage the heaviest alone.
    """
    contents = [_content(sentence) for sentence in sentences]
    counts = Counter(word for words in contents for word in words)
    whole = counts.total()
    probable = {word: count / whole for word, count in counts.items()}
    left, taken = list(range(len(sentences))), set[int]()
    while left and len(taken) < most:
        best = max(left, key=lambda at: (_mean(probable, contents[at]), -at))
        left.remove(best)
        taken.add(best)
        for word in contents[best]:
            probable[word] **= 2
    return [sentences[at] for at in sorted(taken)]


def _content(sentence: str) -> frozenset[str]:
    return stems(word for word in words_of(sentence) if word not in FUNCTION_WORDS)


def _mean(probable: dict[str, float], words: frozenset[str]) -> float:
    return sum(probable[word] for word in words) / len(words) if words else 0.0
