"""What a line wants, told by how like it is to lines that people labelled.

Likeness is that of the bundled embedder's vectors, and of the words in their order, for what a line
is about says little of what it does. `python -m retrieval.training lines` fits the weights to the
labelled lines anew, as it must for every new embedder.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.language.questions import QUESTION_WORDS
from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.ports import Embedder

_BUNDLED = Path(__file__).parents[1] / "models" / "bundled"
MEANINGS = _BUNDLED / "meanings.npz"
LIBRARY_QUESTIONS = _BUNDLED / "library_questions.npz"
NEARNESS = 1.0
"""How fast likeness falls with the distance of two vectors."""
WORDS = 0.5
"""What words count beside vectors."""
LONGEST = 600
"""Characters that are looked at: what somebody does, they show at the beginning."""
_MARKS = re.compile(r"\w+(?:'\w+)?|[?!*.,:]")
_LETTERS = re.compile(r"[^\W_]+")
_LISTS = re.compile("[,;&]")
_STRAIGHT = str.maketrans("“”", '""')


class LabelledLines:
    """Tells how like a line is to those of each label; safe to share between threads."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._embedder, self._file = embedder, file

    def __call__(self, line: str) -> Mapping[str, float]:
        """By label, about -1 to 1 each. Raise what the embedder raises."""
        fitted, line = self.fitted, line.translate(_STRAIGHT)
        vector = self._embedder.embed([line[:LONGEST]])[0]
        scores = likeness(vector, fitted.vectors) @ fitted.by_line
        known = [fitted.places[each] for each in terms(line) if each in fitted.places]
        if known:
            scores = scores + WORDS * fitted.by_term[known].sum(0) / np.sqrt(len(known))
        return dict(zip(fitted.labels, scores.tolist(), strict=True))

    @cached_property
    def fitted(self) -> "Fitted":
        """Raise `OSError` or `ValueError`."""
        return Fitted.read(self._file)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was learnt of the labelled lines."""

    labels: Sequence[str]
    vectors: NDArray[np.float32]
    """Shape (lines, width)."""
    by_line: NDArray[np.float32]
    """Shape (lines, labels)."""
    places: dict[str, int]
    """Of the terms that several lines have."""
    by_term: NDArray[np.float32]
    """Shape (terms, labels)."""
    frame: frozenset[str] = frozenset()
    """Stems of the words around what a line is about, where people marked that."""

    @classmethod
    def read(cls, file: Path) -> "Fitted":
        """Raise `OSError` or `ValueError`."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(
                [str(each) for each in arrays["meanings"]],
                arrays["vectors"].astype(np.float32) / 127,
                arrays["by_line"].astype(np.float32),
                {str(each): place for place, each in enumerate(arrays["terms"])},
                arrays["by_term"].astype(np.float32),
                frozenset(map(str, arrays["frame"])) if "frame" in arrays else frozenset(),
            )


