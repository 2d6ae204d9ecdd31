"""A backup is made beside where it will stand, and a home of one in a folder inside it.

Each part of a backup is copied, then packed, then given its name; dated archives may gather in a
folder, of which the newest are kept. Until a home is whole every command says that it is half
restored. A restore that fails before it moves anything leaves nothing; one that is killed is begun
anew by the next. Its folder lies in the home and not beside it: a home may be a mount, and what is
above it another's.
"""

import errno
import fcntl
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, LargeZipFile

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.backup import UNFINISHED, is_half_restored
from bot.backup.archive import (
    AUDIT,
    AUDIT_KEY,
    DATABASES,
    ERASURES,
    FORMAT,
    KEY,
    NAMES,
    SETTINGS,
    HeadStated,
    Manifest,
    packed,
    put_in_place,
)
from bot.backup.databases import Progress, SqlStore
from bot.errors import BackupFailed, WrongUse
from bot.wording import backups as wording
from bot.wording.redaction import without


@dataclass(slots=True)
class Workplace:
    path: Path
    left_over: bool
    """Another process left it, which was killed."""
    stays: bool = False


@contextmanager
def workplace(path: Path) -> Iterator[Workplace]:
    """Make it, locked, for its owner alone, and remove it; raise `BackupFailed` where held."""
    found = os.path.lexists(path)
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _lock(handle, path)
        clear(path)
        place = Workplace(path, found)
        try:
            yield place
        except BaseException:
            if not place.stays:
                shutil.rmtree(path, ignore_errors=True)
            raise
        shutil.rmtree(path)
    finally:
        os.close(handle)


def clear(path: Path) -> None:
    """Remove all that is in a folder; a link is removed, not what it leads to."""
    for each in path.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BackupFailed(wording.busy(path)) from error
    found, held = path.stat(), os.fstat(handle)
    if (found.st_dev, found.st_ino) != (held.st_dev, held.st_ino):
        raise BackupFailed(wording.busy(path))  # another one ended, and removed it, just now


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def explained(doing: str, secrets: Iterable[str]) -> Iterator[None]:
    """Turn what files and databases raise into `BackupFailed`, none of the secrets in it."""
    try:
        yield
    except (OSError, sqlite3.Error, SQLAlchemyError, LargeZipFile, BadZipFile) as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        reason = getattr(cause, "strerror", None) or str(cause)
        words = without(secrets, " ".join(reason.split()).rstrip("."))
        full = _is_full(cause)
        raise BackupFailed(wording.failed(doing, words, disk_is_full=full)) from error


def _is_full(cause: BaseException) -> bool:
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorname", "") == "SQLITE_FULL"
    return isinstance(cause, OSError) and cause.errno in _FULL


_WRITING = ".vouch-backup"
"""The folder beside an archive that is being written."""


@dataclass(frozen=True, slots=True)
class BackedUp:
    file: Path
    parts: int
    bytes: int
    seconds: float
    head: HeadStated | None
    """The audit store's newest entry in it; None where there was no audit store."""


def back_up(
    file: Path,
    stores: Sequence[SqlStore],
    files: Mapping[str, bytes],
    head_of: Callable[[Path], HeadStated],
    software: str,
    secrets: Sequence[str] = (),
    *,
    replace: bool = False,
    progress: Progress = lambda *_: None,
) -> BackedUp:
    """Write one archive of all stores and files, or nothing, while others write to the stores.

    `files` were read before; `head_of` tells the newest entry of an audit store in a file;
    `secrets` are kept out of messages. Raise `WrongUse` where there is such a file, and
    `BackupFailed`.
    """
    started, made_at = time.monotonic(), datetime.now(UTC)
    if file.exists() and not replace:
        raise WrongUse(wording.exists(file))
    with explained(wording.writing(file), secrets), workplace(file.parent / _WRITING) as place:
        saved = list(_saved(stores, place.path, progress))
        if not saved:
            raise BackupFailed(wording.NOTHING_THERE)
        audit = place.path / AUDIT
        head = head_of(audit) if audit in saved else None
        made = place.path / "archive"
        stated = Manifest(format=FORMAT, software=software, made_at=made_at, parts=(), audit=head)
        manifest = packed(made, [*saved, *_written(files, place.path)], stated, progress)
        size = made.stat().st_size
        put_in_place(made, file, replace=replace)
    return BackedUp(file, len(manifest.parts), size, time.monotonic() - started, head)


