"""The indexes that the one contract holds for, and worlds of rules to try them in."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from weaviate_servers import an_alias

from retrieval.index.entries import Certificate
from retrieval.index.lance_index import LanceIndex
from retrieval.index.lance_table import Nearness
from retrieval.index.weaviate_index import WeaviateIndex
from retrieval.index.weaviate_server import Address, Server
from retrieval.metadata.access import permits
from retrieval.ports import IndexEntry, PassageIndex
from retrieval.types import AccessRule, Scope


@dataclass(frozen=True)
class Store:
    """A place for one index; every `open` is a handle of its own to the same entries."""

    path: Path
    server: Address | None = None
    """Of Weaviate; None for LanceDB."""
    alias: str = field(default_factory=an_alias)
    nearness: Nearness = field(default_factory=Nearness)

    def open(
        self, dimension: int = 4, embedder: str = "an embedder", facets: Sequence[str] | None = None
    ) -> PassageIndex:
        mine = Certificate(embedder, dimension, tuple(VALUES if facets is None else facets))
        if self.server is None:
            return LanceIndex(self.path / "index", mine, nearness=self.nearness)
        return WeaviateIndex(Server(self.server), self.alias, mine)


def write_elsewhere(store: Store, entries: list[IndexEntry], gone: list[str]) -> None:
    """What another process does."""
    index = store.open()
    index.upsert(entries)
    index.delete(gone)
    index.optimize()


# --- worlds: rules, scopes, and rows that must not come back though they rank first ----

DIMENSION = 16
VALUES = {
    "faculties": ["computing", "arts", "o'hara"],
    "departments": ["cs", "CS", "is", "*cs"],
    "programmes": ["bsc", "msc", "staff"],
    "batches": ["2023", "2024"],
    "courses": ["CS201", "CS2", "201", "CS201') OR ('1'='1"],
}
TODAY = date(2026, 3, 1)


@dataclass(frozen=True)
class Row:
    entry: IndexEntry

    @property
    def rule(self) -> AccessRule:
        return self.entry.rule

    @property
    def vector(self) -> NDArray[np.float32]:
        return np.asarray(self.entry.vector, np.float32)


@dataclass(frozen=True)
class Case:
    """One scope asking for one topic; `rows` are those that speak of it."""

    scope: Scope
    vector: NDArray[np.float32]
    words: str
    limit: int


@dataclass(frozen=True)
class World:
    rules: list[AccessRule]
    earlier: list[Row]
    """Versions that rows had before, under other rules."""
    rows: list[Row]
    gone: list[Row]
    """Rows that are deleted at the end."""
    cases: list[Case]


def world(seed: int, cases: int) -> World:
    """Each case has rows of its own: excluded ones equal its query, kept ones resemble it."""
    rng = random.Random(seed)
    rules = [a_rule(rng) for _ in range(rng.randint(3, 12))]
    asked = [_case(rng, f"topic{number}") for number in range(cases)]
    rows = [row for number, case in enumerate(asked) for row in _rows(rng, case, number, rules)]
    picked = rng.sample(rows, len(rows) // 5)
    earlier = [_under(row, rng.choice(rules)) for row in picked]
    gone = [row for row in rows if rng.random() < 0.1]
    return World(rules, earlier, [row for row in rows if row not in gone], gone, asked)


def a_rule(rng: random.Random) -> AccessRule:
    facets = [facet for facet in VALUES if rng.random() < 0.35]
    start, end = (_day(rng) if rng.random() < 0.3 else None for _ in range(2))
    return AccessRule(tuple((facet, _values(rng, facet)) for facet in facets), start, end)


def a_scope(rng: random.Random) -> Scope:
    facets = {
        facet: frozenset(rng.sample(values, rng.randint(0, len(values))))
        for facet, values in VALUES.items()
        if rng.random() < 0.8
    }
    if rng.random() < 0.1:
        facets["departments"] = frozenset({"*"})
    return Scope(facets, _day(rng), expired=rng.random() < 0.1)


def _values(rng: random.Random, facet: str) -> tuple[str, ...]:
    if rng.random() < 0.05:
        return ()
    if rng.random() < 0.1:
        return ("*",)
    return tuple(sorted(rng.sample(VALUES[facet], rng.randint(1, 2))))


def _day(rng: random.Random) -> date:
    return TODAY + timedelta(days=rng.randint(-3, 3))


def _case(rng: random.Random, word: str) -> Case:
    words = rng.choice([word, f"{word} rules", f"what are the {word}?"])
    return Case(a_scope(rng), _vector(rng), words, rng.randint(1, 12))


def _rows(rng: random.Random, case: Case, number: int, rules: list[AccessRule]) -> Iterator[Row]:
    word = f"topic{number}"
    for place, rule in enumerate(rules):
        kept = permits(rule, case.scope)
        near = case.vector + _vector(rng) * rng.uniform(0.3, 1.0) if kept else case.vector
        words = f"some rules mention {word} once among others" if kept else f"{word} rules " * 8
        passage_id = f"{number}-{place}-{rng.randrange(10)}"
        vector = near / np.linalg.norm(near)
        yield Row(IndexEntry(passage_id, f"document {place}", rule, vector, words))


def _vector(rng: random.Random) -> NDArray[np.float32]:
    vector = np.array([rng.gauss(0, 1) for _ in range(DIMENSION)], dtype=np.float32)
    return vector / np.linalg.norm(vector)


def _under(row: Row, rule: AccessRule) -> Row:
    return Row(replace(row.entry, rule=rule, vector=-row.vector, words="what it said before"))
