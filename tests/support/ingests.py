"""Ingests into libraries of tests' own, with models that see words alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fakes import WordsEmbedder, lance_index
from libraries import library_in
from loaded_once import warm_pool

from retrieval.documents.holdings import Holding
from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest.indexed_library import IndexedLibrary, ProgressReport
from retrieval.ingest.source_files import IngestReport
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import DocumentSource
from retrieval.remote.mirror import Mirror
from retrieval.types import AccessRule


def ingest_into(
    home: Path, library: SqlLibrary | None = None, index: LanceIndex | None = None
) -> Ingest:
    home.mkdir(parents=True, exist_ok=True)
    library = library or library_in(home)
    index = index or lance_index(home / "index")
    stacks = IndexedLibrary(library, index, WordsEmbedder())
    return Ingest(stacks, load_ontology(), largest_megabytes=1, parsing=warm_pool())


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def held(ingest: Ingest) -> dict[str, str]:
    passages = list(ingest.indexed.library.all_passages())
    return {p.document.file: p.text for p in passages}


@dataclass(frozen=True)
class House:
    docs: Path
    ingest: Ingest

    def reads(
        self,
        files: Mapping[str, str] = {},
        said: Audience | None = EVERYBODY,
        progress: ProgressReport = lambda *_: None,
    ) -> IngestReport:
        write(self.docs, files)
        return self.ingest.run(self.docs, said, progress)

    @property
    def holdings(self) -> dict[str, Holding]:
        return self.ingest.indexed.library.holdings("docs")

    @property
    def rules(self) -> dict[str, AccessRule]:
        held = self.holdings.items()
        return {file: e.document.metadata.access for file, e in held if not e.suspended}

    @property
    def held(self) -> dict[str, str]:
        return held(self.ingest)


def house_in(folder: Path, files: Mapping[str, str]) -> House:
    write(folder / "docs", files)
    return House(folder / "docs", ingest_into(folder / "home"))


class SourceReader:
    def __init__(
        self,
        home: Path,
        url: str,
        opened: Callable[[], DocumentSource],
        called: Callable[[str], str] = str,
    ) -> None:
        """`opened`: the source, each time anew; `called`: how a path is called there."""
        self.ingest = ingest_into(home / "home")
        self.mirror = Mirror(home / "mirror", url, largest_megabytes=1, pause=0)
        self._opened, self._called = opened, called

    def read(self, said: Audience = EVERYBODY, *, may_shrink: bool = False) -> IngestReport:
        with self.mirror.turn():
            known = self.ingest.indexed.library.holdings("hr")
            mirrored = self.mirror.refresh(self._opened(), known, may_shrink=may_shrink)
            return self.ingest.run(self.mirror.files, said, named="hr", mirrored=mirrored)

    def served_then(self, said: Audience = EVERYBODY) -> dict[str, Audience]:
        """By path, whom it is served to once it was read in again."""
        self.read(said)
        return self.served

    @property
    def served(self) -> dict[str, Audience]:
        passages = self.ingest.indexed.library.all_passages()
        audiences = ((p.document.file, p.document.metadata.access.audience) for p in passages)
        return {self._called(file): audience for file, audience in audiences}

    @property
    def copied(self) -> str:
        files = (path for path in self.mirror.files.rglob("*") if path.is_file())
        return "".join(path.read_text() for path in files)