def _saved(stores: Sequence[SqlStore], folder: Path, progress: Progress) -> Iterator[Path]:
    for store in sorted(stores, key=lambda store: DATABASES.index(store.name)):
        if store.save(folder / store.name, progress):
            yield folder / store.name


def _written(files: Mapping[str, bytes], folder: Path) -> list[Path]:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files]


_DATED = re.compile(r"vouch-\d{8}T\d{6}Z\.zip")
"""In UTC, so that names sort as times do."""


@dataclass(frozen=True, slots=True)
class FolderBackup:
    made: BackedUp
    removed: int


def back_up_into(
    folder: Path, most: int, write: Callable[[Path], BackedUp], now: datetime
) -> FolderBackup:
    """Write one named by its time, and then keep the newest `most`; raise `BackupFailed`."""
    with explained(wording.writing(folder), ()):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = write(folder / f"vouch-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip")
    with explained(wording.tidying(folder), ()):
        return FolderBackup(made, keep_newest(folder, most, made.file))


def keep_newest(folder: Path, most: int, made: Path) -> int:
    """Remove all but the newest that this module named, and `made`; how many."""
    dated = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name))
    others = [path for path in dated if path.name != made.name]
    old = others[: max(0, len(others) - (most - 1))]
    for path in old:
        path.unlink()
    return len(old)


NOTE = "restored.json"
INDEX = "index"
MAY_STAND = frozenset({".env", KEY, AUDIT_KEY, ERASURES, UNFINISHED, "lost+found"})
"""What a home may hold before it is restored: how it is set up, and what was put back, keys and
the list of what was erased since."""
_BESIDE = (".lock", "-wal", "-shm")
"""Endings of what databases keep beside their files, and make anew."""


class RestoredNote(BaseModel):
    model_config = ConfigDict(frozen=True)

    restored_at: datetime
    made_at: datetime
    software: str
    audit: HeadStated | None
    settings: Mapping[str, Any]
    """At the backup, without secrets."""


def note_of(home: Path) -> RestoredNote | None:
    """What stands in a home of its restore; None where it was never restored."""
    with suppress(OSError, ValidationError):
        return RestoredNote.model_validate_json((home / NOTE).read_bytes())
    return None


@contextmanager
def place_in(home: Path, stores: Sequence[SqlStore]) -> Iterator[Workplace]:
    """Clear what an interrupted restore left; raise `WrongUse` where there is more than that."""
    made = not home.exists()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with workplace(home / UNFINISHED) as place:
            if place.left_over:
                place.stays = True
                _clear_left(home)
                _demand_empty(home, stores)
                place.stays = False
            yield place
    finally:
        if made and not any(home.iterdir()):
            home.rmdir()


def move_in(place: Path, home: Path, stores: Sequence[SqlStore]) -> None:
    """Move what was made into the home, each database to where its setting says."""
    targets = {store.name: store.file for store in stores}
    for made in sorted(place.iterdir()):
        if made.name == SETTINGS or made.name.endswith(_BESIDE):
            continue
        target = targets.get(made.name, home / made.name)
        if target is not None:  # else it went to a server
            _put(made, target)


def demand_empty(home: Path, stores: Sequence[SqlStore]) -> None:
    """Raise `WrongUse` where something is in the way that no interrupted restore left."""
    if not is_half_restored(home):
        _demand_empty(home, stores)


def _demand_empty(home: Path, stores: Sequence[SqlStore]) -> None:
    if home.exists() and not home.is_dir():
        raise WrongUse(wording.home_holds(home, home.name))
    held = sorted(each.name for each in home.iterdir()) if home.exists() else []
    if stands := [name for name in held if name not in MAY_STAND]:
        raise WrongUse(wording.home_holds(home, stands[0]))
    for store in stores:
        if store.is_taken():
            raise WrongUse(wording.database_holds(store.name, on_server=store.file is None))


def _clear_left(home: Path) -> None:
    """Remove what an interrupted restore had moved in; other things are somebody's own."""
    ours = {*NAMES, NOTE, INDEX} - {KEY, AUDIT_KEY, ERASURES}
    for each in home.iterdir():
        name = each.name
        for ending in _BESIDE:
            name = name.removesuffix(ending)
        if name in ours or name == "ingest":
            _remove(each)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        clear(path)
        path.rmdir()
    else:
        path.unlink()


def _put(made: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        made.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV or made.is_dir():
            raise
        beside = target.with_name(f"{target.name}.{UNFINISHED}")
        shutil.copyfile(made, beside)
        beside.chmod(0o600)
        beside.rename(target)
