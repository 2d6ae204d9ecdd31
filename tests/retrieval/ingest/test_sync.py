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
from fakes import DIMENSION, WordsEmbedder
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from ingests import held, ingest_into, write
from libraries import KEY, url_in

from retrieval.documents.holdings import Acquisition, Fingerprint, KnownSource
from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.certificate import Space
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest.report import IngestReport
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY, permits
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import TEXT_SPACE, IndexEntry
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
        spaces = {TEXT_SPACE: Space(WordsEmbedder.name, DIMENSION)}
        super().__init__(path, spaces, load_ontology().facets)
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


@EVERY
def test_killed_at_any_write_the_next_ingest_finishes_the_work(tmp_path: Path, every: int) -> None:
    docs = tmp_path / "docs"
    for home in lives(docs, tmp_path / "homes", every):
        ingest = ingest_into(home)
        ingest.run(docs, EVERYBODY)
        assert held(ingest) == documents(AFTER)
        assert_in_step(ingest)


@EVERY
def test_killed_at_any_write_files_that_were_put_back_are_as_they_were(
    tmp_path: Path, every: int
) -> None:
    """Nothing about the files tells then that the index holds what they never came to say."""
    docs = tmp_path / "docs"
    for home in lives(docs, tmp_path / "homes", every):
        put(docs, BEFORE, age=1000)
        ingest = ingest_into(home)
        ingest.run(docs, EVERYBODY)
        assert held(ingest) == documents(BEFORE)
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


Librarian.TestCase.settings = settings(
    max_examples=settings().max_examples // 2, stateful_step_count=12
)
TestLibrarian = Librarian.TestCase


# --- what a report says ------------------------------------------------------------------


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    write(docs, {"a.md": "Dogs bark.", "sub/b.txt": "Cats purr."})
    return docs


@pytest.fixture
def ingest(tmp_path: Path) -> Ingest:
    return ingest_into(tmp_path / "home")


def test_a_report_tells_new_changed_gone_and_unchanged_apart(ingest: Ingest, docs: Path) -> None:
    assert ingest.run(docs, EVERYBODY).added == ("a.md", "sub/b.txt")
    write(docs, {"a.md": "Dogs growl.", "c.md": "Birds sing.", "picture.png": "?"})
    (docs / "sub/b.txt").unlink()
    report = ingest.run(docs, EVERYBODY)
    assert (report.added, report.changed, report.removed) == (("c.md",), ("a.md",), ("sub/b.txt",))
    assert (report.unchanged, report.passages, report.left_alone) == (0, 2, ("picture.png",))
    assert ingest.run(docs, EVERYBODY) == IngestReport(
        "docs", unchanged=2, left_alone=("picture.png",), readers={EVERYBODY: 2}
    )


def test_progress_is_told_for_every_file_and_ends_at_the_last(ingest: Ingest, docs: Path) -> None:
    told: list[tuple[int, int, str]] = []
    ingest.run(docs, EVERYBODY, lambda *step: told.append(step))
    assert told == [(0, 2, "a.md"), (1, 2, "sub/b.txt"), (2, 2, "")]


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
    ingest: Ingest, docs: Path, unlistable: Unlistable
) -> None:
    """A network share that went away is no reason to forget it, nor to go on telling of it."""
    ingest.run(docs, EVERYBODY)
    before = list(ingest.indexed.library.all_passages())
    (docs / "a.md").unlink()
    write(docs, {"c.md": "Birds sing."})
    with unlistable("sub"):
        report = ingest.run(docs, EVERYBODY)
        assert (report.added, report.removed, report.suspended) == (
            ("c.md",),
            ("a.md",),
            ("sub/b.txt",),
        )
        assert [(problem.file, problem.reason) for problem in report.problems] == [
            ("sub", "cannot be listed: Permission denied")
        ]
        assert held(ingest).keys() == {"c.md"}
        assert_in_step(ingest)
        assert ingest.run(docs, EVERYBODY).suspended == ("sub/b.txt",)
    report = ingest.run(docs, EVERYBODY)
    assert (report.added, report.changed, report.unchanged) == ((), (), 2)
    after = {passage.passage_id: passage for passage in ingest.indexed.library.all_passages()}
    returned = next(passage for passage in before if passage.document.file == "sub/b.txt")
    assert after[returned.passage_id] == returned
    assert_in_step(ingest)


def test_a_suspended_document_whose_file_is_gone_leaves(
    ingest: Ingest, docs: Path, unlistable: Unlistable
) -> None:
    ingest.run(docs, EVERYBODY)
    with unlistable("sub"):
        ingest.run(docs, EVERYBODY)
    (docs / "sub" / "b.txt").unlink()
    assert ingest.run(docs, EVERYBODY).removed == ("sub/b.txt",)
    assert held(ingest).keys() == {"a.md"}


