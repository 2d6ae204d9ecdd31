"""A table row is kept and quoted as "Grade: B; Mark from: 70".

So nobody has to guess which cell stands under which column. A cross-encoder reads a single row
as "The mark from of the grade B is 70.": what that is worth stands in `docs/measurements.md`.
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


def in_words(text: str) -> str:
    """How a cross-encoder reads a row by itself; any other sentence as it is."""
    cells = cells_of(text)
    if not cells:
        return text
    subject, *others = cells
    of = f"{_uncapitalised(subject.column)} {subject.text}"
    return " ".join(
        f"The {_uncapitalised(cell.column)} of the {of} is {cell.text.removesuffix('.')}."
        for cell in others
    )


def _uncapitalised(name: str) -> str:
    """Within a sentence; an abbreviation stays as it is."""
    return name if name[1:2].isupper() else f"{name[:1].lower()}{name[1:]}"


def rows_of(sentences: Sequence[Sentence]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of one table; none where some of it is no row, or of another table."""
    rows = tuple(cells_of(each.text) for each in sentences)
    first = {row[0].column if row else "" for row in rows}
    return rows if len(first) == 1 and all(rows) else ()
