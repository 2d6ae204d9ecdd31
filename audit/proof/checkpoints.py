"""A checkpoint: how large the tree was, its root, and when; signed, in a form that others read too.

It is a signed note (c2sp.org/signed-note) of the form c2sp.org/tlog-checkpoint, with one extension
line that says when it was signed:

    vouch-audit/5f1c0a3e9b7d2468
    1042
    7Yt0...=
    time 2026-03-02T04:00:00Z

    — vouch-audit/5f1c0a3e9b7d2468 Xk2c...=

The first line, the log's *origin*, is made of the public key, so each key has a log of its own.
A *verifier key* is how such a public key is written: name, hash and key.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ORIGIN = "vouch-audit"
_ED25519 = b"\x01"
_NOTE = re.compile(
    r"(?P<text>(?P<origin>\S+)\n(?P<size>0|[1-9][0-9]{0,17})\n(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"time (?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z)\n)\n(?P<signatures>(?:— \S+ \S+\n)+)"
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint as it was read; whoever signed it."""

    origin: str
    size: int
    root: bytes
    signed_at: datetime
    """In UTC, to the second."""
    note: str
    """As it was signed, with its signatures."""

    @property
    def at(self) -> str:
        """When it was signed, in words."""
        return _stamp(self.signed_at)

    def is_of(self, key: "VerifierKey") -> bool:
        """Whether the log with that key has signed it."""
        return self.origin == key.name and key.signed(self.note)


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """Whoever has it can tell what the log's key has signed."""

    name: str
    public: bytes
    """32 bytes, of Ed25519."""

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read `name+hash+key`; raise `ValueError`."""
        name, hashed, encoded = text.strip().split("+", 2)
        typed = b64decode(encoded, validate=True)
        key = cls(name, typed[1:])
        if typed[:1] != _ED25519 or len(key.public) != 32 or key.hash.hex() != hashed:
            raise ValueError("it is no verifier key of Ed25519")
        return key

    def __str__(self) -> str:
        return f"{self.name}+{self.hash.hex()}+{b64encode(_ED25519 + self.public).decode()}"

    @property
    def hash(self) -> bytes:
        """4 bytes, by which a signature names the key."""
        return hashlib.sha256(f"{self.name}\n".encode() + _ED25519 + self.public).digest()[:4]

    def signed(self, note: str) -> bool:
        """Whether one of the note's signatures is of this key."""
        text, _, signatures = note.rpartition("\n\n")
        return any(self._holds(f"{text}\n", line) for line in signatures.splitlines())

    def _holds(self, text: str, line: str) -> bool:
        dash, _, named = line.partition(" ")
        name, _, encoded = named.partition(" ")
        try:
            signature = b64decode(encoded, validate=True)
            if (dash, name, signature[:4]) != ("—", self.name, self.hash):
                return False
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature[4:], text.encode())
        except (Error, InvalidSignature):
            return False
        return True


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with a private key, of 32 bytes."""

    seed: bytes

    @classmethod
    def of(cls, secret: str) -> "Signer":
        """The key that is made of a secret, wherever it is kept."""
        return cls(hashlib.sha256(f"vouch audit key\n{secret}".encode()).digest())

    @property
    def key(self) -> VerifierKey:
        public = self._private.public_key().public_bytes_raw()
        return VerifierKey(f"{ORIGIN}/{hashlib.sha256(public).hexdigest()[:16]}", public)

    def sign(self, size: int, root: bytes, now: datetime) -> Checkpoint:
        """`now` is aware."""
        key, at = self.key, now.astimezone(UTC).replace(microsecond=0)
        text = f"{key.name}\n{size}\n{b64encode(root).decode()}\ntime {_stamp(at)}\n"
        signature = b64encode(key.hash + self._private.sign(text.encode())).decode()
        return Checkpoint(key.name, size, root, at, f"{text}\n— {key.name} {signature}\n")

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)


def checkpoints_in(text: str) -> Iterator[Checkpoint]:
    """All that stand in a text, in its order; whatever else stands there is passed over."""
    for found in _NOTE.finditer(text):
        try:
            signed_at = datetime.fromisoformat(found["time"])
        except ValueError:  # such as a thirteenth month
            continue
        yield Checkpoint(
            origin=found["origin"],
            size=int(found["size"]),
            root=b64decode(found["root"]),
            signed_at=signed_at,
            note=found[0],
        )


def _stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
