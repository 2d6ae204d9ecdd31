"""A file that is read may not be what it was, or what it seems to be."""

import os
import stat
from pathlib import Path


def content_of(path: Path, largest: int, *, follow: bool = False) -> tuple[bytes, os.stat_result]:
    """A file's bytes, with its status as they were read.

    The place of the file may have been taken by a link or a pipe since it was listed: the
    former is not followed unless `follow` says so, the latter never waited for. Raise `OSError`,
    also for more than `largest` bytes.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no plain file")
        content = file.read(largest + 1)
        if len(content) > largest:
            raise OSError(0, f"it has more than the {largest} bytes that are read")
        return content, status
