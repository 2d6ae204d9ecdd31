"""What a table row says of one column is not said of another.

Each amount of a claim must stand under the column whose name is nearest to it in the claim.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from bot.answering.anchors import consecutive
from bot.answering.exact.amounts import missing_amounts
from bot.answering.exact.near_copies import denies
from retrieval.language.table_rows import Cell, cells_of
from retrieval.language.words import FUNCTION_WORDS, stems
from retrieval.types import Box, Sentence
from retrieval.types import Cell as CellAt

_LONGEST_SIGN = 2
"""Characters: values as short as a grade are told by their case, `A` is not `a`."""


def cited_cells(claim: str, sentence: Sentence) -> tuple[CellAt, ...]:
    """Of a row those whose value stands in the claim; none where the whole row is cited."""
    said = " ".join(claim.split())
    cited = tuple(cell for cell in sentence.cells if stands(value_of(cell, sentence), said))
    tells_a_value = any(cell.start > sentence.cells[0].start for cell in cited)
    return cited if tells_a_value and len(cited) < len(sentence.cells) else ()


def cited_boxes(claim: str, sentence: Sentence) -> tuple[Box, ...]:
    """Where what it rests on of a sentence stands: the cells, or the whole sentence."""
    boxes = tuple(cell.box for cell in cited_cells(claim, sentence) if cell.box is not None)
    pictures = () if sentence.picture is None else (sentence.picture,)
    return boxes or (*sentence.boxes, *pictures)


def value_of(cell: CellAt, sentence: Sentence) -> str:
    return sentence.text[cell.start : cell.end]


def stands(value: str, said: str) -> bool:
    """Whether a value stands in a text by itself: `7` stands neither in `17` nor in `7.25`."""
    flags = re.NOFLAG if len(value) <= _LONGEST_SIGN else re.IGNORECASE
    alone = rf"(?<!\w)(?<!\d[.,:/-]){re.escape(value)}(?!\w)(?![.,:/-]\d)"
    return bool(value) and re.search(alone, said, flags) is not None


_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_CLAUSE = re.compile(r"[,;:](?=\s)|\band\b|\bbut\b")


def of_another_column(claim: str, sentences: Sequence[str]) -> Iterator[str]:
    """What the claim says of a column that the rows say otherwise; in plain words."""
    rows = [cells for sentence in sentences if (cells := cells_of(sentence))]
    others = (_WORD.findall(sentence) for sentence in sentences if not cells_of(sentence))
    elsewhere = frozenset(word for words in others for word in words)
    for clause in _CLAUSE.split(claim):
        told = [list(_wrong(clause, cells, elsewhere)) for cells in rows]
        denied = [list(_denied(clause, cells)) for cells in _named(clause, rows) or rows]
        for each in (told, denied):
            if each and all(each):
                yield from each[0]


def of_another_row(claim: str, sentences: Sequence[str]) -> Iterator[str]:
    """What the claim says of one row, and stands in another one alone; in plain words."""
    rows = [cells for sentence in sentences if (cells := cells_of(sentence))]
    if len(rows) < 2:
        return
    others = " ".join(sentence for sentence in sentences if not cells_of(sentence))
    for clause in _CLAUSE.split(claim):
        named = _named(clause, rows)
        if not named or len(named) == len(rows):
            continue
        held = " ".join(
            (others, *(f"{cell.column}: {cell.text};" for row in named for cell in row))
        )
        told = [cell.text.rstrip(".") for row in rows if row not in named for cell in row[1:]]
        numbers = [word for text in told for word in _WORD.findall(text) if word[0].isdigit()]
        for text in dict.fromkeys((*told, *numbers)):
            if stands(text, clause) and not stands(text, held):
                yield f"“{text}” does not stand in the row of “{named[0][0].text}”"


def _named(clause: str, rows: Sequence[Sequence[Cell]]) -> list[Sequence[Cell]]:
    """The rows of which the clause has a word that tells what they are about from the others."""
    subjects = [_carrying(row[0].text) for row in rows]
    said = _carrying(clause)
    return [
        row
        for at, row in enumerate(rows)
        if said & subjects[at].difference(*(subjects[:at] + subjects[at + 1 :]))
    ]


def _wrong(clause: str, cells: Sequence[Cell], elsewhere: frozenset[str]) -> Iterator[str]:
    places, unmet = _mentions(clause, cells), _open(clause, cells)
    for number, word in enumerate(_WORD.findall(clause)):
        if not word[0].isdigit() or word in elsewhere:
            continue
        holding = {cell.column for cell in cells if _holds(cell, word)}
        named = _nearest(number, unmet)
        if holding and named and not holding & {*named, *_nearest(number, places)}:
            yield f"“{word}” stands under “{min(holding)}”, not under “{min(named)}”"


def _denied(clause: str, cells: Sequence[Cell]) -> Iterator[str]:
    places = _mentions(clause, cells)
    for cell in cells:
        denied = cell.is_denied
        if cell.column in places and denied is not None and denied is not denies(clause):
            yield f"under “{cell.column}” stands “{cell.text}”"


def _holds(cell: Cell, number: str) -> bool:
    return number in _WORD.findall(cell.text) or not missing_amounts(number, cell.text)


def _mentions(clause: str, cells: Sequence[Cell]) -> Mapping[str, list[int]]:
    names = {cell.column: _carrying(cell.column) for cell in cells}
    words = [stems([word.casefold()]) for word in _WORD.findall(clause)]
    found: dict[str, list[int]] = {}
    for column, carrying in names.items():
        others = frozenset[str]().union(*(own for name, own in names.items() if name != column))
        own = carrying - others
        if places := [number for number, word in enumerate(words) if word & own]:
            found[column] = places
    return found


def _open(clause: str, cells: Sequence[Cell]) -> Mapping[str, list[int]]:
    """Those of which the clause does not have what stands under them: "grade" in "grade B"."""
    words = _WORD.findall(clause)
    texts = {cell.column: _WORD.findall(cell.text) for cell in cells}
    told = _told(words, cells)
    found = {
        column: [
            at
            for run in consecutive(places)
            if not {*words[max(run[0] - 1, 0) : run[-1] + 2]} & {*texts[column]}
            and not _is_told(column, run, told, cells[0].column)
            for at in run
        ]
        for column, places in _mentions(clause, cells).items()
    }
    return {column: places for column, places in found.items() if places}


def _told(words: Sequence[str], cells: Sequence[Cell]) -> Mapping[str, list[int]]:
    """Where the clause says all that stands in a cell of several words, such as "58 euros"."""
    folded = [word.casefold() for word in words]
    found: dict[str, list[int]] = {}
    for cell in cells:
        text = [word.casefold() for word in _WORD.findall(cell.text)]
        starts = range(len(folded) - len(text) + 1) if len(text) > 1 else ()
        if begins := [at for at in starts if folded[at : at + len(text)] == text]:
            found[cell.column] = [at + n for at in begins for n in range(len(text))]
    return found


def _is_told(
    column: str, run: Sequence[int], told: Mapping[str, Sequence[int]], subject: str
) -> bool:
    """Whether what the clause says nearest to the column's name is what stands under it."""
    if column == subject:
        return column in told
    others = {name: places for name, places in told.items() if name != subject}
    nearest = [_nearest(at, others) for at in (run[0], run[-1])]
    return all(column in each for each in nearest)


def _nearest(number: int, places: Mapping[str, Sequence[int]]) -> set[str]:
    """The columns that are named nearest to a word of the clause; several at one distance."""
    distances = {column: min(abs(number - at) for at in ats) for column, ats in places.items()}
    least = min(distances.values(), default=0)
    return {column for column, distance in distances.items() if distance == least}


def _carrying(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return stems(word for word in words if word not in FUNCTION_WORDS)
