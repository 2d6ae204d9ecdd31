"""The library follows the files, whatever happens to either; real library, real index."""

import os
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from at_length import fewer
from fakes import DIMENSION, WordsEmbedder
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from ingests import House, held, house_in, ingest_into, write
from libraries import KEY, url_in

from retrieval.documents.holdings import Acquisition, Fingerprint, KnownSource
from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.entries import Certificate
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest.source_files import IngestReport
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY, permits
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import IndexEntry
from retrieval.types import AccessRule, Passage, Scope

IS_CLOSED = '"*": {audience: {departments: [hr]}}'
QUERY = WordsEmbedder().embed(["anything"])[0]


def assert_in_step(ingest: Ingest) -> None:
    """The index finds each passage under its document's rule and by its own vector."""
    library, index = ingest.indexed.library, ingest.indexed.index
    passages = {p.passage_id: p for p in library.all_passages()}
    assert index.ids() == passages.keys()
    for scope in some_who_may_read(passages.values()):
        found = {match.passage_id for match in index.nearest(QUERY, scope, 10_000)}
        readable = (p for p in passages.values() if permits(p.document.metadata.access, scope))
        assert found == {passage.passage_id for passage in readable}
    vectors = index.vectors(list(passages))
    for passage_id, passage in passages.items():
        expected = WordsEmbedder().embed([f"{passage.heading}\n{passage.text}"])[0]
        assert vectors[passage_id] == pytest.approx(expected)


def some_who_may_read(passages: Iterable[Passage]) -> list[Scope]:
    """A guest, and for each rule somebody who has all that it asks for."""
    rules = {passage.document.metadata.access for passage in passages}
    facets = [{facet: frozenset(values) for facet, values in rule.audience} for rule in rules]
    return [Scope(each, date(2026, 3, 1)) for each in ({}, *facets)]


# --- killed at every write -------------------------------------------------------------


class Killed(BaseException):
    """As SIGKILL: nothing catches it, nothing is tidied up."""


class Life:
    """Ends at a given write, just before it or just after it."""

    def __init__(self, writes: int) -> None:
        self.left = writes

    def around(self, write: Callable[[], Any]) -> Any:
        self._spend()
        result = write()
        self._spend()
        return result

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


class MortalIndex(LanceIndex):
    def __init__(self, path: Path, life: Life) -> None:
        facets = tuple(load_ontology().facets)
        super().__init__(path, Certificate(WordsEmbedder.name, DIMENSION, facets))
        self._life = life

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        self._life.around(lambda: super(MortalIndex, self).upsert(entries))

    def delete(self, passage_ids: Collection[str]) -> None:
        self._life.around(lambda: super(MortalIndex, self).delete(passage_ids))

    def optimize(self) -> None:
        self._life.around(super().optimize)


class MortalLibrary(SqlLibrary):
    def __init__(self, path: Path, life: Life) -> None:
        super().__init__(url_in(path.parent), KEY)
        self._life = life

    def store(self, acquisitions: Iterable[Acquisition]) -> None:
        self._life.around(lambda: super(MortalLibrary, self).store(acquisitions))

    def touch(self, document_id: str, fingerprint: Fingerprint) -> None:
        self._life.around(lambda: super(MortalLibrary, self).touch(document_id, fingerprint))

    def doubt(self, document_ids: Iterable[str]) -> None:
        self._life.around(lambda: super(MortalLibrary, self).doubt(document_ids))

    def remove(self, document_ids: Iterable[str]) -> None:
        self._life.around(lambda: super(MortalLibrary, self).remove(document_ids))


BEFORE = {
    "stays.md": "This one stays as it is.",
    "changes.md": "# Fees\n\nThe fee is ten euros.",
    "closes.md": "The code of the gate is four.",
    "goes.md": "This one is deleted.",
    "saved.md": "Saved again with the same words.",
    "renamed.md": "---\ntitle: Pets\n---\nDogs may bark. Cats must not bark.",
}
AFTER = BEFORE | {
    "changes.md": "# Fees\n\nThe fee is twelve euros.",
    "comes.md": "This one is new.",
    "renamed.md": "---\ntitle: Animals\n---\nDogs may bark. Cats must not bark.",
    "metadata.yaml": yaml.safe_dump({"closes.md": {"audience": {"departments": ["cs"]}}}),
}
del AFTER["goes.md"]