def likeness(vectors: NDArray[np.float32], lines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of unit vectors to those of lines: 1 for the same, towards 0 with their distance."""
    return np.asarray(np.exp(-NEARNESS * (2 - 2 * vectors @ lines.T)), np.float32)


def terms(line: str) -> frozenset[str]:
    """Its words and marks and their runs of two and three, with its beginning and end."""
    plain = unicodedata.normalize("NFKC", line[:LONGEST]).casefold().replace("\u2019", "'")
    words = ["^", *_MARKS.findall(plain), "$"]
    return frozenset(" ".join(run) for size in (1, 2, 3) for run in _runs(words, size))


def _runs(words: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (words[start : start + size] for start in range(len(words) - size + 1))


class Meaning(StrEnum):
    QUESTION = "question"
    SITUATION = "situation"
    """Tells of a case of one's own, for which an answer is wanted: "I'm a part-timer"."""
    CORRECTION = "correction"
    """Mends what was asked: "typo, I meant Tuesday"."""
    THANKS = "thanks"
    """Or takes note: "got it, will hand it in tomorrow"."""
    PEOPLE = "people"
    """What people say to each other, or to nobody."""
    HELLO = "hello"
    """Greets, or wants to know what the bot can do."""
    ABOUT = "about"
    """Wants to know who or what the bot is."""
    BYE = "bye"


ASKS = (Meaning.QUESTION, Meaning.SITUATION, Meaning.CORRECTION)
"""What wants an answer out of the documents."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a line does, most likely."""

    meaning: Meaning
    asking: float
    """How much more it is like what wants an answer than like all else; below 0: it is less so."""


class Meanings:
    """Tells what a line does, in a few milliseconds; safe to share between threads."""

    def __init__(self, embedder: Embedder, file: Path = MEANINGS) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._lines = LabelledLines(embedder, file)

    def __call__(self, line: str) -> Said:
        """`line`: plain words, without markup. Raise what the embedder raises."""
        by_meaning = {Meaning(each): score for each, score in self._lines(line).items()}
        best = max(by_meaning, key=by_meaning.__getitem__)
        asks = max(by_meaning[each] for each in ASKS)
        other = max(score for each, score in by_meaning.items() if each not in ASKS)
        return Said(best, asks - other)


ORDINARY = "ordinary"
SURE = 0.2
"""How much more a line is like one about the library than like any other, at least. An ordinary
question taken for one loses its answer, so it is chosen by cross-validation on the lines for a
precision of .98, at which nine in ten are found."""


class Wanted(StrEnum):
    LIST = "list"
    """Which documents there are, or how many."""
    CHANGES = "changes"
    """Which of them are new, or changed."""
    ABOUT = "about"
    """Of one document its owner, its dates or its version."""
    OUTLINE = "outline"
    """What one document says, in short."""
    MENTIONS = "mentions"
    """Which documents have a word in their text."""
    COMPARED = "compared"
    """How two documents that are named differ."""
    BEGINS = "begins"
    """Which documents hold from some day on."""
    ENDS = "ends"
    """Which will hold no longer from some day on."""
    OWNED = "owned"
    """Which documents somebody owns."""
    REST = "rest"
    """What was left out of the list before."""


OF_EACH = frozenset({Wanted.MENTIONS, Wanted.COMPARED, Wanted.BEGINS, Wanted.ENDS, Wanted.OWNED})
"""Words around what such a question is about say nothing in it alone: "effects" may be a topic."""


class LibraryQuestions:
    """Tells a question about the library, in a few milliseconds; safe to share between threads."""

    def __init__(self, embedder: Embedder, file: Path = LIBRARY_QUESTIONS) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._lines = LabelledLines(embedder, file)

    def __call__(self, line: str) -> Wanted | None:
        """What a line wants to know of the library; None for an ordinary question."""
        best, by = self._nearest(line)
        return best if by > SURE else None

    def of_a_file(self, line: str) -> Wanted | None:
        """The same of a line that came with a file, which an outline of that may answer.

        "What does this say?" is ordinary elsewhere; "who owns this?" asks for more than is said.
        """
        best, by = self._nearest(line)
        words = {*words_of(line)}
        plain = words - FUNCTION_WORDS and not words & (QUESTION_WORDS - {"what"})
        alone = best is Wanted.OUTLINE and plain and not self.topic(line, best)
        return best if by > SURE or alone else None

    def _nearest(self, line: str) -> tuple[Wanted, float]:
        """Which of these a line is most like, and how much more than like an ordinary one."""
        scores = dict(self._lines(line))
        ordinary = scores.pop(ORDINARY)
        best = max(scores, key=scores.__getitem__)
        return Wanted(best), scores[best] - ordinary

    def topic(self, line: str, wanted: Wanted) -> str:
        """What a question about the library is about, as it is typed; empty for everything."""
        return " ".join(
            word
            for word in _LETTERS.findall(line)
            if word.casefold() not in FUNCTION_WORDS and not self.is_around(word, wanted)
        )

    def mentioned(self, line: str) -> list[list[str]]:
        """What stands in such a question between the words around it: terms that "and" joins.

        No word that may say something is left out: what a "not" or an "or" is among is one term.
        """
        runs: list[list[re.Match[str]]] = [[]]
        for found in _LETTERS.finditer(line):
            word = found[0].casefold()
            if word not in FUNCTION_WORDS and self._is_in_frame(word, Wanted.MENTIONS):
                runs.append([])
            else:
                runs[-1].append(found)
        return [
            list(_joined_by_and(line, run))
            for run in runs
            if any(self.topic(each[0], Wanted.MENTIONS) for each in run)
        ]

    def is_around(self, word: str, wanted: Wanted) -> bool:
        """Whether a word says nothing of what such a question is about."""
        frame = self._lines.fitted.frame
        return self._is_in_frame(word, wanted) or not stems(words_of(word)).isdisjoint(frame)

    def _is_in_frame(self, word: str, wanted: Wanted) -> bool:
        frame = self._lines.fitted.frame
        return any(framed(each, wanted) in frame for each in stems(words_of(word)))


def _joined_by_and(line: str, run: Sequence[re.Match[str]]) -> Iterator[str]:
    """Each term of a run of words, as it is typed, without what leads to it."""
    terms: list[list[re.Match[str]]] = [[]]
    for found in run:
        if found[0].casefold() == "and":
            terms.append([])
            continue
        if terms[-1] and _LISTS.search(line[terms[-1][-1].end() : found.start()]):
            terms.append([])
        if terms[-1] or found[0].casefold() not in FUNCTION_WORDS:
            terms[-1].append(found)
    for term in terms:
        while term and term[-1][0].casefold() in FUNCTION_WORDS:
            term.pop()
        if term:
            yield line[term[0].start() : term[-1].end()]


def framed(stem: str, wanted: Wanted) -> str:
    """How a stem that says nothing in such questions alone stands among those that never do."""
    return f"{wanted}:{stem}" if wanted in OF_EACH else stem
