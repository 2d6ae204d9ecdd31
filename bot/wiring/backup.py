"""A backup of this bot, and a home made of one."""

import importlib.metadata
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.engines import empty_log
from audit.export import copy_entries
from audit.log import open_reader, open_writer
from audit.storing import store as audit_store
from audit.storing.tables import AuditTable
from bot.backup.archive import (
    AUDIT,
    AUDIT_KEY,
    CALIBRATION,
    CHANNELS,
    CHECKPOINTS,
    DATABASES,
    ERASURES,
    GLOSSARY,
    HEADS,
    INBOX,
    KEY,
    LIBRARY,
    ONTOLOGY,
    PEOPLE,
    SETTINGS,
    Archive,
    HeadStated,
    Manifest,
    opened,
)
from bot.backup.databases import Progress, SqlStore, sqlite_url
from bot.backup.making import (
    NOTE,
    BackedUp,
    FolderBackup,
    RestoredNote,
    back_up,
    back_up_into,
    demand_empty,
    explained,
    move_in,
    place_in,
)
from bot.errors import BackupFailed, BadArchive, WrongUse
from bot.quality.store import QualityRuns, QualityTable
from bot.settings import Settings, recorded
from bot.slack.inbox import database as inbox_database
from bot.slack.inbox.tables import METADATA as INBOX_TABLES
from bot.wiring.container import Container, Stores
from bot.wiring.erasing import erase_again, join_lists
from bot.wording import backups as wording
from bot.wording.redaction import Address
from retrieval.documents import database as library_database
from retrieval.documents.database import Seal, stated_keys
from retrieval.documents.tables import TABLES, state

if TYPE_CHECKING:
    from audit.proof.verification import Verification


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


def write_dated_backup(settings: Settings, progress: Progress = lambda *_: None) -> FolderBackup:
    """Write an archive without the library's key, and keep the newest; raise `WrongUse`."""
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
    always = (HEADS, CHECKPOINTS, ERASURES, PEOPLE, CHANNELS)
    named = {name: home / name for name in (*always, *((AUDIT_KEY,) if with_key else ()))}
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
        keys = stated_keys(stated)
        used = keys[0] if len(keys) == 1 else Stores(settings).library.key
        return used.hex().encode()
    try:
        return (settings.home / KEY).read_bytes()
    except FileNotFoundError as error:
        raise BackupFailed(wording.NO_KEY_TO_ADD) from error


def _head_of(audit: Path) -> HeadStated:
    with open_reader(sqlite_url(audit)) as reader:
        entries, head = reader.head()
    return HeadStated(entries=entries, head=head)


@dataclass(frozen=True, slots=True)
class Restored:
    manifest: Manifest
    passages: int
    set_aside: int
    """Questions that had no reply at the backup, and get none."""
    verification: "Verification | None"
    """Of the audit store; None where the archive has none."""
    to_set: Mapping[str, Path]
    """Settings that must name a file that came with the archive."""
    changed: Mapping[str, Any]
    """Other settings that held at the backup and do not now."""


def restore(
    settings: Settings,
    file: Path,
    *,
    without_library: bool = False,
    progress: Progress = lambda *_: None,
) -> Restored:
    """Make the home of the settings, and fill its databases, from an archive.

    Raise `BadArchive`; `WrongUse` where the home or a database holds anything, or the library's
    key is missing; `BackupFailed`, and what the stores and the index raise. Until all is made
    nothing is touched outside a folder in the home, which goes with a failure.
    """
    home, stores = settings.home, stores_of(settings)
    with (
        explained(wording.restoring(home), settings.secrets),
        opened(file, importlib.metadata.version("vouch")) as whole,
    ):
        archive = whole.without({LIBRARY, KEY} if without_library else ())
        demand_empty(home, stores)
        _demand_key(archive.manifest, settings)
        archive.demand_room(next(each for each in (home, *home.parents) if each.is_dir()))
        archive.check(progress)
        with place_in(home, stores) as place:
            passages, aside, verification = _made(archive, place.path, settings, progress)
            note = _note(archive.manifest, place.path)
            place.stays = True
            with explained(wording.interrupted(home), settings.secrets):
                for store in stores:
                    if store.file is None and archive.manifest.has(store.name):
                        store.load(place.path / store.name, progress)
                move_in(place.path, home, stores)
                (home / NOTE).write_text(note.model_dump_json(indent=1))
                os.sync()  # before the folder goes that says that it is not done
    return Restored(
        archive.manifest,
        passages,
        aside,
        verification,
        _to_set(archive.manifest, settings),
        _changed(note, settings),
    )


def _demand_key(manifest: Manifest, settings: Settings) -> None:
    stated = settings.library_key.get_secret_value() or (settings.home / KEY).exists()
    if manifest.has(LIBRARY) and not manifest.has(KEY) and not stated:
        raise WrongUse(wording.no_key(settings.home))