def test_a_suspended_document_is_suspended_under_a_wider_source_too(
    ingest: Ingest, docs: Path, unlistable: Unlistable
) -> None:
    ingest.run(docs / "sub", EVERYBODY)
    with unlistable("sub"):
        assert ingest.run(docs, EVERYBODY).suspended == ("b.txt",)
        assert held(ingest).keys() == {"a.md"}
    assert ingest.run(docs, EVERYBODY).added == ("sub/b.txt",)
    assert held(ingest).keys() == {"a.md", "sub/b.txt"}


# --- what is withdrawn goes first ---------------------------------------------------------


class Unable(WordsEmbedder):
    """Fails as soon as something is to be added."""

    def embed(self, texts: Sequence[str]) -> Any:  # the port's
        raise RuntimeError("no memory left")


def test_what_is_withdrawn_is_gone_though_nothing_can_be_added(tmp_path: Path) -> None:
    docs, home = tmp_path / "docs", tmp_path / "home"
    names = ("goes.md", "closes.md", "hr/mapped.md", "breaks.md", "stays.md")
    write(docs, dict.fromkeys(names, "The code of the gate is four."))
    ingest = ingest_into(home)
    ingest.run(docs, EVERYBODY)
    (docs / "goes.md").unlink()
    closed = "---\naudience: {departments: [cs]}\n---\nThe code of the gate is five."
    write(
        docs,
        {
            "closes.md": closed,
            "breaks.md": "---\naudience: staff\n---\nThe code of the gate is five.",
            "hr/metadata.yaml": '"*": {audience: {departments: [cs]}}',
            "a new one.md": "Dogs bark.",
        },
    )
    unable = replace(ingest, indexed=replace(ingest.indexed, embedders={TEXT_SPACE: Unable()}))
    with pytest.raises(RuntimeError):
        unable.run(docs, EVERYBODY)
    guest = Scope({}, date(2026, 1, 1))
    passages = ingest.indexed.library.all_passages()
    open_to_all = {p.document.file for p in passages if permits(p.document.metadata.access, guest)}
    assert open_to_all == {"stays.md"}
    ingest.run(docs, EVERYBODY)
    assert held(ingest).keys() == {"stays.md", "closes.md", "hr/mapped.md", "a new one.md"}
    assert_in_step(ingest)


