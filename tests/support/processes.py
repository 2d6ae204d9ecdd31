"""Processes as Linux tells of them, while they and their threads come and go."""

import contextlib
from pathlib import Path


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
