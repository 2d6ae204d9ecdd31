"""People type questions so in chat."""

import random


def as_typed(question: str, dice: random.Random) -> str:
    """The question, half of the time less carefully typed."""
    if dice.random() < 0.5:
        return question
    if dice.random() < 0.7:
        question = question.lower()
    if dice.random() < 0.7:
        question = question.rstrip("?")
    if dice.random() < 0.25:
        question = _with_typo(question, dice)
    return question


def _with_typo(question: str, dice: random.Random) -> str:
    """Two neighbouring letters swapped, or one left out, in a word of five letters or more."""
    words = question.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return question
    at = dice.choice(long)
    word = words[at]
    i = dice.randrange(1, len(word) - 1)
    swapped = word[: i - 1] + word[i] + word[i - 1] + word[i + 1 :]
    words[at] = dice.choice([swapped, word[:i] + word[i + 1 :]])
    return " ".join(words)
