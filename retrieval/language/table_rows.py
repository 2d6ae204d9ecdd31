"""A table row is kept as "Grade: B; Mark from: 70", and read as "Grade B: Mark from 70.".

Kept so, nobody has to guess which cell stands under which column; read so, people and models
that learned from sentences understand it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.types import Sentence

YES = frozenset({"yes", "y", "✓", "✔", "x", "true", "included", "available"})
NO = frozenset({"no", "n", "✗", "✘", "-", "–", "—", "false", "none", "not included"})


@dataclass(frozen=True, slots=True)
class Cell:
    """It is a cell of a row, under its column's name."""

    column: str
    text: str

    @property
    def is_denied(self) -> bool | None:
        """Of a cell that says yes or no; None of any other."""
        said = self.text.strip(" .").casefold()
        return True if said in NO else False if said in YES else None


def cells_of(sentence: str) -> tuple[Cell, ...]:
    """Those of a row as it is kept; empty for what is no row with named columns."""
    pairs = [piece.partition(": ") for piece in sentence.split("; ")]
    if len(pairs) < 2 or not all(name and colon and text for name, colon, text in pairs):
        return ()
    return tuple(Cell(name, text) for name, _, text in pairs)


def as_sentence(text: str) -> str:
    """How a row is read; any other sentence as it is."""
    cells = cells_of(text)
    if not cells:
        return text
    subject, *others = cells
    said = [_said(cell) for cell in others]
    between = "; " if any("," in each for each in said) else ", "
    return f"{subject.column} {subject.text}: {between.join(said).removesuffix('.')}."


def _said(cell: Cell) -> str:
    names_something = any(letter.isalpha() for letter in cell.column)
    between = " " if cell.is_denied is None and names_something else ": "
    return f"{cell.column}{between}{cell.text}"


def rows_of(sentences: Sequence[Sentence]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of one table; none where some of it is no row, or of another table."""
    rows = tuple(cells_of(each.text) for each in sentences)
    first = {row[0].column if row else "" for row in rows}
    return rows if len(first) == 1 and all(rows) else ()
