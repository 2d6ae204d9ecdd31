"""An archive: a zip whose last member, the manifest, says what is in it; without that it is none.

It is read as if an enemy had made it. Nothing is unpacked under a name that it states: a part goes
to one of the few names that a home has. Nothing is read beyond the size that the manifest states,
and that is never more than the disk has room for. Every hash is checked before a byte is written.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import struct
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.engines import private, sync_folder
from bot.backup.databases import Progress
from bot.errors import BadArchive, WrongUse
from bot.wording import backups as wording

FORMAT = 1
"""Counts up when an archive holds something that today's program would leave out."""
MANIFEST = "manifest.json"
INBOX, AUDIT, LIBRARY = "inbox.sqlite", "audit.sqlite", "library.sqlite"
PEOPLE, CHANNELS, HEADS = "people.yaml", "channels.yaml", "audit-heads.txt"
CHECKPOINTS, AUDIT_KEY = "audit-checkpoints.txt", "audit.key"
ERASURES = "audit-erasures.txt"
ONTOLOGY, CALIBRATION, SETTINGS = "ontology.yaml", "calibration.json", "settings.json"
GLOSSARY = "glossary.yaml"
KEY = "library.key"
DATABASES = (INBOX, AUDIT, LIBRARY)
"""In the order in which they are copied: each names only what stands in the next ones.

A question of the inbox names its audit record, which is stored before the inbox says so; a record
names versions and texts of the library, which are stored before the record. So what is copied
first never names anything that the copies after it lack, however much is written meanwhile.
"""
FILES = (
    *(HEADS, CHECKPOINTS, ERASURES, PEOPLE, CHANNELS, ONTOLOGY, CALIBRATION, GLOSSARY, SETTINGS),
    *(KEY, AUDIT_KEY),
)
"""Copied before the databases: what was noted of the audit store must not be later than it."""
NAMES = frozenset((*DATABASES, *FILES))
_LARGEST = 1 << 60


class _Stated(BaseModel):
    model_config = ConfigDict(frozen=True)


class PartStated(_Stated):
    name: str
    size: int = Field(ge=0, le=_LARGEST)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class HeadStated(_Stated):
    entries: int = Field(ge=0)
    head: str


class Manifest(_Stated):
    format: int
    software: str
    made_at: datetime
    """In UTC, when it was begun: all that was stored by then is in it."""
    parts: tuple[PartStated, ...]
    audit: HeadStated | None = None
    """None where there was no audit store."""

    def has(self, name: str) -> bool:
        return any(part.name == name for part in self.parts)

    @property
    def size(self) -> int:
        """Bytes of all parts as they are unpacked."""
        return sum(part.size for part in self.parts)


def manifest_of(content: bytes, software: str) -> Manifest:
    """Read it; raise `BadArchive` where it is of a newer version than `software`, or wrong."""
    try:
        stated = json.loads(content)
        if isinstance(stated, dict) and _is_newer(stated, software):
            raise BadArchive(wording.newer(str(stated.get("software", "?")), software))
        manifest = Manifest.model_validate(stated)
    except (ValueError, RecursionError) as error:
        why = "its manifest is not understood"
        if isinstance(error, ValidationError):
            why += f" ({error.error_count()} faults)"
        raise BadArchive(wording.unusable(why)) from error
    names = [part.name for part in manifest.parts]
    if unknown := sorted(set(names) - NAMES):
        raise BadArchive(wording.unusable(f"its manifest names {unknown[0]!r}, which is no part"))
    if len(set(names)) < len(names):
        raise BadArchive(wording.unusable("its manifest names a part twice"))
    if manifest.has(AUDIT) != (manifest.audit is not None):
        raise BadArchive(wording.unusable("its manifest tells no head of the audit store"))
    return manifest


def _is_newer(stated: dict[str, object], software: str) -> bool:
    """Older programs may not understand the records of newer ones, whatever the tables' form."""
    found = stated.get("format")
    newer_format = isinstance(found, int) and found > FORMAT
    return newer_format or _release(str(stated.get("software", ""))) > _release(software)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number[:9]) for number in re.findall(r"\d+", version)[:3])


CHUNK = 1024 * 1024
_OWNERS_FILE = 0o100600 << 16
"""Of a plain file that is its owner's alone, as zip keeps it."""


def packed(archive: Path, paths: Sequence[Path], stated: Manifest, progress: Progress) -> Manifest:
    """Pack files by their names, durably; return `stated` with its parts."""
    total, done = sum(path.stat().st_size for path in paths), 0
    parts: list[PartStated] = []
    with open(archive, "x+b", opener=private) as file:
        with ZipFile(file, "w", ZIP_DEFLATED) as target:
            for path in paths:
                progress(done // CHUNK, total // CHUNK + 1, path.name)
                parts.append(_add(target, path, stated))
                done += parts[-1].size
            manifest = stated.model_copy(update={"parts": tuple(parts)})
            content = manifest.model_dump_json(indent=1).encode()
            target.writestr(_member(MANIFEST, manifest), content, ZIP_DEFLATED)
        progress(total // CHUNK + 1, total // CHUNK + 1, "")
        file.flush()
        os.fsync(file.fileno())
    return manifest


def put_in_place(made: Path, file: Path, *, replace: bool) -> None:
    """Give what was made its name; raise `WrongUse` where one is there, unless it is replaced."""
    if replace:
        made.replace(file)
    else:
        _link(made, file)
    sync_folder(file.parent)


def _link(made: Path, file: Path) -> None:
    """Unlike a rename, a link fails where the name was taken meanwhile."""
    try:
        os.link(made, file)
    except FileExistsError as error:
        raise WrongUse(wording.exists(file)) from error
    except OSError:  # this file system has no links
        if os.path.lexists(file):
            raise WrongUse(wording.exists(file)) from None
        made.rename(file)
    else:
        with suppress(OSError):
            made.unlink()


def _add(target: ZipFile, path: Path, stated: Manifest) -> PartStated:
    hashed, size = hashlib.sha256(), 0
    with (
        path.open("rb") as source,
        target.open(_member(path.name, stated), "w", force_zip64=True) as member,
    ):
        while chunk := source.read(CHUNK):
            hashed.update(chunk)
            member.write(chunk)
            size += len(chunk)
    return PartStated(name=path.name, size=size, sha256=hashed.hexdigest())


def _member(name: str, stated: Manifest) -> ZipInfo:
    at = stated.made_at
    member = ZipInfo(name, (at.year, at.month, at.day, at.hour, at.minute, at.second))
    member.compress_type = ZIP_DEFLATED
    member.external_attr = _OWNERS_FILE
    return member


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
        free, needed = shutil.disk_usage(folder).free, self.manifest.size
        if needed > free:
            raise BadArchive(wording.no_room(folder, needed, free))

    def unpack(self, folder: Path, progress: Progress) -> None:
        """Write every part into a folder of one's own, each under its name."""
        for done, part in enumerate(self.manifest.parts):
            progress(done, len(self.manifest.parts), part.name)
            with open(folder / part.name, "xb", opener=private) as target:
                for chunk in self._chunks(part):
                    target.write(chunk)
                target.flush()
                os.fsync(target.fileno())

    def _chunks(self, part: PartStated) -> Iterator[bytes]:
        """Raise at its end where it is not what the manifest says, to whose size zipfile keeps."""
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
    """See that it holds what its manifest names and nothing else; raise `BadArchive`."""
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
