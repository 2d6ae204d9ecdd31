"""A `metadata.yaml` has entries; each names files, and may almost name others.

In a glob `*` and `?` match slashes too, so that `*` in a folder's `metadata.yaml` holds
for all that is below it; `courses/` is short for `courses/*`; `**/` also matches nothing.

An entry that misses a file by its case, its suffix or a forgotten slash was most likely meant
for it. It holds for that file no more than another one would, but it keeps it out.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from retrieval.errors import BadMetadata
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import (
    MISSPELT,
    meant_by,
    misspelt,
    stated_below,
    states_a_restriction,
)
from retrieval.metadata.statements import Key, Statement, statements
from retrieval.metadata.strict_yaml import LONGEST, load, written
from retrieval.plain_files import content_of

METADATA_FILE = "metadata.yaml"
GLOB_CHARACTERS = frozenset("*?[")
LARGEST = 4 * LONGEST
"""Bytes: a character of UTF-8 has at most four."""
_STEM = "metadata"
_YAML = ("yaml", "yml", "ymal")
_LEFTOVERS = ("bak", "orig", "swp")
"""Of editors."""
_DOCUMENTS = ("md", "markdown", "txt", "html", "htm", "pdf", "docx", *_LEFTOVERS)
_HERE = frozenset({"", ".", "./", "/", "..", "../", "/."})


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry is a key of a metadata file with what stands under it, not yet checked."""

    source: str
    """The metadata file, relative to the ingested folder."""
    key: str
    content: object

    def statements(self, ontology: Ontology) -> dict[Key, Statement]:
        """Raise `BadMetadata` where they are not understood."""
        if not isinstance(self.content, Mapping):
            raise BadMetadata(
                f"has under `{self.key}` in {self.source} no mapping; write keys such as "
                "`audience` below it, or remove it"
            )
        return statements(self.content, f"{self.source} under `{self.key}`", ontology)


class MetadataFile:
    """In one `metadata.yaml` literal keys are looked up, for there can be thousands."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = tuple(entries)
        self._literal = {_normal(entry.key): entry for entry in self.entries}
        self._globs = sorted(
            ((key, entry) for key, entry in self._literal.items() if set(key) & GLOB_CHARACTERS),
            key=lambda pair: len(pair[0]),
        )
        self._by_fold: dict[str, list[Entry]] = defaultdict(list)
        self._by_stem: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            self._by_fold[_folded_path(entry.key)].append(entry)
            self._by_stem[_without_suffix(_folded_path(entry.key))].append(entry)

    def holding_for(self, below: str) -> Iterator[Entry]:
        """The entries that hold for a path below this folder, the prevailing one last."""
        below = _normal(below)
        name = below.rpartition("/")[2]
        yield from (entry for glob, entry in self._globs if _matches(glob, below, name))
        yield from (self._literal[key] for key in (name, below) if key in self._literal)

    def almost_holding_for(self, below: str, holding: Collection[Entry]) -> Iterator[Entry]:
        """The entries that miss this path narrowly.

        `holding` are those that hold for some file that is read: none of them misses by its end
        alone, as one of two files of a name may be meant and the other not.
        """
        exact = set(map(id, self.holding_for(below)))
        path = _folded_path(below)
        name = path.rpartition("/")[2]
        by_case = [entry for key in (name, path) for entry in self._by_fold.get(key, ())]
        by_case += [
            entry for glob, entry in self._globs if _matches(_folded_path(glob), path, name)
        ]
        yield from (entry for entry in by_case if id(entry) not in exact)
        held = set(map(id, holding))
        ends = [_without_suffix(path), _without_suffix(name), path, name]
        by_end = [entry for key in ends for entry in self._by_stem.get(key, ())]
        yield from (entry for entry in by_end if id(entry) not in held | exact)
        above = [entry for key in _paths_above(path) for entry in self._by_fold.get(key, ())]
        above += [
            entry
            for key in _names_above(path)
            for entry in self._by_fold.get(key, ())
            if id(entry) not in held
        ]
        yield from (entry for entry in above if id(entry) not in exact)


def read(root: Path, source: str, ontology: Ontology) -> MetadataFile:
    """The metadata file of this name below `root`; an empty one where there is none.

    Raise `BadMetadata` where it cannot be understood as a whole: nobody knows then who may
    read what is below it.
    """
    path = root / source
    try:
        content = load(_text_of(path))
    except FileNotFoundError as error:
        if path.is_symlink():
            raise BadMetadata(
                f"is under {source}, a link that leads nowhere; mend or remove it"
            ) from error
        return MetadataFile()
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise BadMetadata(f"is under {source}, which cannot be read: {reason}; mend it") from error
    if content is None:
        return MetadataFile()
    if not isinstance(content, dict):
        raise BadMetadata(f"is under {source}, which is no mapping from files to their metadata")
    try:
        entries = [Entry(source, written(str(key)), entry) for key, entry in content.items()]
    except ValueError as error:  # a number of thousands of digits, or half a character
        raise BadMetadata(f"is under {source}, which has a wrong key: {error}; mend it") from error
    keys = Counter(_normal(entry.key) for entry in entries)
    if twice := [key for key, times in keys.items() if times > 1]:
        raise BadMetadata(f"is under {source}, where {twice[0]} stands twice; write it once")
    for entry in entries:
        _refuse_statement(entry, ontology)
    return MetadataFile(entries)


def _text_of(path: Path) -> str:
    """Of a metadata file, which may be a link. Raise `OSError` or `ValueError`."""
    content, _ = content_of(path, LARGEST, follow=True)
    return content.decode("utf-8-sig")


def _refuse_statement(entry: Entry, ontology: Ontology) -> None:
    """Where a whole folder's restriction, or nested entries, stand where an entry should."""
    is_mapping = isinstance(entry.content, Mapping)
    meant = None
    if not set(entry.key) & {*"./", *GLOB_CHARACTERS}:
        meant = misspelt(entry.key) or (
            None if is_mapping else meant_by(entry.key, entry.content, ontology.facets)
        )
    if meant or entry.key.strip() in _HERE:
        raise BadMetadata(
            f"is under {entry.source}, which states `{entry.key}` for no file; write it below "
            '`"*":` to have it hold for the folder'
        )
    for key, value in _items(entry.content):
        names_a_file = set(str(key)) & {*"./*"}
        if found := _stated_in(value, ontology) if names_a_file else None:
            raise BadMetadata(
                f"is under {entry.source}, which states `{found}` too deep below `{entry.key}`; "
                "write files and folders at the top, and their keys right below them"
            )


