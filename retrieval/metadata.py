"""What documents say about themselves: front matter, and `metadata.yaml` beside or above.

What is nearer to the document wins, key by key, and inside `audience` facet by facet: the
front matter over any mapping, a mapping over one in a folder above; within one file a
path over a name over a pattern, a longer pattern over a shorter. So a page that adds a
batch to its folder's department stays the department's.

Keys that are not ours are left alone. One of ours with a wrong value, or an unknown facet,
leaves the document out: it is never shown to everyone by mistake.
"""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import yaml

from retrieval.errors import BadMetadata
from retrieval.ingest.sources import METADATA_FILE
from retrieval.ontology import Ontology
from retrieval.types import AccessRule, Metadata, Stream

Values = Mapping[str, object]


class FolderMetadata:
    """The metadata of one ingested folder; each `metadata.yaml` is read once."""

    def __init__(self, root: Path, ontology: Ontology) -> None:
        self._root = root
        self._ontology = ontology
        self._contents: dict[PurePosixPath, bytes | None] = {}
        self._mappings: dict[PurePosixPath, Values] = {}

    def resolve(self, front_matter: Values, file: str) -> Metadata:
        """All that is stated of a file; raise `BadMetadata` naming file and key."""
        merged: dict[str, object] = {}
        for folder in _folders_above(file):
            for values in _matching(self._mapping(folder), file, folder):
                _merge(merged, values)
        _merge(merged, front_matter)
        return _checked(merged, file, self._ontology)

    def fingerprint(self, file: str) -> str:
        """Of the metadata files that bear on a file: another when one of them changes."""
        digest = hashlib.sha256()
        for folder in _folders_above(file):
            digest.update(f"{folder}\0".encode() + (self._content(folder) or b"") + b"\0")
        return digest.hexdigest()[:16]

    def _content(self, folder: PurePosixPath) -> bytes | None:
        if folder not in self._contents:
            path = self._root / folder / METADATA_FILE
            self._contents[folder] = path.read_bytes() if path.is_file() else None
        return self._contents[folder]

    def _mapping(self, folder: PurePosixPath) -> Values:
        if folder not in self._mappings:
            self._mappings[folder] = _parsed(self._content(folder), folder / METADATA_FILE)
        return self._mappings[folder]


def _folders_above(file: str) -> list[PurePosixPath]:
    """From the root down to the file's own folder."""
    return list(reversed(PurePosixPath(file).parents))


def _parsed(content: bytes | None, name: PurePosixPath) -> Values:
    try:
        mapping = yaml.safe_load(content or b"") or {}
    except yaml.YAMLError as error:
        raise BadMetadata(f"{name} is no valid YAML: {' '.join(str(error).split())}") from error
    if not isinstance(mapping, dict):
        raise BadMetadata(f"{name} must map file names to what they are; see the README")
    return {str(key): value for key, value in mapping.items()}


def _matching(mapping: Values, file: str, folder: PurePosixPath) -> Iterator[Values]:
    """The entries that speak of a file, the least specific first."""
    path = PurePosixPath(file).relative_to(folder).as_posix()
    name = PurePosixPath(file).name

    def specific(pattern: str) -> tuple[int, int]:
        return (2 if pattern == path else 1 if pattern == name else 0, len(pattern))

    for pattern in sorted(mapping, key=specific):
        if pattern in (path, name) or fnmatchcase(path, pattern) or fnmatchcase(name, pattern):
            values = mapping[pattern]
            if not isinstance(values, dict):
                raise BadMetadata(f"{folder / METADATA_FILE}: {pattern}: must be a mapping")
            yield values


def _merge(merged: dict[str, object], values: Values) -> None:
    for key, value in values.items():
        known = merged.get(key)
        if key == "audience" and isinstance(known, dict) and isinstance(value, dict):
            merged[key] = known | value
        else:
            merged[key] = value


def _checked(values: Values, file: str, ontology: Ontology) -> Metadata:
    return Metadata(
        title=_text(values, "title", file),
        stream=_stream(values, file),
        subtype=_text(values, "subtype", file),
        level=_level(values, file, ontology),
        access=AccessRule(
            audience=_audience(values, file, ontology),
            valid_from=_day(values, "valid_from", file),
            valid_to=_day(values, "valid_to", file),
        ),
        effective=_day(values, "effective", file),
        owner=_text(values, "owner", file),
        link=_text(values, "link", file),
    )


def _text(values: Values, key: str, file: str) -> str:
    value = values.get(key)
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        raise BadMetadata(f"{file}: {key}: must be text")
    return " ".join(str(value).split())


def _stream(values: Values, file: str) -> Stream:
    text = _text(values, "stream", file) or Stream.NON_ACADEMIC.value
    try:
        return Stream(text)
    except ValueError as error:
        raise BadMetadata(f"{file}: stream: must be {_or(Stream)}, not {text!r}") from error


def _level(values: Values, file: str, ontology: Ontology) -> str:
    level = _text(values, "level", file)
    if level and level not in ontology.level_names:
        raise BadMetadata(f"{file}: level: must be {_or(ontology.level_names)}, not {level!r}")
    return level


def _audience(
    values: Values, file: str, ontology: Ontology
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    audience = values.get("audience")
    if audience is None and "audience" not in values:
        return ()
    if not isinstance(audience, dict):
        raise BadMetadata(f"{file}: audience: must be a mapping from facet to values")
    for facet in audience:
        if facet not in ontology.facets:
            raise BadMetadata(
                f"{file}: audience.{facet}: is no facet; there are {', '.join(ontology.facets)}"
            )
    return tuple(sorted((facet, _facet(audience[facet], facet, file)) for facet in audience))


def _facet(value: object, facet: str, file: str) -> tuple[str, ...]:
    """The values of one facet as text; one value may stand without a list."""
    listed = value if isinstance(value, list) else [value]
    if not listed or any(each is None or isinstance(each, (dict, list, bool)) for each in listed):
        raise BadMetadata(f'{file}: audience.{facet}: must be one or more values, or "*"')
    texts = {str(each).strip() for each in listed}
    if "" in texts:
        raise BadMetadata(f"{file}: audience.{facet}: holds an empty value")
    return tuple(sorted(texts))


def _day(values: Values, key: str, file: str) -> date | None:
    value = values.get(key)
    if value is None and key not in values:
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value).strip())
    except ValueError as error:
        raise BadMetadata(
            f"{file}: {key}: must be a date such as 2026-01-31, not {value!r}"
        ) from error


def _or(names: object) -> str:
    return " or ".join(str(name) for name in names)  # type: ignore[attr-defined]
