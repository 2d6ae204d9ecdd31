"""What somebody does by saying something, told by how like it is to lines that people labelled.

"When is lunch" asks the documents, "lunch?" asks a colleague. `retrieval/training/meanings.jsonl`
has the lines, and `python -m retrieval.training lines` fits the weights anew, as it must for
every new embedder.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from retrieval.language.labelled_lines import LabelledLines
from retrieval.ports import Embedder

FITTED = Path(__file__).parents[1] / "models" / "bundled" / "meanings.npz"


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

    def __init__(self, embedder: Embedder, file: Path = FITTED) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._lines = LabelledLines(embedder, file)

    def __call__(self, line: str) -> Said:
        """`line`: plain words, without markup. Raise what the embedder raises."""
        by_meaning = {Meaning(each): score for each, score in self._lines(line).items()}
        best = max(by_meaning, key=by_meaning.__getitem__)
        asks = max(by_meaning[each] for each in ASKS)
        other = max(score for each, score in by_meaning.items() if each not in ASKS)
        return Said(best, asks - other)
