"""A `metadata.yaml` has entries, and each names files; the root's may say who reads the source.

In a glob `*` and `?` match slashes too; `courses/` is short for `courses/*`; `**/` also matches
nothing.
"""

import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from pathlib import Path

from retrieval.errors import BadMetadata
from retrieval.metadata.access import Audience
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.restrictions import MISSPELT, states_a_restriction
from retrieval.metadata.statements import Key, audience_in, statements
from retrieval.metadata.strict_yaml import LONGEST, load, written
from retrieval.types import Stated


def content_of(path: Path, largest: int, *, follow: bool = False) -> tuple[bytes, os.stat_result]:
    """A file's bytes and status; raise `OSError`, also for a pipe, too much, a stray link."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no plain file")
        content = file.read(largest + 1)
        if len(content) > largest:
            raise OSError(0, f"it has more than the {largest} bytes that are read")
        return content, status


METADATA_FILE = "metadata.yaml"
LARGEST = 4 * LONGEST
"""Bytes: a character of UTF-8 has at most four."""
_GLOB_CHARACTERS = frozenset("*?[")
_STEM = "metadata"
_YAML = ("yaml", "yml", "ymal")
_LEFTOVERS = ("bak", "orig", "swp")
_DOCUMENTS = ("md", "markdown", "txt", "html", "htm", "pdf", "docx", *_LEFTOVERS)


@dataclass(frozen=True, slots=True, eq=False)
class MetadataEntry:
    """A key with what stands under it, not yet checked; each is its own, however like another."""

    source: str
    """The metadata file, relative to the ingested folder."""
    key: str
    content: object

    def statements(self, ontology: Ontology) -> dict[Key, Stated]:
        """Raise `BadMetadata` where they are not understood."""
        if not isinstance(self.content, Mapping):
            raise BadMetadata(
                f"has under `{self.key}` in {self.source} no mapping; write keys such as "
                '`audience` below it, with `"*":` above them to have them hold for the folder, or '
                "remove it"
            )
        for key, value in self.content.items():
            if isinstance(value, Mapping) and set(key) & {*"./*"}:
                raise BadMetadata(
                    f"has `{key}` too deep below `{self.key}` in {self.source}; write files and "
                    "folders at the top, and their keys right below them"
                )
        place = f"{self.source} under `{self.key}`"
        stated = [Stated(place, str(key), value) for key, value in self.content.items()]
        return statements(stated, ontology)


class MetadataFile:
    """In one `metadata.yaml` literal keys are looked up, for there can be thousands."""

    def __init__(
        self, entries: Iterable[MetadataEntry] = (), audience: Audience | None = None
    ) -> None:
        """`audience` is what it says of its folder as a source; None where it says nothing."""
        self.entries = tuple(entries)
        self.audience = audience
        self._literal = {_normal(entry.key): entry for entry in self.entries}
        self._globs = sorted(
            ((key, entry) for key, entry in self._literal.items() if set(key) & _GLOB_CHARACTERS),
            key=lambda pair: len(pair[0]),
        )

    def holding_for(self, below: str) -> Iterator[MetadataEntry]:
        """The entries that hold for a path below this folder, the prevailing one last."""
        below = _normal(below)
        name = below.rpartition("/")[2]
        yield from (entry for glob, entry in self._globs if _matches(glob, below, name))
        yield from (self._literal[key] for key in (name, below) if key in self._literal)


def read(root: Path, source: str, ontology: Ontology) -> MetadataFile:
    """The metadata file below `root`, empty where there is none; raise `BadMetadata`."""
    path = root / source
    try:
        content = load(content_of(path, LARGEST, follow=True)[0].decode("utf-8-sig"))
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
    is_of_the_root = source == METADATA_FILE
    audience = None
    if is_of_the_root and Key.AUDIENCE in content:
        audience = audience_in(Stated(source, Key.AUDIENCE, content.pop(Key.AUDIENCE)), ontology)
    try:
        entries = [MetadataEntry(source, written(key), entry) for key, entry in content.items()]
    except ValueError as error:  # half a character
        raise BadMetadata(f"is under {source}, which has a wrong key: {error}; mend it") from error
    for entry in entries:
        _demand_a_name(entry)
    keys = Counter(_normal(entry.key) for entry in entries)
    if twice := [key for key, times in keys.items() if times > 1]:
        raise BadMetadata(f"is under {source}, where {twice[0]} stands twice; write it once")
    return MetadataFile(entries, audience)


def _demand_a_name(entry: MetadataEntry) -> None:
    """Raise `BadMetadata` for a key that can name nothing below its folder."""
    key = entry.key
    parts = key.removeprefix("./").split("/")
    unseen = any(unicodedata.category(each) in ("Cc", "Cf") for each in key)
    if "{" in key or "}" in key:
        wrong = "has braces, which stand for themselves; write an entry for each name"
    elif key.startswith("/") or "\\" in key or ":" in parts[0][:2]:
        wrong = "is no path below its folder; write it without what stands above, and with /"
    elif {".", "..", ""} & set(parts[:-1]) or parts[-1] in (".", ".."):
        wrong = 'leads nowhere below its folder; write the path, or `"*"` for the whole folder'
    elif unseen or key != key.strip():
        wrong = "has white space around it, or characters that nobody sees; write the name anew"
    elif key in ("", "./"):
        wrong = 'names no file; write `"*"` for the whole folder'
    else:
        return
    raise BadMetadata(f"is under {entry.source}, where {key!r} {wrong}")


def mistaken_for_metadata(folder: Path) -> str | None:
    """The name of a file that somebody may have meant to be the folder's `metadata.yaml`."""
    try:
        names = sorted(each.name for each in folder.iterdir() if each.is_file())
    except OSError:
        return None  # its documents are not read either
    for name in names:
        if name == METADATA_FILE:
            continue
        stem, suffixes, alike = _seen(name)
        if alike and suffixes.startswith(_YAML) and not suffixes.endswith(_LEFTOVERS):
            return name
        is_one = alike or (stem.startswith("meta") and not suffixes.endswith(_DOCUMENTS))
        if is_one and speaks_of_restrictions(folder / name):
            return name
    return None


def may_be_metadata(name: str) -> bool:
    """Whether what a file of this name says, or its name alone, may bear on others beside it."""
    stem, _, alike = _seen(name)
    return alike or stem.startswith("meta")


def _seen(name: str) -> tuple[str, str, bool]:
    """Stem and suffixes as people see them, and whether the stem is almost `metadata`."""
    seen = unicodedata.normalize("NFKC", name).casefold().strip()
    stem, _, suffixes = re.sub(r"[ _-]", "", seen).lstrip(".").partition(".")
    return stem, suffixes, SequenceMatcher(None, stem, _STEM).ratio() >= MISSPELT


def speaks_of_restrictions(path: Path) -> bool:
    """Whether a file that is not read as metadata states one of our keys, or a synonym."""
    try:
        content, _ = content_of(path, LARGEST, follow=True)
    except OSError:
        return True
    return states_a_restriction(content.decode("utf-8", errors="replace"))


def _matches(glob: str, below: str, name: str) -> bool:
    forms = {glob, glob.replace("**/", "")}
    return any(fnmatchcase(path, form) for form in forms for path in (below, name))


def _normal(key: str) -> str:
    """One spelling of a path: macOS takes accents apart, editors put them together."""
    composed = unicodedata.normalize("NFC", key).removeprefix("./")
    return f"{composed}*" if composed.endswith("/") else composed
