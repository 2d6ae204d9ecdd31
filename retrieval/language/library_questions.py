"""Some questions are about the library itself: what it holds, what changed, whose a document is.

They are told from ordinary ones by how like they are to lines that people labelled, and what they
are about is what remains of them without the words that such lines have in common.
`retrieval/training/library_questions.jsonl` has the lines, and
`python -m retrieval.training.library_questions` fits the weights anew, as it must for every new
embedder.
"""

from enum import StrEnum
from pathlib import Path

from retrieval.language.labelled_lines import LabelledLines
from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.ports import Embedder

FITTED = Path(__file__).parents[1] / "models" / "bundled" / "library_questions.npz"
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

    def topic(self, line: str) -> str:
        """What a question about the library is about; empty for everything."""
        frame = self._lines.fitted.frame
        return " ".join(
            word
            for word in words_of(line)
            if word not in FUNCTION_WORDS and not stems([word]) <= frame
        )
