"""What a table row reads as.

A row is understood only with the names of its columns, so its text carries them:
"Direct reports: 5; Hours: 16-20 hours".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

_NUMBER = re.compile(r"[^\w]*\d[\d.,:/%\s-]*[^\W\d]{0,3}[^\w]*")
_LONGEST_NAME = 8
"""Words: a longer cell is a text, not the name of a column."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as people read it, and how many columns and rows it takes."""

    text: str
    is_header: bool = False
    columns: int = 1
    rows: int = 1


def column_names(header_rows: Sequence[Sequence[Cell]]) -> list[str]:
    """The name of each column; where headers stand in several rows, all that are above it."""
    names: list[list[str]] = []
    for row in _filled(header_rows, sideways=True):
        names.extend([] for _ in range(len(row) - len(names)))
        for column, text in enumerate(row):
            if text and text not in names[column]:
                names[column].append(text)
    return [" ".join(parts).rstrip(" :") for parts in names]


def row_texts(rows: Sequence[Sequence[Cell]], names: Sequence[str] = ()) -> list[str]:
    """What each row reads as; empty for a row without text.

    A cell that spans rows is read with each of them.
    """
    texts = []
    for cells, filled in zip(rows, _filled(rows), strict=True):
        if not any(cell.text for cell in cells):
            texts.append("")
        elif names:
            texts.append("; ".join(_named(filled, names)))
        else:
            texts.append(_unnamed(cells, filled))
    return texts


def _named(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    padded = [*names, *("" for _ in range(len(texts) - len(names)))]
    return [
        f"{name}: {text}" if name and name != text else text
        for name, text in zip(padded, texts, strict=False)
        if text
    ]


def _unnamed(cells: Sequence[Cell], filled: Sequence[str]) -> str:
    """Cells joined; a header at the row's start leads the others."""
    texts = [text for text in filled if text]
    if len(texts) > 1 and cells[0].is_header and cells[0].text:
        return f"{texts[0].rstrip(' :')}: {'; '.join(texts[1:])}"
    return "; ".join(texts)


def _filled(rows: Sequence[Sequence[Cell]], *, sideways: bool = False) -> list[list[str]]:
    """The text at each place of the grid; `sideways` repeats a cell over its columns."""
    above: dict[int, tuple[str, int]] = {}
    grid = []
    for cells in rows:
        places: dict[int, str] = {column: text for column, (text, _) in above.items()}
        below = {column: (text, left - 1) for column, (text, left) in above.items() if left > 1}
        column = 0
        for cell in cells:
            while column in above:
                column += 1
            for offset in range(cell.columns):
                places[column] = cell.text if sideways or offset == 0 else ""
                if cell.rows > 1:
                    below[column] = (places[column], cell.rows - 1)
                column += 1
        above = below
        grid.append([places.get(place, "") for place in range(max(places, default=-1) + 1)])
    return grid


def looks_like_header(rows: Sequence[Sequence[str]], stands_out: bool) -> bool:
    """Whether the first row names the columns, in formats that do not say so.

    `stands_out`: it is set in another style than the rest. Calling a row of data a
    header would put false words beside every cell, so without such a sign there must be
    three short names, or numbers below that the first row lacks.
    """
    if len(rows) < 2:
        return False
    first, rest = rows[0], rows[1:]
    named = [text for text in first if text]
    if len(named) < max(2, len(first) - 1) or len(set(named)) < len(named):
        return False
    if any(_NUMBER.fullmatch(text) or len(text.split()) > _LONGEST_NAME for text in named):
        return False
    if stands_out or len(first) > 2:
        return True
    columns = zip_longest(*rest, fillvalue="")
    return any(all(_NUMBER.fullmatch(text) for text in column) for column in columns)
