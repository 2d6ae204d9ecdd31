"""Processes that read documents, which go on from one ingest of a test to the next."""

import os
from functools import cache

from retrieval.ingest.parser_pool import ParserPool, ParsingLimits
from retrieval.parsing.recognition import OFF, Recognition

USUAL = ParsingLimits()


class WarmPool(ParserPool):
    """It ends with the tests' own process; a lost child is started again, as ever."""

    def __enter__(self) -> "WarmPool":
        if not self._all:
            super().__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """What was still asked for is read, and nobody waits for it."""


def warm_pool(
    workers: int = 1, limits: ParsingLimits = USUAL, recognition: Recognition = OFF
) -> ParserPool:
    """One for each kind; where recognition must be there that is looked into each time."""
    if recognition.is_required:
        return ParserPool(workers, limits, recognition)
    return _warm(workers, limits, recognition, os.environ.get("PATH", ""))


@cache
def _warm(
    workers: int, limits: ParsingLimits, recognition: Recognition, _programs: str
) -> WarmPool:
    return WarmPool(workers, limits, recognition)
