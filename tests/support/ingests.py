"""Ingests into libraries of tests' own, with models that see words alone."""

from pathlib import Path

from fakes import WordsEmbedder, lance_index
from libraries import library_in
from warm_parsing import warm_pool

from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.ingest.sync import Ingest
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import TEXT_SPACE


def ingest_into(
    home: Path, library: SqlLibrary | None = None, index: LanceIndex | None = None
) -> Ingest:
    home.mkdir(parents=True, exist_ok=True)
    library = library or library_in(home)
    index = index or lance_index(home / "index")
    stacks = IndexedLibrary(library, index, {TEXT_SPACE: WordsEmbedder()})
    return Ingest(stacks, load_ontology(), largest_megabytes=1, parsing=warm_pool())


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def held(ingest: Ingest) -> dict[str, str]:
    """The text of every document by file."""
    passages = list(ingest.indexed.library.all_passages())
    return {p.document.file: p.text for p in passages}
