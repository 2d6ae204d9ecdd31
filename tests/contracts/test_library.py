"""Every library keeps what is put into it unchanged, and shows what left to nobody."""

import json
import multiprocessing
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from libraries import KEY, library_in, tampered_with, url_in

from retrieval.documents.database import stored_key
from retrieval.documents.holdings import (
    Acquisition,
    Fingerprint,
    KeptOut,
    KnownSource,
    Parsed,
    SourceTimes,
)
from retrieval.documents.packing import parsed_of
from retrieval.documents.sql_library import SqlLibrary
from retrieval.documents.tables import REVISION
from retrieval.errors import LibraryUnavailable, PassageChanged
from retrieval.types import (
    AccessRule,
    Box,
    Cell,
    Document,
    Fragment,
    FragmentKind,
    Metadata,
    PageSize,
    Passage,
    PlacedHeading,
    Sentence,
    Stream,
)

SOURCE = "docs"
PRINT = Fingerprint(12, 345, "sha", "circumstances")


def document(name: str, version: str = "1", metadata: Metadata | None = None) -> Document:
    now = datetime.now(UTC)
    return Document(name, f"{name}.md", version, now, name.title(), metadata or Metadata())


def passages_of(owner: Document, *sources: str) -> list[Passage]:
    return [
        Passage(
            f"{owner.document_id}-{owner.version}-{n}",
            owner,
            n,
            ("Part",),
            (Sentence(" ".join(source.split()), 7, 7 + len(source), 1, 1),),
            source,
        )
        for n, source in enumerate(sources)
    ]


def acquisition(owner: Document, *sources: str) -> Acquisition:
    return Acquisition(SOURCE, owner, PRINT, passages_of(owner, *sources))


wild = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
numbers = st.none() | st.integers(1, 10**6)
lengths = st.floats(0, 2000, allow_nan=False)
boxes = st.builds(Box, st.integers(1, 999), lengths, lengths, lengths, lengths)
ends = st.integers(0, 5_000)
cells = st.builds(Cell, ends, ends, wild, st.sampled_from(["", "B7", "AA10"]), st.none() | boxes)


@st.composite
def placed(draw: st.DrawFn) -> tuple[tuple[Sentence, ...], str]:
    """Sentences over a source, each with a reading of its own or the source's, folded."""
    pieces = draw(st.lists(wild, min_size=1, max_size=4))
    start, sentences = draw(st.integers(0, 10**6)), []
    for piece in pieces:
        read = draw(st.just(" ".join(piece.split())) | wild)
        sentences.append(
            Sentence(
                read,
                start,
                start + len(piece),
                line_start=draw(numbers),
                line_end=draw(numbers),
                page=draw(numbers),
                paragraph=draw(numbers),
                boxes=tuple(draw(st.lists(boxes, max_size=2))),
                in_list=draw(st.booleans()),
                list_goes_on=draw(st.booleans()),
                list_lead=draw(st.just("") | wild),
                item_number=draw(st.none() | st.integers(1, 999)),
                page_label=draw(st.just("") | wild),
                cells=tuple(draw(st.lists(cells, max_size=2))),
                picture=draw(st.none() | boxes),
                in_code=draw(st.booleans()),
                depth=draw(st.integers(0, 8)),
            )
        )
        start += len(piece)
    return tuple(sentences), "".join(pieces)


metadata = st.builds(
    Metadata,
    title=wild,
    stream=st.sampled_from(Stream),
    level=wild,
    access=st.builds(
        AccessRule,
        st.lists(st.tuples(wild, st.lists(wild).map(tuple))).map(tuple),
        st.none() | st.dates(),
        st.none() | st.dates(),
    ),
    effective=st.none() | st.dates(),
    owner=wild,
)


wild_numbers = count()


