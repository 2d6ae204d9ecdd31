"""A home is made of an archive in a folder inside it, which stands there until all is in place.

Until then every command says that the home is half restored. A restore that fails before it moves
anything leaves nothing; one that is killed is begun anew by the next. The folder lies in the home
and not beside it: a home may be a mount, and what is above it another's.
"""

import errno
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.backup import UNFINISHED, is_half_restored
from bot.backup.archive import AUDIT_KEY, ERASURES, KEY, NAMES, SETTINGS, HeadStated
from bot.backup.databases import SqlStore
from bot.backup.workplace import Workplace, clear, workplace
from bot.errors import WrongUse
from bot.wording import backups as wording

NOTE = "restored.json"
INDEX = "index"
MAY_STAND = frozenset({".env", KEY, AUDIT_KEY, ERASURES, UNFINISHED, "lost+found"})
"""What a home may hold before it is restored: how it is set up, and what was put back, keys and
the list of what was erased since."""
_BESIDE = (".lock", "-wal", "-shm")
"""Endings of what databases keep beside their files, and make anew."""


class RestoredNote(BaseModel):
    """What a restored home knows of where it came from."""

    model_config = ConfigDict(frozen=True)

    restored_at: datetime
    made_at: datetime
    software: str
    """The version that made the backup."""
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
    """Make the folder in which a home is made; where that fails the home is as it was.

    What an interrupted restore left is removed. Raise `WrongUse` where there is more than that.
    """
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
