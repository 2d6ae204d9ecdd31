"""Each stage of one question took so long."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stages:
    """They collect milliseconds by stage; one is for each question, never shared."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; one that is entered twice adds up."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + spent
