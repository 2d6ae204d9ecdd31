"""A folder of this machine as a source that is mirrored: of a disk that may go away."""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from retrieval.errors import SourceUnavailable
from retrieval.ingest.source_files import MEGABYTE
from retrieval.ingest.sources import Source, listing_of
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote.faults import of_file


class FolderSource:
    """`DocumentSource` of `file:///mnt/share`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def listing(self) -> SourceListing:
        if not self._root.is_dir():
            raise SourceUnavailable("its folder is gone")
        found = listing_of(Source("", self._root, self._root))
        return SourceListing(
            tuple(map(self._file, (*found.files, *found.metadata_files, *found.links))),
            {each.file: each.reason for each in found.unlisted},
        )

    def _file(self, path: str) -> SourceFile:
        with of_file():
            status = (self._root / path).lstat()
        at = datetime.fromtimestamp(status.st_mtime, UTC)
        seen = f"{status.st_ctime_ns} {status.st_size}"
        return SourceFile(path, seen, at, status.st_size, stat.S_ISLNK(status.st_mode))

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        return Fetched(self._content(file.path))

    def _content(self, path: str) -> Iterator[bytes]:
        with of_file():
            handle = os.open(self._root / path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as file:
                while chunk := file.read(MEGABYTE):
                    yield chunk

    def link(self, path: str) -> str:  # noqa: ARG002
        return ""
