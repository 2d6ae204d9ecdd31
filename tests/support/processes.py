"""Processes as Linux tells of them, while they and their threads come and go."""

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType


def read(path: Path) -> str:
    """A file under /proc; empty once what it tells of has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return path.read_text()
    return ""


def children(pid: int) -> list[int]:
    """The processes that any thread of a process has begun and that have not been waited for."""
    threads = Path(f"/proc/{pid}/task").glob("*")
    return [int(child) for thread in threads for child in read(thread / "children").split()]


def is_running(pid: int) -> bool:
    """Whether a process is there, and not only its remains."""
    state = read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return state[:1] not in ([], ["Z"])


MOST_GROWTH = 2.6
"""Work at twice the size: 2 where it is in proportion, 4 where it is quadratic."""


def steps(do: Callable[[], object]) -> int:
    """How many lines of Python are run, each time that they are; none within C."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> object:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]  # it returns itself
    try:
        do()
    finally:
        sys.settrace(before)
    return count
