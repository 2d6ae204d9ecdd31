"""Addresses of the citation pages: how they are made, which are ours, where they are served."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

HOME = "/"
DIGEST = "/digest"
"""What was asked in a week and not answered, for administrators."""
AUDIT = "/audit"
"""What was answered and why, for administrators."""
DOCUMENT = "/document"
CALLBACK = "/sign-in/callback"
_OWN_PAGE = re.compile(
    rf"(?:/cited|{DOCUMENT})/[!-~]{{1,300}}|{DIGEST}(?:\?week=[0-9W-]{{0,10}})?|{AUDIT}(?:\?(?:q|id)=[!-~]{{0,600}})?"
)
_AUDIT_ID = re.compile(r"[!-~]{1,100}")
_REF = re.compile(r"[0-9a-z-]{1,20}")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def once_path(secret: str) -> str:
    return f"/sign-in/once/{secret}"


def may_be_cited(audit_id: str, ref: str) -> bool:
    """Whether they have the form of what names a citation: nothing else is looked for."""
    return bool(_AUDIT_ID.fullmatch(audit_id) and _REF.fullmatch(ref))


def may_be_document(document_id: str) -> bool:
    return bool(_AUDIT_ID.fullmatch(document_id))


def own_page(path: str) -> str:
    """The path where it is a page of ours, else the first: a sign-in leads to no other site."""
    # a browser reads a backslash as a slash, and leaves control characters out
    safe = _OWN_PAGE.fullmatch(path) and "\\" not in path and "/.." not in path
    return path if safe else HOME


def is_loopback(host: str) -> bool:
    """Whether a host's name, without a port, is this machine itself."""
    return host.strip("[]").lower() in LOOPBACK


def host_in(base: str) -> str:
    return urlsplit(base).hostname or ""


FILE = "web.json"
LOOK_S = 0.5
"""Seconds that a look whether somebody listens may take."""


@contextmanager
def served_at(home: Path, address: str) -> Iterator[None]:
    """Tell commands of this address; a program that is killed leaves the file behind."""
    path = home / FILE
    path.write_text(json.dumps({"address": address}), encoding="utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()


def address_in(home: Path) -> str:
    """Return where this machine reaches the pages; empty where nobody serves them now."""
    try:
        address = str(json.loads((home / FILE).read_text(encoding="utf-8"))["address"])
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname or "", parts.port or 80), LOOK_S):
            return address
    except (OSError, ValueError, KeyError, TypeError):
        return ""
