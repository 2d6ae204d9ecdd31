"""Pages that a site lists: in a sitemap, or one address a line.

A page is read as it is served, by the parser of HTML files, so that places are those of the page.
"""

import zlib
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, unquote, urlsplit
from urllib.robotparser import RobotFileParser

from lxml import etree

from retrieval.errors import BadSource, SourceUnavailable
from retrieval.parsing import is_read
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.guarded import AGENT, GuardedHttp, StatusError

MOST_SITEMAPS = 100
LARGEST_LIST, LARGEST_ROBOTS = 50_000_000, 500_000
"""Bytes: as sitemaps.org and RFC 9309 have it."""


class WebSource:
    """`DocumentSource` of the pages of a sitemap, or of a list of addresses."""

    def __init__(
        self,
        url: str,
        http: GuardedHttp,
        most_pages: int,
        largest: int,
        main_text: Collection[str] = (),
    ) -> None:
        """`largest`: bytes of a page; `main_text`: hosts of whose pages that alone is read."""
        self._url, self._http, self._most, self._largest = url, http, most_pages, largest
        self._main_text = {host.lower() for host in main_text}
        self._pages: dict[str, str] = {}
        """URLs, by path."""

    def listing(self) -> SourceListing:
        with faults.of_source():
            modified = self._listed()
            self._pages = {path_of(url): url for url in modified}
            if len(self._pages) < len(modified):
                raise BadSource(f"{self._url} lists a page twice, in two spellings")
            left_out = dict(self._left_out())
            files = (
                SourceFile(
                    path,
                    modified=modified[url],
                    main_text_only=not self._main_text.isdisjoint(_hosts(url)),
                )
                for path, url in self._pages.items()
                if path not in left_out
            )
            return SourceListing(tuple(files), left_out)

    def _listed(self) -> dict[str, datetime | None]:
        """Pages and when they changed, where that is stated, of all sitemaps together."""
        waiting, seen = [self._url], set[str]()
        pages: dict[str, datetime | None] = {}
        while waiting:
            url = waiting.pop()
            if url in seen:
                continue
            seen.add(url)
            if len(seen) > MOST_SITEMAPS:
                raise BadSource(f"{self._url} names more than {MOST_SITEMAPS} sitemaps")
            with self._http.ask(url) as answer:
                more, found = _entries(answer.answered().content(LARGEST_LIST))
            waiting += more
            pages |= found
            if len(pages) > self._most:
                raise BadSource(
                    f"{self._url} lists more than the {self._most} pages that are read. Name a "
                    "smaller list, or raise VOUCH_WEB_PAGES"
                )
        return pages

    def _left_out(self) -> Iterator[tuple[str, str]]:
        """Pages that are not asked for, and why."""
        known = {path: url for path, url in self._pages.items() if self._http.knows(url)}
        rules = {place: self._robots(place) for place in sorted(set(map(_place, known.values())))}
        for path, url in self._pages.items():
            if path not in known:
                yield (
                    path,
                    "is no URL, or stands on a host that VOUCH_WEB_HOSTS does not name",
                )
            elif not rules[_place(url)].can_fetch(AGENT, url):
                yield path, "may not be read, by the robots.txt of its site"

    def _robots(self, place: str) -> RobotFileParser:
        with self._http.ask(f"{place}/robots.txt") as answer:
            if answer.status >= 500:
                raise StatusError(answer.status)
            text = answer.content(LARGEST_ROBOTS) if answer.status == 200 else b""
        rules = RobotFileParser()
        rules.parse(text.decode("utf-8", "replace").splitlines())
        return rules

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:
        etag, _, modified = held.partition("\n")
        stated = {"if-none-match": etag, "if-modified-since": modified}
        known = {name: value for name, value in stated.items() if value}
        with faults.of_file(), self._http.ask(self._pages[file.path], known) as answer:
            if answer.status == 304 and known:
                return None
            content = answer.answered().content(self._largest)
        marks = (answer.headers.get(each, "") for each in ("etag", "last-modified"))
        return Fetched([content], "\n".join(marks))

    def link(self, path: str) -> str:
        return self._pages.get(path, "")


def path_of(url: str) -> str:
    """What a page is called: its host and path, with the ending of HTML where it has none."""
    parts = urlsplit(url)
    path = f"{parts.netloc.lower()}{unquote(parts.path) or '/'}"
    path += "index.html" if path.endswith("/") else ""
    path += f"~{quote(parts.query, safe='=&')}" if parts.query else ""
    return path if is_read(path) else f"{path}.html"


def _hosts(url: str) -> Iterator[str]:
    """What its host may be called: with a port, too."""
    parts = urlsplit(url)
    yield parts.netloc.lower()
    yield parts.hostname or ""


def _place(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _entries(content: bytes) -> tuple[list[str], dict[str, datetime | None]]:
    """Further sitemaps, and pages. Raise `SourceUnavailable` for anything but a whole list."""
    if content.startswith(b"\x1f\x8b"):
        unpacking = zlib.decompressobj(wbits=31)
        content = unpacking.decompress(content, LARGEST_LIST)
        if not unpacking.eof:
            raise SourceUnavailable(f"unpacks to more than {LARGEST_LIST} bytes, or is not whole")
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _in_sitemap(content)
    lines = [line.strip() for line in content.decode("utf-8-sig", "replace").splitlines()]
    urls = [line for line in lines if line and not line.startswith("#")]
    if not all(url.startswith(("https://", "http://")) for url in urls):
        raise SourceUnavailable("is neither a sitemap nor a list of one address a line")
    return [], {url.partition("#")[0]: None for url in urls}


def _in_sitemap(content: bytes) -> tuple[list[str], dict[str, datetime | None]]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError:
        raise SourceUnavailable("is no whole sitemap") from None
    kind = etree.QName(root).localname
    if root.getroottree().docinfo.doctype or kind not in ("urlset", "sitemapindex"):
        raise SourceUnavailable("is no sitemap")
    found: dict[str, datetime | None] = {}
    for entry in root.iterchildren("{*}url", "{*}sitemap"):
        url = (entry.findtext("{*}loc") or "").strip().partition("#")[0]
        if url:
            found[url] = _settled(entry.findtext("{*}lastmod") or "")
    return (list(found), {}) if kind == "sitemapindex" else ([], found)


def _settled(lastmod: str) -> datetime | None:
    """When a page last changed; None where it may have changed since within the same day."""
    try:
        at = datetime.fromisoformat(lastmod.strip())
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return at if datetime.now(UTC) - at > timedelta(days=2) else None
