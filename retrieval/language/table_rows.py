"""A table row is kept and quoted as "Grade: B; Mark from: 70".

So nobody has to guess which cell stands under which column. A cross-encoder reads a single row
as "The mark from of the grade B is 70.", about the cell that the question names; a question that
names row and column by their own words looks a cell up, whatever a model makes of it. What both
are worth stands in `docs/measurements.md`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.language.words import RAISED_DIGITS, SUBJECTLESS, asked_by, stems, words_of
from retrieval.types import Passage, Sentence

YES = frozenset({"yes", "y", "✓", "✔", "x", "true", "included", "available"})
NO = frozenset({"no", "n", "✗", "✘", "-", "–", "—", "false", "none", "not included"})
_HOW_MANY = re.compile(r"\bhow (?:many|much) (\w+)")
_UNITS = stems("days hours minutes weeks months years euros dollars pounds".split())  # noqa: SIM905
_NUMBER = re.compile(r"\d[\d.,]*")
_NOTE = re.compile(rf" \((?:[*†‡§]{{1,4}} |[{RAISED_DIGITS}]+ |(?:\d{{1,2}}|[a-e]): ).{{1,500}}\)$")
"""As `retrieval.parsing.notes` tells it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """It is a cell of a row, under its column's name."""

    column: str
    text: str

    @property
    def words(self) -> Sequence[str]:
        """Its own, without those of a note that is told with it."""
        return words_of(_NOTE.sub("", self.text))

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


def in_words(text: str, question: str = "", about: str = "") -> str:
    """How a cross-encoder reads a row by itself; any other sentence as it is.

    The row is about the cell that shares most words with the question, else `about` what is given,
    else the first.
    """
    cells = cells_of(text)
    if not cells:
        return text
    asked = stems(word for word in words_of(question) if word not in SUBJECTLESS)
    subject = max(cells, key=lambda cell: len(asked & stems(cell.words)))
    is_named = not about or bool(asked & stems(subject.words))
    of = f"{_uncapitalised(subject.column)} {subject.text}" if is_named else _uncapitalised(about)
    return " ".join(
        f"The {_uncapitalised(cell.column)} of the {of} is {cell.text.removesuffix('.')}."
        for cell in cells
        if not (is_named and cell is subject)
    )


def about_only_row(passage: Passage) -> str:
    """What the only row of a passage is about: its nearest heading; empty where there is none."""
    rows = sum(map(len, tables_of(passage.sentences)))
    return passage.section_path[-1] if rows == 1 and passage.section_path else ""


def _uncapitalised(name: str) -> str:
    """Within a sentence; an abbreviation stays as it is."""
    return name if name[1:2].isupper() else f"{name[:1].lower()}{name[1:]}"


def tables_of(sentences: Sequence[Sentence]) -> list[dict[int, Sequence[Cell]]]:
    """The rows among the sentences by their indexes, those under the same first column together."""
    tables: dict[str, dict[int, Sequence[Cell]]] = {}
    for index, sentence in enumerate(sentences):
        if cells := cells_of(sentence.text):
            tables.setdefault(cells[0].column, {})[index] = cells
    return list(tables.values())


def names_of(row: Sequence[Cell]) -> frozenset[str]:
    """Stems of its words; a number outside the first cell is a value, no name."""
    first, *others = (cell.words for cell in row)
    return stems((*first, *(word for words in others for word in words if not word.isdigit())))


def rows_looked_up(
    question: str, heading: str, rows: Mapping[int, Sequence[Cell]]
) -> frozenset[int]:
    """The rows of which a question names one column, and nothing else; by their indexes, or none.

    All that it asks stands in the heading, in one column's name or in those rows: of "fee in the
    blue zone" a table of zones and their fees holds the cell, of "fee in the blue zone on Sundays"
    it need not; nor does a row of "all zones except blue".
    """
    asked, about = asked_by(question), stems(words_of(heading))
    named = {index: len(asked & names_of(row) - about) for index, row in rows.items()}
    most = max(named.values(), default=0)
    meant = frozenset(index for index, number in named.items() if number == most)
    if most == 0 or len(meant) == len(rows) > 1:
        return frozenset()
    counted = stems(_HOW_MANY.findall(question.casefold())[:1]) & asked
    is_said = all(_is_said(asked, about, rows[index], counted) for index in meant)
    return meant if is_said else frozenset()


def _is_said(
    asked: frozenset[str], about: frozenset[str], row: Sequence[Cell], counted: frozenset[str]
) -> bool:
    """Whether a column beside the first says what neither heading nor row do, but for a unit.

    Each cell that names the row is named whole: "Non-members" by no question about members. What
    is `counted` is the column's, or a unit: how many managers are on leave tells no row of theirs.
    """
    cells = [stems(cell.words) for cell in row]
    if any(words & asked - about and not words <= asked | about for words in cells):
        return False
    rest = asked - about - names_of(row) - stems(words_of(row[0].column))
    for cell in row[1:]:
        column = stems(words_of(cell.column))
        of_unit = counted <= _UNITS and bool(_NUMBER.fullmatch(cell.text))
        unsaid = rest - column - (counted if of_unit else frozenset())
        if column & asked and not unsaid and (of_unit or counted <= column):
            return True
    return False


def rows_of(sentences: Sequence[Sentence]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of one table; none where some of it is no row, or of another table."""
    rows = tuple(cells_of(each.text) for each in sentences)
    first = {row[0].column if row else "" for row in rows}
    return rows if len(first) == 1 and all(rows) else ()
