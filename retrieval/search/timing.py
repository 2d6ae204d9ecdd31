"""Each stage of one question took so long, and somebody may watch it begin."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

Watch = Callable[[str, Mapping[str, int]], None]
"""Is told that a stage begins, and how many of each thing it has before it; raises nothing."""


def unwatched(_stage: str, _counts: Mapping[str, int]) -> None:
    """Nobody looks on."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A stage began and ended, in nanoseconds since 1970."""

    name: str
    began: int
    ended: int
    counts: Mapping[str, int]
    """How many of each thing it had before it."""


class Stages:
    """They collect milliseconds by stage; one is for each question, never shared."""

    def __init__(self, watch: Watch = unwatched) -> None:
        self.milliseconds: dict[str, float] = {}
        self.timed: list[Timed] = []
        """Each time that a stage was passed, in the order that they ended."""
        self._watch = watch

    @contextmanager
    def stage(self, name: str, **counts: int) -> Iterator[None]:
        """Time a stage; one that is entered twice adds up."""
        self._watch(name, counts)
        began, start = time.time_ns(), time.perf_counter_ns()
        try:
            yield
        finally:
            spent = time.perf_counter_ns() - start
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + spent / 1_000_000
            self.timed.append(Timed(name, began, began + spent, counts))
