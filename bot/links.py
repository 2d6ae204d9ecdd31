"""Where the links in a copied sentence lead.

What is copied is what people read, without markup: "follow these instructions" helps nobody
unless its link is shown as well. The quote is the source as it stands, so the link is in it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

import pyromark

_ADDRESS = re.compile(r"https?://[^\s<>|\"\\]+", re.IGNORECASE)
"""One that a person can open from anywhere; those within a site lead nowhere from a reply."""
_ANCHOR = re.compile(
    r"""<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))[^>]*>(.*?)</a\s*>""",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Link:
    """What a source calls a link, and where it leads."""

    label: str
    url: str

    @property
    def host(self) -> str:
        """Shown beside the label, which may say anything."""
        return urlsplit(self.url).hostname or ""


def links_in(text: str, quotes: Iterable[str]) -> tuple[Link, ...]:
    """The links of Markdown or HTML whose words `text` shows, in order, each address once.

    Others may be hidden where people read the source.
    """
    shown = text.casefold()
    found: dict[str, Link] = {}
    for quote in quotes:
        for label, url in (*_of_markdown(quote), *_of_html(quote)):
            words = " ".join(label.split())
            # a bare address is there to be read already
            visible = words.casefold() in shown and words != url
            if words and visible and _is_address(url):
                found.setdefault(url, Link(words, url))
    return tuple(found.values())


def _is_address(url: str) -> bool:
    try:
        return bool(_ADDRESS.fullmatch(url) and urlsplit(url).hostname)
    except ValueError:  # such as of an unfinished IPv6 address
        return False


def _of_markdown(quote: str) -> Iterator[tuple[str, str]]:
    url, label = "", ""
    for event in pyromark.events(quote):
        match event:
            case {"Start": {"Link": {"dest_url": str(target)}}}:
                url, label = target, ""
            case {"Text": str(text)} | {"Code": str(text)}:
                label += text
            case "SoftBreak" | "HardBreak":
                label += " "
            case {"End": "Link"}:
                yield label, url


def _of_html(quote: str) -> Iterator[tuple[str, str]]:
    for found in _ANCHOR.finditer(quote):
        double, single, bare, label = found.groups()
        yield unescape(_TAG.sub("", label)), unescape(double or single or bare or "")
