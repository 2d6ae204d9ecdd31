"""What any passage index keeps to, on every implementation."""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from passage_indexes import DIMENSION, TODAY, Case, Row, Store, World, world, write_elsewhere

from retrieval.errors import IndexMismatch
from retrieval.index.lance_table import Nearness
from retrieval.metadata.access import permits
from retrieval.ports import IndexEntry, Match, PassageIndex
from retrieval.types import AccessRule, Scope

CASES = 200
"""Of each world."""
EAST = np.array([1, 0, 0, 0], dtype=np.float32)
NORTH = np.array([0, 1, 0, 0], dtype=np.float32)
GUEST = Scope({}, TODAY)


ALWAYS_NEAR = Nearness(approximate_from=1, flat_up_to=0, whole=10_000)
"""As in a table so large that nobody's entries are compared one by one, yet searched so thoroughly
that it misses nothing: what it may miss is another test's."""


WITH_SERVER = (pytest.mark.server, pytest.mark.slow)
WORLDS = {"lance": 50, "lance-large": 10, "weaviate": 50}
"""Ten thousand cases for each kind of index, and some for the other way of searching one."""
USUAL_WORLDS, USUAL_CASES = 2, 60
"""Of each, where not everything is tried: one whose rows are folded in, and one where some wait."""


