"""A home of this bot, made of a backup."""

import importlib.metadata
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.address import Address
from bot.backup.archive import Archive, opened
from bot.backup.databases import close_log, sqlite_url
from bot.backup.failures import explained
from bot.backup.manifest import (
    CALIBRATION,
    DATABASES,
    GLOSSARY,
    INBOX,
    KEY,
    LIBRARY,
    ONTOLOGY,
    SETTINGS,
    Manifest,
)
from bot.backup.restoring import NOTE, RestoredNote, demand_empty, move_in, place_in
from bot.backup.rows import Progress
from bot.errors import BadArchive, WrongUse
from bot.settings import Settings
from bot.wiring.backing_up import settings_of
from bot.wiring.container import Container
from bot.wiring.databases import stores_of
from bot.wording import backups as wording

if TYPE_CHECKING:
    from audit.verification import Verification


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore came to."""

    manifest: Manifest
    passages: int
    """Embedded anew."""
    set_aside: int
    """Questions that had no reply at the backup, and get none."""
    verification: "Verification | None"
    """Of the audit store; None where the archive has none."""
    to_set: Mapping[str, Path]
    """Settings that must name a file that came with the archive."""
    changed: Mapping[str, Any]
    """Other settings that held at the backup and do not now."""


@dataclass(frozen=True, slots=True)
class _Made:
    passages: int
    set_aside: int
    verification: "Verification | None"


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
            made = _made(archive, place.path, settings, progress)
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
        made.passages,
        made.set_aside,
        made.verification,
        _to_set(archive.manifest, settings),
        _changed(note, settings),
    )


def _demand_key(manifest: Manifest, settings: Settings) -> None:
    stated = settings.library_key.get_secret_value() or (settings.home / KEY).exists()
    if manifest.has(LIBRARY) and not manifest.has(KEY) and not stated:
        raise WrongUse(wording.no_key(settings.home))


def _made(archive: Archive, place: Path, settings: Settings, progress: Progress) -> _Made:
    """Unpack, bring up what an earlier version made, and make the index anew."""
    archive.unpack(place, progress)
    _bring_key(settings.home / KEY, place / KEY)
    temporary = Container(_settings_in(place, settings))
    verification, aside, passages = None, 0, 0
    if archive.manifest.audit is not None:
        temporary.audit_writer.close()
        with temporary.audit_reader as reader:
            verification = reader.verify(archive.manifest.audit.head)
    if archive.manifest.has(INBOX):
        from bot.slack.inbox.removals import set_aside

        aside = set_aside(sqlite_url(place / INBOX), datetime.now(UTC))
    if archive.manifest.has(LIBRARY):
        temporary.library.become_another()  # an index on a server may be the first one's still
        passages = temporary.ingest.embed_all(progress)
    for name in filter(archive.manifest.has, DATABASES):
        close_log(place / name)
    return _Made(passages, aside, verification)


def _bring_key(stands: Path, packed: Path) -> None:
    """Use the key that was put into the home, where none came with the archive."""
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
