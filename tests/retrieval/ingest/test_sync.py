"""The library follows the files, whatever happens to either; real library, real index."""

import os
import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from fakes import DIMENSION, WordsEmbedder
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from retrieval.holdings import Acquisition, Fingerprint
from retrieval.index.lance import LanceIndex
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.ingest.sync import Ingest, IngestReport
from retrieval.library import Library
from retrieval.ontology import load_ontology
from retrieval.ports import IndexEntry

QUERY = WordsEmbedder().embed(["anything"])[0]


def ingest_into(
    home: Path, library: Library | None = None, index: LanceIndex | None = None
) -> Ingest:
    home.mkdir(parents=True, exist_ok=True)
    library = library or Library(home / "library.sqlite")
    index = index or LanceIndex(home / "index", WordsEmbedder.name, DIMENSION)
    stacks = IndexedLibrary(library, index, WordsEmbedder())
    return Ingest(stacks, load_ontology(), home / "ingest.lock", largest_megabytes=1)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def held(ingest: Ingest) -> dict[str, str]:
    """The text of every document by file."""
    passages = list(ingest.stacks.library.all_passages())
    return {p.document.file: p.text for p in passages}


def assert_in_step(ingest: Ingest) -> None:
    """The index finds each passage under its document's rule and by its own vector."""
    library, index = ingest.stacks.library, ingest.stacks.index
    passages = {p.passage_id: p for p in library.all_passages()}
    assert index.ids() == passages.keys()
    by_rule = {
        access_id: {match.passage_id for match in index.nearest(QUERY, [access_id], 10_000)}
        for access_id in library.access_rules()
    }
    rules = library.access_rules()
    for passage_id, passage in passages.items():
        rule_id = next(i for i, r in rules.items() if r == passage.document.metadata.access)
        assert passage_id in by_rule[rule_id]
    vectors = index.vectors(list(passages))
    for passage_id, passage in passages.items():
        expected = WordsEmbedder().embed([f"{passage.heading}\n{passage.text}"])[0]
        assert vectors[passage_id] == pytest.approx(expected)


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
        super().__init__(path, WordsEmbedder.name, DIMENSION)
        self._life = life

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        self._life.around(lambda: super(MortalIndex, self).upsert(entries))

    def delete(self, passage_ids: Collection[str]) -> None:
        self._life.around(lambda: super(MortalIndex, self).delete(passage_ids))

    def optimize(self) -> None:
        self._life.around(super().optimize)


class MortalLibrary(Library):
    def __init__(self, path: Path, life: Life) -> None:
        super().__init__(path)
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
}
AFTER = BEFORE | {
    "changes.md": "# Fees\n\nThe fee is twelve euros.",
    "comes.md": "This one is new.",
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
    return {f: t.replace("# Fees\n\n", "") for f, t in files.items() if f != "metadata.yaml"}


def lives(docs: Path, homes: Path) -> Iterable[Path]:
    """A home for each write at which an ingest of the changes is killed."""
    put(docs, BEFORE, age=1000)
    ingest_into(homes / "before").run(docs)
    for writes in range(100):
        put(docs, AFTER, age=2000)
        home = homes / str(writes)
        shutil.copytree(homes / "before", home)
        life = Life(writes)
        library = MortalLibrary(home / "library.sqlite", life)
        index = MortalIndex(home / "index", life)
        try:
            ingest_into(home, library, index).run(docs)
        except Killed:
            yield home
        else:
            assert writes >= 10, "it should have had something to write"
            return


def test_killed_at_any_write_the_next_ingest_finishes_the_work(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for home in lives(docs, tmp_path / "homes"):
        ingest = ingest_into(home)
        ingest.run(docs)
        assert held(ingest) == documents(AFTER)
        assert_in_step(ingest)


def test_killed_at_any_write_files_that_were_put_back_are_as_they_were(tmp_path: Path) -> None:
    """Nothing about the files tells then that the index holds what they never came to say."""
    docs = tmp_path / "docs"
    for home in lives(docs, tmp_path / "homes"):
        put(docs, BEFORE, age=1000)
        ingest = ingest_into(home)
        ingest.run(docs)
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
        report = self.ingest.run(self.docs / folder)
        within = self.docs / folder
        for file in [f for f in self.expected if (self.docs / f).is_relative_to(within)]:
            del self.expected[file]
        self.expected |= {
            f: t for f, t in self.readable().items() if (self.docs / f).is_relative_to(within)
        }
        assert len({problem.file for problem in report.problems}) == len(report.problems)
        again = self.ingest.run(self.docs / folder)
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
        return {
            f: t for f, t in texts.items() if t and not (t.startswith("---") and f.endswith("md"))
        }

    @invariant()
    def library_and_index_hold_what_was_taken_in(self) -> None:
        if hasattr(self, "expected"):
            assert held(self.ingest).keys() == self.expected.keys()
            assert_in_step(self.ingest)


Librarian.TestCase.settings = settings(
    deadline=None,
    max_examples=12,
    stateful_step_count=12,
    suppress_health_check=[HealthCheck.too_slow],
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
    assert ingest.run(docs).added == ("a.md", "sub/b.txt")
    write(docs, {"a.md": "Dogs growl.", "c.md": "Birds sing.", "picture.png": "?"})
    (docs / "sub/b.txt").unlink()
    report = ingest.run(docs)
    assert (report.added, report.changed, report.removed) == (("c.md",), ("a.md",), ("sub/b.txt",))
    assert (report.unchanged, report.passages, report.left_alone) == (0, 2, ("picture.png",))
    assert ingest.run(docs) == IngestReport(unchanged=2, left_alone=("picture.png",))


def test_progress_is_told_for_every_file_and_ends_at_the_last(ingest: Ingest, docs: Path) -> None:
    told: list[tuple[int, int, str]] = []
    ingest.run(docs, lambda *step: told.append(step))
    assert told == [(0, 2, "a.md"), (1, 2, "sub/b.txt"), (2, 2, "")]


def test_a_folder_that_cannot_be_listed_loses_nothing(
    ingest: Ingest, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network share that went away is no reason to forget it."""
    ingest.run(docs)
    real = os.scandir

    def scandir(path: Any = ".") -> Any:
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    report = ingest.run(docs)
    assert [problem.reason for problem in report.problems] == [
        "cannot be listed: Permission denied"
    ]
    assert held(ingest).keys() == {"a.md", "sub/b.txt"}


def test_a_document_moved_to_another_folder_is_gone_and_new(ingest: Ingest, docs: Path) -> None:
    ingest.run(docs)
    (docs / "a.md").rename(docs / "sub" / "a.md")
    report = ingest.run(docs)
    assert (report.added, report.removed) == (("sub/a.md",), ("a.md",))
    assert_in_step(ingest)


def test_equal_documents_are_kept_apart(ingest: Ingest, docs: Path) -> None:
    write(
        docs,
        {"sub/a.md": "Dogs bark.", "twice.md": "# A\n\nSame.\n\n# B\n\nOther.\n\n# A\n\nSame."},
    )
    ingest.run(docs)
    assert len(ingest.stacks.library.passage_ids()) == 6
    assert_in_step(ingest)


def test_making_the_index_anew_forgets_the_old_one_first(ingest: Ingest, docs: Path) -> None:
    ingest.run(docs)
    index = ingest.stacks.index
    index.upsert([IndexEntry("stray", "stray", "stray", QUERY, "stray")])
    assert ingest.embed_all(lambda: index.delete(index.ids())) == 2
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
    ingest.run(docs)
    titles = {p.document.file: p.document.title for p in ingest.stacks.library.all_passages()}
    assert titles["a.md"] == shown
