"""Any number of passages made of a few real ones, the same at every run and in any order.

They come in blocks, each of which can be made alone. In a block the documents are shuffled, so that
no engine finds what a reader may read lying together.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import TEXT_SPACE, IndexEntry, PassageIndex
from retrieval.types import AccessRule, Scope

BLOCK = 10_000
"""Passages in a block; of so many there is one that a reader of one in ten thousand may read."""
IN_DOCUMENT = 10
TODAY = date(2026, 3, 1)
FACET = "departments"
READERS = {"half": 5_000, "hundredth": 100, "ten-thousandth": 1}
"""A reader, and how many passages of a block they may read."""
NOBODY = "nobody"
RULES_OF_CLASS = {"half": 0.5, "hundredth": 0.1, "ten-thousandth": 0.1, NOBODY: 0.3}
"""Which share of all rules the documents of one reader have."""
SPREAD = 0.8
"""Of the noise: how far it leads, in the distance of a real passage from their mean."""
EXCHANGED = 0.3
"""Of the words of a passage, which come from another one."""
DAYS = 3_000
"""By so many different days, at most, documents begin to hold."""


@dataclass(frozen=True)
class Seeds:
    """Real passages: their words, and vectors of the shape (how many, dimension)."""

    words: Sequence[str]
    vectors: NDArray[np.float32]

    @cached_property
    def _deviations(self) -> NDArray[np.float32]:
        """Draws from these spread as the real vectors do, in all the directions that they have."""
        centred = self.vectors - self.vectors.mean(axis=0)
        _, lengths, directions = np.linalg.svd(centred, full_matrices=False)
        spread = lengths[:, np.newaxis] * directions / np.sqrt(len(centred))
        return np.asarray(spread, np.float32)

    def draw(
        self, how_many: int, dice: np.random.Generator
    ) -> tuple[list[str], NDArray[np.float32]]:
        """Words and unit vectors of made-up passages."""
        chosen = dice.integers(len(self.words), size=how_many)
        noise = dice.standard_normal((how_many, len(self._deviations)), np.float32)
        moved = self.vectors[chosen] + SPREAD * noise @ self._deviations
        vectors = np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), np.float32)
        others = dice.integers(len(self.words), size=how_many)
        places = dice.random(how_many)
        mixed = zip(chosen, others, places, strict=True)
        return [self._mixed(one, other, place) for one, other, place in mixed], vectors

    @cached_property
    def _split(self) -> list[list[str]]:
        return [text.split() for text in self.words]

    def _mixed(self, one: int, other: int, place: float) -> str:
        """The words of one passage, a run of which gave way to as long a run of the other."""
        words, lent = self._split[one], self._split[other]
        length = int(EXCHANGED * len(words))
        start, lent_from = int(place * (len(words) - length)), int(place * len(lent))
        return " ".join(
            (*words[:start], *lent[lent_from : lent_from + length], *words[start + length :])
        )


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for, by meaning and by words."""

    vector: NDArray[np.float32]
    words: str


@dataclass(frozen=True)
class MadeUp:
    """Passages under so many rules in all; under 0, each document has a rule of its own."""

    seeds: Seeds
    rules: int
    seed: int = 0

    def vectors(self, block: int) -> NDArray[np.float32]:
        """Of a block's passages, shape (BLOCK, dimension)."""
        return self.seeds.draw(BLOCK, self._dice(block))[1]

    def entries(self, block: int) -> list[IndexEntry]:
        words, vectors = self.seeds.draw(BLOCK, self._dice(block))
        return [
            IndexEntry(
                entry_id=passage_id(number),
                passage_id=passage_id(number),
                document_id=f"d{document}",
                rule=rule,
                vectors={TEXT_SPACE: vector},
                words=text,
            )
            for number, (document, rule), vector, text in zip(
                range(block * BLOCK, (block + 1) * BLOCK),
                self._places(block),
                vectors,
                words,
                strict=True,
            )
        ]

    def readable(self, block: int, reader: str) -> NDArray[np.bool_]:
        """Which passages of a block a reader may read."""
        return np.array([_is_for(rule, reader) for _, rule in self._places(block)])

    def queries(self, how_many: int) -> list[Query]:
        """Drawn as the passages are, and none of them."""
        words, vectors = self.seeds.draw(how_many, self._dice(-1))
        return [
            Query(vector, " ".join(text.split()[8:16]))
            for vector, text in zip(vectors, words, strict=True)
        ]

    def _dice(self, block: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, block + 1])

    def _places(self, block: int) -> Iterator[tuple[str, AccessRule]]:
        """Document and rule of each passage of a block."""
        documents = list(_documents())
        np.random.default_rng(block).shuffle(documents)
        for number, (name, size) in enumerate(documents):
            rule = self._rule(name, block * len(documents) + number)
            yield from [(f"{block}-{number}", rule)] * size

    def _rule(self, name: str, document: int) -> AccessRule:
        of_class = round(self.rules * RULES_OF_CLASS[name])
        number = document % max(1, of_class) if self.rules else document
        since = TODAY - timedelta(days=number % DAYS)
        return AccessRule(((FACET, (name, f"unit {number}")),), since, TODAY)