def put(docs: Path, files: dict[str, str], age: int) -> None:
    """Make a folder hold just these files, all of one time."""
    shutil.rmtree(docs, ignore_errors=True)
    write(docs, files)
    for path in docs.rglob("*"):
        os.utime(path, (age, age))


def documents(files: dict[str, str]) -> dict[str, str]:
    texts = {f: t.rpartition("---\n")[2] for f, t in files.items() if f != "metadata.yaml"}
    return {f: t.replace("# Fees\n\n", "") for f, t in texts.items()}


EVERY = pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.exhaustive)])
"""Of the writes of an ingest, each so manyth is one at which it is killed."""


def lives(docs: Path, homes: Path, every: int) -> Iterable[Path]:
    """A home for each write at which an ingest of the changes is killed."""
    put(docs, BEFORE, age=1000)
    ingest_into(homes / "before").run(docs, EVERYBODY)
    for writes in range(0, 100, every):
        put(docs, AFTER, age=2000)
        home = homes / str(writes)
        shutil.copytree(homes / "before", home)
        life = Life(writes)
        library = MortalLibrary(home / "library.sqlite", life)
        index = MortalIndex(home / "index", life)
        try:
            ingest_into(home, library, index).run(docs, EVERYBODY)
        except Killed:
            yield home
        else:
            assert writes >= 10, "it should have had something to write"
            return


@pytest.mark.parametrize(("files", "age"), [(AFTER, 2000), (BEFORE, 1000)], ids=["on", "back"])
@EVERY
def test_killed_at_any_write_the_next_ingest_holds_what_the_files_say(
    tmp_path: Path, every: int, files: dict[str, str], age: int
) -> None:
    """Of what was put back nothing tells that the index holds what it never came to say."""
    docs = tmp_path / "docs"
    for home in lives(docs, tmp_path / "homes", every):
        put(docs, files, age)
        ingest = ingest_into(home)
        ingest.run(docs, EVERYBODY)
        assert held(ingest) == documents(files)
        assert_in_step(ingest)


def test_of_a_changed_document_only_what_changed_is_embedded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, embedded = tmp_path / "docs", list[str]()
    sections = [f"## Part {number}\n\nHall {number} is cleaned daily." for number in range(9)]
    put(docs, {"halls.md": "\n\n".join(sections)}, age=1000)
    ingest = ingest_into(tmp_path / "home")
    ingest.run(docs, EVERYBODY)
    embed = WordsEmbedder.embed

    def noted(self: WordsEmbedder, texts: Sequence[str]) -> Any:
        embedded.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(WordsEmbedder, "embed", noted)
    sections[4] = "## Part 4\n\nHall 4 is cleaned weekly."
    put(docs, {"halls.md": "\n\n".join(sections)}, age=2000)
    ingest.run(docs, EVERYBODY)
    assert [each.endswith("Hall 4 is cleaned weekly.") for each in embedded] == [True]
    assert_in_step(ingest)


# --- any sequence of changes ------------------------------------------------------------

FILES = st.sampled_from(["a.md", "b.txt", "sub/c.md", "sub/deep/d.html", "sub/picture.png"])
FOLDERS = st.sampled_from([".", "sub", "sub/deep"])
TEXTS = st.sampled_from(
    ["Dogs bark.", "Cats purr.", "Birds sing.", "", "---\naudience: 7\n---\nX."]
)
DEPARTMENTS = st.sampled_from(["cs", "is"])