@given(placed(), st.lists(wild).map(tuple), metadata)
def test_a_document_comes_back_as_it_was_put_in(
    library: SqlLibrary,
    text: tuple[tuple[Sentence, ...], str],
    section_path: tuple[str, ...],
    said: Metadata,
) -> None:
    sentences, source = text
    owner = replace(document(f"rules{next(wild_numbers)}", metadata=said), title=said.title)
    passage = Passage(f"{owner.document_id}-0", owner, 0, section_path, sentences, source)
    unplaced = tuple(replace(each, char_start=0, char_end=0) for each in sentences)
    parsed = Parsed(
        source,
        (Fragment(FragmentKind.TABLE_ROW, section_path, unplaced),),
        pages=(PageSize(1, 595.2, 842, "slide 1"),),
        headings=tuple(PlacedHeading(2, section_path, each, None, 7) for each in unplaced),
        left_out=(Fragment(FragmentKind.RUNNING, (), unplaced),),
    )
    kept = Acquisition(SOURCE, owner, PRINT, [passage], source.encode(), parsed, "parser 1")
    library.store([kept])
    assert library.passages([passage.passage_id]) == {passage.passage_id: passage}
    assert list(library.all_passages()) == [passage]
    holding = library.holdings(SOURCE)[owner.file]
    assert (holding.document, holding.fingerprint, holding.source) == (owner, PRINT, SOURCE)
    assert library.parsed(owner.document_id, "1") == parsed
    library.remove([owner.document_id])


def test_what_an_earlier_version_packed_is_read() -> None:
    sentence = [None, 0, 6, [1, 1, 3, None], [[3, 1.0, 2.0, 3.0, 4.0]]]
    packed = zlib.compress(json.dumps(["Leave.", [["paragraph", ["Part"], [sentence]]]]).encode())
    place = Sentence("Leave.", 0, 6, 1, 1, 3, boxes=(Box(3, 1, 2, 3, 4),))
    assert parsed_of(packed) == Parsed(
        "Leave.", (Fragment(FragmentKind.PARAGRAPH, ("Part",), (place,)),)
    )


def test_a_new_version_takes_the_place_of_the_old_one(library: SqlLibrary) -> None:
    library.store([acquisition(document("rules"), "Old one.", "Old two.")])
    assert library.next_version("rules") == "2"
    library.store([acquisition(document("rules", "2"), "New.")])
    assert [p.source for p in library.all_passages()] == ["New."]
    assert library.counts() == {"documents": 1, "passages": 1}


def test_versions_go_on_when_a_document_returns(library: SqlLibrary) -> None:
    assert library.next_version("rules") == "1"
    library.store([acquisition(document("rules"), "Old.")])
    library.remove(["rules", "never there"])
    assert library.is_empty()
    assert library.next_version("rules") == "2"


def test_a_store_that_fails_changes_nothing(library: SqlLibrary) -> None:
    library.store([acquisition(document("rules"), "Old.")])
    twice = acquisition(document("rules", "2"), "New.")
    broken = Acquisition(SOURCE, twice.document, PRINT, [*twice.passages, *twice.passages])
    with pytest.raises(LibraryUnavailable):
        library.store([acquisition(document("other"), "Other."), broken])
    assert [p.source for p in library.all_passages()] == ["Old."]


def test_neighbours_stand_on_both_sides_in_reading_order_and_in_the_document(
    library: SqlLibrary,
) -> None:
    library.store([acquisition(document(name), *"abcdef") for name in ("one", "two")])
    passages = {p.passage_id: p for p in library.all_passages()}
    around = library.neighbours(passages["one-1-3"], 2)
    assert [p.passage_id for p in around] == ["one-1-1", "one-1-2", "one-1-4", "one-1-5"]
    assert [p.ordinal for p in library.neighbours(passages["one-1-0"], 2)] == [1, 2]
    assert [p.ordinal for p in library.neighbours(passages["two-1-5"], 1)] == [4]


def test_documents_begin_with_their_first_passage_of_today(library: SqlLibrary) -> None:
    names = [f"d{n}" for n in range(350)]
    library.store([acquisition(document(name), "begins", "goes on") for name in names])
    library.store([acquisition(document("d0", "2"), "begins anew")])
    library.suspend(["d1"])
    first = library.first_passages([*names, "unknown"])
    assert first.keys() == {*names} - {"d1"}
    assert {each.passage_id for each in first.values()} == {
        "d0-2-0",
        *(f"{name}-1-0" for name in names[2:]),
    }
    assert library.with_passages([*names, "unknown"]) == first.keys()


