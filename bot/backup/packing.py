"""An archive is written whole or not at all: a zip whose last member says what the others are.

Nothing is known of an archive that has no manifest, so one that was cut off is none.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bot.backup.manifest import MANIFEST, Manifest, PartStated
from bot.backup.rows import Progress
from bot.errors import WrongUse
from bot.wording import backups as wording

CHUNK = 1024 * 1024
_OWNERS_FILE = 0o100600 << 16
"""Of a plain file that is its owner's alone, as zip keeps it."""


def packed(archive: Path, paths: Sequence[Path], stated: Manifest, progress: Progress) -> Manifest:
    """Pack files by their names into a new archive, which is on the disk when this returns.

    `stated` lacks its parts; the manifest that has them is returned.
    """
    total, done = sum(path.stat().st_size for path in paths), 0
    parts: list[PartStated] = []
    with _new_file(archive) as file:
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
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


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


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w+b") as file:
        yield file


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