def _made(
    archive: Archive, place: Path, settings: Settings, progress: Progress
) -> tuple[int, int, "Verification | None"]:
    """Unpack, upgrade, embed; return passages, questions set aside, how the audit store holds."""
    archive.unpack(place, progress)
    _bring_key(settings.home / KEY, place / KEY)
    join_lists(settings.home / ERASURES, place / ERASURES)
    temporary = Container(_settings_in(place, settings))
    stores = temporary.stores
    verification, aside, passages = None, 0, 0
    if archive.manifest.audit is not None:
        stores.audit_writer.close()
        with stores.audit_reader as reader:
            verification = reader.verify(archive.manifest.audit.head)
    if archive.manifest.has(INBOX):
        from bot.slack.inbox.removals import set_aside

        aside = set_aside(sqlite_url(place / INBOX), datetime.now(UTC))
    if archive.manifest.audit is not None:
        erase_again(sqlite_url(place / AUDIT), sqlite_url(place / INBOX), place / ERASURES)
    if archive.manifest.has(LIBRARY):
        stores.library.become_another()  # an index on a server may be the first one's still
        passages = temporary.ingest.embed_all(progress)
    for name in filter(archive.manifest.has, DATABASES):
        empty_log(place / name)  # so that it can be moved alone
    return passages, aside, verification


def _bring_key(stands: Path, packed: Path) -> None:
    if not stands.exists():
        return
    if not packed.exists():
        shutil.copyfile(stands, packed)
    elif packed.read_bytes().strip() != stands.read_bytes().strip():
        raise WrongUse(wording.other_key(stands))


def _settings_in(place: Path, settings: Settings) -> Settings:
    """The same, with everything in the folder in which the home is made."""
    changes: dict[str, Any] = {"home": place, "ontology": settings.ontology}
    if (place / ONTOLOGY).exists() and not (settings.ontology and settings.ontology.exists()):
        changes["ontology"] = place / ONTOLOGY
    urls = {name: Address("") for name in ("audit_url", "library_url", "inbox_url")}
    return settings.model_copy(update={**changes, **urls})


def _note(manifest: Manifest, place: Path) -> RestoredNote:
    kept = place / SETTINGS
    try:
        return RestoredNote(
            restored_at=datetime.now(UTC),
            made_at=manifest.made_at,
            software=manifest.software,
            audit=manifest.audit,
            settings=json.loads(kept.read_bytes()) if kept.exists() else {},
        )
    except (ValueError, RecursionError) as error:
        raise BadArchive(wording.unusable("its settings are not understood")) from error


def _to_set(manifest: Manifest, settings: Settings) -> dict[str, Path]:
    files = {"ontology": ONTOLOGY, "calibration": CALIBRATION, "glossary": GLOSSARY}
    missing = {
        name: file
        for name, file in files.items()
        if manifest.has(file) and not ((now := getattr(settings, name)) and now.exists())
    }
    home = settings.home.absolute()
    return {f"VOUCH_{name.upper()}": home / file for name, file in missing.items()}


def _changed(note: RestoredNote, settings: Settings) -> dict[str, Any]:
    now = settings_of(settings)
    files = ("VOUCH_ONTOLOGY", "VOUCH_CALIBRATION", "VOUCH_GLOSSARY")
    return {
        name: then
        for name, then in note.settings.items()
        if name in now and name not in files and now[name] != then
    }


def stores_of(settings: Settings) -> tuple[SqlStore, ...]:
    """All that there are, whether they are made yet or not."""
    return (
        SqlStore(
            INBOX,
            inbox_database.STORE.parse(settings.inbox_database),
            [*INBOX_TABLES.sorted_tables, *QualityTable.metadata.sorted_tables],
            inbox_database.REVISIONS,
            _make_inbox,
        ),
        SqlStore(
            AUDIT,
            audit_store.STORE.parse(settings.audit_database),
            AuditTable.metadata.sorted_tables,
            audit_store.REVISIONS,
            lambda url: open_writer(url).close(),
            copied_by=copy_entries,
        ),
        SqlStore(
            LIBRARY,
            library_database.STORE.parse(settings.library_database),
            TABLES.sorted_tables,
            library_database.REVISIONS,
            _make_library,
            made_with=[state],
        ),
    )


def _make_inbox(url: str) -> None:
    engine = inbox_database.open_engine(inbox_database.STORE.parse(url))
    QualityRuns(lambda: inbox_database.STORE.transaction(engine))
    engine.dispose()


def _make_library(url: str) -> None:
    """What is sealed with no key here, which key is the library's, is copied over."""
    library_database.Database(url, Seal(b""))
