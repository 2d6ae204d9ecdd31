"""An address may hold a password; only a part of it may be shown."""

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from pydantic import SecretStr

HIDDEN = "..."
_HARMLESS = frozenset({"host", "hostaddr", "port", "dbname", "sslmode", "connect_timeout"})
"""Of a database's options, those that say where it is and not how to get in."""
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")


class Address(SecretStr):
    """It is shown without user, password, query and fragment; whole only when asked for."""

    def _display(self) -> str:
        return shown(self.get_secret_value())


def shown(address: str) -> str:
    """Scheme, place and path; nothing where a password may look like a host or a path."""
    if not address:
        return ""
    parts = _split(address)
    if parts is None:
        return HIDDEN
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def host_of(address: str) -> str:
    """Name and port, to be named in messages; empty where there is none for certain."""
    if shown(address) == HIDDEN:
        return ""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or ''}{port}" if parts.scheme in ("http", "https") else ""


def secrets_in(address: str) -> tuple[str, ...]:
    """What must not be shown of it, in each form in which a driver might repeat it."""
    parts = _split(address)
    if parts is None:
        before = address.rpartition("@")[0].rpartition("//")[2]
        return tuple(each for each in (address, before, *before.split(":")) if each)
    user_info = parts.netloc.rpartition("@")[0]
    user, _, password = user_info.partition(":")
    options = [value for name, value in parse_qsl(parts.query) if name not in _HARMLESS]
    found = [user_info, *_forms(password), *(each for value in options for each in _forms(value))]
    if user:  # in quotation marks, as PostgreSQL names it: alone it may be any word
        found += [f'"{unquote(user)}"']
    return tuple(each for each in (*found, parts.query, parts.fragment) if each)


def without(secrets: Iterable[str], text: str) -> str:
    """The text with dots in the place of each secret, the longest first."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        text = text.replace(secret, HIDDEN) if secret else text
    return text


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    odd = any("@" in part for part in (parts.path, parts.query, parts.fragment))
    is_somewhere = parts.netloc or parts.scheme.startswith("sqlite")
    return parts if parts.scheme and is_somewhere and not odd else None


def _forms(value: str) -> tuple[str, ...]:
    plain = unquote(value) if _ENCODED.search(value) else value
    return value, plain, quote(plain, safe="")
