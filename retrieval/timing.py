"""Each stage of one question took so long, and somebody may watch it begin."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Watch = Callable[[str, Mapping[str, int]], None]
"""Is told that a stage begins, and how many of each thing it has before it; raises nothing."""


def unwatched(_stage: str, _counts: Mapping[str, int]) -> None:
    """Nobody looks on."""


class Stages:
    """They collect milliseconds by stage; one is for each question, never shared."""

    def __init__(self, watch: Watch = unwatched) -> None:
        self.milliseconds: dict[str, float] = {}
        self._watch = watch

    @contextmanager
    def stage(self, name: str, **counts: int) -> Iterator[None]:
        """Time a stage; one that is entered twice adds up."""
        self._watch(name, counts)
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + spent
