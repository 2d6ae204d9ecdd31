"""A backup: each part copied beside the archive, then packed, then given its name.

Dated archives may gather in a folder, of which the newest are kept.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.backup.archive import AUDIT, DATABASES, FORMAT, HeadStated, Manifest, packed, put_in_place
from bot.backup.databases import Progress, SqlStore
from bot.backup.workplace import explained, workplace
from bot.errors import BackupFailed, WrongUse
from bot.wording import backups as wording

UNFINISHED = ".vouch-backup"
"""The folder beside an archive that is being written."""


@dataclass(frozen=True, slots=True)
class BackedUp:
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


_DATED = re.compile(r"vouch-\d{8}T\d{6}Z\.zip")
"""In UTC, so that names sort as times do."""


@dataclass(frozen=True, slots=True)
class FolderBackup:
    made: BackedUp
    removed: int
    """How many older archives went."""


def back_up_into(
    folder: Path, most: int, write: Callable[[Path], BackedUp], now: datetime
) -> FolderBackup:
    """Write an archive named by its time, and keep the newest `most` of the folder.

    Older ones go only when the new one stands. Raise `BackupFailed`, and what `write` raises.
    """
    with explained(wording.writing(folder), ()):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = write(folder / f"vouch-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip")
    with explained(wording.tidying(folder), ()):
        return FolderBackup(made, keep_newest(folder, most, made.file))


def keep_newest(folder: Path, most: int, made: Path) -> int:
    """Remove all but the newest archives that this module named, and nothing else; how many.

    The one that was just made is the newest, whatever a clock that was wrong called others.
    """
    dated = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name))
    others = [path for path in dated if path.name != made.name]
    old = others[: max(0, len(others) - (most - 1))]
    for path in old:
        path.unlink()
    return len(old)
