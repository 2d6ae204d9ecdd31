"""Where the pages are served meanwhile: told to commands in the same home by a file."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

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
