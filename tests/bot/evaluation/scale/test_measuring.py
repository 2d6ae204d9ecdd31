"""An index is measured at a size: the smallest one, ten thousand passages."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes import WordsEmbedder, lance_index

from bot.lab.scale import (
    BLOCK,
    CLIENTS,
    DEPTHS,
    READERS,
    Filling,
    MadeUp,
    ScaleRow,
    Seeds,
    fill,
    filling_in,
    peak_megabytes,
    scope_of,
)
from bot.lab.scale_searching import keep_row, kept_rows, recalls, search_times
from retrieval.metadata.access import permits
from retrieval.ports import TEXT_SPACE, IndexEntry, Match, PassageIndex

SENTENCES = [
    f"The {subject} office {action} {number} {unit} before the term begins, on any working day"
    for subject in ("leave", "travel", "exam", "library", "laptop")
    for action in ("answers", "closes", "asks for")
    for number in (2, 3, 5)
    for unit in ("days", "weeks")
]


@pytest.fixture
def made_up() -> MadeUp:
    return MadeUp(Seeds(SENTENCES, WordsEmbedder().embed(SENTENCES)), rules=10)


def unwatched(done: int, total: int, what: str) -> None:
    """Progress that nobody looks at."""


# --- what is made up ------------------------------------------------------------------


def test_a_block_is_the_same_whenever_it_is_made(made_up: MadeUp) -> None:
    once, again = made_up.entries(3), made_up.entries(3)
    assert [(e.entry_id, e.words, e.rule) for e in once] == [
        (e.entry_id, e.words, e.rule) for e in again
    ]
    vectors = np.stack([np.asarray(each.vectors[TEXT_SPACE]) for each in once])
    assert np.array_equal(vectors, made_up.vectors(3))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert not np.array_equal(vectors, made_up.vectors(2))


@pytest.mark.parametrize(("reader", "may_read"), READERS.items())
def test_a_reader_may_read_their_share_and_the_filter_says_the_same(
    made_up: MadeUp, reader: str, may_read: int
) -> None:
    permitted = [permits(each.rule, scope_of(reader)) for each in made_up.entries(1)]
    assert sum(permitted) == may_read
    assert permitted == made_up.readable(1, reader).tolist()


@pytest.mark.parametrize(("rules", "at_least"), [(10, 10), (100, 90)])
def test_there_are_as_many_rules_as_were_asked_for(
    made_up: MadeUp, rules: int, at_least: int
) -> None:
    """In a few blocks hardly any document is for the reader of one in ten thousand."""
    asked = replace(made_up, rules=rules)
    found = {each.rule for block in range(3) for each in asked.entries(block)}
    assert at_least <= len(found) <= rules


def test_each_document_may_have_a_rule_of_its_own(made_up: MadeUp) -> None:
    entries = replace(made_up, rules=0).entries(0)
    documents = {each.document_id for each in entries}
    assert len({each.rule for each in entries}) == len(documents) > BLOCK / 11


# --- filling --------------------------------------------------------------------------


class Recorder:
    """As much of an index as is filled; it may fail at a writing."""

    def __init__(self, fails_at: int = -1) -> None:
        self.written: list[IndexEntry] = []
        self.folded = 0
        self._calls, self._fails_at = 0, fails_at

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        self._calls += 1
        if self._calls == self._fails_at:
            raise KeyboardInterrupt
        self.written += entries

    def optimize(self) -> None:
        self.folded += 1


def test_a_run_that_was_stopped_goes_on_where_it_stood(made_up: MadeUp, tmp_path: Path) -> None:
    stopped, after = Recorder(fails_at=6), Recorder()
    with pytest.raises(KeyboardInterrupt):
        _fill(stopped, made_up, 3, tmp_path)
    assert filling_in(tmp_path, 10).blocks == 1
    filling = _fill(after, made_up, 3, tmp_path)
    assert (filling.blocks, filling.folded, after.folded) == (3, True, 1)
    ids = {each.entry_id for each in (*stopped.written, *after.written)}
    assert len(ids) == 3 * BLOCK
    assert min(each.entry_id for each in after.written) == f"p{BLOCK:09}"


def test_a_folder_that_is_filled_is_not_filled_again_and_grows(
    made_up: MadeUp, tmp_path: Path
) -> None:
    _fill(Recorder(), made_up, 1, tmp_path)
    again, more = Recorder(), Recorder()
    assert _fill(again, made_up, 1, tmp_path).blocks == 1
    assert (again.written, again.folded) == ([], 0)
    assert _fill(more, made_up, 2, tmp_path).folded
    assert (len(more.written), more.folded) == (BLOCK, 1)


def test_a_folder_of_other_rules_or_more_passages_is_refused(
    made_up: MadeUp, tmp_path: Path
) -> None:
    _fill(Recorder(), made_up, 2, tmp_path)
    with pytest.raises(ValueError, match="under 10 rules"):
        _fill(Recorder(), replace(made_up, rules=0), 2, tmp_path)
    with pytest.raises(ValueError, match="20,000 passages already"):
        _fill(Recorder(), made_up, 1, tmp_path)


def _fill(index: Recorder, made_up: MadeUp, blocks: int, folder: Path) -> Filling:
    return fill(index, made_up, blocks, folder, lambda: None, unwatched)  # type: ignore[arg-type]


# --- searching ------------------------------------------------------------------------


class Forgetful:
    """An index that finds every other of the nearest passages."""

    def __init__(self, index: PassageIndex) -> None:
        self._index = index

    def nearest(self, *asked: object) -> list[Match]:
        return self._index.nearest(*asked)[::2]  # type: ignore[arg-type]


@pytest.mark.slow
def test_an_exact_index_finds_all_that_is_nearest_and_a_forgetful_one_half(
    made_up: MadeUp, tmp_path: Path
) -> None:
    index = lance_index(tmp_path / "index")
    filling = fill(index, made_up, 1, tmp_path, lambda: None, unwatched)
    assert filling.seconds > filling.folding_seconds > 0
    queries = made_up.queries(4)
    found = recalls(index, made_up, 1, queries, unwatched)
    assert {(each.reader, each.depth) for each in found} == {
        (reader, depth) for reader in READERS for depth in DEPTHS
    }
    assert [each for each in found if each.share != 1] == []
    half = recalls(Forgetful(index), made_up, 1, queries, unwatched)  # type: ignore[arg-type]
    shares = {(each.reader, each.depth): each.share for each in half}
    assert shares["half", 50] == 0.5
    times = search_times(index, queries, unwatched)
    assert {(each.kind, each.clients) for each in times} == {
        (kind, clients) for kind in ("dense", "bm25") for clients in CLIENTS
    }
    assert all(0 < each.median_ms <= each.slow_ms for each in times)


def test_the_memory_of_a_process_is_told_where_it_can_be_seen() -> None:
    assert peak_megabytes(-1) is None


# --- rows -----------------------------------------------------------------------------


def a_row(**others: object) -> ScaleRow:
    row = ScaleRow("lancedb", True, BLOCK, 10, 1.0, 0.5, None, 30.0, 4)
    return replace(row, **others)  # type: ignore[arg-type]


def test_rows_are_kept_beside_each_other(tmp_path: Path) -> None:
    kept = tmp_path / "rows"
    rows = [a_row(), a_row(engine="weaviate", peak_megabytes=500.5)]
    for row in rows:
        keep_row(kept, row)
    assert kept_rows(kept) == rows
    kept.write_text('{"engine": "lancedb"}\n')
    with pytest.raises(ValueError, match="holds no rows"):
        kept_rows(kept)
