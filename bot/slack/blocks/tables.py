"""Rows as a small table, the current year first. Slack takes one in a message."""

import re
from collections.abc import Sequence
from datetime import date

from audit.record.claims import CellRecord
from bot.slack.blocks.elements import Element, line, rich, words
from bot.slack.blocks.limits import in_line, weight
from bot.slack.message import Block

MOST_ROWS = 20
MOST_COLUMNS = 6
"""A phone shows no more; what has more is read as sentences."""
_ROOM = 5_000
_LONGEST_CELL = 200
_NOTHING = "–"
_YEARS = re.compile(r"\b(20\d\d)(?:\s?[/\N{EN DASH}-]\s?(?:20)?(\d\d))?\b")
_NEW_YEAR = 8
"""The month from which on of "2026/27" the first year counts."""

Row = Sequence[CellRecord]


def table(rows: Sequence[Row], marks: Sequence[Sequence[Element]], on: date) -> Block | None:
    """Lay them out under their columns' names; `marks`: of each row's sources.

    None where that is no small table.
    """
    names = list(dict.fromkeys(cell.name for row in rows for cell in row))
    if not rows or len(rows) > MOST_ROWS or not 1 < len(names) <= MOST_COLUMNS or "" in names:
        return None
    names[1:] = sorted(names[1:], key=lambda name: not _is_current(name, on))
    marked = sorted(
        zip(rows, marks, strict=True),
        key=lambda each: not any(_is_current(cell.value, on) for cell in each[0]),
    )
    laid_out: Block = {
        "type": "table",
        "column_settings": [{"is_wrapped": True} for _ in names],
        "rows": [[_cell(name) for name in names], *(_row(names, *each) for each in marked)],
    }
    return laid_out if weight(laid_out) <= _ROOM else None


def _row(names: Sequence[str], row: Row, marks: Sequence[Element]) -> list[Block]:
    values = {cell.name: cell.value for cell in row}
    first, *others = (values.get(name, _NOTHING) for name in names)
    return [_cell(first, marks), *map(_cell, others)]


def _cell(text: str, marks: Sequence[Element] = ()) -> Block:
    shown = in_line(text, _LONGEST_CELL)
    if marks:
        return rich(line(words(f"{shown} "), *marks))
    return {"type": "raw_text", "text": shown}


def _is_current(text: str, on: date) -> bool:
    """Tell whether it names the year of a day, calendar or academic."""
    return any(_holds(int(each[1]), each[2], on) for each in _YEARS.finditer(text))


def _holds(first: int, second: str | None, on: date) -> bool:
    if not second:
        return first == on.year
    return first == (on.year if on.month >= _NEW_YEAR else on.year - 1)
