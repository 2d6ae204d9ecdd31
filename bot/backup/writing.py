"""A backup: each part copied beside the archive first, then packed, then given its name."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.backup.databases import SqlStore
from bot.backup.failures import explained
from bot.backup.manifest import AUDIT, DATABASES, FORMAT, HeadStated, Manifest
from bot.backup.packing import packed, put_in_place
from bot.backup.rows import Progress
from bot.backup.workplace import workplace
from bot.errors import BackupFailed, WrongUse
from bot.wording import backups as wording

UNFINISHED = ".vouch-backup"
"""The folder beside an archive that is being written."""


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What an archive came to."""

    file: Path
    parts: int
    bytes: int
    """Of the archive."""
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

    The stores are copied in the order of `manifest.DATABASES`; `files` were read before. `head_of`
    tells the newest entry of an audit store in a file. `secrets` are kept out of messages. Raise
    `WrongUse` where there is such a file and it is not replaced, and `BackupFailed` where anything
    keeps the archive from being written.
    """
    started, made_at = time.monotonic(), datetime.now(UTC)
    if file.exists() and not replace:
        raise WrongUse(wording.exists(file))
    with explained(wording.writing(file), secrets), workplace(file.parent / UNFINISHED) as place:
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