def test_an_audience_changed_within_a_file_of_equal_size_and_time_is_seen(
    ingest: Ingest, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.ingest.source_files.FRESH_NS", 0)
    text = "---\naudience: {departments: [cs]}\n---\nDogs bark."
    write(docs, {"a.md": text})
    ingest.run(docs, EVERYBODY)
    status = (docs / "a.md").stat()
    write(docs, {"a.md": text.replace("cs", "is")})
    os.utime(docs / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert ingest.run(docs, EVERYBODY).changed == ("a.md",)
    passages = ingest.indexed.library.all_passages()
    read_anew = next(each.document for each in passages if each.document.file == "a.md")
    assert dict(read_anew.metadata.access.audience) == {"departments": ("is",)}
    assert_in_step(ingest)


def test_a_file_that_was_fresh_when_it_was_read_is_looked_into_again(
    ingest: Ingest, docs: Path
) -> None:
    """A file system's clock may tick once in two seconds."""
    ingest.run(docs, EVERYBODY)
    [a] = [h for f, h in ingest.indexed.library.holdings("docs").items() if f == "a.md"]
    assert a.fingerprint.changed_ns == -1
    assert ingest.run(docs, EVERYBODY).unchanged == 2


def test_a_second_run_reads_no_file(
    ingest: Ingest, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.ingest.source_files.FRESH_NS", 0)
    ingest.run(docs, EVERYBODY)

    def unread(path: Path, largest: int) -> Any:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr("retrieval.ingest.source_files.content_of", unread)
    assert ingest.run(docs, EVERYBODY) == IngestReport("docs", unchanged=2, readers={EVERYBODY: 2})


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


def test_whatever_is_wrong_with_one_file_the_others_are_read_and_removed(
    ingest: Ingest, docs: Path
) -> None:
    ingest.run(docs, EVERYBODY)
    (docs / "a.md").unlink()
    write(docs, {f"wild/{name}": text for name, text in WILD_FILES.items()})
    write(docs, {"keys/metadata.yaml": "2026-01-01: {audience: {departments: [cs]}}"})
    write(docs, {"keys/z.md": "Birds sing.", "z.md": "Cows moo."})
    report = ingest.run(docs, EVERYBODY)
    wrong = {"keys/z.md", *(f"wild/{name}" for name in WILD_FILES)}
    assert {problem.file for problem in report.problems} == wrong
    assert report.unused == ("2026-01-01 in keys/metadata.yaml",)
    assert held(ingest).keys() == {"sub/b.txt", "z.md"}
    kept_out = {each.file for each in ingest.indexed.library.kept_out()}
    assert kept_out == wrong | {"keys/metadata.yaml"}


def test_a_file_in_1500_folders_within_each_other_ends_nothing(ingest: Ingest, docs: Path) -> None:
    here = os.getcwd()  # noqa: PTH109  # a path of 3,000 characters is made step by step
    try:
        os.chdir(docs)
        for _ in range(1500):
            Path("d").mkdir()
            os.chdir("d")
        Path("deep.md").write_text("Fish are silent.")
        report = ingest.run(docs, EVERYBODY)
        assert "a.md" in report.added
    finally:
        os.chdir(here)
        subprocess.run(["rm", "-r", str(docs / "d")], check=True)  # rmtree would recurse as deep


def test_a_file_given_alone_has_nothing_beside_it_read_or_listed(
    ingest: Ingest, docs: Path, unlistable: Unlistable
) -> None:
    """Somebody's file may lie in a home with half a million others."""
    write(docs, {"metadata.yaml": "sub/b.txt: {owner: x@example.org}"})
    with unlistable("sub"):
        for _ in range(2):
            report = ingest.run(docs / "a.md", EVERYBODY)
            assert (report.problems, report.unused) == ((), ())
    assert held(ingest).keys() == {"a.md"}


def test_overlapping_sources_agree_on_what_is_withdrawn(ingest: Ingest, docs: Path) -> None:
    """A folder and a file beside it were given apart; the file's folder is a source, too."""
    write(docs, {"hr/a.md": "Dogs bark.", "hr/sub/b.md": "Cats purr."})
    ingest.run(docs / "hr", EVERYBODY)
    ingest.run(docs / "a.md", EVERYBODY)
    write(docs, {"hr/a.md": "---\naudience: {departments: [hr]}\n---\nDogs bark."})
    (docs / "hr" / "sub" / "b.md").unlink()
    for part in (docs / "hr" / "a.md", docs / "hr" / "sub"):
        ingest.run(part, EVERYBODY)
    guest = Scope({}, date(2026, 1, 1))
    passages = list(ingest.indexed.library.all_passages())
    assert {p.document.file for p in passages if permits(p.document.metadata.access, guest)} == {
        "a.md"
    }
    assert len(passages) == 2


def test_files_given_one_by_one_are_read_wherever_they_stand(ingest: Ingest, docs: Path) -> None:
    for file in ("a.md", "sub/b.txt"):
        assert len(ingest.run(docs / file, EVERYBODY).added) == 1
    assert set(held(ingest).values()) == {"Dogs bark.", "Cats purr."}


def test_an_entry_that_names_nothing_is_told_whatever_part_is_read(
    ingest: Ingest, docs: Path, unlistable: Unlistable
) -> None:
    shutil.rmtree(docs / "sub")
    (docs / "hr").mkdir()
    write(docs, {"metadata.yaml": "b.md: {audience: {departments: [hr]}}"})
    for part in (docs, docs / "a.md", docs / "metadata.yaml"):
        assert ingest.run(part, EVERYBODY).unused == ("b.md in metadata.yaml",)
        kept_out = {each.file for each in ingest.indexed.library.kept_out()}
        assert kept_out == {"a.md", "metadata.yaml"}
    with unlistable("hr"):
        assert not ingest.run(docs / "a.md", EVERYBODY).is_clean
        assert "metadata.yaml" in {each.file for each in ingest.indexed.library.kept_out()}


def test_a_restriction_is_applied_by_ingesting_its_metadata_file(
    ingest: Ingest, docs: Path
) -> None:
    ingest.run(docs, EVERYBODY)
    write(docs, {"sub/metadata.yaml": IS_CLOSED})
    assert ingest.run(docs / "sub" / "metadata.yaml", EVERYBODY).changed == ("sub/b.txt",)


def test_what_was_closed_does_not_open_before_its_new_text_is_read(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, {"a.md": "---\naudience: {departments: [hr]}\n---\nThe code is four."})
    ingest = ingest_into(tmp_path / "home")
    ingest.run(docs, EVERYBODY)
    write(docs, {"a.md": "The code is secret."})
    unable = replace(ingest, indexed=replace(ingest.indexed, embedders={TEXT_SPACE: Unable()}))
    with pytest.raises(RuntimeError):
        unable.run(docs, EVERYBODY)
    assert held(ingest) == {}
    ingest.embed_all()
    assert held(ingest) == {}
    ingest.run(docs, EVERYBODY)
    assert held(ingest) == {"a.md": "The code is secret."}
    assert_in_step(ingest)


@pytest.mark.parametrize(
    "target", ["loop.md", "x" * 300, "a.md/below", "nothing.md", "/etc/hostname"]
)
def test_no_link_ends_an_ingest(ingest: Ingest, docs: Path, target: str) -> None:
    ingest.run(docs, EVERYBODY)
    (docs / "loop.md").symlink_to(target)
    (docs / "a.md").unlink()
    report = ingest.run(docs, EVERYBODY)
    assert report.removed == ("a.md",)
    assert [each.file for each in report.problems] == ["loop.md"]


def test_a_link_for_a_metadata_file_is_read_and_its_entries_are_told(
    ingest: Ingest, docs: Path, tmp_path: Path
) -> None:
    (tmp_path / "rules").write_text("polc.md: {audience: {departments: [hr]}}")
    (docs / "metadata.yaml").symlink_to(tmp_path / "rules")
    assert ingest.run(docs, EVERYBODY).unused == ("polc.md in metadata.yaml",)


def test_documents_of_a_folder_that_moved_away_are_told_of(ingest: Ingest, docs: Path) -> None:
    ingest.run(docs, EVERYBODY)
    moved = docs.rename(docs.with_name("docs2"))
    assert ingest.run(moved, EVERYBODY).gone == (
        KnownSource("docs", str(docs), whole=True, said=EVERYBODY),
    )


def test_that_all_of_a_folder_was_read_is_noted_and_a_part_of_it_is_not_all(
    ingest: Ingest, docs: Path
) -> None:
    def read_at() -> datetime | None:
        [times] = ingest.indexed.library.source_times()
        return times.read_at

    ingest.run(docs, EVERYBODY)
    first = read_at()
    assert first is not None
    ingest.run(next(docs.iterdir()), EVERYBODY)
    assert read_at() == first
    ingest.run(docs, EVERYBODY)
    again = read_at()
    assert again is not None
    assert again > first


def test_a_link_does_not_open_what_it_leads_to(ingest: Ingest, docs: Path) -> None:
    write(docs, {"hr/pool.md": "A secret pool.", "hr/metadata.yaml": IS_CLOSED})
    (docs / "public.md").symlink_to(docs / "hr" / "pool.md")
    (docs / "public").symlink_to(docs / "hr")
    (docs / "nowhere.md").symlink_to(docs / "nothing")
    report = ingest.run(docs, EVERYBODY)
    assert report.links == ("public", "public.md")
    assert [each.file for each in report.problems] == ["nowhere.md"]
    assert held(ingest).keys() == {"a.md", "sub/b.txt", "hr/pool.md"}
    ingest.run(docs / "public.md", EVERYBODY)
    assert held(ingest).keys() == {"a.md", "sub/b.txt", "hr/pool.md"}
    rules = {
        p.document.file: p.document.metadata.access.audience
        for p in ingest.indexed.library.all_passages()
    }
    assert rules["hr/pool.md"] == (("departments", ("hr",)),)


def test_a_document_moved_to_another_folder_is_found_there(ingest: Ingest, docs: Path) -> None:
    ingest.run(docs, EVERYBODY)
    (docs / "a.md").rename(docs / "sub" / "a.md")
    report = ingest.run(docs, EVERYBODY)
    assert report.renamed == (("a.md", "sub/a.md"),)
    assert_in_step(ingest)


def test_equal_documents_are_kept_apart(ingest: Ingest, docs: Path) -> None:
    write(
        docs,
        {"sub/a.md": "Dogs bark.", "twice.md": "# A\n\nSame.\n\n# B\n\nOther.\n\n# A\n\nSame."},
    )
    ingest.run(docs, EVERYBODY)
    assert len(ingest.indexed.library.passage_ids()) == 6
    assert_in_step(ingest)


def test_making_the_index_anew_leaves_nothing_of_the_old_one(ingest: Ingest, docs: Path) -> None:
    ingest.run(docs, EVERYBODY)
    index = ingest.indexed.index
    index.upsert([IndexEntry("stray", "stray", AccessRule(), {TEXT_SPACE: QUERY}, "")])
    assert ingest.embed_all() == 2
    assert_in_step(ingest)


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
def test_a_title_is_told_as_its_site_shows_it(
    ingest: Ingest, docs: Path, stated: str, shown: str
) -> None:
    write(docs, {"a.md": f"---\ntitle: {stated}\n---\nDogs bark."})
    ingest.run(docs, EVERYBODY)
    titles = {p.document.file: p.document.title for p in ingest.indexed.library.all_passages()}
    assert titles["a.md"] == shown
