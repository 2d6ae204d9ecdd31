"""What fsspec reaches (object stores, SFTP, WebDAV), and folders of this machine."""

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from retrieval import errors
from retrieval.errors import BadSource, SourceUnavailable
from retrieval.ingest.source_files import MEGABYTE
from retrieval.ingest.sources import Source, listing_of
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.faults import of_file
from retrieval.remote.names import HERE, LONGEST_PATH, bounded
from retrieval.remote.urls import SourceUrl

SECONDS = 60
"""That a server may be silent."""
_ETAGS = ("ETag", "etag", "md5Hash", "content_md5")
_TIMES = ("LastModified", "updated", "last_modified", "mtime", "modified")


class FileSystemSource:
    def __init__(self, system: Any, root: str, *, is_flat: bool, opened_at: str = "") -> None:
        """`is_flat`: one listing tells all; `opened_at`: below which URL people open files."""
        self.system, self._root, self._is_flat = system, root.rstrip("/"), is_flat
        self._opened_at = opened_at

    def listing(self) -> SourceListing:
        unlisted: dict[str, str] = {}
        with faults.of_source():
            self.system.invalidate_cache()
            found = self._found() if self._is_flat else self._walked(unlisted)
            files = bounded(map(self._file, found))
            return SourceListing(files, unlisted)

    def _found(self) -> Iterator[Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.system.find(self._root, detail=True)
        for name, info in found.items():
            if not name.startswith(f"{self._root}/"):
                raise BadSource("is no folder. Name the one that it stands in")
            if info.get("type") != "directory" and not name.endswith("/"):
                yield {**info, "name": name}

    def _walked(self, unlisted: dict[str, str]) -> Iterator[Mapping[str, Any]]:
        waiting = [self._root]
        while waiting:
            folder = waiting.pop()
            try:
                entries = self.system.ls(folder or "/", detail=True)
            except Exception as error:
                if folder == self._root or not faults.is_lasting(error):
                    raise
                unlisted[self._below(folder)] = f"cannot be listed: {faults.in_words(error)}"
                continue
            for entry in entries:
                name = self._full(entry["name"])
                if entry["type"] in ("file", "link"):
                    yield {**entry, "name": name}
                elif entry["type"] != "directory":
                    continue  # a pipe, which never ends
                elif not name.startswith(f"{folder}/") or len(name) > LONGEST_PATH + len(
                    self._root
                ):
                    raise SourceUnavailable("lists a folder that does not stand below its own")
                else:
                    waiting.append(name)

    def _full(self, name: str) -> str:
        """As a driver names it, which may leave a slash out."""
        slash = "/" if self._root.startswith("/") or not self._root else ""
        return slash + name.strip("/")

    def _below(self, name: str) -> str:
        return name.removeprefix(f"{self._root}/") or HERE

    def _file(self, info: Mapping[str, Any]) -> SourceFile:
        etag = next((str(info[key]) for key in _ETAGS if info.get(key)), "")
        stated = next((info[key] for key in _TIMES if info.get(key)), None)
        is_link = info.get("type") == "link" or bool(info.get("islink"))
        path = self._below(info["name"])
        return SourceFile(path, etag, _time(stated), info.get("size"), is_link)

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        return Fetched(self._content(file.path))

    def _content(self, path: str) -> Iterator[bytes]:
        with faults.of_file(), self.system.open(f"{self._root}/{path}", "rb") as opened:
            while chunk := opened.read(MEGABYTE):
                yield chunk

    def link(self, path: str) -> str:
        return f"{self._opened_at}/{quote(path)}" if self._opened_at else ""

    def all(self) -> dict[str, bytes]:
        """By name, whole, what stands in its folder itself; empty where that is not there yet."""
        with faults.of_source():
            self.system.invalidate_cache()
            try:
                found = self.system.ls(self._root or "/", detail=True)
            except FileNotFoundError:
                return {}
            paths = [self._full(each["name"]) for each in found if each["type"] == "file"]
            contents = self.system.cat(paths) if paths else {}
            return {name.rpartition("/")[2]: bytes(said) for name, said in contents.items()}

    def read(self, name: str) -> bytes | None:
        """The whole file; None where there is none."""
        with faults.of_source():
            try:
                return bytes(self.system.cat_file(f"{self._root}/{name}"))
            except FileNotFoundError:
                return None

    def create(self, name: str, content: bytes) -> None:
        """Write a file that is new; where the place can tell, one that is there is not replaced."""
        with faults.of_source():
            self.system.pipe_file(f"{self._root}/{name}", content, mode="create")


def _time(stated: object) -> datetime | None:
    if isinstance(stated, int | float):
        return datetime.fromtimestamp(stated, UTC)
    if isinstance(stated, str):
        if re.match(r"\d{4}-", stated):
            return datetime.fromisoformat(stated)
        return parsedate_to_datetime(stated)
    return stated if isinstance(stated, datetime) else None


def of_s3(url: SourceUrl, options: Mapping[str, Any]) -> FileSystemSource:
    errors.require(errors.S3, "s3fs")
    from s3fs import S3FileSystem

    limits = {"connect_timeout": SECONDS, "read_timeout": SECONDS}
    return _flat(S3FileSystem, url, {**options, "config_kwargs": limits})


def of_gcs(url: SourceUrl, options: Mapping[str, Any]) -> FileSystemSource:
    errors.require(errors.GCS, "gcsfs")
    from gcsfs.core import GCSFileSystem  # its other one asks by gRPC, wherever the endpoint is

    found = _flat(GCSFileSystem, url, {"access": "read_only", **options})
    found.system.credentials.maybe_refresh()  # it would try a wrong key for half a minute
    return found


def of_azure(url: SourceUrl, options: Mapping[str, Any]) -> FileSystemSource:
    errors.require(errors.AZURE, "adlfs")
    from adlfs import AzureBlobFileSystem

    return _flat(AzureBlobFileSystem, url, options)


def _flat(kind: Callable[..., Any], url: SourceUrl, options: Mapping[str, Any]) -> FileSystemSource:
    system = kind(**options, skip_instance_cache=True, use_listings_cache=False)
    return FileSystemSource(system, f"{url.parts.netloc}/{url.path}", is_flat=True)


def of_sftp(url: SourceUrl, options: Mapping[str, Any]) -> FileSystemSource:
    """The server's key must be known: in `known_hosts`, else in `~/.ssh/known_hosts`."""
    errors.require(errors.SFTP, "sshfs")
    from sshfs import SSHFileSystem

    parts = url.parts
    named = {"username": parts.username} if parts.username else {}
    known = {"known_hosts": str(Path("~/.ssh/known_hosts").expanduser())}
    system = SSHFileSystem(
        parts.hostname,
        port=parts.port or 22,
        **{**known, **named, **options},
        login_timeout=SECONDS,
        keepalive_interval=SECONDS,
        skip_instance_cache=True,
    )
    return FileSystemSource(system, f"/{url.path}", is_flat=False)


def of_webdav(url: SourceUrl, options: Mapping[str, Any]) -> FileSystemSource:
    errors.require(errors.WEBDAV, "webdav4", "fsspec")
    from webdav4.fsspec import WebdavFileSystem

    login = (str(options.get("username", "")), str(options.get("password", "")))
    secure = "s" if url.parts.scheme == "webdavs" else ""
    base = f"http{secure}://{url.parts.netloc}/{quote(url.path)}"
    system = WebdavFileSystem(base, auth=login if options else None, timeout=SECONDS)
    return FileSystemSource(system, "", is_flat=False, opened_at=base.rstrip("/"))


class FolderSource:
    """`DocumentSource` of `file:///mnt/share`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def listing(self) -> SourceListing:
        if not self._root.is_dir():
            raise SourceUnavailable("its folder is gone")
        found = listing_of(Source("", self._root, self._root))
        return SourceListing(
            tuple(map(self._file, (*found.files, *found.metadata_files, *found.links))),
            {each.file: each.reason for each in found.unlisted},
        )

    def _file(self, path: str) -> SourceFile:
        with of_file():
            status = (self._root / path).lstat()
        at = datetime.fromtimestamp(status.st_mtime, UTC)
        seen = f"{status.st_ctime_ns} {status.st_size}"
        return SourceFile(path, seen, at, status.st_size, stat.S_ISLNK(status.st_mode))

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        return Fetched(self._content(file.path))

    def _content(self, path: str) -> Iterator[bytes]:
        with of_file():
            handle = os.open(self._root / path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as file:
                while chunk := file.read(MEGABYTE):
                    yield chunk

    def link(self, path: str) -> str:  # noqa: ARG002
        return ""
