"""A LanceDB table that is too large to compare each of its vectors with a question."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.index.entries import Certificate
from retrieval.index.lance_index import LanceIndex
from retrieval.index.lance_table import VECTOR_INDEX, Nearness
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import IndexEntry
from retrieval.types import AccessRule, Scope

DIMENSION = 64
FEW, MANY = 20, 2_000
NEARNESS = Nearness(approximate_from=1_000, flat_up_to=100)
EVERYONE, STAFF = AccessRule(), AccessRule((("departments", ("staff",)),))
GUEST = Scope({}, date(2026, 3, 1))
COLLEAGUE = Scope({"departments": frozenset({"staff"})}, GUEST.on)


@pytest.fixture
def index(tmp_path: Path) -> LanceIndex:
    mine = Certificate("an embedder", DIMENSION, tuple(load_ontology().facets))
    return LanceIndex(tmp_path / "index", mine, nearness=NEARNESS)


@pytest.fixture
def vectors() -> NDArray[np.float32]:
    drawn = np.random.default_rng(5).standard_normal((2 * MANY, DIMENSION), np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


def entry(number: int, vector: NDArray[np.float32], rule: AccessRule = EVERYONE) -> IndexEntry:
    name = f"p{number:05}"
    return IndexEntry(name, "document", rule, vector, f"words {name}")


def write(index: LanceIndex, vectors: NDArray[np.float32], first: int, last: int) -> None:
    """The first `FEW` are for everyone, and the others for staff alone."""
    index.upsert([entry(n, vectors[n], EVERYONE if n < FEW else STAFF) for n in range(first, last)])
    index.optimize()


def structures(index: LanceIndex) -> list[str]:
    table = index._folder.table()  # noqa: SLF001  # nothing else tells how a table is divided
    assert table is not None
    return [each.name for each in table.list_indices() if each.name.startswith(VECTOR_INDEX)]


def found(
    index: LanceIndex, vector: NDArray[np.float32], scope: Scope, limit: int = 10
) -> list[str]:
    return [match.passage_id for match in index.nearest(vector, scope, limit)]


def truly_nearest(vectors: NDArray[np.float32], asked: NDArray[np.float32]) -> list[str]:
    return [f"p{number:05}" for number in np.argsort(-(vectors @ asked))[:10]]


def test_a_table_is_divided_only_while_it_is_large(
    index: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(index, vectors, 0, 999)
    assert not structures(index)
    write(index, vectors, 999, MANY)
    assert structures(index)
    index.delete([f"p{number:05}" for number in range(FEW, MANY)])
    index.optimize()
    assert not structures(index)
    assert len(found(index, vectors[0], COLLEAGUE, FEW)) == FEW


def test_a_large_table_finds_nearly_all_that_is_nearest_with_true_cosines(
    index: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(index, vectors, 0, MANY)
    held = vectors[:MANY]
    shares = []
    for asked in vectors[MANY : MANY + 20]:
        matches = index.nearest(asked, COLLEAGUE, 10)
        shares.append(len({m.passage_id for m in matches} & set(truly_nearest(held, asked))) / 10)
        cosines = {f"p{number:05}": value for number, value in enumerate(held @ asked)}
        assert [m.score for m in matches] == pytest.approx(
            [cosines[m.passage_id] for m in matches], abs=1e-4
        )
    assert np.mean(shares) >= 0.95


def test_whoever_may_read_little_of_a_large_table_is_shown_all_of_it_in_order(
    index: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(index, vectors, 0, MANY)
    readable = vectors[:FEW]
    for asked in vectors[MANY : MANY + 20]:
        assert found(index, asked, GUEST) == truly_nearest(readable, asked)


def test_what_came_since_a_table_was_divided_is_found_at_once(
    index: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(index, vectors, 0, MANY)
    index.upsert([entry(MANY, vectors[MANY], STAFF)])
    assert found(index, vectors[MANY], COLLEAGUE)[0] == f"p{MANY:05}"
    assert found(index, vectors[MANY], GUEST)[0] != f"p{MANY:05}"


def test_whoever_may_read_more_than_before_is_counted_anew(
    index: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(index, vectors, 0, MANY)
    assert len(found(index, vectors[0], GUEST, MANY)) == FEW
    index.upsert([entry(n, vectors[n]) for n in range(FEW, 200)])
    assert len(found(index, vectors[0], GUEST, MANY)) == 200


def test_a_table_is_divided_anew_when_it_has_doubled_and_not_before(
    index: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(index, vectors, 0, 1_100)
    once = structures(index)
    write(index, vectors, 1_100, 2_000)
    assert structures(index) == once
    write(index, vectors, 2_000, 2_100)
    twice = structures(index)
    assert len(twice) == 1
    assert twice != once
    index.delete([f"p{number:05}" for number in range(2_000, 2_100)])
    index.optimize()
    assert structures(index) == twice, "a table that grows and shrinks a little is left as it is"
