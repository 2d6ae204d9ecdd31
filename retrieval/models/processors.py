"""How many processors this process may use, which may be fewer than the machine has."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

MOST = 8
"""Each thread has a text of its own in work, which takes memory; 50 candidates gain little more."""
CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def usable_processors(cgroups: Path = CGROUPS, own: Path = OWN_CGROUP) -> int:
    """From 1 to `MOST`: those that it may run on, or the share that its control groups grant.

    Shares are rounded up. Only version 2 of control groups is looked at, which containers and
    systemd have today.
    """
    shares = [_share(folder / "cpu.max") for folder in _groups(cgroups, own)]
    return max(1, math.ceil(min(MOST, _allowed(), *shares)))


def _allowed() -> int:
    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _groups(cgroups: Path, own: Path) -> Iterator[Path]:
    """The process's own group and those above it: each may grant less."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return
    for line in lines:
        if line.startswith("0::/"):
            path = PurePosixPath(line.removeprefix("0::/"))
            yield from (cgroups / each for each in (path, *path.parents))


def _share(file: Path) -> float:
    """Of a file such as `150000 100000`, microseconds in each period; `max` for all."""
    try:
        granted, period = file.read_text(encoding="utf-8").split()
        return math.inf if granted == "max" else int(granted) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # the top group has no such file
        return math.inf
