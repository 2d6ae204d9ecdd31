"""What is to be read again of every known source, or why one cannot be."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.documents.holdings import KnownSource
from retrieval.documents.port import Library


@dataclass(frozen=True, slots=True)
class ToRead:
    """One path of a source."""

    source: str
    path: Path
    problem: str = ""
    """Why it must not be read, in words for whoever mends it; empty where it may be."""


def known_paths(library: Library) -> Iterator[ToRead]:
    """Yield the folder of each source, or its documents where they were given one by one.

    A folder that is gone, or holds nothing where there were documents, is most likely a disk
    that is not mounted: to read it would remove them all, so somebody must say so.
    """
    for source in library.sources():
        root = Path(source.root)
        held = library.holdings(source.name)
        if problem := _problem(source, root, holds=bool(held)):
            yield ToRead(source.name, root, problem)
        elif source.whole:
            yield ToRead(source.name, root)
        else:
            noted = {each.file for each in library.kept_out() if each.source == source.name}
            for file in sorted({*held, *noted}):
                yield from _document(source, root / file, is_held=file in held)


def _problem(source: KnownSource, root: Path, *, holds: bool) -> str:
    if not source.root:
        return f"was read by an older version. Run: vouch ingest FOLDER --source {source.name}"
    if not root.is_dir():
        return (
            f"its folder {root} is gone. Bring it back; or, if its documents should leave, run: "
            f"vouch ingest --remove {root}"
        )
    if holds and _is_empty(root):
        return (
            f"its folder {root} is empty, as where a disk is not mounted. If its documents should "
            f"leave, run: vouch ingest {root}"
        )
    return ""


def _is_empty(root: Path) -> bool:
    try:
        return not any(not entry.name.startswith(".") for entry in os.scandir(root))
    except OSError:
        return False  # the ingest says that it cannot be listed, and keeps what it holds


def _document(source: KnownSource, path: Path, *, is_held: bool) -> Iterator[ToRead]:
    if path.exists():
        yield ToRead(source.name, path)
    elif is_held:
        gone = f"{path} is gone. If it should leave, run: vouch ingest --remove {path}"
        yield ToRead(source.name, path, gone)
