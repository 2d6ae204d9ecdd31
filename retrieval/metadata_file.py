"""One `metadata.yaml`: its entries, the files that each names, and those it almost names.

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
from retrieval.ontology import Ontology
from retrieval.restrictions import ALIKE, RESTRICTING, meant_by, misspelt, stated_below
from retrieval.statements import Key, Statement, statements
from retrieval.strict_yaml import load

METADATA_FILE = "metadata.yaml"
GLOB_CHARACTERS = frozenset("*?[")
_LIKE_METADATA = re.compile(
    r"[._]*(?P<stem>[a-z _-]{6,12})\.(?P<suffix>yaml|yml|json|toml)(?:\.txt)?"
)
_STEM = "metadata"


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of a metadata file with what stands under it, not yet checked."""

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
    """One `metadata.yaml`; literal keys are looked up, for there can be thousands."""

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
        """Those among the entries that hold for no file, and globs, that miss this path narrowly.

        `holding` are the entries that hold for some file.
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
        by_end += [entry for key in _folders(path) for entry in self._by_fold.get(key, ())]
        yield from (entry for entry in by_end if id(entry) not in held | exact)


def read(root: Path, source: str, ontology: Ontology) -> MetadataFile:
    """The metadata file of this name below `root`; an empty one where there is none.

    Raise `BadMetadata` where it cannot be understood as a whole: nobody knows then who may
    read what is below it.
    """
    path = root / source
    try:
        content = load(path.read_text(encoding="utf-8-sig"))
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
    keys = Counter(_normal(str(key)) for key in content)
    if twice := [key for key, times in keys.items() if times > 1]:
        raise BadMetadata(f"is under {source}, where {twice[0]} stands twice; write it once")
    entries = [Entry(source, str(key), entry) for key, entry in content.items()]
    for entry in entries:
        _refuse_statement(entry, ontology)
    return MetadataFile(entries)


def _refuse_statement(entry: Entry, ontology: Ontology) -> None:
    """Where a whole folder's restriction, or nested entries, stand where an entry should."""
    if set(entry.key) & {*"./", *GLOB_CHARACTERS}:
        return
    is_mapping = isinstance(entry.content, Mapping)
    meant = meant_by(entry.key, entry.content, ontology.facets)
    if misspelt(entry.key) or (meant and not is_mapping):
        raise BadMetadata(
            f"is under {entry.source}, which states `{entry.key}` for no file; write it below "
            '`"*":` to have it hold for the folder'
        )
    values = entry.content.values() if isinstance(entry.content, Mapping) else ()
    for value in values:
        if isinstance(value, Mapping) and (below := next(stated_below(value), None)):
            raise BadMetadata(
                f"is under {entry.source}, which states `{below}` too deep below `{entry.key}`; "
                "write files and folders at the top, and their keys right below them"
            )


def mistaken_for_metadata(folder: Path) -> str | None:
    """The name of a file that somebody may have meant to be the folder's `metadata.yaml`."""
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError:
        return None  # its documents are not read either
    for name in names:
        found = _LIKE_METADATA.fullmatch(name.casefold())
        if name == METADATA_FILE or found is None:
            continue
        alike = SequenceMatcher(None, re.sub(r"[ _-]", "", found["stem"]), _STEM).ratio() >= ALIKE
        if alike and (found["suffix"] in ("yaml", "yml") or speaks_of_restrictions(folder / name)):
            return name
    return None


def speaks_of_restrictions(path: Path) -> bool:
    """Whether a file that is not read as metadata speaks of one of our restricting keys."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return any(key in text for key in RESTRICTING)


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


def _folders(path: str) -> Iterator[str]:
    """The folders above a path, each by its path and by its name."""
    for folder in PurePosixPath(path).parents:
        if folder.name:
            yield str(folder)
            yield folder.name
