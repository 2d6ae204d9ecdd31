"""Metadata say who a document is for; they stand in it, or in `metadata.yaml` files above it.

Key by key, and in `audience` facet by facet, what wins is: the document itself; the nearer file; in
one file the whole path over the bare name, and both over a glob, of which the longer wins. Whatever
is stated can only narrow who may read the source. What restricts and is not understood keeps out
all that it may have been meant for.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path, PurePosixPath

from retrieval.errors import BadMetadata
from retrieval.metadata.access import (
    EVERYBODY,
    NOBODY,
    TEAM,
    Audience,
    allowed_by,
    for_home,
    is_for_nobody,
    narrowed,
    narrower,
)
from retrieval.metadata.metadata_file import (
    METADATA_FILE,
    MetadataEntry,
    MetadataFile,
    mistaken_for_metadata,
    read,
    speaks_of_restrictions,
)
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import RESTRICTING
from retrieval.metadata.statements import Key, metadata, over, statements
from retrieval.parsing import is_export_source, is_read
from retrieval.types import AccessRule, Metadata, Stated

_WITHHELD = (
    "is restricted where it lives, itself or what it stands below, to nobody whom `sources` in "
    "people.yaml maps to facets that can be said together; map a group of its restrictions"
)
MEANING = "3"
"""Goes up when the same files come to mean something else: documents are then read anew."""
_WHATEVER = frozenset({"*", "**", "**/*", "*/", "*.*", "./*"})
Past = Mapping[str, Collection[str]]
"""Paths that documents of a source ever had, to the SHA-256 of what they then held."""


class FolderMetadata:
    """The metadata files of one ingested folder are read once each, so use one a run."""

    def __init__(
        self,
        root: Path,
        ontology: Ontology,
        said: Audience | None,
        files: Collection[str] = (),
        metadata_files: Collection[str] = (),
        unlisted: Collection[str] = (),
        past: Callable[[], Past] = dict,
        elsewhere: Mapping[str, Audience] | None = None,
    ) -> None:
        """`said`: who may read the source as the operator named them; None where nobody did.

        `files`: all of the folder, but for what the folders `unlisted` hold. `elsewhere`: whom a
        source there lets read them, by path.
        """
        self._root = root
        self._ontology = ontology
        self._said_by_operator = None if said is None else ontology.with_home(said)
        self._listed = frozenset(files)
        self._metadata_files = metadata_files
        self._unlisted = unlisted
        self._elsewhere = elsewhere
        self._past = cache(past)
        self._metadata_file = cache(self._read)
        self._known_above = cache(self._found_above)
        self._said = cache(partial(MetadataEntry.statements, ontology=ontology))
        self._named_before = cache(self._demanded)
        self._hashes_of_gone = cache(self._found_gone)
        self._digest_of_gone = cache(self._digest)

    @cached_property
    def stated(self) -> Audience | None:
        """Who may read the source as its own `metadata.yaml` states it, where it does."""
        known = self._metadata_file("")
        return known.audience if isinstance(known, MetadataFile) else None

    @cached_property
    def audience(self) -> Audience | None:
        """Whom all that was said of the source allows; None where nothing was."""
        return allowed_by(self._said_by_operator, self.stated)

    def _teams(self, by_operator: Audience | None) -> Audience:
        """The workspaces that the operator opened it to, of several: else the home's own alone."""
        stated = for_home(by_operator or ()) if self._ontology.home_team else ()
        return tuple(each for each in stated if each[0] == TEAM)

    def resolve(
        self,
        stated: Sequence[Stated],
        file: str,
        sha256: str = "",
        held: Audience | None = None,
    ) -> Metadata:
        """The metadata of a file, named relative to the folder; raise `BadMetadata`.

        `held`: who may read it as it stands in the library; nobody else may, while nobody said who
        may read the source.
        """
        mappings = self._stated(file)
        own = metadata(over(mappings, statements(stated, self._ontology)), self._ontology)
        rule = own.access
        for entry in self._entries_by_content(file, sha256):
            theirs = metadata(self._said(entry), self._ontology)
            rule = narrower(rule, theirs.access)
            places = dict.fromkeys((*own.restricted_in, *theirs.restricted_in))
            states = own.states_readers or theirs.states_readers
            own = replace(own, restricted_in=tuple(places), states_readers=states)
        allowed, by_operator = self.audience, self._said_by_operator
        if allowed is None:
            allowed = by_operator = NOBODY if held is None else held
        teams = self._teams(by_operator)
        allowed = narrowed(teams, allowed)
        rule = narrower(rule, AccessRule(allowed))
        if by_source := self._by_source(file):
            rule = narrower(rule, AccessRule(by_source))
            restricted_in = (*own.restricted_in, "its source")
            own = replace(own, restricted_in=restricted_in, states_readers=True)
        if teams:
            rule = replace(rule, audience=for_home(rule.audience, teams))
        if is_for_nobody(rule.audience) and not is_for_nobody(allowed):
            raise BadMetadata(
                "is for nobody: what it states and who may read its source have nobody in common; "
                "correct one of them"
            )
        return replace(own, access=rule)

    def fingerprint(self, file: str) -> str:
        """Changes when something other than the file changes its metadata; raise `BadMetadata`."""
        by_source = self._by_source(file)
        stated = repr([(key, repr(said)) for key, said in sorted(self._stated(file).items())])
        told_of_gone = (self._digest_of_gone(*each) for each in self._files_above(file))
        before = [*filter(None, told_of_gone)]
        told = f"({MEANING!r}, {self._ontology!r}, {self.audience!r}, {stated}, {before})"
        told += self._ontology.home_team + (repr(by_source) if by_source else "")
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def _by_source(self, file: str) -> Audience:
        """Whom a source elsewhere lets read a file. Raise `BadMetadata` where that is nobody."""
        if self._elsewhere is None:
            return EVERYBODY
        audience = self._elsewhere.get(file, NOBODY)
        if is_for_nobody(audience):
            raise BadMetadata(_WITHHELD)
        return audience

    def _digest(self, known: MetadataFile, folder: str) -> str:
        named = self._named_before(known, folder)
        told = repr(sorted((sha256, repr(entry)) for sha256, entry in named.items()))
        return hashlib.sha256(told.encode()).hexdigest() if named else ""

    def unused(self) -> list[tuple[str, str]]:
        """(metadata file, key) of each entry that names no listed file, and so may be misspelt."""
        files = (self._metadata_file(file.rpartition("/")[0]) for file in self._metadata_files)
        return sorted(
            (entry.source, entry.key)
            for known in files
            if isinstance(known, MetadataFile)
            for entry in known.entries
            if entry not in self._held and entry.key not in _WHATEVER
        )

    @cached_property
    def _held(self) -> frozenset[MetadataEntry]:
        """The entries that hold for a listed file."""
        return frozenset(self._holding(self._listed))

    @cached_property
    def _held_of_read(self) -> frozenset[MetadataEntry]:
        return frozenset(self._holding(filter(_is_handed_out, self._listed)))

    def _holding(self, files: Iterable[str]) -> Iterator[MetadataEntry]:
        for file in files:
            for known, folder in self._files_above(file):
                yield from known.holding_for(file.removeprefix(folder))

    def _stated(self, file: str) -> dict[Key, Stated]:
        """What the mappings say of a file; a farther one is overridden by a nearer."""
        self._refuse_rules_above(file)
        stated: dict[Key, Stated] = {}
        for known, folder in self._above(file):
            if isinstance(known, BadMetadata):
                raise known
            self._named_before(known, folder)
            for entry in known.holding_for(file.removeprefix(folder)):
                stated = over(stated, self._said(entry))
        return stated

    def _demanded(self, known: MetadataFile, folder: str) -> Mapping[str, MetadataEntry]:
        """Entries by the SHA-256 of what is gone; raise `BadMetadata` for one that named none."""
        before: dict[str, MetadataEntry] = {}
        for entry in known.entries:
            if not self._restricts(entry, folder) or not self._names_nothing(entry, folder):
                continue
            gone = self._hashes_of_gone(known, folder).get(entry)
            if not gone:
                raise BadMetadata(
                    f"is under {entry.source}, where `{entry.key}` says who may read and names no "
                    "document; correct its name (for a folder with a slash at its end) or remove it"
                )
            before.update((sha256, entry) for sha256 in gone)
        return before

    def _found_gone(
        self, known: MetadataFile, folder: str
    ) -> Mapping[MetadataEntry, Collection[str]]:
        """By entry the SHA-256 of what it named and is not there any more."""
        found: dict[MetadataEntry, set[str]] = {}
        for path, hashes in self._past().items():
            if path.startswith(folder) and path not in self._listed:
                for entry in known.holding_for(path.removeprefix(folder)):
                    found.setdefault(entry, set()).update(hashes)
        return found

    def _restricts(self, entry: MetadataEntry, folder: str) -> bool:
        try:
            return not {*RESTRICTING}.isdisjoint(self._said(entry))
        except BadMetadata as error:
            raise BadMetadata(f"is under {folder}{METADATA_FILE}, which {error}") from error

    def _names_nothing(self, entry: MetadataEntry, folder: str) -> bool:
        """Whether it holds for no document; `s.doc` may have been meant for `s.pdf` as well."""
        if entry in self._held_of_read or entry.key in _WHATEVER:
            return False
        if any(f"{folder}{entry.key}".startswith(f"{each}/") for each in self._unlisted):
            return False
        return entry not in self._held or PurePosixPath(entry.key).stem in self._stems

    @cached_property
    def _stems(self) -> frozenset[str]:
        """Names of documents without their endings, and of the folders that they lie in."""
        read = [PurePosixPath(file) for file in self._listed if _is_handed_out(file)]
        return frozenset(name for path in read for name in (path.stem, *path.parts[:-1]))

    def _entries_by_content(self, file: str, sha256: str) -> Iterator[MetadataEntry]:
        """Those that named a document of this content, which had another path."""
        for known, folder in self._files_above(file):
            named = self._named_before(known, folder)
            if sha256 in named:
                yield named[sha256]

    def _files_above(self, file: str) -> Iterator[tuple[MetadataFile, str]]:
        """Those that are understood, with the folder of each."""
        for known, folder in self._above(file):
            if isinstance(known, MetadataFile):
                yield known, folder

    def _above(self, file: str) -> Sequence[tuple[MetadataFile | BadMetadata, str]]:
        """Each metadata file from the root down, with its folder: empty, or with a slash behind."""
        return self._known_above(file[: file.rfind("/") + 1])

    def _found_above(self, folder: str) -> Sequence[tuple[MetadataFile | BadMetadata, str]]:
        ends = (n + 1 for n, letter in enumerate(folder) if letter == "/")
        folders = ["", *(folder[:end] for end in ends)]
        known = ((self._metadata_file(each.removesuffix("/")), each) for each in folders)
        return [
            (found, each)
            for found, each in known
            if isinstance(found, BadMetadata) or found.entries
        ]

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
            where = f"{folder / METADATA_FILE}, above what was ingested; ingest {folder} instead"
            if isinstance(known, BadMetadata):
                raise BadMetadata(f"is under {where}, after mending it: {known}")
            below = (self._root / file).relative_to(folder).as_posix()
            for entry in known.holding_for(below):
                if self._restricts(entry, f"{folder}/"):
                    raise BadMetadata(f"is named by `{entry.key}` in {where}")

    @cached_property
    def _above_root(self) -> list[tuple[Path, MetadataFile | BadMetadata]]:
        """What stands in the folders above the ingested one, and may restrict."""
        above: list[tuple[Path, MetadataFile | BadMetadata]] = []
        for folder in self._root.parents:
            mistaken = mistaken_for_metadata(folder)
            if mistaken and speaks_of_restrictions(folder / mistaken):
                above.append((folder, BadMetadata(f"{mistaken} is not called {METADATA_FILE}")))
            try:
                known = read(folder, METADATA_FILE, self._ontology)
            except BadMetadata as error:
                if speaks_of_restrictions(folder / METADATA_FILE):
                    above.append((folder, error))
                continue
            if wrong := self._wrong_above(folder, known):
                above.append((folder, BadMetadata(wrong)))
            elif known.entries:
                above.append((folder, known))
        return above

    def _wrong_above(self, folder: Path, known: MetadataFile) -> str:
        """Why nothing below it may be read by itself, if so."""
        if known.audience:
            return "it says who may read all that is there"
        here = f"{self._root.relative_to(folder).as_posix()}/"
        held = {each for file in self._listed for each in known.holding_for(here + file)}
        for entry in known.entries:
            try:
                restricts = self._restricts(entry, f"{folder}/")
            except BadMetadata as error:
                return str(error)
            is_of_here = entry.key.startswith(here) or here.startswith(f"{entry.key}/")
            if restricts and is_of_here and entry not in held:
                return f"`{entry.key}` says who may read and names no document"
        return ""


def _is_handed_out(file: str) -> bool:
    """Whether a file is read, and is not what others beside it may be exports of."""
    return is_read(file) and not is_export_source(file)
