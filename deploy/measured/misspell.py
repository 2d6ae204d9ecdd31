"""Labelled questions, each with one word misspelt by rule: `misspell.py QUESTIONS SPLIT > FILE`.

The longest English word in small letters, of six letters or more, loses its middle letter in every
second question, and in the others its two middle letters change places.
"""

import json
import re
import sys
from pathlib import Path

from retrieval.language.spelling import SpellingProposals

WORD = re.compile(r"(?<![\w@#./:'’-])[a-z]{6,}(?![\w@/:'’-]|\.\w)")


def misspelt(text: str, number: int, spelling: SpellingProposals) -> str:
    words = [found for found in WORD.finditer(text) if spelling.is_english(found[0])]
    if not words:
        return text
    longest = max(words, key=lambda found: len(found[0]))
    word, middle = longest[0], len(longest[0]) // 2
    start, left, right = word[: middle - 1], word[middle - 1], word[middle]
    changed = start + (left if number % 2 else right + left) + word[middle + 1 :]
    return text[: longest.start()] + changed + text[longest.end() :]


def main() -> None:
    questions, split = sys.argv[1:]
    lines = Path(questions).read_text(encoding="utf-8").splitlines()
    chosen = [each for each in map(json.loads, lines) if each["split"] == split]
    spelling = SpellingProposals()
    for number, each in enumerate(chosen):
        print(json.dumps({**each, "question": misspelt(each["question"], number, spelling)}))


main()
