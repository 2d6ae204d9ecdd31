"""How much work something is, counted rather than timed: a busy machine changes nothing."""

import sys
from collections.abc import Callable
from types import FrameType

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