def _stated_in(value: object, ontology: Ontology) -> str | None:
    """A key that restricts, or is meant to, inside the value of another."""
    meant = (str(key) for key, said in _items(value) if meant_by(str(key), said, ontology.facets))
    return next(stated_below(value), None) or next(meant, None)


def mistaken_for_metadata(folder: Path) -> str | None:
    """The name of a file that somebody may have meant to be the folder's `metadata.yaml`.

    One that is almost called so is; a copy of one, or one in another notation, where it
    speaks of our keys.
    """
    try:
        names = sorted(each.name for each in folder.iterdir() if each.is_file())
    except OSError:
        return None  # its documents are not read either
    for name in names:
        seen = unicodedata.normalize("NFKC", name).casefold().strip()
        stem, _, suffixes = re.sub(r"[ _-]", "", seen).lstrip(".").partition(".")
        if name == METADATA_FILE:
            continue
        alike = SequenceMatcher(None, stem, _STEM).ratio() >= MISSPELT
        if alike and suffixes.startswith(_YAML) and not suffixes.endswith(_LEFTOVERS):
            return name
        is_one = alike or (stem.startswith("meta") and not suffixes.endswith(_DOCUMENTS))
        if is_one and speaks_of_restrictions(folder / name):
            return name
    return None


def speaks_of_restrictions(path: Path) -> bool:
    """Whether a file that is not read as metadata states one of our keys, or a synonym."""
    try:
        content, _ = content_of(path, LARGEST, follow=True)
    except OSError:
        return True
    return states_a_restriction(content.decode("utf-8", errors="replace"))


def _items(value: object) -> Iterable[tuple[object, object]]:
    return value.items() if isinstance(value, Mapping) else ()


def _matches(glob: str, below: str, name: str) -> bool:
    forms = {glob, glob.replace("**/", "")}
    return any(fnmatchcase(path, form) for form in forms for path in (below, name))


def _normal(key: str) -> str:
    """One spelling of a path: macOS takes accents apart, editors put them together."""
    composed = unicodedata.normalize("NFC", key).removeprefix("./")
    return f"{composed}*" if composed.endswith("/") else composed


def _folded_path(key: str) -> str:
    """Without case, and with the slashes that were meant."""
    seen = unicodedata.normalize("NFKC", key).casefold().strip().replace("\\", "/")
    return _normal(seen.removeprefix("./").removeprefix("/"))


def _without_suffix(path: str) -> str:
    return str(PurePosixPath(path).with_suffix("")) if PurePosixPath(path).name else path


def _paths_above(path: str) -> Iterator[str]:
    """The folders above a path, by their paths: an entry for one lacks its slash."""
    return (str(folder) for folder in PurePosixPath(path).parents if folder.name)


def _names_above(path: str) -> Iterator[str]:
    return (folder.name for folder in PurePosixPath(path).parents if folder.name)
