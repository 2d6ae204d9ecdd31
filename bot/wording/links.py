"""The links in a cited sentence lead somewhere, which is told, since no markup is copied."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pyromark

from bot.wording.untrusted_text import ascii_host, is_printable, printable

_ADDRESS = re.compile(r"https?://[!#-;=?-\[\]_a-z{}~]+", re.IGNORECASE)
"""One that a person can open from anywhere, in visible ASCII; links within a site lead nowhere
from a reply."""
_HIDES_SOMETHING = re.compile(r"[\s<>|\"\\^`{}]")
_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_][\w-]+|(?:\d{1,3}\.){3}\d{1,3}")
_LIKE_AN_ADDRESS = re.compile(r"\w:/|www\.", re.IGNORECASE)
LONGEST_ADDRESS = 500
LONGEST_QUOTE = 20_000
"""Characters; more is no sentence."""


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    url: str

    @property
    def host(self) -> str:
        """Shown beside the label, which may say anything."""
        return host_of(self.url)


def host_of(url: str) -> str:
    """The machine that an address leads to, in ASCII; empty for none."""
    try:
        return ascii_host(urlsplit(url).hostname or "")
    except ValueError:  # such as of an unfinished IPv6 address
        return ""


def is_web_address(url: str) -> bool:
    """Whether it leads to a host of the web, with no user named before it."""
    if _HIDES_SOMETHING.search(url) or not is_printable(url) or not host_of(url):
        return False
    parts = urlsplit(url)
    return parts.scheme.lower() in ("http", "https") and "@" not in parts.netloc


def names_another_host(label: str, url: str) -> bool:
    """Whether the words over a link read like an address, or name a host that is not its own."""
    words, own = printable(label).casefold(), host_of(url).casefold()
    hosts = {ascii_host(each).removeprefix("www.") for each in _HOST.findall(words)}
    elsewhere = any(own != each and not own.endswith(f".{each}") for each in hosts)
    return elsewhere or (bool(_LIKE_AN_ADDRESS.search(words)) and not hosts)


def at_page(url: str, page: int | None, label: str = "") -> str:
    """The address of a page of a PDF (RFC 8118, section 3), by its `label`, or just the address."""
    if page is None or label or "#" in url or not urlsplit(url).path.lower().endswith(".pdf"):
        return url
    return f"{url}#page={page}"


def document_link(url: str, page: int | None, label: str = "") -> str:
    """The address that a document states, at the page meant; empty without one that leads there."""
    return at_page(url, page, label) if is_web_address(url) else ""


def links_in(text: str, quotes: Iterable[str]) -> tuple[Link, ...]:
    """Links of Markdown or HTML whose words stand in `text`, each address once."""
    found: dict[str, Link] = {}
    for quote in quotes:
        for label, url in _of(quote[:LONGEST_QUOTE]):
            words = " ".join(label.split())
            # a bare address is there to be read already
            if words != url and _is_address(url) and _stands_in(text, words):
                found.setdefault(url, Link(words, url))
    return tuple(found.values())


def _stands_in(text: str, words: str) -> bool:
    """As whole words; one alone of fewer than three letters is no name for a link."""
    whole = rf"(?<!\w){re.escape(words)}(?!\w)"
    return len(words) > 2 and bool(re.search(whole, text, re.IGNORECASE))


def _is_address(url: str) -> bool:
    short = len(url) <= LONGEST_ADDRESS
    return short and bool(_ADDRESS.fullmatch(url)) and is_web_address(url)


def _of(quote: str) -> Iterator[tuple[str, str]]:
    """Label and address of each; what stands in code or in a comment is no link."""
    html = _Anchors()
    url, label = "", ""
    for event in pyromark.events(quote, options=pyromark.Options.ENABLE_STRIKETHROUGH):
        match event:
            case {"Start": {"Link": {"dest_url": str(target)}}}:
                url, label = target, ""
            case {"Text": str(text)} | {"Code": str(text)}:
                label += text
                html.handle_data(text)
            case "SoftBreak" | "HardBreak":
                label += " "
                html.handle_data(" ")
            case {"End": "Link"}:
                yield label, url
            case {"Html": str(tags)} | {"InlineHtml": str(tags)}:
                html.read(tags)
                yield from html.taken()


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._url = ""
        self._label = ""
        self._found: list[tuple[str, str]] = []

    def read(self, tags: str) -> None:
        """What the parser cannot read holds no link that people see."""
        try:
            self.feed(tags)
        except AssertionError:  # its own, for a broken declaration
            self.reset()

    def taken(self) -> list[tuple[str, str]]:
        """Those that ended since it was asked last."""
        found, self._found = self._found, []
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._url, self._label = dict(attrs).get("href") or "", ""

    def handle_data(self, data: str) -> None:
        if self._url:
            self._label += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._url:
            self._found.append((self._label, self._url))
            self._url = ""
