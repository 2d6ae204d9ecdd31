"""A backup of this bot."""

import importlib.metadata
import json
from datetime import UTC, datetime
from pathlib import Path

from audit.log import open_reader
from bot.backup.databases import sqlite_url
from bot.backup.failures import explained
from bot.backup.keeping import Kept, back_up_into
from bot.backup.manifest import (
    CALIBRATION,
    CHANNELS,
    GLOSSARY,
    HEADS,
    KEY,
    ONTOLOGY,
    PEOPLE,
    SETTINGS,
    HeadStated,
)
from bot.backup.rows import Progress
from bot.backup.writing import BackedUp, back_up
from bot.errors import BackupFailed, WrongUse
from bot.settings import Settings
from bot.wiring.databases import stores_of
from bot.wiring.recorded import recorded
from bot.wording import backups as wording


def write_backup(
    settings: Settings,
    file: Path,
    *,
    with_key: bool = False,
    replace: bool = False,
    progress: Progress = lambda *_: None,
) -> BackedUp:
    """Write one archive; raise `WrongUse`, `BackupFailed`, and what the stores raise."""
    with explained(wording.writing(file), settings.secrets):
        files = _files_of(settings, with_key=with_key)
    return back_up(
        file,
        stores_of(settings),
        files,
        _head_of,
        importlib.metadata.version("vouch"),
        settings.secrets,
        replace=replace,
        progress=progress,
    )


def write_dated_backup(settings: Settings, progress: Progress = lambda *_: None) -> Kept:
    """Write an archive into the folder of the settings, and keep the newest there.

    Without the library's key. Raise `WrongUse` where no folder is set, and as `write_backup`.
    """
    if settings.backup_folder is None:
        raise WrongUse(wording.NO_FOLDER)
    return back_up_into(
        settings.backup_folder,
        settings.backups_kept,
        lambda file: write_backup(settings, file, progress=progress),
        datetime.now(UTC),
    )


def _files_of(settings: Settings, *, with_key: bool) -> dict[str, bytes]:
    home = settings.home
    named = {HEADS: home / HEADS, PEOPLE: home / PEOPLE, CHANNELS: home / CHANNELS}
    files = {name: path.read_bytes() for name, path in named.items() if path.exists()}
    chosen = {
        ONTOLOGY: settings.ontology,
        CALIBRATION: settings.calibration,
        GLOSSARY: settings.glossary,
    }
    files |= {name: path.read_bytes() for name, path in chosen.items() if path is not None}
    files[SETTINGS] = json.dumps(settings_of(settings), indent=1).encode()
    return files | ({KEY: _key_of(settings)} if with_key else {})


def settings_of(settings: Settings) -> dict[str, object]:
    """By the names under which they are set; none of them a secret."""
    return {f"VOUCH_{name.upper()}": value for name, value in recorded(settings).items()}


def _key_of(settings: Settings) -> bytes:
    """As a file `library.key` holds it, wherever it stands."""
    if stated := settings.library_key.get_secret_value():
        return stated.encode().hex().encode()
    try:
        return (settings.home / KEY).read_bytes()
    except FileNotFoundError as error:
        raise BackupFailed(wording.NO_KEY_TO_ADD) from error


def _head_of(audit: Path) -> HeadStated:
    with open_reader(sqlite_url(audit)) as reader:
        entries, head = reader.head()
    return HeadStated(entries=entries, head=head)
