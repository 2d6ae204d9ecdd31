"""What a folder holds: the files that an ingest looks at, and what it leaves alone."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

METADATA_FILE = "metadata.yaml"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that was left out, and why, in words for the person who will mend it."""

    file: str
    reason: str
    unlisted: bool = False
    """A folder whose files are unknown: none of its documents may be taken for gone."""


@dataclass(frozen=True, slots=True)
class Source:
    """One path given to an ingest.

    `root` is the folder that file names are relative to; `within` restricts the ingest
    to a file or a folder below it.
    """

    root: Path
    within: Path


def source_of(path: Path, known_roots: Collection[str]) -> Source:
    """The source that a path belongs to.

    A path inside a folder that was ingested before refreshes that part of it, so that
    the metadata of the folders above goes on to hold. Raise `FileNotFoundError`.
    """
    try:
        within = path.expanduser().resolve(strict=True)
    except (NotADirectoryError, RuntimeError) as error:  # the latter: links in a circle
        raise FileNotFoundError(*error.args) from error
    for folder in reversed([within, *within.parents]):
        if str(folder) in known_roots:
            return Source(folder, within)
    return Source(within if within.is_dir() else within.parent, within)


def files_within(source: Source, problems: list[Problem]) -> Iterator[Path]:
    """The files of a source in a stable order.

    Names that start with a dot are left alone, as are links that lead out of the root
    (they could pull in what nobody meant to publish). A folder that cannot be listed is
    added to `problems`.
    """
    if source.within.is_file():
        yield source.within
        return

    def unlistable(error: OSError) -> None:
        problems.append(
            Problem(str(error.filename), f"cannot be listed: {error.strerror}", unlisted=True)
        )

    for folder, folders, names in os.walk(source.within, onerror=unlistable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder) / name
            if not name.startswith(".") and name != METADATA_FILE and file.is_file():
                if file.resolve().is_relative_to(source.root):
                    yield file
                else:
                    problems.append(
                        Problem(
                            file.relative_to(source.root).as_posix(),
                            "is a link to a place outside the ingested folder; copy the file in",
                        )
                    )
