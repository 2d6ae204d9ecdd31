"""Any number of passages made of a few real ones, the same at every run and in any order.

They come in blocks, each of which can be made alone. In a block the documents are shuffled, so that
no engine finds what a reader may read lying together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import TEXT_SPACE, IndexEntry
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
