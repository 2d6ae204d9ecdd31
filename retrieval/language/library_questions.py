"""Some questions are about the library itself: what it holds, what changed, whose a document is.

They are told from ordinary ones by how like they are to lines that people labelled, and what they
are about is what remains of them without the words that such lines have in common.
`retrieval/training/library_questions.jsonl` has the lines, and
`python -m retrieval.training lines` fits the weights anew, as it must for every new
embedder.
"""

import re
from enum import StrEnum
from pathlib import Path

from retrieval.language.labelled_lines import LabelledLines
from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.ports import Embedder

FITTED = Path(__file__).parents[1] / "models" / "bundled" / "library_questions.npz"
ORDINARY = "ordinary"
_WORD = re.compile(r"[^\W_]+")
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

    def __init__(self, embedder: Embedder, file: Path = FITTED) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._lines = LabelledLines(embedder, file)

    def __call__(self, line: str) -> Wanted | None:
        """What a line in plain words wants to know of the library; None for an ordinary question.

        Raise what the embedder raises.
        """
        scores = dict(self._lines(line))
        ordinary = scores.pop(ORDINARY)
        best = max(scores, key=scores.__getitem__)
        return Wanted(best) if scores[best] - ordinary > SURE else None

    def topic(self, line: str, wanted: Wanted) -> str:
        """What a question about the library is about, as it is typed; empty for everything."""
        return " ".join(
            word
            for word in _WORD.findall(line)
            if word.casefold() not in FUNCTION_WORDS and not self.is_around(word, wanted)
        )

    def is_around(self, word: str, wanted: Wanted) -> bool:
        """Whether a word says nothing of what such a question is about."""
        frame = self._lines.fitted.frame
        return any(each in frame or framed(each, wanted) in frame for each in stems(words_of(word)))


def framed(stem: str, wanted: Wanted) -> str:
    """How a stem that says nothing in such questions alone stands among those that never do."""
    return f"{wanted}:{stem}" if wanted in OF_EACH else stem
