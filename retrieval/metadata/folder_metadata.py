"""Metadata say who a document is for, and what it is.

It stands in the document's front matter, or in a `metadata.yaml` beside it or above it,
up to the ingested folder. Such a file maps a key for files to the same keys that front
matter has. What wins over what, key by key, and inside `audience` facet by facet:

1. front matter over any mapping;
2. the mapping nearer to the file over the farther one;
3. inside one mapping the file's path below that folder over its bare name, which holds
   in folders further down too, and both over a glob; of two globs the longer one.

So a page that adds a batch to its folder's department stays the department's; to open it
again it states `departments: "*"`.

What restricts and is not understood keeps every document out that it may have been meant
for: see `restrictions` for keys, `metadata_file` for entries.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from retrieval.errors import BadMetadata
from retrieval.metadata.metadata_file import (
    METADATA_FILE,
    Entry,
    MetadataFile,
    mistaken_for_metadata,
    read,
    speaks_of_restrictions,
)
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import RESTRICTING
from retrieval.metadata.statements import Key, Statement, metadata, over, statements
from retrieval.parsing import is_read
from retrieval.types import Metadata

MEANING = "2"
"""Goes up when the same files come to mean something else: documents are then read anew."""


_WHATEVER = frozenset({"*", "**", "**/*", "*/", "*.*", "./*"})
"""Entries for whatever is put into a folder."""


class FolderMetadata:
    """The metadata files of one ingested folder are read once each, so use one a run.

    `files` are all files of the folder, of whatever kind and whatever part of it is ingested:
    they tell which entries of its `metadata_files` name nothing.
    """

    def __init__(
        self,
        root: Path,
        ontology: Ontology,
        files: Collection[str] = (),
        metadata_files: Collection[str] = (),
    ) -> None:
        self._root = root
        self._ontology = ontology
        self._listed = files
        self._metadata_files = metadata_files
        self._files: dict[str, MetadataFile | BadMetadata] = {}
        self._understood: dict[int, dict[Key, Statement]] = {}
        self._fingerprints: dict[str, str] = {}
        self._rules: dict[str, tuple[tuple[int, MetadataFile | BadMetadata], ...]] = {}

    def resolve(self, front_matter: Mapping[str, object], file: str) -> Metadata:
        """The metadata of a file, named relative to the folder, with forward slashes.

        Raise `BadMetadata` where anything that bears on it cannot be understood: then
        nobody knows who may read it.
        """
        nearest = statements(front_matter, "its front matter", self._ontology)
        return metadata(over(self._stated(file), nearest), self._ontology)

    def fingerprint(self, file: str) -> str:
        """Changes when something other than the file itself changes its metadata.

        Raise `BadMetadata` where a metadata file above it cannot be read.
        """
        stated = repr([(key, repr(said)) for key, said in sorted(self._stated(file).items())])
        if stated not in self._fingerprints:  # most files of a folder are spoken of alike
            told = f"({MEANING!r}, {self._ontology!r}, {stated})"
            self._fingerprints[stated] = hashlib.sha256(told.encode()).hexdigest()[:16]
        return self._fingerprints[stated]

    def unused(self) -> list[tuple[str, str]]:
        """(metadata file, key) of each entry that holds for none of the listed files.

        That is most likely a misspelt name, and the document which it was meant for may be
        open to everyone. One that holds for whatever is put into a folder names no name.
        """
        held = set(map(id, self._holding_for(self._listed)))
        files = (self._metadata_file(file.rpartition("/")[0]) for file in self._metadata_files)
        return sorted(
            (entry.source, entry.key)
            for known in files
            if isinstance(known, MetadataFile)
            for entry in known.entries
            if id(entry) not in held and entry.key not in _WHATEVER
        )

    @cached_property
    def _holding(self) -> Collection[Entry]:
        """The entries that hold for one of the listed files that are read."""
        return self._holding_for(file for file in self._listed if is_read(file))

    def _holding_for(self, files: Iterable[str]) -> tuple[Entry, ...]:
        holding: dict[int, Entry] = {}
        for file in files:
            for known, below in self._above(file):
                if isinstance(known, MetadataFile):
                    holding.update((id(entry), entry) for entry in known.holding_for(below))
        return tuple(holding.values())

    def _stated(self, file: str) -> dict[Key, Statement]:
        """What the mappings say of a file; a farther one is overridden by a nearer."""
        self._refuse_rules_above(file)
        stated: dict[Key, Statement] = {}
        for known, below in self._above(file):
            if isinstance(known, BadMetadata):
                raise known
            for almost in known.almost_holding_for(below, self._holding):
                raise BadMetadata(
                    f"is almost named by `{almost.key}` in {almost.source}, which may be meant for "
                    "it; write its name as it is (for a folder with a slash at its end)"
                )
            for entry in known.holding_for(below):
                stated = over(stated, self._said(entry))
        return stated

    def _above(self, file: str) -> Iterator[tuple[MetadataFile | BadMetadata, str]]:
        """Each metadata file from the root down, with the file's path below it."""
        folder = file.rpartition("/")[0]
        if folder not in self._rules:
            starts = [0, *(n + 1 for n, letter in enumerate(file) if letter == "/")]
            known = ((start, self._metadata_file(file[: max(start - 1, 0)])) for start in starts)
            self._rules[folder] = tuple(
                (start, each)
                for start, each in known
                if isinstance(each, BadMetadata) or each.entries
            )
        yield from ((known, file[start:]) for start, known in self._rules[folder])

    def _metadata_file(self, folder: str) -> MetadataFile | BadMetadata:
        if folder not in self._files:
            self._files[folder] = self._read(folder)
        return self._files[folder]

    def _read(self, folder: str) -> MetadataFile | BadMetadata:
        below = f"{folder}/" if folder else ""
        if mistaken := mistaken_for_metadata(self._root / folder):
            return BadMetadata(
                f"is under {below}{mistaken}, which is not read under that name; "
                f"call it {METADATA_FILE}"
            )
        try:
            return read(self._root, below + METADATA_FILE, self._ontology)
        except BadMetadata as error:
            return error

    def _refuse_rules_above(self, file: str) -> None:
        """Raise `BadMetadata` where a file above the ingested folder restricts this one."""
        for folder, known in self._above_root:
            if isinstance(known, MetadataFile) and not known.entries:
                continue
            below = (self._root / file).relative_to(folder).as_posix()
            where = f"{folder / METADATA_FILE}, above what was ingested; ingest {folder} instead"
            if isinstance(known, BadMetadata):
                raise BadMetadata(f"is under {where}, after mending it: {known}")
            for entry in (*known.holding_for(below), *known.almost_holding_for(below, ())):
                if self._restricts(entry):
                    raise BadMetadata(f"is named by `{entry.key}` in {where}")

    def _restricts(self, entry: Entry) -> bool:
        """Whether it says who may read, or something that is not understood."""
        try:
            return not {*RESTRICTING}.isdisjoint(self._said(entry))
        except BadMetadata:
            return True

    def _said(self, entry: Entry) -> dict[Key, Statement]:
        """Each entry is understood once, however many files it holds for. Raise `BadMetadata`."""
        if id(entry) not in self._understood:
            self._understood[id(entry)] = entry.statements(self._ontology)
        return self._understood[id(entry)]

    @cached_property
    def _above_root(self) -> list[tuple[Path, MetadataFile | BadMetadata]]:
        """What stands in the folders above the ingested one, and may restrict."""
        above: list[tuple[Path, MetadataFile | BadMetadata]] = []
        for folder in self._root.parents:
            mistaken = mistaken_for_metadata(folder)
            if mistaken and speaks_of_restrictions(folder / mistaken):
                above.append((folder, BadMetadata(f"{mistaken} is not called {METADATA_FILE}")))
            try:
                above.append((folder, read(folder, METADATA_FILE, self._ontology)))
            except BadMetadata as error:
                if speaks_of_restrictions(folder / METADATA_FILE):
                    above.append((folder, error))
        return above
