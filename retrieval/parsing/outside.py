"""Some formats are read with a program that may be installed, in a process with its own limits."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import UnreadableDocument

_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program, as it is started, called and installed."""

    program: str
    name: str
    package: str
    """Debian's."""
    instead: str
    """A suffix that a file can be saved with where the program is not at hand."""

    beside: str = ""
    """What the program only starts, and where it really stands: so it ends when it is told to."""
    restarts: int = 0
    """The status with which it ends where it wants to be started once more."""

    @property
    def path(self) -> str:
        """Empty where it is not installed."""
        found = shutil.which(self.program)
        if found is None or not self.beside:
            return found or ""
        beside = Path(found).resolve().with_name(self.beside)
        return str(beside) if beside.is_file() else found


def run(
    tool: Tool,
    options: Sequence[str],
    content: bytes,
    seconds: float,
    folder: Path | None = None,
) -> bytes:
    """What a program writes of what it is given. Raise `UnreadableDocument`."""
    if not tool.path:
        raise UnreadableDocument(
            f"is read with {tool.name}, which is not installed; install Debian's {tool.package}, "
            f"or save it as {tool.instead}"
        )
    command = [tool.path, *options]
    # It knows nothing of this process's environment, which may hold keys.
    known = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": str(folder or "/")}
    try:
        done = run_apart(command, content, seconds, known, folder)
        if tool.restarts and done.returncode == tool.restarts:
            done = run_apart(command, content, seconds, known, folder)
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(
            f"takes {tool.name} more than {round(seconds)} seconds; split it, or save it as "
            f"{tool.instead}"
        ) from error
    except OSError as error:
        raise UnreadableDocument(
            f"is read with {tool.name}, which does not start ({error.strerror}); save it as "
            f"{tool.instead}"
        ) from error
    if done.returncode:
        raise UnreadableDocument(f"is nothing that {tool.name} reads; save it as {tool.instead}")
    return done.stdout


def run_apart(
    command: Sequence[str],
    content: bytes,
    seconds: float,
    environment: Mapping[str, str],
    folder: Path | None = None,
    *,
    bound: bool = True,
) -> "subprocess.CompletedProcess[bytes]":
    """What a program makes of its input; raise `TimeoutExpired`, or `OSError` if it does not start.

    `bound`: it ends when this process does, which must have one thread and no LanceDB: it forks.
    """
    return subprocess.run(  # noqa: S603  # commands are ours
        command,
        input=content,
        capture_output=True,
        timeout=seconds,
        cwd=folder,
        env=environment,
        preexec_fn=_end_with_parent if bound else None,
        check=False,
    )


def _end_with_parent() -> None:
    """Be killed when the process that parses is, which may be in the midst of a page."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