def test_any_number_of_passages_is_found_and_unknown_ids_are_left_out(library: SqlLibrary) -> None:
    library.store([acquisition(document("long"), *map(str, range(1203)))])
    everything = library.passage_ids()
    assert len(everything) == 1203
    found = library.passages([*everything, "unknown", "' OR 1=1 --"])
    assert found.keys() == everything
    assert library.passages([]) == {}


def test_it_knows_whether_the_time_of_anything_is_over(library: SqlLibrary) -> None:
    until = AccessRule(valid_to=date(2026, 7, 31))
    rules = [AccessRule(), AccessRule(valid_from=date(2020, 1, 1)), until]
    library.store(
        acquisition(document(f"d{n}", metadata=Metadata(access=rule)), "Text.")
        for n, rule in enumerate(rules)
    )
    days = [date(2026, 7, 30), date(2026, 7, 31), date(2026, 8, 1)]
    assert [library.has_expired(day) for day in days] == [False, False, True]
    library.suspend(["d2"])
    assert not library.has_expired(date(2026, 8, 1))


def test_a_doubted_document_looks_like_no_file(library: SqlLibrary) -> None:
    library.store([acquisition(document("rules"), "Text.")])
    library.doubt(["rules", "never there"])
    held = library.holdings(SOURCE)["rules.md"].fingerprint
    assert held.glance != PRINT.glance
    assert not held.same_content(PRINT)
    library.touch("rules", PRINT)
    assert library.holdings(SOURCE)["rules.md"].fingerprint == PRINT


def test_sources_do_not_mix(library: SqlLibrary) -> None:
    library.store([acquisition(document("one"), "One.")])
    other = document("two")
    library.store([Acquisition("handbook", other, PRINT, passages_of(other, "Two."))])
    assert [source.name for source in library.sources()] == [SOURCE, "handbook"]
    assert list(library.holdings(SOURCE)) == ["one.md"]
    assert library.holdings("nowhere") == {}


def test_a_source_keeps_its_name_where_its_folder_moves(library: SqlLibrary) -> None:
    library.know(KnownSource(SOURCE, "/mnt/docs"))
    library.know(KnownSource(SOURCE, "/srv/docs", whole=True))
    assert library.sources() == [KnownSource(SOURCE, "/srv/docs", whole=True)]


def test_who_may_read_a_source_is_kept_with_it_and_sealed(library: SqlLibrary) -> None:
    hr = (("departments", ("hr", "it")),)
    library.know(KnownSource(SOURCE, "/srv/docs", whole=True))
    assert library.sources()[0].audience is None
    library.know(KnownSource(SOURCE, "/srv/docs", whole=True, said=hr, stated=(("batches", ()),)))
    [known] = library.sources()
    assert (known.said, known.stated) == (hr, (("batches", ()),))
    assert known.audience == (("batches", ()), *hr)
    library.know(replace(known, said=(), stated=None))
    assert library.sources()[0].audience == ()


def test_every_path_that_a_document_ever_had_is_told_with_what_it_held(library: SqlLibrary) -> None:
    one = document("one")
    library.store([acquisition(one, "One."), acquisition(document("two"), "Two.")])
    library.rename("one", "moved.md")
    library.remove(["two"])
    assert library.past(SOURCE) == {"one.md": {PRINT.sha256}, "two.md": {PRINT.sha256}}
    assert library.past("nowhere") == {}


def test_when_a_source_was_read_and_changed_is_told(library: SqlLibrary) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    library.know(KnownSource(SOURCE, "/mnt/docs"))
    library.know(KnownSource("empty", "/mnt/empty"))
    assert library.source_times() == [
        SourceTimes(SOURCE, None, None),
        SourceTimes("empty", None, None),
    ]
    one, two = document("one"), document("two")
    library.store([acquisition(one, "One."), acquisition(two, "Two.")])
    library.note_read(SOURCE, noon)
    library.note_read("nowhere", noon)
    library.know(KnownSource(SOURCE, "/srv/docs", whole=True))
    [mine, _] = library.source_times()
    assert (mine.read_at, mine.changed_at) == (noon, two.ingested_at)
    library.remove(["two"])
    [mine, _] = library.source_times()
    assert mine.changed_at == library.history("two")[0].removed_at
    assert mine.read_at == noon, "that it moved or lost a document is no reading"


