"""What is measured of an index at one size."""

from dataclasses import dataclass, field

CLIENTS = (1, 8)
"""How many search at once."""
DEPTHS = (10, 50)
"""Of so many nearest passages it is looked how many were found."""


@dataclass(frozen=True, slots=True)
class SearchTimes:
    """How long a search took, of one kind for one reader."""

    kind: str
    """`dense` or `bm25`."""
    reader: str
    clients: int
    median_ms: float
    slow_ms: float
    """The 95th percentile."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Which share of the truly nearest passages a dense search found, on average."""

    reader: str
    depth: int
    share: float


@dataclass(frozen=True, slots=True)
class Filling:
    """How far an index is filled; it is noted after every block, so that a stopped run goes on."""

    rules: int
    blocks: int = 0
    seconds: float = 0.0
    """That the engine took, in all; making passages up does not count."""
    folding_seconds: float = 0.0
    """Of these, the last folding into search structures."""
    peak_megabytes: float | None = None
    """The largest resident memory of the engine's process; None where it cannot be seen."""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """One index, measured."""

    engine: str
    exact: bool
    passages: int
    rules: int
    """0: one for each document."""
    build_seconds: float
    folding_seconds: float
    peak_megabytes: float | None
    disk_megabytes: float | None
    queries: int
    times: tuple[SearchTimes, ...] = field(default=())
    recalls: tuple[Recall, ...] = field(default=())

    def slowest(self, kind: str, clients: int) -> float:
        """The median of the reader who waits longest, in milliseconds."""
        return max(t.median_ms for t in self.times if (t.kind, t.clients) == (kind, clients))

    def least_recall(self, depth: int) -> float:
        return min(each.share for each in self.recalls if each.depth == depth)
