"""How many rows at the top of a table name its columns, and whether they can be names."""

from collections.abc import Sequence
from itertools import compress

from retrieval.parsing.tables import Cell, are_numbers, by_column, have_numbers, is_number, may_name


def groups(first: Sequence[Cell], texts: Sequence[Sequence[str]]) -> list[str]:
    """The first row, of two that name columns, with each name over all its columns.

    It is over those that it is merged over; where none is, over the empty cells to its
    right as well, but not where a cell below it is empty: it names that column alone.
    """
    if _are_merged(first):
        return [cell.text for cell in first for _ in range(cell.columns)]
    spread: list[str] = []
    group = ""
    for above, below in zip(*texts[:2], strict=True):
        if above or not below:
            group = above if below else ""
        spread.append(above or group)
    return spread


def _are_merged(cells: Sequence[Cell]) -> bool:
    return any(cell.columns > 1 for cell in cells)


def name_in_two_rows(
    first: Sequence[Cell], texts: Sequence[Sequence[str]], *, stand_out: bool
) -> bool:
    """Whether groups of columns have names, and each of their columns one of its own below.

    `texts` stand by column, what is merged at its first place; `first` are the cells of the first
    row. So it is where what stands below the groups names columns, some by the same name, and where
    all that stands below that in such columns is numbers. Else each column of a group must have a
    name and numbers below it, and the column at the left no two names. Where names are merged over
    columns, or both rows stand out, one of these is enough if no column aside has two names. Where
    a name that several groups have below them stands under none, nobody can tell what is over it.
    """
    if len(texts) < 3 or not any(map(any, texts)):
        return False
    is_merged = _are_merged(first)
    if stand_out and is_merged:
        return True
    columns = by_column(texts)
    used = [any(column) for column in columns]
    over = list(compress(groups(first, texts), used))
    above, below, *rest = zip(*compress(columns, used), strict=True)
    if not may_name([*filter(None, above), *filter(None, below)]):
        return False
    counted = [are_numbers(values) for values in zip(*rest, strict=True)]
    named = [at for at, name in enumerate(below) if name]
    is_led = _are_merged(first) or not any(
        name and not over[at] and below.count(name) > 1 for at, name in enumerate(below)
    )
    if not is_led:
        return False
    is_repeated = not all(above) and len({below[at] for at in named}) < len(named)
    if is_repeated and any(above[at] for at in named) and all(counted[at] for at in named):
        return True
    shared = {at for at, group in enumerate(over) if group and not above[at]}
    grouped = shared | {at - 1 for at in shared}
    if not shared or not all(below[at] for at in grouped):
        return False
    has_numbers = all(counted[at] for at in grouped)
    if has_numbers and not (above[0] and below[0]):
        return True
    return (
        (is_merged or stand_out)
        and (has_numbers or not below[0])
        and not any(above[at] for at in named if at not in grouped)
    )


def has_units_below(texts: Sequence[Sequence[str]]) -> bool:
    """Whether the second row says more of columns of numbers, and is no row of data.

    `texts` stand by column; nothing is in its first, where the others have their names.
    """
    if len(texts) < 3 or texts[1][0] or not texts[0][0] or not all(row[0] for row in texts[2:]):
        return False
    said = [at for at, text in enumerate(texts[1]) if text]
    return bool(said) and all(
        not is_number(texts[1][at]) and are_numbers([row[at] for row in texts[2:]]) for at in said
    )


def heads_where_merged(
    rows: Sequence[Sequence[Cell]], texts: Sequence[Sequence[str]], *, stand_out: bool = False
) -> int:
    """How many rows name the columns if the first does: two where a name is merged over several.

    `texts` as above.
    """
    first = rows[0] if rows else ()
    is_two = _are_merged(first) and name_in_two_rows(first, texts, stand_out=stand_out)
    return 2 if is_two else 1


def go_on_below(rows: Sequence[Sequence[Cell]], rest: Sequence[Sequence[str]]) -> bool:
    """Whether a cell of the rows goes on below them, so that they name no columns.

    Numbers in a column of the rest say that they do.
    """
    goes_on = any(at + cell.rows > len(rows) for at, row in enumerate(rows) for cell in row)
    return goes_on and not have_numbers(rest)
