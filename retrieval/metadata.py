"""Document metadata: who a document is for, and what it is.

It stands in the document's front matter, or in a `metadata.yaml` beside it or above it,
up to the ingested folder. Such a file maps a key for files to the same keys that front
matter has. What wins over what, key by key, and inside `audience` facet by facet:

1. front matter over any mapping;
2. the mapping nearer to the file over the farther one;
3. inside one mapping the file's path below that folder over its bare name, which holds
   in folders further down too, and both over a glob; of two globs the longer one.

So a page that adds a batch to its folder's department stays the department's; to open it
again it states `departments: "*"`.

In a glob `*` and `?` match slashes too, so that `*` in a folder's `metadata.yaml` holds
for all that is below it; `courses/` is short for `courses/*`; `**/` also matches nothing.
"""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from retrieval.errors import BadMetadata
from retrieval.ingest.sources import METADATA_FILE
from retrieval.ontology import Ontology
from retrieval.statements import Key, Statement, metadata, over, statements
from retrieval.strict_yaml import load
from retrieval.types import Metadata

MEANING = "2"
"""Goes up when the same files come to mean something else: documents are then read anew."""
GLOB_CHARACTERS = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key of a metadata file with what stands under it, not yet checked."""

    source: str
    """The metadata file, relative to the ingested folder."""
    key: str
    content: object

    def statements(self) -> dict[Key, Statement]:
        if not isinstance(self.content, Mapping):
            raise BadMetadata(
                f"has under `{self.key}` in {self.source} no mapping; write keys such as "
                "`audience` below it, or remove it"
            )
        return statements(self.content, f"{self.source} under `{self.key}`")


class _MetadataFile:
    """One `metadata.yaml`; literal keys are looked up, for there can be thousands."""

    def __init__(self, entries: Iterable[_Entry] = ()) -> None:
        self.entries = tuple(entries)
        self._literal = {_normal(entry.key): entry for entry in self.entries}
        self._globs = sorted(
            ((key, entry) for key, entry in self._literal.items() if set(key) & GLOB_CHARACTERS),
            key=lambda pair: len(pair[0]),
        )

    def holding_for(self, below: str) -> Iterator[_Entry]:
        """The entries that hold for a path below this folder, the prevailing one last."""
        name = below.rpartition("/")[2]
        yield from (entry for glob, entry in self._globs if _matches(glob, below, name))
        yield from (self._literal[key] for key in (name, below) if key in self._literal)


class FolderMetadata:
    """The metadata files of one ingested folder; each is read once, so use one a run."""

    def __init__(self, root: Path, ontology: Ontology) -> None:
        self._root = root
        self._ontology = ontology
        self._files: dict[PurePosixPath, _MetadataFile] = {}
        self._used: set[tuple[str, str]] = set()

    def resolve(self, front_matter: Mapping[str, object], file: str) -> Metadata:
        """The metadata of a file, named relative to the folder, with forward slashes.

        Raise `BadMetadata` where anything that bears on it cannot be understood: then
        nobody knows who may read it.
        """
        stated = over(self._stated(file), statements(front_matter, "its front matter"))
        return metadata(stated, self._ontology)

    def fingerprint(self, file: str) -> str:
        """Changes when something other than the file itself changes its metadata.

        Raise `BadMetadata` where a metadata file above it cannot be read.
        """
        stated = [(key, repr(said.value)) for key, said in sorted(self._stated(file).items())]
        return hashlib.sha256(repr((MEANING, self._ontology, stated)).encode()).hexdigest()[:16]

    def unused(self) -> list[tuple[str, str]]:
        """(metadata file, key) of each entry that held for no file asked about so far.

        After a whole folder was read, that is most likely a misspelt name, and the
        document which it was meant for is open to everyone.
        """
        return sorted(
            (entry.source, entry.key)
            for file in self._files.values()
            for entry in file.entries
            if (entry.source, entry.key) not in self._used
        )

    def _stated(self, file: str) -> dict[Key, Statement]:
        """What the mappings say of a file; a farther one is overridden by a nearer."""
        stated: dict[Key, Statement] = {}
        path = PurePosixPath(file)
        for folder in reversed(path.parents):
            below = _normal(path.relative_to(folder).as_posix())
            for entry in self._metadata_file(folder).holding_for(below):
                self._used.add((entry.source, entry.key))
                stated = over(stated, entry.statements())
        return stated

    def _metadata_file(self, folder: PurePosixPath) -> _MetadataFile:
        if folder not in self._files:
            self._files[folder] = _read(self._root, (folder / METADATA_FILE).as_posix())
        return self._files[folder]


def _read(root: Path, source: str) -> _MetadataFile:
    try:
        content = load((root / source).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return _MetadataFile()
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise BadMetadata(f"is under {source}, which cannot be read: {reason}; mend it") from error
    if content is None:
        return _MetadataFile()
    if not isinstance(content, dict):
        raise BadMetadata(f"is under {source}, which is no mapping from files to their metadata")
    keys = Counter(_normal(str(key)) for key in content)
    if twice := [key for key, times in keys.items() if times > 1]:
        raise BadMetadata(f"is under {source}, where {twice[0]} stands twice; write it once")
    return _MetadataFile(_Entry(source, str(key), entry) for key, entry in content.items())


def _matches(glob: str, below: str, name: str) -> bool:
    forms = {glob, glob.replace("**/", "")}
    return any(fnmatchcase(path, form) for form in forms for path in (below, name))


def _normal(key: str) -> str:
    """One spelling of a path: macOS takes accents apart, editors put them together."""
    composed = unicodedata.normalize("NFC", key).removeprefix("./")
    return f"{composed}*" if composed.endswith("/") else composed
