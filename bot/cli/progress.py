"""Progress is shown in bars, and in plain lines where nobody watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.visible import unbroken


@contextmanager
def progress_bar(console: Console, title: str) -> Iterator[Callable[[int, int, str], None]]:
    """A function to call with steps done, steps in all, and what is in hand."""
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
