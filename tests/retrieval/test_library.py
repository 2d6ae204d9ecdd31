"""What is put into the library comes out of it unchanged, and what left is gone."""

import multiprocessing
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.documents.library import Library
from retrieval.errors import LibraryUnavailable
from retrieval.types import AccessRule, Box, Document, Metadata, Passage, Sentence, Stream

ROOT = "/docs"
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
    return Acquisition(ROOT, owner, PRINT, passages_of(owner, *sources))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.sqlite")


wild = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
numbers = st.none() | st.integers(1, 10**6)
lengths = st.floats(0, 2000, allow_nan=False)
boxes = st.builds(Box, st.integers(1, 999), lengths, lengths, lengths, lengths)


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


@settings(deadline=None, max_examples=60)
@given(placed(), st.lists(wild).map(tuple), metadata)
def test_a_passage_comes_back_as_it_was_put_in(
    text: tuple[tuple[Sentence, ...], str], section_path: tuple[str, ...], said: Metadata
) -> None:
    sentences, source = text
    owner = document("rules", metadata=said)
    passage = Passage("p", owner, 0, section_path, sentences, source)
    with TemporaryDirectory() as folder:
        library = Library(Path(folder) / "library.sqlite")
        library.store([Acquisition(ROOT, owner, PRINT, [passage])])
        assert library.passages(["p"]) == {"p": passage}
        assert list(library.all_passages()) == [passage]
        holding = library.holdings(ROOT)["rules.md"]
        assert (holding.document, holding.fingerprint) == (owner, PRINT)


def test_a_new_version_takes_the_place_of_the_old_one(library: Library) -> None:
    library.store([acquisition(document("rules"), "Old one.", "Old two.")])
    assert library.next_version("rules") == "2"
    library.store([acquisition(document("rules", "2"), "New.")])
    assert [p.source for p in library.all_passages()] == ["New."]
    assert library.counts() == {"documents": 1, "passages": 1}


def test_versions_go_on_when_a_document_returns(library: Library) -> None:
    assert library.next_version("rules") == "1"
    library.store([acquisition(document("rules"), "Old.")])
    library.remove(["rules", "never there"])
    assert library.is_empty()
    assert library.roots() == {}
    assert library.next_version("rules") == "2"


def test_a_store_that_fails_changes_nothing(library: Library) -> None:
    library.store([acquisition(document("rules"), "Old.")])
    twice = acquisition(document("rules", "2"), "New.")
    broken = Acquisition(ROOT, twice.document, PRINT, [*twice.passages, *twice.passages])
    with pytest.raises(LibraryUnavailable):
        library.store([acquisition(document("other"), "Other."), broken])
    assert [p.source for p in library.all_passages()] == ["Old."]


def test_neighbours_stand_on_both_sides_in_reading_order_and_in_the_document(
    library: Library,
) -> None:
    library.store([acquisition(document(name), *"abcdef") for name in ("one", "two")])
    passages = {p.passage_id: p for p in library.all_passages()}
    around = library.neighbours(passages["one-1-3"], 2)
    assert [p.passage_id for p in around] == ["one-1-1", "one-1-2", "one-1-4", "one-1-5"]
    assert [p.ordinal for p in library.neighbours(passages["one-1-0"], 2)] == [1, 2]
    assert [p.ordinal for p in library.neighbours(passages["two-1-5"], 1)] == [4]


def test_any_number_of_passages_is_found_and_unknown_ids_are_left_out(library: Library) -> None:
    library.store([acquisition(document("long"), *map(str, range(1203)))])
    everything = library.passage_ids()
    assert len(everything) == 1203
    found = library.passages([*everything, "unknown", "' OR 1=1 --"])
    assert found.keys() == everything
    assert library.passages([]) == {}


def test_it_knows_whether_the_time_of_anything_is_over(library: Library) -> None:
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


def test_a_doubted_document_looks_like_no_file(library: Library) -> None:
    library.store([acquisition(document("rules"), "Text.")])
    library.doubt(["rules", "never there"])
    held = library.holdings(ROOT)["rules.md"].fingerprint
    assert held.glance != PRINT.glance
    assert not held.same_content(PRINT)
    library.touch("rules", PRINT)
    assert library.holdings(ROOT)["rules.md"].fingerprint == PRINT


def test_sources_do_not_mix(library: Library) -> None:
    library.store([acquisition(document("one"), "One.")])
    other = document("two")
    library.store([Acquisition("/elsewhere", other, PRINT, passages_of(other, "Two."))])
    assert list(library.roots()) == [ROOT, "/elsewhere"]
    assert list(library.holdings(ROOT)) == ["one.md"]
    assert library.holdings("/nowhere") == {}


@pytest.fixture
def named(library: Library) -> Library:
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
        ("cs/rules", ["cs/rules"]),  # the id
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
    named: Library, name: str, files: list[str]
) -> None:
    assert named.files_like(name) == tuple(files)


def test_a_file_in_two_sources_is_named_once(library: Library) -> None:
    one, two = document("rules"), replace(document("elsewhere"), file="rules.md")
    library.store([acquisition(one, "One."), Acquisition("/elsewhere", two, PRINT, [])])
    assert library.files_like("Rules.md") == ("rules.md",)


def test_threads_read_while_one_writes(library: Library) -> None:
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


def opened(path: Path, start: "multiprocessing.synchronize.Barrier") -> None:
    start.wait()
    Library(path).counts()


def test_processes_that_open_a_new_library_at_once_all_may(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(6)
    processes = [
        context.Process(target=opened, args=(tmp_path / "library.sqlite", start)) for _ in range(6)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 6


def test_a_damaged_file_is_said_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    path.write_bytes(b"no database at all, but long enough to be looked at as one" * 100)
    with pytest.raises(LibraryUnavailable, match="move it away and run `vouch ingest` again"):
        Library(path)
    folder = tmp_path / "folder.sqlite"
    folder.mkdir()
    with pytest.raises(LibraryUnavailable):
        Library(folder)


def test_words_stand_once_in_the_file(tmp_path: Path) -> None:
    """Where there is no markup; a sentence's own reading is kept where there is."""
    path = tmp_path / "library.sqlite"
    library = Library(path)
    library.store([acquisition(document("rules"), "The xylotheque\n  is open.")])
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert path.read_bytes().count(b"xylotheque") == 1
    assert next(library.all_passages()).text == "The xylotheque is open."