def test_a_source_is_forgotten_only_when_it_holds_nothing(library: SqlLibrary) -> None:
    library.store([acquisition(document("one"), "One.")])
    library.keep_out(SOURCE, [], [KeptOut(SOURCE, "secret.md", "names no audience")])
    library.forget_source(SOURCE)
    assert [source.name for source in library.sources()] == [SOURCE]
    library.remove(["one"])
    library.forget_source(SOURCE)
    assert (library.sources(), library.kept_out()) == ([], [])


@pytest.fixture
def named(library: SqlLibrary) -> SqlLibrary:
    """Documents with folders and titles."""
    titles = {"cs/rules": "Coursework rules", "is/rules": "Rules of IS", "fees": "Größe & Fees"}
    library.store(
        acquisition(replace(document(name), title=title), "Text.") for name, title in titles.items()
    )
    return library


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("cs/rules.md", ["cs/rules.md"]),
        ("cs/rules", ["cs/rules.md"]),  # the id
        ("CS/Rules.MD", ["cs/rules.md"]),
        ("Fees.md", ["fees.md"]),
        ("rules.md", ["cs/rules.md", "is/rules.md"]),
        ("  coursework   RULES ", ["cs/rules.md"]),
        ("gro\u0308ße & fees", ["fees.md"]),
        ("rules", []),
        ("", []),
        ("%", []),
    ],
)
def test_a_document_is_found_by_what_people_call_it(
    named: SqlLibrary, name: str, files: list[str]
) -> None:
    assert sorted(held.document.file for held in named.holdings_like(name)) == files


def test_threads_read_while_one_writes(library: SqlLibrary) -> None:
    """A reader sees a document's old version or its new one, never a mixture."""
    library.store([acquisition(document("rules"), *["1"] * 20)])

    def write() -> None:
        for version in range(2, 30):
            library.store([acquisition(document("rules", str(version)), *[str(version)] * 20)])

    def read() -> Sequence[list[str]]:
        return [[p.source for p in library.all_passages()] for _ in range(30)]

    with ThreadPoolExecutor(4) as pool:
        writing = pool.submit(write)
        seen = [
            sources for each in [pool.submit(read) for _ in range(3)] for sources in each.result()
        ]
        writing.result()
    assert all(len(sources) == 20 and len(set(sources)) == 1 for sources in seen)


def opened(url: str, start: "multiprocessing.synchronize.Barrier") -> None:
    start.wait()
    SqlLibrary(url, KEY).counts()


