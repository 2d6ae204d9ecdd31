"""Files are looked at some ahead of their turn, so that every process that parses has work.

Results, reports and versions come in the order of the files all the same, however long each takes.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

FILES_AHEAD = 2
"""For each process that parses: one is being read, the next one lies ready."""
MOST_AHEAD = 1_000
"""Files that are only looked at."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A file's reading was begun, and waits for its turn."""

    finish: Callable[[], None]
    """Waits for the parser where there is one; raises what went wrong."""
    size: int = 0
    """Of what is parsed, in bytes; 0 where nothing is."""


def looked_ahead(
    files: Sequence[str], begin: Callable[[str], Begun], workers: int, most_bytes: int
) -> Iterator[tuple[str, Begun]]:
    """Yield each file in order, as soon as the next ones are being parsed.

    What waits is bounded by number and size.
    """
    waiting: deque[tuple[str, Begun]] = deque()
    for file in files:
        waiting.append((file, begin(file)))
        while _is_enough([each for _, each in waiting], workers, most_bytes):
            yield waiting.popleft()
    yield from waiting


def _is_enough(waiting: Sequence[Begun], workers: int, most_bytes: int) -> bool:
    parsed = [each.size for each in waiting if each.size]
    return (
        len(parsed) > FILES_AHEAD * workers or sum(parsed) > most_bytes or len(waiting) > MOST_AHEAD
    )