class Librarian(RuleBasedStateMachine):
    """Changes files at will, ingests this part or that, and knows what must be there."""

    @initialize()
    def move_in(self) -> None:
        self.folder = TemporaryDirectory()
        self.docs = Path(self.folder.name, "docs")
        self.ingest = ingest_into(Path(self.folder.name, "home"))
        write(self.docs, {"always.md": "Always there.", "sub/deep/too.md": "As well."})
        self.expected: dict[str, str] = {}
        self.take_in(".")

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(file=FILES, text=TEXTS)
    def save(self, file: str, text: str) -> None:
        write(self.docs, {file: text})

    @rule(file=FILES)
    def delete(self, file: str) -> None:
        (self.docs / file).unlink(missing_ok=True)

    @rule(folder=FOLDERS, department=DEPARTMENTS)
    def close(self, folder: str, department: str) -> None:
        said = {"*": {"audience": {"departments": [department]}}}
        write(self.docs, {f"{folder}/metadata.yaml": yaml.safe_dump(said)})

    @rule(folder=FOLDERS)
    def open(self, folder: str) -> None:
        (self.docs / folder / "metadata.yaml").unlink(missing_ok=True)

    @rule(folder=FOLDERS)
    def take_in(self, folder: str) -> None:
        report = self.ingest.run(self.docs / folder, EVERYBODY)
        within = self.docs / folder
        for file in [f for f in self.expected if (self.docs / f).is_relative_to(within)]:
            del self.expected[file]
        self.expected |= {
            f: t for f, t in self.readable().items() if (self.docs / f).is_relative_to(within)
        }
        assert len({problem.file for problem in report.problems}) == len(report.problems)
        again = self.ingest.run(self.docs / folder, EVERYBODY)
        assert (again.added, again.changed, again.removed, again.passages) == ((), (), (), 0)
        assert [p.file for p in again.problems] == [p.file for p in report.problems]

    @rule(folder=FOLDERS)
    def let_go(self, folder: str) -> None:
        if folder != ".":  # the root is known as long as it holds something
            self.ingest.remove(self.docs / folder)
            self.expected = {
                f: t
                for f, t in self.expected.items()
                if not (self.docs / f).is_relative_to(self.docs / folder)
            }

    def readable(self) -> dict[str, str]:
        texts = {
            path.relative_to(self.docs).as_posix(): path.read_text()
            for path in self.docs.rglob("*")
            if path.suffix in (".md", ".txt", ".html")
        }
        return {file: text for file, text in texts.items() if text and "audience" not in text}

    @invariant()
    def library_and_index_hold_what_was_taken_in(self) -> None:
        if hasattr(self, "expected"):
            assert held(self.ingest).keys() == self.expected.keys()
            assert_in_step(self.ingest)


