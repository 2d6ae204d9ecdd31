"""Settings that are files of one folder, as Kubernetes and Docker give secrets."""

import os
from collections.abc import Mapping
from pathlib import Path

from bot.errors import BadConfiguration
from bot.settings.writable import distrusted

PREFIX = "VOUCH_"
"""How the names of all settings begin."""


def settings_in(folder: Path) -> Mapping[str, str]:
    """Return what each file that is called as a setting holds, without the line's end, by its name.

    Raise `BadConfiguration`, also where others may write one of them, or one says where the home
    is, which the environment alone does.
    """
    try:
        files = [each for each in folder.iterdir() if each.name.upper().startswith(PREFIX)]
        for each in files:
            _demand_unwritten(each)
        found = {each.name.upper(): each.read_text("utf-8").rstrip("\r\n") for each in files}
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(
            f"VOUCH_SECRETS_FOLDER names {folder}, which cannot be read ({error}). See that it is "
            "a folder of text files that the bot's user may read."
        ) from error
    demand_no_folder(folder, found, "VOUCH_HOME")
    return found


def _demand_unwritten(file: Path) -> None:
    """What is mounted to be read alone nobody here can write, whatever its modes say.

    So are Kubernetes' secrets, in a folder that everybody could write by its mode.
    """
    mounted_to_read = os.statvfs(file).f_flag & os.ST_RDONLY
    if not mounted_to_read and (why := distrusted(file)):
        raise BadConfiguration(
            f"{file} of VOUCH_SECRETS_FOLDER is not read: {why}. Keep that folder to the bot's "
            "user or root, or mount it to be read alone."
        )


def demand_no_folder(place: Path, stated: Mapping[str, str], *more: str) -> None:
    """Raise `BadConfiguration` where a file states what counts in the environment alone."""
    for name in ("VOUCH_SECRETS_FOLDER", *more):
        if stated.get(name):
            raise BadConfiguration(
                f"{place} sets {name}, which counts in the environment alone. Set it there, and "
                "take it out of that file."
            )
