"""An archive is read as if an enemy had made it.

Nothing is unpacked under a name that it states: a part goes to one of the few names that a home
has. Nothing is read beyond the size that the manifest states, and that is never more than the disk
has room for. Every hash is checked before the first byte is written.
"""

import errno
import hashlib
import os
import shutil
import stat
import struct
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from bot.backup.manifest import MANIFEST, NAMES, Manifest, PartStated, manifest_of
from bot.backup.packing import CHUNK
from bot.backup.rows import Progress
from bot.errors import BadArchive
from bot.wording import backups as wording

LARGEST_MANIFEST = 1024 * 1024
_ENCRYPTED = 0x1
_BROKEN = (
    *(BadZipFile, zlib.error, struct.error),
    *(EOFError, LookupError, OverflowError, RuntimeError, ValueError),
)
"""What a zip that is damaged makes zipfile raise."""


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that is open; every method raises `BadArchive`."""

    manifest: Manifest
    _file: ZipFile

    def without(self, names: Collection[str]) -> "Archive":
        """Leave parts alone, as if they were not in it."""
        parts = tuple(part for part in self.manifest.parts if part.name not in names)
        return replace(self, manifest=self.manifest.model_copy(update={"parts": parts}))

    def check(self, progress: Progress) -> None:
        """Read every part to its end, and write nothing."""
        total, done = self.manifest.size // CHUNK + 1, 0
        for part in self.manifest.parts:
            for size in (len(chunk) for chunk in self._chunks(part)):
                done += size
                progress(done // CHUNK, total, part.name)

    def demand_room(self, folder: Path) -> None:
        """Raise where a disk has no room for all parts."""
        free, needed = shutil.disk_usage(folder).free, self.manifest.size
        if needed > free:
            raise BadArchive(wording.no_room(folder, needed, free))

    def unpack(self, folder: Path, progress: Progress) -> None:
        """Write every part into a folder of one's own, each under its name."""
        for done, part in enumerate(self.manifest.parts):
            progress(done, len(self.manifest.parts), part.name)
            path = folder / part.name
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "wb") as target:
                for chunk in self._chunks(part):
                    target.write(chunk)
                target.flush()
                os.fsync(target.fileno())

    def _chunks(self, part: PartStated) -> Iterator[bytes]:
        """Yield its bytes; raise at its end where it is not what the manifest says.

        zipfile ends at the size that the archive states, which `opened` holds to the manifest's.
        """
        hashed, size = hashlib.sha256(), 0
        with _understood(), self._file.open(part.name) as source:
            while chunk := source.read(CHUNK):
                size += len(chunk)
                hashed.update(chunk)
                yield chunk
        if size != part.size or hashed.hexdigest() != part.sha256:
            raise BadArchive(wording.unusable(f"{part.name} is not as it was written"))


@contextmanager
def opened(path: Path, software: str) -> Iterator[Archive]:
    """Open it, and see that it holds what its manifest names and nothing else.

    Raise `BadArchive`, also where it is cut off or of a newer version than `software`.
    """
    with _understood():
        file = ZipFile(path)
    with file:
        members = file.infolist()
        for member in members:
            _demand_plain(member)
        names = [member.filename for member in members]
        if len(set(names)) < len(names):
            raise BadArchive(wording.unusable("it holds a part twice"))
        if MANIFEST not in names:
            raise BadArchive(wording.unusable("it has no manifest"))
        manifest = manifest_of(_manifest(file), software)
        if {part.name for part in manifest.parts} != set(names) - {MANIFEST}:
            raise BadArchive(wording.unusable("it does not hold what its manifest names"))
        for part in manifest.parts:
            if file.getinfo(part.name).file_size != part.size:
                raise BadArchive(wording.unusable(f"{part.name} is not as large as it says"))
        yield Archive(manifest, file)


def _demand_plain(member: ZipInfo) -> None:
    """Refuse names that lead elsewhere, links and devices, and what only the system unpacks."""
    if member.filename not in (*NAMES, MANIFEST):
        raise BadArchive(wording.unusable(f"it holds {member.filename!r}, which is no part"))
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise BadArchive(wording.unusable(f"{member.filename} is no plain file"))
    odd = member.compress_type not in (ZIP_STORED, ZIP_DEFLATED)
    if odd or member.flag_bits & _ENCRYPTED:
        raise BadArchive(wording.unusable(f"{member.filename} is packed in another way"))


def _manifest(file: ZipFile) -> bytes:
    with _understood(), file.open(MANIFEST) as source:
        content = source.read(LARGEST_MANIFEST + 1)
    if len(content) > LARGEST_MANIFEST:
        raise BadArchive(wording.unusable("its manifest is too large"))
    return content


@contextmanager
def _understood() -> Iterator[None]:
    """Turn what a reader of zip raises at broken files into ours."""
    try:
        yield
    except _BROKEN as error:
        raise BadArchive(_damaged(error)) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the file's beginning
            raise
        raise BadArchive(_damaged(error)) from error


def _damaged(error: Exception) -> str:
    return wording.unusable(f"it is damaged, or cut off ({error})")