@pytest.mark.exhaustive
@pytest.mark.slow
def test_processes_that_open_a_new_library_at_once_all_may(library_url: str) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(4)
    processes = [context.Process(target=opened, args=(library_url, start)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4


def holds_the_turn(url: str, taken: "multiprocessing.synchronize.Event") -> None:
    with SqlLibrary(url, KEY).ingest_turn(lambda: None):
        taken.set()
        Event().wait(60)


@pytest.mark.slow
def test_ingests_take_turns_and_one_that_is_killed_holds_nobody_up(
    library: SqlLibrary, library_url: str
) -> None:
    context = multiprocessing.get_context("spawn")
    taken = context.Event()
    other = context.Process(target=holds_the_turn, args=(library_url, taken))
    other.start()
    assert taken.wait(60)
    waited: list[bool] = []

    def kill_it() -> None:
        waited.append(other.is_alive())
        other.kill()

    with library.ingest_turn(kill_it):
        assert waited == [True]
    other.join(60)
    with library.ingest_turn(lambda: pytest.fail("nobody holds it")):
        pass


# What an index has to follow


def test_a_library_tells_which_documents_are_served_otherwise_since(library: SqlLibrary) -> None:
    start = library.changes()
    library.store(
        [acquisition(document(name), "Text.") for name in ("stays", "touched", "changed", "goes")]
    )
    assert library.changed_since(start) == {"stays", "touched", "changed", "goes"}
    before = library.changes()
    assert library.changed_since(before) == frozenset()
    library.doubt(["touched"])
    library.touch("touched", PRINT)
    assert library.changed_since(before) == frozenset(), "the same passages are served"
    steps = [
        lambda: library.store([acquisition(document("changed", "2"), "Other.")]),
        lambda: library.remove(["goes"]),
        lambda: library.suspend(["stays"]),
        lambda: library.suspend(["stays"], False),
        lambda: library.rename("touched", "renamed.md"),
        lambda: library.purge("changed"),
    ]
    concerned = ["changed", "goes", "stays", "stays", "touched", "changed"]
    for step, document_id in zip(steps, concerned, strict=True):
        number = library.changes()
        step()
        assert library.changed_since(number) == {document_id}
    assert library.changed_since(before) == {"stays", "touched", "changed", "goes"}
    assert library.changed_since(library.changes()) == frozenset()


def test_ids_are_those_of_the_documents_that_are_asked_for(library: SqlLibrary) -> None:
    library.store([acquisition(document(name), "One.", "Two.") for name in ("a", "b", "c")])
    library.suspend(["c"])
    assert library.passage_ids(["a", "c", "never"]) == {"a-1-0", "a-1-1"}
    assert library.passage_ids([]) == frozenset()
    assert library.passage_ids() == {"a-1-0", "a-1-1", "b-1-0", "b-1-1"}


def test_no_two_libraries_have_one_id(library: SqlLibrary, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert library.library_id() == library.library_id()
    first = library.library_id()
    assert len({first, library_in(tmp_path / "other").library_id(), ""}) == 3
    library.become_another()
    assert library.library_id() not in {first, ""}


# Identities


def test_a_document_is_known_by_its_source_and_its_path_alone(library: SqlLibrary) -> None:
    one = library.identity(SOURCE, "rules.md")
    assert library.identity(SOURCE, "rules.md") == one
    others = {library.identity("handbook", "rules.md"), library.identity(SOURCE, "is/rules.md")}
    assert len(others | {one}) == 3


def test_a_document_that_returns_is_the_one_that_left(library: SqlLibrary) -> None:
    library.store([acquisition(document("rules"), "Text.")])
    library.remove(["rules"])
    assert library.identity(SOURCE, "rules.md") == "rules"


def test_what_was_renamed_stays_the_same_and_waits_to_be_read_there(library: SqlLibrary) -> None:
    first = library.identity(SOURCE, "rules.md")
    library.store([acquisition(replace(document(first), file="rules.md"), "Text.")])
    library.rename(first, "is/rules.md")
    assert library.identity(SOURCE, "is/rules.md") == first
    assert library.identity(SOURCE, "rules.md") not in ("", first), "another file stands there now"
    held = library.holdings(SOURCE)["is/rules.md"]
    assert held.suspended
    assert not held.fingerprint.same_content(PRINT)
    assert library.passage_ids() == frozenset()


# Versions


def versions_of_rules(library: SqlLibrary) -> None:
    for version, text in (("1", "Old."), ("2", "New.")):
        metadata = Metadata(access=AccessRule((("departments", (f"d{version}",)),)))
        owner = document("rules", version, metadata)
        fingerprint = replace(PRINT, sha256=f"hash {version}")
        parsed = Parsed(text, ())
        library.store(
            [
                Acquisition(
                    SOURCE, owner, fingerprint, passages_of(owner, text), text.encode(), parsed, "p"
                )
            ]
        )


def test_earlier_versions_are_kept_with_their_bytes_and_rules(library: SqlLibrary) -> None:
    versions_of_rules(library)
    assert [p.source for p in library.all_passages()] == ["New."]
    old = library.passages_at([("rules", "1", "rules-1-0")])
    assert [p.source for p in old.values()] == ["Old."]
    assert library.passages_at([("rules", "2", "rules-1-0"), ("rules", "x", "rules-1-0")]) == {}
    rules = library.rules_at([("rules", "1"), ("rules", "2"), ("rules", "3"), ("rules", "x")])
    assert {key: rule.audience for key, rule in rules.items()} == {
        ("rules", "1"): (("departments", ("d1",)),),
        ("rules", "2"): (("departments", ("d2",)),),
    }
    assert [library.original("rules", n) for n in "123"] == [b"Old.", b"New.", None]
    first, second = library.history("rules")
    assert (first.removed_at is not None, second.removed_at) == (True, None)
    assert (first.sha256, first.parser, first.file) == ("hash 1", "p", "rules.md")


def test_what_left_long_ago_is_forgotten_and_its_hash_stays(library: SqlLibrary) -> None:
    versions_of_rules(library)
    now = datetime.now(UTC)
    assert library.removed_before(now - timedelta(days=1)) == []
    assert library.removed_before(now + timedelta(days=1)) == [("rules", "1")]
    library.forget([("rules", "1")])
    assert library.removed_before(now + timedelta(days=1)) == []
    assert library.passages_at([("rules", "1", "rules-1-0")]) == {}
    assert [library.original("rules", n) for n in "12"] == [None, b"New."]
    assert library.history("rules")[0].sha256 == "hash 1"


def test_bytes_that_two_versions_have_are_kept_as_long_as_one_of_them(library: SqlLibrary) -> None:
    for name in ("one", "two"):
        owner, parsed = document(name), Parsed("Same.", ())
        library.store([Acquisition(SOURCE, owner, PRINT, [], b"Same.", parsed)])
    library.remove(["one"])
    library.forget([("one", "1")])
    assert library.original("two", "1") == b"Same."


def test_what_is_purged_is_gone_from_every_version_and_its_hashes_stay(library: SqlLibrary) -> None:
    versions_of_rules(library)
    library.keep_shown(list(library.all_passages()))
    (shown,) = (each.content_hash for each in library.all_passages())
    erased = library.purge("rules")
    assert (erased.file, erased.versions, erased.passages) == ("rules.md", 2, 2)
    assert list(library.all_passages()) == []
    assert library.passages_at([("rules", n, f"rules-{n}-0") for n in "12"]) == {}
    assert [library.original("rules", n) for n in "12"] == [None, None]
    assert [library.parsed("rules", n) for n in "12"] == [None, None]
    assert library.rules_at([("rules", "1"), ("rules", "2")]) == {}
    assert library.shown(shown) == ""
    assert [each.sha256 for each in library.history("rules")] == ["hash 1", "hash 2"]
    assert all(each.erased_at and each.rule is None for each in library.history("rules"))
    assert library.purged_at("hash 2")[:2] == "20"
    assert library.purged_at("another") == ""
    with pytest.raises(KeyError):
        library.purge("never there")


def test_a_purge_names_what_else_has_the_same_content(library: SqlLibrary) -> None:
    for name in ("one", "two"):
        parsed = Parsed("Same.", ())
        library.store([Acquisition(SOURCE, document(name), PRINT, [], b"Same.", parsed)])
    assert library.purge("one").also_stands_as == ("two.md",)
    assert library.original("two", "1") == b"Same."


def test_what_a_writer_was_shown_is_kept_once_by_its_hash(library: SqlLibrary) -> None:
    library.store([acquisition(document("rules"), "Shown.", "Not shown.")])
    first, second = library.all_passages()
    for _ in range(2):
        library.keep_shown([first, first])
    library.store([acquisition(document("rules", "2"), "New.")])
    assert library.shown(first.content_hash) == "Rules: Part\nShown."
    assert library.shown(second.content_hash) is None


def test_a_document_is_named_for_a_purge_also_when_it_left(library: SqlLibrary) -> None:
    library.store([acquisition(document("rules"), "Old."), acquisition(document("fees"), "Fees.")])
    library.rename("fees", "Fees 2026.md")
    library.remove(["rules"])
    assert library.documents_named("RULES.md") == {"rules": "rules.md"}
    assert library.documents_named("Fees") == {"fees": "fees.md"}
    assert library.documents_named("nothing") == {}


# Changes behind its back


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE library_passage SET source = '\"Lies.\"'",
        "UPDATE library_passage SET sentences = replace(sentences, '7', '8')",
        "UPDATE library_version SET metadata = replace(metadata, 'd2', 'd9')",
        "UPDATE library_version SET title = '\"Official\"'",
        "UPDATE library_passage SET seal = ''",
    ],
)
def test_what_was_changed_behind_its_back_is_never_read(
    library: SqlLibrary, library_url: str, change: str
) -> None:
    versions_of_rules(library)
    tampered_with(library_url, change)
    (passage_id,) = library.passage_ids()
    for read in (
        lambda: library.passages([passage_id]),
        lambda: list(library.all_passages()),
        lambda: library.passages_at([("rules", "2", passage_id)]),
    ):
        with pytest.raises(PassageChanged, match=r"rules\.md"):
            read()
    assert library.broken() == {"rules": "rules.md"}
    owner = document("rules", "3")
    library.store([acquisition(owner, "Read anew.")])
    assert library.broken() == {}
    assert [p.source for p in library.all_passages()] == ["Read anew."]


def test_a_passage_put_into_anothers_place_is_noticed(
    library: SqlLibrary, library_url: str
) -> None:
    library.store([acquisition(document(name), f"Of {name}.") for name in ("one", "two")])
    tampered_with(
        library_url,
        "UPDATE library_passage SET source = (SELECT source FROM library_passage p WHERE "
        "p.document_id = 'two'), seal = (SELECT seal FROM library_passage p WHERE "
        "p.document_id = 'two') WHERE document_id = 'one'",
    )
    assert library.broken() == {"one": "one.md"}
    assert library.broken(["one", "two", "never there"]) == {"one": "one.md"}
    assert library.broken(["two"]) == library.broken([]) == {}


def test_a_library_is_not_opened_with_another_key(library: SqlLibrary, library_url: str) -> None:
    assert library.is_empty()
    with pytest.raises(LibraryUnavailable, match=r"library\.key back from a backup"):
        SqlLibrary(library_url, b"another key, of more than 32 bytes")


# Files and servers that cannot be used


def test_a_damaged_file_is_said_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    path.write_bytes(b"no database at all, but long enough to be looked at as one" * 100)
    with pytest.raises(LibraryUnavailable, match="Move it away and run `vouch ingest` again"):
        library_in(tmp_path)
    (tmp_path / "folder" / "library.sqlite").mkdir(parents=True)
    with pytest.raises(LibraryUnavailable):
        library_in(tmp_path / "folder")


def test_a_server_that_is_not_there_is_said_without_its_password() -> None:
    url = "postgresql://vouch:hunter2@/none?host=/nowhere/at/all"
    with pytest.raises(LibraryUnavailable, match="VOUCH_LIBRARY_URL") as raised:
        SqlLibrary(url, KEY)
    assert "hunter2" not in str(raised.value)


def test_a_library_of_a_newer_version_is_left_alone(library: SqlLibrary, library_url: str) -> None:
    library.store([acquisition(document("rules"), "Text.")])
    tampered_with(library_url, "UPDATE library_revision SET version_num = '9999'")
    with pytest.raises(LibraryUnavailable, match="newer or another version"):
        SqlLibrary(library_url, KEY)
    back = f"UPDATE library_revision SET version_num = '{REVISION}'"  # noqa: S608 - a constant
    tampered_with(library_url, back)
    assert SqlLibrary(library_url, KEY).counts() == {"documents": 1, "passages": 1}


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "library.key"
    key = stored_key(path)
    assert stored_key(path) == key
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]
    assert stored_key(tmp_path / "other.key") != key


@pytest.mark.parametrize("text", ["", "no key", "abcd"])
def test_a_key_that_was_damaged_is_not_used(tmp_path: Path, text: str) -> None:
    (tmp_path / "library.key").write_text(text)
    with pytest.raises(LibraryUnavailable, match="from a backup"):
        stored_key(tmp_path / "library.key")


def test_what_was_erased_is_in_no_file_any_more(tmp_path: Path) -> None:
    library = SqlLibrary(url_in(tmp_path), KEY)
    text = "The xylotheque is open."
    owner = document("rules")
    library.store(
        [Acquisition(SOURCE, owner, PRINT, passages_of(owner, text), text.encode(), None)]
    )
    assert any(b"xylotheque" in path.read_bytes() for path in tmp_path.iterdir())
    library.purge("rules")
    assert not any(b"xylotheque" in path.read_bytes() for path in tmp_path.iterdir())
