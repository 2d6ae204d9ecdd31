"""Commands print to this terminal: lines, and bars of progress where somebody watches."""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status
from rich.table import Table
from rich.text import Text

from bot.wording.untrusted_text import json_text, printable, unbroken

log = logging.getLogger(__name__)


class Terminal(Console):
    """Foreign words neither steer it nor are markup; a string is one line."""

    def __init__(self, *, stderr: bool = False, force_terminal: bool | None = None) -> None:
        super().__init__(stderr=stderr, force_terminal=force_terminal, markup=False, emoji=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Our own colours and movements are segments' styles and controls, and stay."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=printable(segment.text))

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(unbroken(text), **how)

    def print(self, *objects: Any, **how: Any) -> None:
        """A string or a `Text` that is wider than the terminal is not cut into lines either."""
        if all(isinstance(each, str | Text) for each in objects):
            how.setdefault("soft_wrap", True)
        super().print(*objects, **how)

    def status(self, status: RenderableType, **how: Any) -> Status:
        said = Text(unbroken(status)) if isinstance(status, str) else status
        return super().status(said, **how)


def print_json(values: Mapping[str, object] | Sequence[object]) -> None:
    sys.stdout.write(f"{json_text(values)}\n")


class LoggedTerminal(Terminal):
    """Words that are printed are logged in their place, for programs that read the log."""

    def __init__(self) -> None:
        super().__init__(stderr=True, force_terminal=False)

    def print(self, *objects: Any, **_: Any) -> None:
        words = " ".join(str(each) for each in objects if isinstance(each, str | Text))
        if words.strip():
            log.info("%s", words)


@contextmanager
def progress_bar(console: Console, title: str) -> Iterator[Callable[[int, int, str], None]]:
    """A function to call with steps done, steps in all, and what is in hand."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[file]}", style="dim", markup=False),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(unbroken(title), total=None, file="")

        def report(done: int, total: int, file: str, /) -> None:
            progress.update(task, completed=done, total=total, file=unbroken(file))

        yield report


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> Table:
    """The first column says what a row is about."""
    first, *columns = head
    table = Table(first, title=title)
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*row)
    return table
