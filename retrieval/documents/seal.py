"""A seal tells whether a passage still is what an ingest stored.

It is a keyed hash (HMAC, RFC 2104) of a passage with its document's metadata. The key does not
lie beside the rows, so that whoever can write to the database alone cannot make one.
"""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import LibraryUnavailable

KEY_BYTES = 32
KEY_CHECK = "vouch library"
"""A library keeps the seal of these words, to tell whether a key is its own."""


@dataclass(frozen=True, slots=True)
class Seal:
    key: bytes

    def of(self, *parts: str) -> str:
        """Return the seal of some texts in this order: 64 hexadecimal digits.

        Each is hashed with its length, so that no text can lend its end to the next.
        """
        sealed = hmac.new(self.key, digestmod=hashlib.sha256)
        for part in parts:
            encoded = part.encode()
            sealed.update(len(encoded).to_bytes(8, "big") + encoded)
        return sealed.hexdigest()

    def holds(self, seal: str, *parts: str) -> bool:
        return hmac.compare_digest(seal, self.of(*parts))


def stated_keys(stated: str) -> tuple[bytes, ...]:
    """Return the keys that somebody may mean who states one, the first for a new library.

    Its text, or what a home's `library.key` says with the same digits.
    """
    try:
        digits = bytes.fromhex(stated)
    except ValueError:
        return (stated.encode(),)
    return (stated.encode(), *([digits] if len(digits) >= KEY_BYTES else ()))


def stored_key(path: Path) -> bytes:
    """Return the key in a file, which is made, for its owner alone, where there is none.

    Raise `LibraryUnavailable` where it can be neither read nor made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise LibraryUnavailable(
            f"The key {path} cannot be read or made ({error}). Bring it back from a "
            "backup, or see that its folder may be written to."
        ) from error
    if len(key) < KEY_BYTES:
        raise LibraryUnavailable(f"The key {path} is too short. Bring it back from a backup.")
    return key


def _make(path: Path) -> None:
    """Make it whole or not at all, whoever else makes it at the same time."""
    if path.exists():
        return
    own = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())  # what it seals is on the disk before long, too
        try:
            os.link(own, path)
        except FileExistsError:
            return
    finally:
        own.unlink()
