"""Pages are asked for over HTTP, and of nobody who is not meant: no address of a private network.

An address is looked up once, judged, and that one is connected to, at every redirect anew: so a
name that leads elsewhere the second time leads nowhere.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpcore

from retrieval.errors import BadSource, SourceUnavailable

SECONDS = 30.0
LONGEST = 300.0
"""Seconds that a server may be silent, and that an answer may take in all."""
MOST_REDIRECTS = 5
AGENT = "Vouch"
_PORTS = {"http": ":80", "https": ":443"}
_TIMES: Mapping[str, float] = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS)
_TRANSLATED = tuple(
    map(
        ipaddress.IPv6Network,
        ("::/96", "::ffff:0:0/96", "64:ff9b::/32", "2001::/32", "2002::/16", "fec0::/10"),
    )
)
"""IPv6 that may lead to any address of IPv4, or of a site."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet's for certain."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and any(ip in each for each in _TRANSLATED):
        return False
    return ip.is_global and not ip.is_multicast


class _Backend(httpcore.SyncBackend):
    """Connects to public addresses, and to hosts that may be private by name."""

    def __init__(self, private: Collection[str]) -> None:
        super().__init__()
        self._private = private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(each[4][0]) for each in found]
        if host.lower() not in self._private and not all(map(is_public, addresses)):
            raise BadSource(
                f"{host} is an address of a private network, which is not asked. If it is meant, "
                "name it in VOUCH_PRIVATE_HOSTS"
            )
        if not addresses:
            raise SourceUnavailable("cannot be reached (no address)")
        return super().connect_tcp(addresses[0], port, timeout, local_address, socket_options)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said; nothing of it is trusted."""

    status: int
    headers: Mapping[str, str]
    """By name, in lower case."""
    chunks: Iterable[bytes]

    def answered(self) -> "Answer":
        """Itself; raise `StatusError` for a status that is no answer."""
        if self.status != 200:
            raise StatusError(self.status)
        return self

    def content(self, most: int) -> bytes:
        """Raise `BadSource` for more bytes than `most`, `SourceUnavailable` where they drip."""
        content, ends = bytearray(), time.monotonic() + LONGEST
        for chunk in self.chunks:
            content += chunk
            if len(content) > most:
                raise BadSource(f"has more than {most} bytes, and is not read")
            if time.monotonic() > ends:
                raise SourceUnavailable(f"did not come within {LONGEST:.0f} seconds")
        return bytes(content)


class StatusError(Exception):
    """A server answered with a status that is no answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class GuardedHttp:
    """Asks named hosts alone."""

    def __init__(self, hosts: Collection[str], private: Collection[str] = ()) -> None:
        """`hosts` may be asked, with a port where it is not the usual one.

        Of these, `private` (without a port) at addresses of private networks too.
        """
        self._hosts = frozenset(each.lower() for each in hosts)
        names = frozenset(each.lower() for each in private)
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context(), network_backend=_Backend(names)
        )

    def knows(self, url: str) -> bool:
        """Whether it may be asked for, by scheme, host and port."""
        is_plain = url.isascii() and url.isprintable() and not set(" \\").intersection(url)
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        place, usual = parts.netloc.lower(), _PORTS.get(parts.scheme, "")
        named = not self._hosts.isdisjoint((place, place.removesuffix(usual)))
        return usual != "" and named and is_plain

    @contextmanager
    def ask(
        self, url: str, headers: Mapping[str, str] | None = None, post: bytes | None = None
    ) -> Iterator[Answer]:
        """Ask; redirects are followed to named hosts, which are told no `authorization`.

        `post`: JSON, or a form where the headers say so, which no redirect is followed with.
        Raise whatever a driver raises.
        """
        asked = {"user-agent": AGENT, "accept-encoding": "identity", **(headers or {})}
        if post is not None:
            asked = {"content-type": "application/json", "content-length": str(len(post)), **asked}
        for _ in range(MOST_REDIRECTS + 1):
            if not self.knows(url):
                raise BadSource("leads to a host that is neither its own nor in VOUCH_WEB_HOSTS")
            stated = [("Host", urlsplit(url).netloc), *asked.items()]
            with self._pool.stream(
                "GET" if post is None else "POST",
                url,
                headers=stated,
                content=post,
                extensions={"timeout": _TIMES},
            ) as response:
                said = {
                    k.decode("latin-1").lower(): v.decode("latin-1") for k, v in response.headers
                }
                if response.status in (301, 302, 303, 307, 308) and "location" in said:
                    if post is not None:
                        raise BadSource("redirects what was posted")
                    asked_at, url = url, urljoin(url, said["location"]).partition("#")[0]
                    if asked_at.startswith("https:") and not url.startswith("https:"):
                        raise BadSource("leads from an encrypted line to one that others can read")
                    if urlsplit(url)[:2] != urlsplit(asked_at)[:2]:
                        asked.pop("authorization", None)
                    continue
                if said.get("content-encoding", "identity") != "identity":
                    raise BadSource("answered in an encoding that was not asked for")
                yield Answer(response.status, said, response.iter_stream())
                return
        raise BadSource("redirects without end")
