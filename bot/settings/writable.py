"""Who else may have written a file of settings."""

import grp
import os
import pwd
import stat
from pathlib import Path


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
    """Whether anybody but its owner and root may."""
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
