"""What is said of backups, and of homes that were restored from one."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from bot.wording import minute

NOTHING_THERE = (
    "There is nothing to back up: the home holds no library, no audit store and no inbox. Set "
    "VOUCH_HOME to the folder that the bot uses."
)
NO_FOLDER = (
    "Name the archive to write: `vouch backup FILE`. Or set VOUCH_BACKUP_FOLDER, for dated ones "
    "of which the newest are kept."
)
NO_KEY_IN_IT = (
    "No key is in it. Keep library.key and audit.key (or VOUCH_LIBRARY_KEY and VOUCH_AUDIT_KEY) "
    "elsewhere: without the first the library cannot be opened again, and without the second the "
    "audit log does not verify."
)
KEY_IN_IT = (
    "The library's key is in it, and audit.key where the home has one: whoever has the archive can "
    "forge what is quoted, and sign the log."
)
NO_KEY_TO_ADD = (
    "The library's key is not there, so it cannot go into the archive. Set VOUCH_LIBRARY_KEY, or "
    "bring library.key back."
)
WITHOUT_LIBRARY = "The library is not restored. Read your documents in anew: `vouch ingest FOLDER`."
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def exists(file: Path) -> str:
    return f"{file} is there already, and is left as it is. Name another, or replace it: --force"


def busy(folder: Path) -> str:
    return f"Another backup or restore is at work in {folder}. Wait until it ends."


def writing(file: Path) -> str:
    return f"The backup {file} is not written, and nothing of it is left"


def tidying(folder: Path) -> str:
    return f"The backup is written, but older ones in {folder} cannot be removed"


def restoring(home: Path) -> str:
    return f"The home {home} is not restored, and nothing of it is left"


def interrupted(home: Path) -> str:
    return f"The home {home} is half restored: run `vouch restore` again, which begins anew"


def failed(doing: str, reason: str, *, disk_is_full: bool) -> str:
    advice = (
        "The disk is full: free some space, or choose another disk"
        if disk_is_full
        else "See that the disk has room, that you may write there, and that databases can be read"
    )
    return f"{doing} ({reason}). {advice}."


def other_revision(name: str, found: str, wanted: str) -> str:
    return (
        f"The database of {name} has revision {found}, and this program reads {wanted}. Take the "
        "backup with the version of Vouch that runs on it, or start this one once before."
    )


def written(file: Path, parts: int, size: int, seconds: float) -> str:
    return f"{file}: {parts} parts, {in_bytes(size)}, in {seconds:.1f} seconds"


def head(entries: int, value: str) -> str:
    return f"Audit store: {entries} entries, head {value}. Note the head somewhere else."


def older_removed(count: int) -> str:
    return f"{count} older archives removed"


def unusable(why: str) -> str:
    return f"This is no archive that can be restored: {why}. Nothing was written. Take another one."


def newer(theirs: str, ours: str) -> str:
    return (
        f"The archive was made by Vouch {theirs}, and this is {ours}, which may not understand it. "
        "Nothing was written. Install that version, or a newer one."
    )


def no_room(folder: Path, needed: int, free: int) -> str:
    return (
        f"The archive unpacks to more than {folder} has room for: {in_bytes(needed)} are needed, "
        f"{in_bytes(free)} are free. Nothing was written."
    )


def no_key(home: Path) -> str:
    return (
        "The archive does not hold the library's key, and without it the library cannot be "
        f"opened. Put the library.key of then into {home}, or set VOUCH_LIBRARY_KEY, and run this "
        "again. Nothing was written. If it is lost, --without-library restores the rest."
    )


def other_key(file: Path) -> str:
    return (
        f"The archive holds another key than {file}, and its library opens with its own alone. "
        "Move that file away, and run this again. Nothing was written."
    )


def home_holds(home: Path, name: str) -> str:
    return (
        f"The home {home} is not empty: it holds {name}. A backup is restored only where nothing "
        "is lost by it. Set VOUCH_HOME to a new folder, or move the old home away."
    )


def database_holds(name: str, *, on_server: bool) -> str:
    where = "database on its server" if on_server else "database that its setting names"
    return (
        f"The {where} for {name} already holds something. A backup is restored only where nothing "
        "is lost by it. Make a new, empty database; so too if an earlier restore was interrupted."
    )


def half_restored(home: Path) -> str:
    return (
        f"The home {home} is half restored: a restore was interrupted, or is still at work. Run "
        "`vouch restore FILE` again, which begins anew."
    )


def restored(home: Path, made_at: datetime, passages: int) -> str:
    return (
        f"{home} is as it was on {minute(made_at)}; {passages} passages embedded anew. What came "
        "later is not in it."
    )


def set_aside(count: int) -> str:
    return (
        f"{count} questions had no reply yet at the backup. They may have been answered since, so "
        "they are not answered now; who still waits must ask again."
    )


def set_this(name: str, value: object) -> str:
    return f"Set {name}={value} in the environment or in .env, as it was at the backup."


def other_settings(changed: Mapping[str, object]) -> str:
    listed = ", ".join(f"{name}={value}" for name, value in changed.items())
    return f"Other settings than at the backup, when these held: {listed}"


def went_back(restored_at: datetime, made_at: datetime, entries: int) -> str:
    """What an unknown head means where the home was restored."""
    return (
        f"This home was restored on {minute(restored_at)} from a backup of {minute(made_at)}, with "
        f"{entries} entries. If the head was noted after that backup, the log went back to "
        "before it: the entries in between were not in the backup, and are lost here."
    )


def in_bytes(size: int) -> str:
    amount, unit = float(size), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit else f"{size} bytes"
