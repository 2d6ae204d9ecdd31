"""What is LanceDB's own: files on a disk, how words are read, and tables that are large."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from fakes import lance_index
from numpy.typing import NDArray

from retrieval.errors import IndexMismatch, IndexUnavailable
from retrieval.index.entries import Certificate
from retrieval.index.lance_index import LanceIndex
from retrieval.index.lance_table import VECTOR_INDEX, Nearness
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import IndexEntry
from retrieval.types import AccessRule, Scope

AT_ONCE = timedelta(milliseconds=1)
EAST = np.array([1, 0, 0, 0], dtype=np.float32)
GUEST = Scope({}, date(2026, 3, 1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "index"


@pytest.fixture
def index(folder: Path) -> LanceIndex:
    return lance_index(folder, "an embedder", 4)


def entry(words: str, vector: NDArray[np.float32] = EAST) -> IndexEntry:
    return IndexEntry(words, "document", AccessRule(), vector, words)


def entries(*words: str) -> list[IndexEntry]:
    return [entry(each) for each in words]


def lexical(index: LanceIndex, words: str) -> set[str]:
    return {match.passage_id for match in index.lexical(words, GUEST, 10)}


# --- words ----------------------------------------------------------------------------


@pytest.mark.parametrize("folded_in", [True, False])
@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("examinations", "examination"),
        ("Borrowing", "borrow"),
        ("café", "CAFE"),
        ("IT", "it"),
        ("To be or not to be", "not"),
        ("re-evaluation", "evaluation"),
        ("CS201", "cs201"),
        ("exams@example.org", "example"),
    ],
)
def test_words_are_found_in_other_forms(
    index: LanceIndex, written: str, asked: str, folded_in: bool
) -> None:
    index.upsert(entries("something else"))
    index.optimize()
    index.upsert(entries(written))
    if folded_in:
        index.optimize()
    assert lexical(index, asked) == {written}


# --- the folder -----------------------------------------------------------------------


def test_looking_for_something_makes_no_folder(index: LanceIndex, folder: Path) -> None:
    assert index.ids() == frozenset()
    assert lexical(index, "x") == set()
    assert not folder.parent.exists()


def test_the_folder_does_not_grow_with_every_change(folder: Path) -> None:
    index = lance_index(folder, "an embedder", 4, grace=AT_ONCE)
    sizes = []
    for _ in range(3):
        for _ in range(10):
            index.upsert(entries(*(f"word{number}" for number in range(200))))
        index.optimize()
        sizes.append(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))
    assert sizes[-1] < sizes[0] * 1.5
    assert len(index.ids()) == 200


def test_a_reader_goes_on_while_a_writer_clears_up(folder: Path, index: LanceIndex) -> None:
    writer = lance_index(folder, "an embedder", 4, grace=AT_ONCE)
    for number in range(5):
        writer.upsert(entries(f"word{number}"))
        assert lexical(index, f"word{number}") == {f"word{number}"}
        writer.optimize()
        assert lexical(index, f"word{number}") == {f"word{number}"}
        assert len(index.vectors([f"word{number}"])) == 1


# --- another embedder -----------------------------------------------------------------


def test_an_index_of_an_earlier_version_is_refused(folder: Path, index: LanceIndex) -> None:
    folder.mkdir(parents=True)
    (folder / "index.json").write_text('{"embedder": "an embedder", "dimension": 4}')
    with pytest.raises(IndexMismatch, match=r"another version.*--re-embed"):
        index.nearest(EAST, GUEST, 5)


def test_a_reader_notices_that_the_index_was_made_anew(folder: Path, index: LanceIndex) -> None:
    index.upsert(entries("former"))
    assert index.ids() == {"former"}
    shutil.rmtree(folder)
    assert index.ids() == frozenset()
    lance_index(folder, "an embedder", 4).upsert(entries("latter"))
    assert index.ids() == {"latter"}
    assert lexical(index, "latter former") == {"latter"}
    shutil.rmtree(folder)
    lance_index(folder, "another", 4).upsert(entries("a"))
    with pytest.raises(IndexMismatch):
        index.ids()


def test_a_process_that_died_while_it_made_the_index_leaves_an_empty_one(
    folder: Path, index: LanceIndex
) -> None:
    folder.mkdir(parents=True)
    assert index.ids() == frozenset()
    index.upsert(entries("a"))
    shutil.rmtree(folder / "passages.lance")
    again = lance_index(folder, "an embedder", 4)
    assert again.ids() == frozenset()
    again.upsert(entries("b"))
    assert again.ids() == {"b"}


# --- damage ---------------------------------------------------------------------------


def damaged(folder: Path, pattern: str) -> Iterator[None]:
    """The files that match: full of noise, then cut off, then gone."""
    sound = folder.with_name("sound")
    shutil.copytree(folder, sound)
    for damage in ("noise", "cut", "gone"):
        shutil.rmtree(folder)
        shutil.copytree(sound, folder)
        files = [path for path in folder.glob(pattern) if path.is_file()]
        assert files
        for path in files:
            if damage == "noise":
                path.write_bytes(os.urandom(500))
            elif damage == "cut":
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
            else:
                path.unlink()
        yield


USES: dict[str, Callable[[LanceIndex], object]] = {
    "nearest": lambda index: index.nearest(EAST, GUEST, 5),
    "lexical": lambda index: index.lexical("word1", GUEST, 5),
    "upsert": lambda index: index.upsert(entries("more")),
    "ids": lambda index: index.ids(),
}


@pytest.mark.parametrize(
    ("pattern", "uses", "said"),
    [
        ("passages.lance/data/*", ["nearest", "upsert"], "--re-embed"),
        ("passages.lance/_versions/*", ["nearest", "upsert"], "--re-embed"),
        ("passages.lance/_indices/*/*", ["lexical"], "--re-embed"),
        ("index.json", ["ids"], r"index\.json.*--re-embed"),
    ],
)
def test_damaged_files_are_told_with_what_to_do(
    folder: Path, index: LanceIndex, pattern: str, uses: list[str], said: str
) -> None:
    index.upsert(entries(*(f"word{number}" for number in range(50))))
    index.optimize()
    for _ in damaged(folder, pattern):
        reader = lance_index(folder, "an embedder", 4)
        for use in uses:
            with pytest.raises(IndexUnavailable, match=said):
                USES[use](reader)


def test_a_file_in_the_folders_place_is_told(folder: Path, index: LanceIndex) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("not a folder")
    with pytest.raises(IndexUnavailable):
        index.ids()
    with pytest.raises(IndexUnavailable):
        index.upsert(entries("a"))


DIMENSION = 64
FEW, MANY = 20, 2_000
NEARNESS = Nearness(approximate_from=1_000, flat_up_to=100)
EVERYONE, STAFF = AccessRule(), AccessRule((("departments", ("staff",)),))
COLLEAGUE = Scope({"departments": frozenset({"staff"})}, GUEST.on)


@pytest.fixture
def large(tmp_path: Path) -> LanceIndex:
    mine = Certificate("an embedder", DIMENSION, tuple(load_ontology().facets))
    return LanceIndex(tmp_path / "index", mine, nearness=NEARNESS)


@pytest.fixture
def vectors() -> NDArray[np.float32]:
    drawn = np.random.default_rng(5).standard_normal((2 * MANY, DIMENSION), np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


def numbered(number: int, vector: NDArray[np.float32], rule: AccessRule = EVERYONE) -> IndexEntry:
    name = f"p{number:05}"
    return IndexEntry(name, "document", rule, vector, f"words {name}")


def write(large: LanceIndex, vectors: NDArray[np.float32], first: int, last: int) -> None:
    """The first `FEW` are for everyone, and the others for staff alone."""
    large.upsert(
        [numbered(n, vectors[n], EVERYONE if n < FEW else STAFF) for n in range(first, last)]
    )
    large.optimize()


def structures(large: LanceIndex) -> list[str]:
    table = large._folder.table()  # noqa: SLF001  # nothing else tells how a table is divided
    assert table is not None
    return [each.name for each in table.list_indices() if each.name.startswith(VECTOR_INDEX)]


def found(
    large: LanceIndex, vector: NDArray[np.float32], scope: Scope, limit: int = 10
) -> list[str]:
    return [match.passage_id for match in large.nearest(vector, scope, limit)]


def truly_nearest(vectors: NDArray[np.float32], asked: NDArray[np.float32]) -> list[str]:
    return [f"p{number:05}" for number in np.argsort(-(vectors @ asked))[:10]]


def test_a_table_is_divided_only_while_it_is_large(
    large: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(large, vectors, 0, 999)
    assert not structures(large)
    write(large, vectors, 999, MANY)
    assert structures(large)
    large.delete([f"p{number:05}" for number in range(FEW, MANY)])
    large.optimize()
    assert not structures(large)
    assert len(found(large, vectors[0], COLLEAGUE, FEW)) == FEW


def test_a_large_table_finds_nearly_all_that_is_nearest_with_true_cosines(
    large: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(large, vectors, 0, MANY)
    held = vectors[:MANY]
    shares = []
    for asked in vectors[MANY : MANY + 20]:
        matches = large.nearest(asked, COLLEAGUE, 10)
        shares.append(len({m.passage_id for m in matches} & set(truly_nearest(held, asked))) / 10)
        cosines = {f"p{number:05}": value for number, value in enumerate(held @ asked)}
        assert [m.score for m in matches] == pytest.approx(
            [cosines[m.passage_id] for m in matches], abs=1e-4
        )
    assert np.mean(shares) >= 0.95


def test_whoever_may_read_little_of_a_large_table_is_shown_all_of_it_in_order(
    large: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(large, vectors, 0, MANY)
    readable = vectors[:FEW]
    for asked in vectors[MANY : MANY + 20]:
        assert found(large, asked, GUEST) == truly_nearest(readable, asked)


def test_what_came_since_a_table_was_divided_is_found_at_once(
    large: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(large, vectors, 0, MANY)
    large.upsert([numbered(MANY, vectors[MANY], STAFF)])
    assert found(large, vectors[MANY], COLLEAGUE)[0] == f"p{MANY:05}"
    assert found(large, vectors[MANY], GUEST)[0] != f"p{MANY:05}"


def test_whoever_may_read_more_than_before_is_counted_anew(
    large: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(large, vectors, 0, MANY)
    assert len(found(large, vectors[0], GUEST, MANY)) == FEW
    large.upsert([numbered(n, vectors[n]) for n in range(FEW, 200)])
    assert len(found(large, vectors[0], GUEST, MANY)) == 200


def test_a_table_is_divided_anew_when_it_has_doubled_and_not_before(
    large: LanceIndex, vectors: NDArray[np.float32]
) -> None:
    write(large, vectors, 0, 1_100)
    once = structures(large)
    write(large, vectors, 1_100, 2_000)
    assert structures(large) == once
    write(large, vectors, 2_000, 2_100)
    twice = structures(large)
    assert len(twice) == 1
    assert twice != once
    large.delete([f"p{number:05}" for number in range(2_000, 2_100)])
    large.optimize()
    assert structures(large) == twice, "a table that grows and shrinks a little is left as it is"
