"""Ingests into libraries of tests' own, with models that see words alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fakes import WordsEmbedder, lance_index
from libraries import library_in
from warm_parsing import warm_pool

from retrieval.documents.holdings import Holding
from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest.indexed_library import IndexedLibrary, ProgressReport
from retrieval.ingest.report import IngestReport
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.metadata.ontology import load_ontology
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
