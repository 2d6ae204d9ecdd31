"""Archives as `vouch backup` writes them, and as somebody else would."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import sample_records
from vouch_home import Finished, Home

Change = Callable[[dict[str, Any]], None]


def back_up(home: Home, file: Path, *options: str) -> Finished:
    return home.does("backup", file, *options)


def empty_beside(home: Home, name: str = "restored", *, with_key: bool = True) -> Home:
    """An empty home with the library's key of another in it, as its keeper puts it back."""
    new = replace(home, path=home.path.parent / name)
    if with_key:
        new.path.mkdir()
        (new.path / "library.key").write_bytes((home.path / "library.key").read_bytes())
    return new


def head_of(home: Home) -> str:
    verified = home.does("audit", "verify", "--json")
    head: str = verified.json["head"]
    return head


def parts_of(archive: Path) -> dict[str, bytes]:
    with ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def contents(home: Home) -> dict[str, bytes]:
    files = (each for each in home.path.rglob("*") if each.is_file())
    return {str(each.relative_to(home.path)): each.read_bytes() for each in files}


def forged(
    archive: Path,
    parts: Mapping[str, bytes],
    change: Change = lambda _: None,
    members: Callable[[ZipFile], None] = lambda _: None,
) -> Path:
    stated = [
        {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in parts.items()
    ]
    manifest: dict[str, Any] = {
        "format": 1,
        "software": "0.0.1",
        "made_at": "2026-01-01T00:00:00Z",
        "parts": stated,
        "audit": {"entries": 0, "head": ""} if "audit.sqlite" in parts else None,
    }
    change(manifest)
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
        members(file)
        file.writestr("manifest.json", json.dumps(manifest))
    return archive


def special(name: str, mode: int, content: bytes = b"/etc/passwd") -> Callable[[ZipFile], None]:
    """A member that is a link or a device where somebody unpacks it trustingly."""

    def add(file: ZipFile) -> None:
        member = ZipInfo(name)
        member.external_attr = mode << 16
        file.writestr(member, content)

    return add


@contextmanager
def appending(url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that appends records to an audit store as fast as it can."""
    command = [sys.executable, sample_records.__file__, url, "1000000", "0"]
    path = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=path) as program:
        assert program.stdout
        program.stdout.readline()
        yield program
        program.kill()


def open_to_others(path: Path) -> list[str]:
    everything = (path, *path.rglob("*")) if path.is_dir() else (path,)
    return [str(each) for each in everything if os.lstat(each).st_mode & 0o077]