Librarian.TestCase.settings = settings(max_examples=fewer(2) // 2, stateful_step_count=12)
TestLibrarian = Librarian.TestCase


# --- what a report says ------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path) -> House:
    return house_in(tmp_path, {"a.md": "Dogs bark.", "sub/b.txt": "Cats purr."})


def test_a_report_tells_new_changed_gone_and_unchanged_apart(house: House) -> None:
    assert house.reads().added == ("a.md", "sub/b.txt")
    write(house.docs, {"a.md": "Dogs growl.", "c.md": "Birds sing.", "picture.png": "?"})
    (house.docs / "sub/b.txt").unlink()
    report = house.reads()
    assert (report.added, report.changed, report.removed) == (("c.md",), ("a.md",), ("sub/b.txt",))
    assert (report.unchanged, report.passages, report.left_alone) == (0, 2, ("picture.png",))
    assert house.reads() == IngestReport(
        "docs", unchanged=2, left_alone=("picture.png",), readers={EVERYBODY: 2}
    )


Unlistable = Callable[[str], AbstractContextManager[None]]


@pytest.fixture
def unlistable(monkeypatch: pytest.MonkeyPatch) -> Unlistable:
    """A folder that nobody can list for a while; tests may run as root, whom no mode stops."""
    real = os.scandir

    @contextmanager
    def hidden(name: str) -> Iterator[None]:
        def scandir(path: Any = ".") -> Any:
            if Path(path).name == name:
                raise PermissionError(13, "Permission denied", str(path))
            return real(path)

        with monkeypatch.context() as patched:
            patched.setattr(os, "scandir", scandir)
            yield

    return hidden


def test_documents_that_nobody_can_see_are_neither_served_nor_lost(
    house: House, unlistable: Unlistable
) -> None:
    """A network share that went away is no reason to forget it, nor to go on telling of it."""
    house.reads()
    before = list(house.ingest.indexed.library.all_passages())
    (house.docs / "a.md").unlink()
    write(house.docs, {"c.md": "Birds sing."})
    with unlistable("sub"):
        report = house.reads()
        told = report.added, report.removed, report.suspended
        assert told == (("c.md",), ("a.md",), ("sub/b.txt",))
        assert [(problem.file, problem.reason) for problem in report.problems] == [
            ("sub", "cannot be listed: Permission denied")
        ]
        assert house.held.keys() == {"c.md"}
        assert_in_step(house.ingest)
        assert house.reads().suspended == ("sub/b.txt",)
    report = house.reads()
    assert (report.added, report.changed, report.unchanged) == ((), (), 2)
    after = {passage.passage_id: passage for passage in house.ingest.indexed.library.all_passages()}
    returned = next(passage for passage in before if passage.document.file == "sub/b.txt")
    assert after[returned.passage_id] == returned
    assert_in_step(house.ingest)


def test_a_suspended_document_whose_file_is_gone_leaves(
    house: House, unlistable: Unlistable
) -> None:
    house.reads()
    with unlistable("sub"):
        house.reads()
    (house.docs / "sub" / "b.txt").unlink()
    assert house.reads().removed == ("sub/b.txt",)
    assert house.held.keys() == {"a.md"}


def test_a_suspended_document_is_suspended_under_a_wider_source_too(
    house: House, unlistable: Unlistable
) -> None:
    house.ingest.run(house.docs / "sub", EVERYBODY)
    with unlistable("sub"):
        assert house.reads().suspended == ("b.txt",)
        assert house.held.keys() == {"a.md"}
    assert house.reads().added == ("sub/b.txt",)
    assert house.held.keys() == {"a.md", "sub/b.txt"}


# --- what is withdrawn goes first ---------------------------------------------------------


class Unable(WordsEmbedder):
    """Fails as soon as something is to be added."""

    def embed(self, texts: Sequence[str]) -> Any:  # the port's
        raise RuntimeError("no memory left")


def nothing_added(house: House) -> None:
    """By an ingest that comes after."""
    indexed = replace(house.ingest.indexed, embedder=Unable())
    with pytest.raises(RuntimeError):
        replace(house.ingest, indexed=indexed).run(house.docs, EVERYBODY)


GUEST = Scope({}, date(2026, 1, 1))


def test_what_is_withdrawn_is_gone_though_nothing_can_be_added(tmp_path: Path) -> None:
    names = ("goes.md", "closes.md", "hr/mapped.md", "breaks.md", "stays.md")
    house = house_in(tmp_path, dict.fromkeys(names, "The code of the gate is four."))
    house.reads()
    (house.docs / "goes.md").unlink()
    closed = "---\naudience: {departments: [cs]}\n---\nThe code of the gate is five."
    write(
        house.docs,
        {
            "closes.md": closed,
            "breaks.md": "---\naudience: staff\n---\nThe code of the gate is five.",
            "hr/metadata.yaml": '"*": {audience: {departments: [cs]}}',
            "a new one.md": "Dogs bark.",
        },
    )
    nothing_added(house)
    assert {file for file, rule in house.rules.items() if permits(rule, GUEST)} == {"stays.md"}
    house.reads()
    assert house.held.keys() == {"stays.md", "closes.md", "hr/mapped.md", "a new one.md"}
    assert_in_step(house.ingest)


def test_an_audience_changed_within_a_file_of_equal_size_and_time_is_seen(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.ingest.source_files.FRESH_NS", 0)
    text = "---\naudience: {departments: [cs]}\n---\nDogs bark."
    house.reads({"a.md": text})
    status = (house.docs / "a.md").stat()
    write(house.docs, {"a.md": text.replace("cs", "is")})
    os.utime(house.docs / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert house.reads().changed == ("a.md",)
    assert house.rules["a.md"].audience == (("departments", ("is",)),)
    assert_in_step(house.ingest)


def test_a_file_that_was_fresh_when_it_was_read_is_looked_into_again(house: House) -> None:
    """A file system's clock may tick once in two seconds."""
    house.reads()
    assert house.holdings["a.md"].fingerprint.changed_ns == -1
    assert house.reads().unchanged == 2


def test_a_second_run_reads_no_file(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.ingest.source_files.FRESH_NS", 0)
    house.reads()

    def unread(path: Path, largest: int) -> Any:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr("retrieval.ingest.source_files.content_of", unread)
    assert house.reads() == IngestReport("docs", unchanged=2, readers={EVERYBODY: 2})


# --- a failure of one file is that file's alone ---------------------------------------------

WILD_FILES = {
    "tag.md": "---\ntitle: !!timestamp soon\n---\nX.",
    "flag.md": "---\ntitle: !!bool perhaps\n---\nX.",
    "half.md": '---\ntitle: "\\ud800"\n---\nX.',
    "half in a facet.md": '---\naudience: {departments: ["\\ud800"]}\n---\nX.',
    "half in a key.md": '---\n"\\ud800": x\naudience: {"\\ud800": cs}\n---\nX.',
    "date.md": "---\naudience: {2026-01-01: x}\n---\nX.",
    "bomb.md": "---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\nX.",
    "deep.md": "---\na: " + "[" * 5000 + "\n---\nX.",
    "digits.md": "---\na: " + "1" * 5000 + "\n---\nX.",
    "utf-7.html": "<meta charset=utf-7><p>Hidden +2AA- half.</p>",
    "escaped.html": r"<meta charset=unicode_escape><p>\ud800</p>",
    "rot13.html": "<meta charset=rot13><p>uryyb</p>",
}


def test_whatever_is_wrong_with_one_file_the_others_are_read_and_removed(house: House) -> None:
    house.reads()
    (house.docs / "a.md").unlink()
    write(house.docs, {f"wild/{name}": text for name, text in WILD_FILES.items()})
    write(house.docs, {"keys/metadata.yaml": "2026-01-01: {audience: {departments: [cs]}}"})
    report = house.reads({"keys/z.md": "Birds sing.", "z.md": "Cows moo."})
    wrong = {"keys/z.md", *(f"wild/{name}" for name in WILD_FILES)}
    assert {problem.file for problem in report.problems} == wrong
    assert report.unused == ("2026-01-01 in keys/metadata.yaml",)
    assert house.held.keys() == {"sub/b.txt", "z.md"}
    kept_out = {each.file for each in house.ingest.indexed.library.kept_out()}
    assert kept_out == wrong | {"keys/metadata.yaml"}


def test_a_file_in_1500_folders_within_each_other_ends_nothing(house: House) -> None:
    here = os.getcwd()  # noqa: PTH109  # a path of 3,000 characters is made step by step
    try:
        os.chdir(house.docs)
        for _ in range(1500):
            Path("d").mkdir()
            os.chdir("d")
        Path("deep.md").write_text("Fish are silent.")
        report = house.reads()
        assert "a.md" in report.added
    finally:
        os.chdir(here)
        deep = str(house.docs / "d")
        subprocess.run(["rm", "-r", deep], check=True)  # rmtree would recurse as deep


def test_a_file_given_alone_has_nothing_beside_it_read_or_listed(
    house: House, unlistable: Unlistable
) -> None:
    """Somebody's file may lie in a home with half a million others."""
    write(house.docs, {"metadata.yaml": "sub/b.txt: {owner: x@example.org}"})
    with unlistable("sub"):
        for _ in range(2):
            report = house.ingest.run(house.docs / "a.md", EVERYBODY)
            assert (report.problems, report.unused) == ((), ())
    assert house.held.keys() == {"a.md"}


def test_overlapping_sources_agree_on_what_is_withdrawn(house: House) -> None:
    """A folder and a file beside it were given apart; the file's folder is a source, too."""
    write(house.docs, {"hr/a.md": "Dogs bark.", "hr/sub/b.md": "Cats purr."})
    house.ingest.run(house.docs / "hr", EVERYBODY)
    house.ingest.run(house.docs / "a.md", EVERYBODY)
    write(house.docs, {"hr/a.md": "---\naudience: {departments: [hr]}\n---\nDogs bark."})
    (house.docs / "hr" / "sub" / "b.md").unlink()
    for part in (house.docs / "hr" / "a.md", house.docs / "hr" / "sub"):
        house.ingest.run(part, EVERYBODY)
    passages = list(house.ingest.indexed.library.all_passages())
    assert {p.document.file for p in passages if permits(p.document.metadata.access, GUEST)} == {
        "a.md"
    }
    assert len(passages) == 2


def test_an_entry_that_names_nothing_is_told_whatever_part_is_read(
    house: House, unlistable: Unlistable
) -> None:
    shutil.rmtree(house.docs / "sub")
    (house.docs / "hr").mkdir()
    write(house.docs, {"metadata.yaml": "b.md: {audience: {departments: [hr]}}"})
    for part in (house.docs, house.docs / "a.md", house.docs / "metadata.yaml"):
        assert house.ingest.run(part, EVERYBODY).unused == ("b.md in metadata.yaml",)
        kept_out = {each.file for each in house.ingest.indexed.library.kept_out()}
        assert kept_out == {"a.md", "metadata.yaml"}
    with unlistable("hr"):
        assert not house.ingest.run(house.docs / "a.md", EVERYBODY).is_clean
        assert "metadata.yaml" in {each.file for each in house.ingest.indexed.library.kept_out()}


def test_a_restriction_is_applied_by_ingesting_its_metadata_file(house: House) -> None:
    house.reads()
    write(house.docs, {"sub/metadata.yaml": IS_CLOSED})
    assert house.ingest.run(house.docs / "sub" / "metadata.yaml", EVERYBODY).changed == (
        "sub/b.txt",
    )


def test_what_was_closed_does_not_open_before_its_new_text_is_read(tmp_path: Path) -> None:
    closed = "---\naudience: {departments: [hr]}\n---\nThe code is four."
    house = house_in(tmp_path, {"a.md": closed})
    house.reads()
    write(house.docs, {"a.md": "The code is secret."})
    nothing_added(house)
    assert house.held == {}
    house.ingest.embed_all()
    assert house.held == {}
    house.reads()
    assert house.held == {"a.md": "The code is secret."}
    assert_in_step(house.ingest)


@pytest.mark.parametrize(
    "target", ["loop.md", "x" * 300, "a.md/below", "nothing.md", "/etc/hostname"]
)
def test_no_link_ends_an_ingest(house: House, target: str) -> None:
    house.reads()
    (house.docs / "loop.md").symlink_to(target)
    (house.docs / "a.md").unlink()
    report = house.reads()
    assert report.removed == ("a.md",)
    assert [each.file for each in report.problems] == ["loop.md"]


def test_a_link_for_a_metadata_file_is_read_and_its_entries_are_told(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "rules").write_text("polc.md: {audience: {departments: [hr]}}")
    (house.docs / "metadata.yaml").symlink_to(tmp_path / "rules")
    assert house.reads().unused == ("polc.md in metadata.yaml",)


def test_documents_of_a_folder_that_moved_away_are_told_of(house: House) -> None:
    house.reads()
    moved = house.docs.rename(house.docs.with_name("docs2"))
    before = KnownSource("docs", str(house.docs), whole=True, said=EVERYBODY)
    assert house.ingest.run(moved, EVERYBODY).gone == (before,)


def test_that_all_of_a_folder_was_read_is_noted_and_a_part_of_it_is_not_all(house: House) -> None:
    def read_at() -> datetime | None:
        [times] = house.ingest.indexed.library.source_times()
        return times.read_at

    house.reads()
    first = read_at()
    assert first is not None
    house.ingest.run(next(house.docs.iterdir()), EVERYBODY)
    assert read_at() == first
    house.reads()
    again = read_at()
    assert again is not None
    assert again > first


def test_a_link_does_not_open_what_it_leads_to(house: House) -> None:
    write(house.docs, {"hr/pool.md": "A secret pool.", "hr/metadata.yaml": IS_CLOSED})
    (house.docs / "public.md").symlink_to(house.docs / "hr" / "pool.md")
    (house.docs / "public").symlink_to(house.docs / "hr")
    (house.docs / "nowhere.md").symlink_to(house.docs / "nothing")
    report = house.reads()
    assert report.links == ("public", "public.md")
    assert [each.file for each in report.problems] == ["nowhere.md"]
    assert house.held.keys() == {"a.md", "sub/b.txt", "hr/pool.md"}
    house.ingest.run(house.docs / "public.md", EVERYBODY)
    assert house.held.keys() == {"a.md", "sub/b.txt", "hr/pool.md"}
    assert house.rules["hr/pool.md"].audience == (("departments", ("hr",)),)


def test_making_the_index_anew_leaves_nothing_of_the_old_one(house: House) -> None:
    house.reads()
    index = house.ingest.indexed.index
    index.upsert([IndexEntry("stray", "stray", AccessRule(), QUERY, "")])
    assert house.ingest.embed_all() == 2
    assert_in_step(house.ingest)


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("Travel <em>before</em> you start", "Travel before you start"),
        ("Tom &amp; Ann", "Tom & Ann"),
        ("The &lt;em&gt; element", "The <em> element"),
        ("When x < y and y > z", "When x < y and y > z"),
        ("What <b-cells> do", "What <b-cells> do"),
        ("Travel<br>to work", "Travel to work"),
        ('<a href="x.html">Leave</a>', "Leave"),
    ],
)
def test_a_title_is_told_as_its_site_shows_it(house: House, stated: str, shown: str) -> None:
    house.reads({"a.md": f"---\ntitle: {stated}\n---\nDogs bark."})
    assert house.holdings["a.md"].document.title == shown
