"""Texts that lead to a passage, made by rules: questions, a summary, what it names.

Kinds of entries after Vadlapati, "Index-RAG" (2026): there a language model writes the questions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.lab.published.made_questions import questions_of_heading, questions_of_sentence
from retrieval.language.words import FUNCTION_WORDS, SUBJECTLESS, stems, words_of
from retrieval.types import Passage

SUMMARY_SENTENCES = 2
MOST_QUESTIONS = 12
MOST_ENTITIES = 12


def questions(passage: Passage) -> list[str]:
    """Of its headings first, then of its sentences; each once."""
    made = questions_of_heading((passage.document.title, *passage.section_path))
    for sentence in passage.sentences:
        made += questions_of_sentence(sentence.text)
    return list(dict.fromkeys(filter(None, map(_folded, made))))[:MOST_QUESTIONS]


def summary(passage: Passage) -> list[str]:
    """One, of a passage that has more sentences than a summary."""
    sentences = [sentence.text for sentence in passage.sentences]
    if len(sentences) <= SUMMARY_SENTENCES:
        return []
    said = _headed(passage, " ".join(most_central(sentences, SUMMARY_SENTENCES)))
    return [said] if said.strip() else []


def entities(passage: Passage) -> list[str]:
    """All in one text, as an answer names several together; none where nothing is named."""
    found = entities_in([sentence.text for sentence in passage.sentences])
    return [_headed(passage, ", ".join(found[:MOST_ENTITIES]))] if found else []


def _headed(passage: Passage, text: str) -> str:
    """With the heading in front, as the bundled models were trained on passages."""
    return _folded(f"{passage.heading} {text}")


def _folded(text: str) -> str:
    return " ".join(text.split())


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
        best = max(left, key=lambda at: (_weight(probable, contents[at]), -at))
        left.remove(best)
        taken.add(best)
        for word in contents[best]:
            probable[word] **= 2
    return [sentences[at] for at in sorted(taken)]


def _content(sentence: str) -> frozenset[str]:
    return stems(word for word in words_of(sentence) if word not in FUNCTION_WORDS)


def _weight(probable: dict[str, float], words: frozenset[str]) -> float:
    return sum(probable[word] for word in words) / len(words) if words else 0.0


_WORD = r"[A-Z][\w&'’-]*"
_NAME = re.compile(rf"{_WORD}(?:\s+(?:(?:of|for|and|de|van)\s+(?:the\s+)?)?{_WORD})*")
_ABBREVIATION = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z])[A-Z0-9][\w-]+\b")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|#[a-z][\w-]+")
"""E-mail addresses and channels."""


def entities_in(sentences: Sequence[str]) -> list[str]:
    """Each once, those that are named most often first, then as they stand.

    A capital letter at the start of a sentence tells nothing, so a single word there is no name
    unless it is an abbreviation.
    """
    counts = Counter(name for sentence in sentences for name in _names(sentence))
    return [name for name, _ in counts.most_common()]


def _names(sentence: str) -> Iterator[str]:
    yield from _ADDRESS.findall(sentence)
    rest = _ADDRESS.sub(" ", sentence)
    for found in _NAME.finditer(rest):
        name = _without_function_words(found[0])
        begins = not re.search(r"\w", rest[: found.start()])
        several = " " in name or bool(_ABBREVIATION.fullmatch(name))
        if name and (several or (not begins and len(name) > 1)):
            yield name


def _without_function_words(name: str) -> str:
    """Not "The" of "The Registrar", nor "If" of "If Finance"."""
    words = name.split()
    while words and words[0].casefold() in SUBJECTLESS:
        words.pop(0)
    while words and words[-1].casefold() in SUBJECTLESS:
        words.pop()
    return " ".join(words).removesuffix("'s").removesuffix("’s").rstrip("-&'’")
