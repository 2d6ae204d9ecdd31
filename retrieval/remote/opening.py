"""A URL becomes what reads it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.errors import WEB, BadSource, require
from retrieval.ingest.source_files import MEGABYTE
from retrieval.metadata.access import Audience
from retrieval.ports import DocumentSource
from retrieval.remote import faults, filesystem
from retrieval.remote.urls import KEYS, OPTIONS, Keys, SourceUrl, nearest, options_for

if TYPE_CHECKING:
    from retrieval.remote.slack import SlackReading

_SYSTEMS: Mapping[str, Callable[[SourceUrl, Mapping[str, Any]], DocumentSource]] = {
    "file": lambda url, _: filesystem.FolderSource(Path(f"/{url.path}")),
    "s3": filesystem.of_s3,
    "gs": filesystem.of_gcs,
    "az": filesystem.of_azure,
    "sftp": filesystem.of_sftp,
    "webdav": filesystem.of_webdav,
    "webdavs": filesystem.of_webdav,
}
BUCKETS: Mapping[str, Mapping[str, str]] = {
    "s3": {},
    "gs": {"access": "read_write"},
    "az": {},
    "sftp": {},
}
"""Where a file can be written, too, and one that is there is not written over; with what is asked
for to do so."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How sources elsewhere are read."""

    keys: Keys
    web_hosts: Collection[str]
    """Whose pages are read, besides those of the list's own host."""
    private_hosts: Collection[str]
    """Of the web, hosts that may have addresses of private networks."""
    main_text_hosts: Collection[str]
    """Of the web, hosts of whose pages the main text alone is read."""
    most_pages: int
    largest_megabytes: int
    groups: Mapping[str, Mapping[str, Audience]] = field(default_factory=dict)
    """Whom groups or pages of a source are for, by how its URL begins."""
    slack: "SlackReading | None" = None
    """How a channel of Slack is read; None for what is none."""

    def source(self, url: SourceUrl, kept_in: Path) -> DocumentSource:
        """`kept_in`: a folder of its own, for what a source keeps between readings.

        Raise `BadSource`, `SourceUnavailable`, or `MissingExtra` where its driver is not installed.
        """
        return self._opened(url, {}, kept_in)

    def bucket(self, url: SourceUrl) -> filesystem.FileSystemSource:
        """One of `BUCKETS`. Raise likewise."""
        to_write = BUCKETS.get(url.parts.scheme)
        opened = None if to_write is None else self._opened(url, to_write, Path())
        if not isinstance(opened, filesystem.FileSystemSource):
            raise BadSource("is no bucket")
        return opened

    def _opened(self, url: SourceUrl, more: Mapping[str, str], kept_in: Path) -> DocumentSource:
        with faults.of_source():
            options = {**options_for(url, self.keys), **more}
            try:
                return self._made(url, options, kept_in)
            except (ValueError, LookupError, TypeError):
                named = ", ".join(OPTIONS[url.parts.scheme])
                raise BadSource(f"cannot be opened. See what {KEYS} says of it: {named}") from None

    def _made(self, url: SourceUrl, options: Mapping[str, Any], kept_in: Path) -> DocumentSource:
        largest = self.largest_megabytes * MEGABYTE
        match url.service:
            case "github":
                from retrieval.remote.git import of_github

                return of_github(url, options, kept_in)
            case scheme if scheme.startswith("git+"):
                from retrieval.remote.git import of_git

                return of_git(url, options, kept_in)
            case "notion":
                from retrieval.remote.notion import of_notion

                return of_notion(url, options, self.groups)
            case "confluence":
                from retrieval.remote.confluence import of_confluence

                return of_confluence(url, options, nearest(url, self.groups), largest)
            case "gdrive":
                from retrieval.remote.drive import of_drive

                return of_drive(url, options, nearest(url, self.groups), largest)
            case "sharepoint":
                from retrieval.remote.sharepoint import of_sharepoint

                return of_sharepoint(url, options, nearest(url, self.groups), largest)
            case "slack" if self.slack:
                from retrieval.remote.slack import of_slack

                return of_slack(url, self.slack, largest)
            case "http" | "https":
                return self._web(url, largest)
            case scheme:
                return _SYSTEMS[scheme](url, options)

    def _web(self, url: SourceUrl, largest: int) -> DocumentSource:
        from retrieval.remote.guarded import GuardedHttp
        from retrieval.remote.web import WebSource

        if self.main_text_hosts:
            require(WEB, "trafilatura")
        http = GuardedHttp((url.parts.netloc, *self.web_hosts), self.private_hosts)
        return WebSource(url.text, http, self.most_pages, largest, self.main_text_hosts)
