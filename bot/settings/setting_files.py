"""Files of settings, as Kubernetes and Docker give secrets: who else may have written one."""

import grp
import os
import pwd
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from bot.errors import BadConfiguration


def distrusted(file: Path) -> str:
    """Why somebody else may have written it; empty where nobody can have."""
    target = file.resolve()
    for each in (file.parent, target.parent, target):
        try:
            status = each.stat()
        except OSError as error:
            return f"{each} cannot be looked at ({error.strerror})"
        if status.st_uid not in (os.geteuid(), 0):
            return f"{each} belongs to somebody else"
        if others_may_write(status):
            return f"others may write {each}; `chmod go-w` it"
    return "" if target.is_file() else "it is no file"


def others_may_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_alone_in(status.st_gid)


def _is_alone_in(group: int) -> bool:
    """Many systems give everybody a group of their own, which may then write what they make."""
    try:
        members = set(grp.getgrgid(group).gr_mem)
        me = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return members | {each.pw_name for each in pwd.getpwall() if each.pw_gid == group} <= {me}


PREFIX = "VOUCH_"
"""How the names of all settings begin."""


def settings_in(folder: Path) -> Mapping[str, str]:
    """What each file named as a setting holds; raise `BadConfiguration` if others may write."""
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
    """A read-only mount is unwritten whatever its modes say, as Kubernetes' secrets are."""
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


_NO_SECRETS = frozenset(
    (
        *("username", "account_name", "client_email", "subject", "tenant_id", "client_id"),
        *("endpoint_url", "anon", "known_hosts"),
    )
)


def parsed_keys(text: str) -> Mapping[str, Mapping[str, object]]:
    """Raise `ValueError`, which repeats none of it."""
    try:
        stated = yaml.safe_load(text) or {}
    except yaml.YAMLError:
        stated = None
    is_understood = isinstance(stated, dict) and all(
        isinstance(begins, str) and "://" in begins and isinstance(options, dict)
        for begins, options in stated.items()
    )
    if not is_understood:
        raise ValueError(
            "write each as `URL: {OPTION: VALUE}`, such as "
            "`webdavs://files.example.org: {username: vouch, password: ...}`"
        )
    return dict(stated or {})


def secrets_of_keys(text: str) -> Iterator[str]:
    """Each value that no message may repeat."""
    try:
        keys = parsed_keys(text)
    except ValueError:
        return
    for options in keys.values():
        yield from _texts({name: v for name, v in options.items() if name not in _NO_SECRETS})


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str | int) and len(str(value)) > 3:
        yield str(value)
