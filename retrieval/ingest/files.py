"""A source's files as they stand when one ingest looks at them."""

import hashlib
import os
import time
from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path

from retrieval.documents.holdings import Fingerprint
from retrieval.errors import UnreadableDocument
from retrieval.ingest.sources import Source, listing_of
from retrieval.metadata.folder_metadata import FolderMetadata, Past
from retrieval.metadata.metadata_file import METADATA_FILE
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.readers import Audience
from retrieval.parsing import may_be_pictures
from retrieval.parsing.recognition import Recognition, state
from retrieval.plain_files import content_of

MEGABYTE = 1024 * 1024
FRESH_NS = 2_000_000_000
"""A file that changed less than this ago may change again without its times telling: clocks of
file systems tick in steps, of up to two seconds."""


class SourceFiles:
    """What stands below a source's root, and what is said of it there."""

    def __init__(
        self,
        source: Source,
        ontology: Ontology,
        largest_megabytes: int,
        read_by: str,
        recognition: Recognition,
        said: Audience | None,
        past: Callable[[], Past],
        *,
        below: bool,
    ) -> None:
        """`read_by` names how files are read and cut: what was read otherwise is read again.

        `said` and `past` are as `FolderMetadata` has them.

        With `below` the source is all that stands in the folders below its root, too.
        """
        self.source = source
        self.read_by = read_by
        self.listing = listing_of(source, below=below)
        self.covered = tuple(filter(source.covers, self.listing.files))
        is_enough = below or METADATA_FILE not in self.listing.metadata_files
        whole = self.listing if is_enough else listing_of(source)
        self.metadata = FolderMetadata(
            source.root,
            ontology,
            said,
            whole.files,
            whole.metadata_files,
            [each.file for each in whole.unlisted],
            past,
        )
        self.unused = tuple(self.metadata.unused()) if self.listing.is_whole else ()
        self._largest = largest_megabytes * MEGABYTE
        self._recognition = recognition

    def named(self, path: Path) -> str:
        """Name a path as documents name their files."""
        return path.relative_to(self.source.root).as_posix()

    def status(self, file: str) -> os.stat_result:
        """Raise `UnreadableDocument` for what is too large or cannot be named."""
        _require_plain_name(file)
        status = (self.source.root / file).stat(follow_symlinks=False)
        if status.st_size > self._largest:
            raise UnreadableDocument(
                f"is {status.st_size // MEGABYTE} MB, more than the "
                f"{self._largest // MEGABYTE} MB that are read; split it, or raise "
                "VOUCH_LARGEST_MEGABYTES"
            )
        return status

    def content(self, file: str) -> tuple[bytes, os.stat_result]:
        return content_of(self.source.root / file, self._largest)

    def hash_if(self, file: str, sizes: Collection[int]) -> str:
        """Return a file's hash, if it is of one of these sizes and can be read; else nothing."""
        try:
            if self.status(file).st_size not in sizes:
                return ""
            content, _ = self.content(file)
        except (OSError, UnreadableDocument):
            return ""
        return hashlib.sha256(content).hexdigest()

    def fingerprint(self, file: str, status: os.stat_result, sha256: str = "") -> Fingerprint:
        """Of a file as its status tells, and of its content where that was read."""
        fresh = status.st_ctime_ns > time.time_ns() - FRESH_NS
        return Fingerprint(
            status.st_size,
            status.st_mtime_ns,
            sha256,
            f"{self.read_by}{self._recognised_by(file)} {self.metadata.fingerprint(file)}",
            -1 if fresh else status.st_ctime_ns,
        )

    def _recognised_by(self, file: str) -> str:
        """A page that nobody could read is read again where it can be now."""
        return f" recognition {self._recognition_state}" if may_be_pictures(file) else ""

    @cached_property
    def _recognition_state(self) -> str:
        return state(self._recognition)


def _require_plain_name(file: str) -> None:
    """A name of other bytes than UTF-8 can be neither stored nor cited."""
    try:
        file.encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocument("has a name that is not UTF-8; rename it") from error