def _documents() -> Iterator[tuple[str, int]]:
    """For whom each document of a block is, and how many passages it has."""
    classes = {**READERS, NOBODY: BLOCK - sum(READERS.values())}
    for name, passages in classes.items():
        whole, rest = divmod(passages, IN_DOCUMENT)
        yield from [(name, IN_DOCUMENT)] * whole
        if rest:
            yield name, rest


def _is_for(rule: AccessRule, reader: str) -> bool:
    return any(reader in values for _, values in rule.audience)


def scope_of(reader: str) -> Scope:
    return Scope({FACET: frozenset({reader})}, TODAY)


def passage_id(number: int) -> str:
    return f"p{number:09}"


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


NOTED = "filled.json"
AT_ONCE = 2_500
"""Passages in one writing."""
Progress = Callable[[int, int, str], None]


def filling_in(folder: Path, rules: int) -> Filling:
    """How far a former run came in this folder. Raise `ValueError` where it had other rules."""
    noted = folder / NOTED
    if not noted.exists():
        return Filling(rules)
    filling = Filling(**json.loads(noted.read_text()))
    if filling.rules != rules:
        raise ValueError(f"{folder} was filled under {filling.rules} rules; name another folder")
    return filling


def fill(
    index: PassageIndex,
    made_up: MadeUp,
    blocks: int,
    folder: Path,
    memory: Callable[[], float | None],
    progress: Progress,
) -> Filling:
    """Fill it with so many blocks, and fold them in. Raise `ValueError` where it holds more.

    The block in which a former run was stopped is written again, which changes nothing.
    """
    filling = filling_in(folder, made_up.rules)
    if filling.blocks > blocks:
        held = filling.blocks * BLOCK
        raise ValueError(f"{folder} holds {held:,} passages already; name another folder")
    for block in range(filling.blocks, blocks):
        progress(block, blocks, f"{block * BLOCK:,} passages")
        seconds = _write(index, made_up, block)
        filling = replace(
            filling,
            blocks=block + 1,
            seconds=filling.seconds + seconds,
            peak_megabytes=memory(),
            folded=False,
        )
        _note(folder, filling)
    if not filling.folded:
        progress(blocks, blocks, "folding in")
        start = time.perf_counter()
        index.optimize()
        seconds = time.perf_counter() - start
        filling = replace(
            filling,
            seconds=filling.seconds + seconds,
            folding_seconds=seconds,
            peak_megabytes=memory(),
            folded=True,
        )
        _note(folder, filling)
    return filling


def _write(index: PassageIndex, made_up: MadeUp, block: int) -> float:
    """Return the seconds that the engine took."""
    entries = made_up.entries(block)
    start = time.perf_counter()
    for first in range(0, BLOCK, AT_ONCE):
        index.upsert(entries[first : first + AT_ONCE])
    return time.perf_counter() - start


def _note(folder: Path, filling: Filling) -> None:
    """Whole or not at all."""
    new = folder / f"{NOTED}.new"
    new.write_text(json.dumps(asdict(filling)))
    new.replace(folder / NOTED)


KILOBYTES_IN_MEGABYTE = 1024
BYTES_IN_MEGABYTE = 1024 * 1024


def peak_megabytes(process: int) -> float | None:
    """The largest resident memory that a process ever had; None where that cannot be seen."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return None if found is None else int(found[1]) / KILOBYTES_IN_MEGABYTE


def disk_megabytes(folder: Path) -> float | None:
    """All that lies in a folder; None where there is none."""
    found = disk_bytes(folder)
    return None if found is None else found / BYTES_IN_MEGABYTE


def disk_bytes(folder: Path) -> int | None:
    """The same in bytes."""
    if not folder.is_dir():
        return None
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
