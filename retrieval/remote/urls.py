"""The URL of a source, and what it is read with, which never stands in it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

from retrieval.errors import BadSource

Keys = Mapping[str, Mapping[str, object]]
"""Options for a driver, by how URLs begin that they are for."""
KEYS = "VOUCH_SOURCE_KEYS"
V = TypeVar("V")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_OF_LOGIN = ("username", "password")
_SERVICES = {
    "confluence": ("username", "token"),
    "gdrive": ("client_email", "private_key", "subject"),
    "sharepoint": ("tenant_id", "client_id", "client_secret"),
    "notion": ("token",),
}
OPTIONS = {
    "file": (),
    "s3": ("key", "secret", "token", "endpoint_url", "anon", "profile"),
    "gs": ("token", "project", "endpoint_url"),
    "az": (
        *("account_name", "account_key", "sas_token", "connection_string"),
        *("tenant_id", "client_id", "client_secret"),
    ),
    "sftp": (*_OF_LOGIN, "client_keys", "passphrase", "known_hosts"),
    "webdav": _OF_LOGIN,
    "webdavs": _OF_LOGIN,
    "github": _OF_LOGIN,
    "git+https": _OF_LOGIN,
    "git+http": _OF_LOGIN,
    "git+file": (),
    **_SERVICES,
    **{f"{service}+http": options for service, options in _SERVICES.items()},
    "slack": (),
    "https": (),
    "http": (),
}
"""Schemes, and the options that each takes."""


def is_url(text: str) -> bool:
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", text) is not None


@dataclass(frozen=True, slots=True)
class SourceUrl:
    """It is whole and holds no secret: it is shown and kept as it is."""

    text: str
    parts: SplitResult

    @property
    def path(self) -> str:
        """Decoded, without slashes around it."""
        return unquote(self.parts.path).strip("/")

    @property
    def has_groups(self) -> bool:
        """Whether `people.yaml` says whom groups or pages of it are for."""
        return self.service in _SERVICES

    @property
    def service(self) -> str:
        """A service's name also where it is asked unencrypted, else the scheme as it is typed."""
        named = self.parts.scheme.removesuffix("+http")
        return named if named in _SERVICES else self.parts.scheme

    @property
    def plain_host(self) -> tuple[str, ...]:
        """Its host, where it is asked unencrypted and may be private; none of a service's own."""
        is_plain = self.has_groups and self.service != self.parts.scheme
        return (self.parts.hostname or "",) if is_plain else ()

    @property
    def name(self) -> str:
        """What the source is called unless somebody says so: its last folder, else its place."""
        is_web = self.parts.scheme in ("http", "https")
        last = "" if is_web else PurePosixPath(self.path).name
        name = last.partition("@")[0].removesuffix(".git")
        return name or self.parts.hostname or self.parts.netloc


def source_url(text: str) -> SourceUrl:
    """Raise `BadSource`, which repeats nothing that may be a secret."""
    try:
        parts = urlsplit(text)
        user, has_user, place = parts.netloc.rpartition("@")
        _ = parts.port
    except ValueError:
        raise BadSource(f"This is no URL of a source. Write one of: {_kinds()}") from None
    scheme = parts.scheme.lower()
    if scheme not in OPTIONS:
        raise BadSource(f"Sources of this kind are not read. Write one of: {_kinds()}")
    if has_user and (scheme != "sftp" or ":" in user):
        raise BadSource(
            "A URL with a user or a password in it is not kept. Take them out, and write them to "
            f"{KEYS}: `{scheme}://{place}: {{{', '.join(OPTIONS[scheme]) or 'none'}}}`"
        )
    if parts.query or (parts.fragment and not scheme.startswith("git+")):
        raise BadSource(
            f"A URL with `?` or `#` in it is not kept, for it may hold a key. Write keys to {KEYS}"
        )
    if not place and not scheme.endswith("file"):
        raise BadSource(f"The URL names no place. Write {scheme}://PLACE/FOLDER")
    if not text.isprintable() or ".." in unquote(parts.path).split("/"):
        raise BadSource("The URL holds `..` or what cannot be printed. Write it without")
    parts = parts._replace(scheme=scheme)
    if scheme not in ("http", "https"):
        parts = parts._replace(path=parts.path.rstrip("/"))
    return SourceUrl(parts.geturl(), parts)


def _kinds() -> str:
    return ", ".join(f"{scheme}://" for scheme in OPTIONS)


def options_for(url: SourceUrl, keys: Keys) -> Mapping[str, object]:
    """Raise `BadSource` for an unknown option, and where others could read it on the way."""
    options = nearest(url, keys)
    allowed = OPTIONS[url.parts.scheme]
    if unknown := sorted(map(str, options.keys() - set(allowed))):
        raise BadSource(
            f"{KEYS} has {unknown[0]!r} for {url.text}, which takes "
            f"{', '.join(allowed) or 'nothing'}. Correct it"
        )
    is_plain = url.parts.scheme == "webdav" or url.parts.scheme.endswith("+http")
    if options and is_plain and url.parts.hostname not in _LOOPBACK:
        raise BadSource(f"{url.text} would carry a password unencrypted. Write it with an s")
    return options


def nearest(url: SourceUrl, stated: Mapping[str, Mapping[str, V]]) -> Mapping[str, V]:
    """What is stated for the longest beginning that is a URL's own, by whole names."""
    fitting = beginnings(url, stated)
    return stated[max(fitting, key=len)] if fitting else {}


def beginnings(url: SourceUrl, stated: Iterable[str]) -> Sequence[str]:
    """Those that a URL begins with, by whole names. Raise `BadSource` for what is no URL."""
    try:
        return [each for each in stated if _begins(url.parts, urlsplit(each))]
    except ValueError:
        raise BadSource(f"{KEYS} has a URL that is none. Correct it") from None


def _begins(url: SplitResult, beginning: SplitResult) -> bool:
    path, below = beginning.path.rstrip("/"), url.path
    is_below = below == path or below.startswith((f"{path}/", f"{path}@"))
    return is_below and _place(url) == _place(beginning)


def _place(parts: SplitResult) -> tuple[str, str, str]:
    user, _, host = parts.netloc.rpartition("@")
    if parts.scheme.lower() == "notion":  # an id, which is written with dashes too
        host = host.replace("-", "")
    return parts.scheme.lower(), user, host.lower()
