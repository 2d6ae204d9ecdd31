"""The home's folder is its owner's alone: it holds documents and what people asked."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bot.errors import BadConfiguration

OTHERS = stat.S_IRWXG | stat.S_IRWXO
UMASK = OTHERS
"""What is made is its owner's alone, whatever the shell's own mask is."""

OURS = (
    *(
        "audit.sqlite",
        "inbox.sqlite",
        "library.sqlite",
        "library.key",
        "workspace",
        "index",
        "ingest.lock",
    ),
    *("people.yaml", "channels.yaml", ".env", "sample", "restoring", "restored.json"),
    *("audit-heads.txt", "web.sqlite", "web.json"),
)
"""How the names of what is in a home begin."""


def own_home(home: Path) -> None:
    """Make it where there is none, and shut everybody else out, from old files too.

    Raise `BadConfiguration` where that cannot be done, or would take a folder from others
    that is not Vouch's.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _demand_own(home)
        _shut(home)  # first, so that nobody comes in meanwhile
        for path in _held(home):
            with suppress(FileNotFoundError, PermissionError):  # gone; of another user, but inside
                _shut(path)
    except OSError as error:
        raise BadConfiguration(
            f"The home {home} cannot be made or kept to its owner ({error.strerror}). "
            "Set VOUCH_HOME to a folder that may be written to."
        ) from error


def home_to_read(home: Path) -> None:
    """Shut everybody else out where that can be done; make nothing.

    Raise `BadConfiguration` where there is no home.
    """
    demand_home(home)
    if os.access(home, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        own_home(home)


def demand_home(home: Path) -> None:
    """Raise `BadConfiguration` where there is no home, as after a misspelt VOUCH_HOME."""
    if not home.is_dir():
        what = "is no folder" if home.exists() else "is not there"
        raise BadConfiguration(
            f"The home {home.absolute()} {what}. Set VOUCH_HOME to the folder that the bot uses, "
            "or make one by reading documents in: `vouch ingest FOLDER`."
        )


def _demand_own(home: Path) -> None:
    status = home.stat()
    if os.geteuid() not in (status.st_uid, 0):
        raise BadConfiguration(
            f"The home {home} belongs to another user, who could read what is in it. Run Vouch "
            "as that user, or set VOUCH_HOME to a folder of your own."
        )
    held = [each.name for each in home.iterdir()] if status.st_mode & OTHERS else []
    if held and not any(name.startswith(OURS) for name in held):
        raise BadConfiguration(
            f"The home {home} holds things that are not Vouch's, and others may open it. Set "
            f"VOUCH_HOME to a folder for Vouch alone, or close this one: chmod 700 {home}"
        )


def _held(home: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(home):
        paths = (Path(folder, name) for name in (*folders, *files))
        yield from (path for path in paths if not path.is_symlink())


def _shut(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & OTHERS:
        path.chmod(mode & ~OTHERS)