@pytest.fixture(params=["lance", "lance-large", pytest.param("weaviate", marks=WITH_SERVER)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param != "weaviate":
        yield Store(
            tmp_path, nearness=ALWAYS_NEAR if request.param == "lance-large" else Nearness()
        )
        return
    store = Store(tmp_path, request.getfixturevalue("weaviate"))
    yield store
    store.open().clear()


@pytest.fixture
def index(store: Store) -> PassageIndex:
    return store.open()


def entry(
    passage_id: str,
    words: str = "words",
    vector: Sequence[float] | NDArray[np.float32] = EAST,
    audience: Mapping[str, tuple[str, ...]] = {},
) -> IndexEntry:
    rule = AccessRule(tuple(sorted(audience.items())))
    return IndexEntry(passage_id, "document", rule, vector, words)


def reader(**facets: str) -> Scope:
    return Scope({facet: frozenset({value}) for facet, value in facets.items()}, TODAY)


def names(matches: list[Match]) -> list[str]:
    return [match.passage_id for match in matches]


# --- an index with nothing in it ------------------------------------------------------


@pytest.mark.parametrize("once_held", ["nothing", "deleted", "cleared"])
def test_an_index_with_nothing_in_it_finds_nothing_and_may_be_filled(
    index: PassageIndex, once_held: str
) -> None:
    if once_held == "deleted":
        index.upsert([entry("a")])
    index.delete(["a"])
    if once_held == "cleared":
        index.clear()
        index.upsert([entry("a")])
        index.clear()
        index.clear()
    index.optimize()
    index.upsert([])
    assert (index.ids(), index.count()) == (frozenset(), 0)
    assert index.nearest(EAST, GUEST, 5) == []
    assert index.lexical("words", GUEST, 5) == []
    assert index.vectors(["a"]) == {}
    index.upsert([entry("b")])
    assert names(index.lexical("words", GUEST, 5)) == ["b"]


def test_a_scope_of_some_documents_finds_these_alone_and_one_of_none_nothing(
    index: PassageIndex,
) -> None:
    index.upsert([replace(entry(each), document_id=f"of {each}") for each in "abc"])
    index.upsert([replace(entry("d", audience={"batch": ("2024",)}), document_id="of d")])
    of_two = replace(GUEST, documents=frozenset({"of a", "of c", "of d"}))
    of_none = replace(GUEST, documents=frozenset())
    assert names(index.nearest(EAST, of_two, 5)) == ["a", "c"]
    assert names(index.lexical("words", of_two, 5)) == ["a", "c"]
    assert index.nearest(EAST, of_none, 5) == []
    assert index.lexical("words", of_none, 5) == []


# --- writing --------------------------------------------------------------------------


def test_an_entry_is_found_before_and_after_it_is_folded_in(index: PassageIndex) -> None:
    index.upsert([entry("old", "borrow laptops")])
    index.optimize()
    index.upsert([entry("new", "borrow laptops", NORTH)])
    for _ in range(2):
        assert index.ids() == {"old", "new"}
        assert names(index.nearest(NORTH, GUEST, 1)) == ["new"]
        assert sorted(names(index.lexical("laptops", GUEST, 5))) == ["new", "old"]
        index.optimize()


def test_an_entry_with_a_known_id_replaces_the_former_one(index: PassageIndex) -> None:
    index.upsert([entry("a", "former", EAST, {"departments": ("cs",)}), entry("b")])
    index.optimize()
    index.upsert([entry("a", "latter", NORTH, {"departments": ("is",)})])
    for _ in range(2):
        assert index.ids() == {"a", "b"}
        assert index.lexical("former", reader(departments="is"), 5) == []
        assert names(index.lexical("latter", reader(departments="is"), 5)) == ["a"]
        assert names(index.nearest(EAST, reader(departments="cs"), 5)) == ["b"]
        assert index.vectors(["a"])["a"] == pytest.approx(NORTH)
        index.optimize()


def test_of_two_entries_with_one_id_the_last_is_kept(index: PassageIndex) -> None:
    index.upsert([entry("a", "first"), entry("b"), entry("a", "second")])
    assert index.ids() == {"a", "b"}
    assert index.lexical("first", GUEST, 5) == []
    assert names(index.lexical("second", GUEST, 5)) == ["a"]


def test_a_deleted_entry_is_gone_from_everywhere(index: PassageIndex) -> None:
    index.upsert([entry("a"), entry("b")])
    index.optimize()
    index.delete(["a", "never there"])
    for _ in range(2):
        assert index.ids() == {"b"}
        assert names(index.nearest(EAST, GUEST, 5)) == ["b"]
        assert names(index.lexical("words", GUEST, 5)) == ["b"]
        assert list(index.vectors(["a", "b"])) == ["b"]
        index.optimize()


@pytest.mark.exhaustive
def test_thousands_are_deleted_and_looked_up_at_once(index: PassageIndex) -> None:
    index.upsert([entry(f"p{number}") for number in range(6000)])
    assert len(index.vectors([f"p{number}" for number in range(7000)])) == 6000
    index.delete({f"p{number}" for number in range(5999)})
    assert index.ids() == {"p5999"}


@pytest.mark.parametrize("vector", [[1, 0, 0], [0, 0, 0, 0], [float("nan"), 1, 0, 0]])
def test_a_vector_that_points_nowhere_is_refused(index: PassageIndex, vector: list[float]) -> None:
    with pytest.raises(ValueError, match="vector"):
        index.upsert([entry("a", vector=vector)])
    with pytest.raises(ValueError, match="vector"):
        index.nearest(np.array(vector, dtype=np.float32), GUEST, 5)


# --- searching ------------------------------------------------------------------------


def test_the_nearest_come_first_with_their_cosine(index: PassageIndex) -> None:
    index.upsert([entry("same", vector=EAST), entry("far", vector=-EAST)])
    index.upsert([entry("across", vector=NORTH), entry("between", vector=EAST + NORTH)])
    found = index.nearest(EAST, GUEST, 5)
    assert names(found) == ["same", "between", "across", "far"]
    assert [match.score for match in found] == pytest.approx([1, 0.5**0.5, 0, -1], abs=1e-5)


def test_equally_near_ones_come_by_id_however_many_there_are(index: PassageIndex) -> None:
    ids = [f"p{number:03}" for number in range(300)]
    index.upsert([entry(passage_id) for passage_id in reversed(ids)])
    index.delete(ids[:3])
    assert names(index.nearest(EAST, GUEST, 2)) == ids[3:5]
    assert names(index.nearest(EAST, GUEST, 10_000)) == ids[3:]


def test_vectors_come_back_as_they_were_given(index: PassageIndex) -> None:
    rng = np.random.default_rng(7)
    drawn = {name: rng.normal(size=4).astype(np.float32) for name in "abc"}
    vectors = {name: vector / np.linalg.norm(vector) for name, vector in drawn.items()}
    index.upsert([entry(name, vector=vector) for name, vector in vectors.items()])
    found = index.vectors(["c", "a", "a", "unknown"])
    assert set(found) == {"a", "c"}
    assert all(found[name] == pytest.approx(vectors[name]) for name in found)
    assert index.vectors([]) == {}


def test_words_are_ranked_by_how_much_they_tell(index: PassageIndex) -> None:
    index.upsert([entry(f"p{number}", "the rules for the fee") for number in range(9)])
    index.upsert([entry("rare", "the rules for sabbaticals"), entry("none", "opening hours")])
    found = index.lexical("the rules for sabbaticals", GUEST, 20)
    assert found[0].passage_id == "rare"
    assert "none" not in names(found)
    assert [match.score for match in found] == sorted((m.score for m in found), reverse=True)
    assert all(match.score > 0 for match in found)


def test_the_best_by_words_come_at_once_however_many_share_a_word(index: PassageIndex) -> None:
    common = "the rules for the fee of the year"
    longer = [" ".join(f"word{n}" for n in range(1, number % 97)) for number in range(1500)]
    index.upsert([entry(f"p{n:04}", f"{common} {more}") for n, more in enumerate(longer)])
    index.upsert([entry("best", "sabbatical leave"), entry("good", f"sabbatical {common}")])
    for _ in range(2):
        assert names(index.lexical("the rules for sabbatical leave", GUEST, 3))[:2] == [
            "best",
            "good",
        ]
        index.optimize()


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_no_more_than_the_limit_come_back(index: PassageIndex, limit: int) -> None:
    index.upsert([entry(f"p{number}") for number in range(5)])
    assert len(index.nearest(EAST, GUEST, limit)) == limit
    assert len(index.lexical("words", GUEST, limit)) == limit


def test_what_is_for_somebody_is_for_nobody_else(index: PassageIndex) -> None:
    index.upsert([entry("a", audience={"departments": ("cs",)})])
    others = ["is", "CS", "*", "", "cs' OR '1'='1", "%", '"]) OR true --', 'cs","is', "\ud800cs"]
    for nobody in (GUEST, reader(courses="cs"), *(reader(departments=each) for each in others)):
        assert index.nearest(EAST, nobody, 5) == []
        assert index.lexical("words", nobody, 5) == []
    assert names(index.nearest(EAST, reader(departments="cs"), 5)) == ["a"]


def test_a_facet_that_nobody_thought_of_keeps_everyone_out(index: PassageIndex) -> None:
    index.upsert([entry("a", audience={"clearance": ("secret",)}), entry("b")])
    for scope in (GUEST, reader(clearance="secret"), reader(departments="cs")):
        assert names(index.nearest(EAST, scope, 5)) == ["b"]
        assert names(index.lexical("words", scope, 5)) == ["b"]


def test_a_value_that_no_utf_8_holds_is_no_other_value(index: PassageIndex) -> None:
    index.upsert([entry("a", audience={"departments": ("c\ud800s",)})])
    assert index.nearest(EAST, reader(departments="cs"), 5) == []
    assert names(index.nearest(EAST, reader(departments="c\ud800s"), 5)) == ["a"]


def test_one_reader_of_thousands_of_courses_finds_their_own(index: PassageIndex) -> None:
    index.upsert(
        [entry("a", audience={"courses": ("4711",)}), entry("b", audience={"courses": ()})]
    )
    many = Scope({"courses": frozenset(map(str, range(5000)))}, TODAY)
    assert names(index.nearest(EAST, many, 5)) == ["a"]
    assert names(index.lexical("words", many, 5)) == ["a"]


def test_each_document_may_have_days_of_its_own(index: PassageIndex) -> None:
    def during(day: int) -> AccessRule:
        return AccessRule((), TODAY + timedelta(day), TODAY + timedelta(day))

    index.upsert([replace(entry(f"p{n:04}"), rule=during(n - 600)) for n in range(1200)])
    assert names(index.nearest(EAST, GUEST, 5)) == ["p0600"]
    assert names(index.lexical("words", GUEST, 5)) == ["p0600"]
    ever = replace(GUEST, expired=True)
    assert len(index.nearest(EAST, ever, 5000)) == 601


def test_quotes_in_ids_are_nothing_special(index: PassageIndex) -> None:
    own = entry("it's", audience={"departments": ("o'hara",)})
    index.upsert([own, entry("''"), entry('"; --')])
    assert "it's" in names(index.lexical("words", reader(departments="o'hara"), 5))
    index.delete(["it's", '"; --'])
    assert list(index.vectors(["''", "it's"])) == ["''"]


# --- of documents ---------------------------------------------------------------------


def of_document(document_id: str, made: IndexEntry) -> IndexEntry:
    return replace(made, document_id=document_id)


def test_whatever_is_found_says_of_which_document_it_is(index: PassageIndex) -> None:
    closed = entry("closed", vector=EAST, audience={"departments": ("cs",)})
    index.upsert(
        [
            of_document("leave", entry("a")),
            of_document("it's", entry("b", vector=EAST + NORTH)),
            of_document("pay", closed),
        ]
    )
    for _ in range(2):
        for found in (index.nearest(EAST, GUEST, 5), index.lexical("words", GUEST, 5)):
            assert {(m.passage_id, m.document_id) for m in found} == {("a", "leave"), ("b", "it's")}
        index.optimize()


def test_whatever_people_type_is_searched_for(index: PassageIndex) -> None:
    index.upsert([entry("a", "the wild words of people")])
    index.optimize()
    wild = st.text(st.characters(exclude_categories=())) | st.sampled_from(
        ['"', "'", "a AND (b", "words OR", "+words -the", "words~2^3", "*", "🙂", "of the", "\0"]
    )

    @given(words=wild)
    def holds(words: str) -> None:
        assert set(names(index.lexical(words, GUEST, 5))) <= {"a"}

    holds()
    assert names(index.lexical("\ud800wild\ud800 ((", GUEST, 5)) == ["a"]


def test_wild_words_can_be_indexed(index: PassageIndex) -> None:
    index.upsert([entry("a", "\ud800 lone \0 🙂"), entry("b", ""), entry("c", "x" * 100_000)])
    index.optimize()
    assert names(index.lexical("lone", GUEST, 5)) == ["a"]
    assert index.ids() == {"a", "b", "c"}


# --- keeping step with a library ------------------------------------------------------


def test_passages_are_counted_and_listed_by_their_documents(index: PassageIndex) -> None:
    assert (index.count(), index.ids(["one"])) == (0, frozenset())
    for name, document in {"a": "one", "b": "one", "c": "it's", "d": "three"}.items():
        index.upsert([replace(entry(name), document_id=document)])
    assert index.count() == 4
    assert index.ids(["one", "it's", "never there"]) == {"a", "b", "c"}
    assert index.ids([]) == frozenset()
    index.delete(["b"])
    assert index.count() == 3
    assert index.ids(["one"]) == {"a"}


def test_how_far_it_followed_is_lost_with_what_followed(store: Store) -> None:
    index = store.open()
    assert index.reached() == 0
    index.reach(3)
    index.upsert([entry("a")])
    index.reach(17)
    assert store.open().reached() == 17
    assert store.open().ids() == {"a"}
    index.clear()
    assert store.open().reached() == 0


def test_an_index_made_anew_takes_the_place_of_the_one_that_answers(store: Store) -> None:
    index, reader_ = store.open(), store.open()
    index.upsert([entry("former", "former words"), entry("stays")])
    index.reach(5)
    assert names(reader_.lexical("former", GUEST, 5)) == ["former"]
    with index.renew(1) as fresh:
        assert fresh.ids() == frozenset()
        fresh.upsert([entry("latter", "latter words"), entry("stays")])
        fresh.reach(9)
        assert names(fresh.lexical("latter", GUEST, 5)) == ["latter"]
        assert names(reader_.lexical("former", GUEST, 5)) == ["former"]
        assert reader_.lexical("latter", GUEST, 5) == []
    for each in (reader_, index, store.open()):
        assert each.ids() == {"latter", "stays"}
        assert names(each.lexical("latter", GUEST, 5)) == ["latter"]
        assert each.lexical("former", GUEST, 5) == []
        assert each.reached() == 9


def begin_anew(index: PassageIndex, change: int, name: str) -> frozenset[str]:
    """Write an entry to an index that is never finished; what was there is returned."""
    begun = index.renew(change)
    fresh = begun.__enter__()
    held = fresh.ids()
    fresh.upsert([entry(name)])
    assert begun.__exit__(KeyError, KeyError(), None) is not True
    return held


def test_an_index_that_was_not_made_anew_to_the_end_takes_no_place_and_is_gone_on_with(
    store: Store,
) -> None:
    store.open().upsert([entry("former")])
    for name, before in (("one", frozenset[str]()), ("two", frozenset({"one"}))):
        assert begin_anew(store.open(), 1, name) == before
        assert store.open().ids() == {"former"}
    with store.open().renew(1) as fresh:
        fresh.upsert([entry("three")])
    assert store.open().ids() == {"one", "two", "three"}
    with store.open().renew(1) as fresh:
        assert fresh.ids() == frozenset(), "what is done is not gone on with"


def test_what_was_begun_of_another_library_or_for_another_embedder_is_not_gone_on_with(
    store: Store,
) -> None:
    assert begin_anew(store.open(), 1, "a") == set()
    assert begin_anew(store.open(), 2, "b") == set()
    assert begin_anew(store.open(embedder="latter"), 2, "c") == set()
    assert begin_anew(store.open(embedder="latter"), 2, "d") == {"c"}


def test_what_was_begun_is_forgotten_with_all_else(store: Store) -> None:
    assert begin_anew(store.open(), 1, "secret") == set()
    store.open().clear()
    assert begin_anew(store.open(), 1, "other") == set()


def test_an_index_of_another_embedder_is_refused_until_it_is_made_anew(store: Store) -> None:
    store.open(embedder="former").upsert([entry("a")])
    other = store.open(embedder="latter")
    for ask in (
        other.ids,
        other.count,
        lambda: other.nearest(EAST, GUEST, 5),
        lambda: other.lexical("a", GUEST, 5),
        lambda: other.vectors(["a"]),
        lambda: other.delete(["a"]),
        lambda: other.upsert([entry("b")]),
    ):
        with pytest.raises(IndexMismatch, match=r"former.*latter.*--re-embed"):
            ask()
    with pytest.raises(IndexMismatch, match=r"\(4 dimensions\).*\(8\)"):
        store.open(8, embedder="former").ids()
    assert not other.is_outdated
    with other.renew(1) as fresh:
        fresh.upsert([entry("b")])
    assert other.ids() == {"b"}
    with pytest.raises(IndexMismatch, match=r"latter.*former"):
        store.open(embedder="former").ids()


SHIPPED, NEXT = {"embedder": "vouch-embedder-4 (aa)"}, {"embedder": "vouch-embedder-5 (bb)"}
FACETS = {"facets": ["departments", "sites"]}


@pytest.mark.parametrize(
    ("made", "asked", "is_outdated", "said"),
    [
        (SHIPPED, NEXT, True, "vouch-embedder-4"),
        (SHIPPED, SHIPPED, False, ""),
        (SHIPPED, {"embedder": "mine"}, False, "VOUCH_EMBEDDER"),
        ({}, FACETS, True, "sites"),
        ({}, {}, False, ""),
    ],
)
def test_an_index_is_outdated_by_facets_or_an_embedder_that_shipped_before_alone(
    store: Store, made: dict[str, Any], asked: dict[str, Any], is_outdated: bool, said: str
) -> None:
    """Else it would be embedded anew though nobody asked for that."""
    store.open(**made).upsert([entry("a")])
    index = store.open(**asked)
    assert index.is_outdated is is_outdated
    with pytest.raises(IndexMismatch, match=said) if said else nullcontext():
        index.ids()


# --- other handles and processes ------------------------------------------------------


def test_what_another_process_writes_is_seen_at_once(store: Store) -> None:
    index = store.open()
    assert index.ids() == frozenset()
    index.upsert([entry("a"), entry("b")])
    index.optimize()
    assert index.ids() == {"a", "b"}
    other = multiprocessing.get_context("spawn").Process(
        target=write_elsewhere, args=(store, [entry("c", "elsewhere", NORTH)], ["a"])
    )
    other.start()
    other.join()
    assert other.exitcode == 0
    assert index.ids() == {"b", "c"}
    assert names(index.nearest(NORTH, GUEST, 1)) == ["c"]
    assert names(index.lexical("elsewhere", GUEST, 5)) == ["c"]
    index.upsert([entry("d")])
    assert index.ids() == {"b", "c", "d"}


# --- what may be read, in ten thousand cases ------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("store", "seed"),
    [
        pytest.param(
            name,
            seed,
            marks=[
                *(WITH_SERVER if name == "weaviate" else ()),
                *([pytest.mark.exhaustive] if seed >= USUAL_WORLDS else ()),
            ],
        )
        for name, worlds in WORLDS.items()
        for seed in range(worlds)
    ],
    indirect=["store"],
)
def test_excluded_entries_never_come_back_nor_take_a_place(store: Store, seed: int) -> None:
    """Excluded rows repeat the query, so without the filter they would be all there is."""
    made = world(seed, CASES if seed >= USUAL_WORLDS else USUAL_CASES)
    index = store.open(DIMENSION)
    _write(index, made, folded=seed % 2 == 0)
    assert index.ids() == {row.entry.passage_id for row in made.rows}
    rules = {id(row.rule): row.rule for row in made.rows}  # a few, which the rows share
    for case in made.cases:
        permitting = {key for key, rule in rules.items() if permits(rule, case.scope)}
        may_read = [row for row in made.rows if id(row.rule) in permitting]
        found = index.nearest(case.vector, case.scope, case.limit)
        assert set(names(found)) <= {row.entry.passage_id for row in may_read}
        assert _close(found, _nearest(may_read, case))
        _check_lexical(index.lexical(case.words, case.scope, case.limit), may_read, case)


def _write(index: PassageIndex, made: World, folded: bool) -> None:
    index.upsert([row.entry for row in made.earlier])
    index.optimize()
    index.upsert([row.entry for row in (*made.rows, *made.gone)])
    if folded:
        index.optimize()
    index.delete([row.entry.passage_id for row in made.gone])


def _nearest(may_read: list[Row], case: Case) -> list[Match]:
    """By the definition: every row that may be read is compared."""
    entries = [row.entry for row in may_read]
    vectors = np.array([row.vector for row in may_read], np.float32).reshape(-1, DIMENSION)
    matches = [
        Match(each.passage_id, each.document_id, round(float(score), 4))
        for each, score in zip(entries, vectors @ case.vector, strict=True)
    ]
    return sorted(matches, key=lambda match: (-match.score, match.passage_id))[: case.limit]


def _close(found: list[Match], expected: list[Match]) -> bool:
    """Whether the scores are the same; ids may differ only between equal scores."""
    known = {match.passage_id: match.score for match in expected}
    last = expected[-1].score if expected else 0.0
    scores = [match.score for match in found]
    return (
        len(found) == len(expected)
        and scores == pytest.approx([match.score for match in expected], abs=2e-4)
        and all(abs(known.get(m.passage_id, last) - m.score) < 2e-4 for m in found)
    )


def _check_lexical(found: list[Match], may_read: list[Row], case: Case) -> None:
    asked = set(case.words.rstrip("?").split())
    texts = {row.entry.words for row in may_read}  # a few for each topic
    share = {text for text in texts if asked & set(text.split())}
    sharing = {row.entry.passage_id for row in may_read if row.entry.words in share}
    assert set(names(found)) <= sharing
    assert len(found) == min(case.limit, len(sharing))
