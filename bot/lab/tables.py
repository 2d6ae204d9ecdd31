"""Figures stand in tables of one form: what a row is about at the left, numbers at the right."""

from collections.abc import Iterable, Sequence

from rich.table import Table


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> Table:
    """The first column says what a row is about."""
    first, *columns = head
    table = Table(first, title=title)
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*row)
    return table
