"""What is signed of the tree, who keeps it elsewhere, and receipts, which lead to it.

A *checkpoint* says how large the tree was, its root and when. It is a signed note
(c2sp.org/signed-note) of the form c2sp.org/tlog-checkpoint, with one line that says when:

    vouch-audit/5f1c0a3e9b7d2468
    1042
    7Yt0...=
    time 2026-03-02T04:00:00Z

    — vouch-audit/5f1c0a3e9b7d2468 Xk2c...=

The first line, the log's *origin*, is made of the public key, so each key has a log of its own.
A *verifier key* is how such a public key is written: name, hash and key.

Checkpoints are noted in a file beside the database, and handed to witnesses. Whoever can alter the
database can alter that file, too, but not sign what they put there; and not what a witness has.

A *receipt* opens of a record's leaf what its reader may see, and of all else has salted hashes;
then the way from that leaf to the root of a checkpoint (`docs/verifying.md` states its form).
"""

import hashlib
import json
import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from audit.engines import append_durably, text_of
from audit.errors import AuditDamaged, AuditUnavailable
from audit.proof.hashes import leaf, salt_of, values
from audit.proof.tree import ALGORITHM
from audit.storing.appending import StoredEntry

ORIGIN = "vouch-audit"
_ED25519 = b"\x01"
_NOTE = re.compile(
    r"(?P<text>(?P<origin>\S+)\n(?P<size>0|[1-9][0-9]{0,17})\n(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"time (?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z)\n)\n(?P<signatures>(?:— \S+ \S+\n)+)"
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """As it was read, whoever signed it."""

    origin: str
    size: int
    root: bytes
    signed_at: datetime
    """In UTC, to the second."""
    note: str

    @property
    def at(self) -> str:
        return _stamp(self.signed_at)

    def is_of(self, key: "VerifierKey") -> bool:
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


RECEIPT = "vouch-receipt-1"
CONSISTENCY = "vouch-consistency-1"
HIDDEN = "entry"
"""The hash that seals the whole record: whoever knows all but one word of it could guess that."""


@dataclass(frozen=True, slots=True)
class Proven:
    stored: StoredEntry
    salt: bytes
    path: tuple[bytes, ...]
    """From its leaf to the root."""


def receipt(
    proven: Proven, checkpoint: Checkpoint, key: VerifierKey, opens: Callable[[str], bool]
) -> dict[str, Any]:
    """As JSON; `opens` tells of a name (`hashes.values`) whether to open it."""
    stored, salt = proven.stored, proven.salt
    committed = values(json.loads(stored.payload), stored.hash)
    return {
        "form": RECEIPT,
        "tree": ALGORITHM,
        "leaf": json.loads(leaf(committed, salt)),
        "opened": [
            [salt_of(name, salt), name, value]
            for name, value in committed.items()
            if name != HIDDEN and opens(name)
        ],
        "index": stored.sequence - 1,
        "proof": _encoded(proven.path),
        "checkpoint": checkpoint.note,
        "key": str(key),
    }


def consistency_of(
    first: Checkpoint, second: Checkpoint, proof: Sequence[bytes], key: VerifierKey
) -> dict[str, Any]:
    """The proof that a later checkpoint only adds to an earlier one, as JSON."""
    return {
        "form": CONSISTENCY,
        "tree": ALGORITHM,
        "first": first.note,
        "second": second.note,
        "proof": _encoded(proof),
        "key": str(key),
    }


def _encoded(hashes: Sequence[bytes]) -> list[str]:
    return [b64encode(each).decode() for each in hashes]


class Witness(Protocol):
    """Keeps checkpoints where whoever alters the database does not reach them."""

    @property
    def name(self) -> str:
        """As the settings name it."""

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep it for good; raise what is said of why not. Twice does no harm."""


@dataclass(frozen=True, slots=True)
class CheckpointFile:
    """One after the other; a witness, where it lies elsewhere."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def all(self) -> tuple[Checkpoint, ...]:
        """Every whole one, in the file's order; raise `OSError` where it cannot be read."""
        return tuple(checkpoints_in(text_of(self.path)))

    def keep(self, checkpoint: Checkpoint) -> None:
        append_durably(self.path, f"\n{checkpoint.note}")


class Bucket(Protocol):
    """A folder of objects, none of which can be appended to."""

    def all(self) -> Mapping[str, bytes]: ...

    def read(self, name: str) -> bytes | None: ...

    def create(self, name: str, content: bytes) -> None: ...


_OBJECT = re.compile(r"[0-9]{18}\.checkpoint")


@dataclass(frozen=True, slots=True)
class CheckpointBucket:
    """Keeps each as an object, called by its size; raise `AuditDamaged` for another one there."""

    name: str
    open: Callable[[], Bucket]

    def all(self) -> tuple[Checkpoint, ...]:
        """Every one, the smallest first."""
        kept = sorted(self.open().all().items())
        return tuple(self._held(*each) for each in kept if _OBJECT.fullmatch(each[0]))

    def keep(self, checkpoint: Checkpoint) -> None:
        """Put it there, unless that was signed of this log and size before."""
        bucket, called = self.open(), f"{checkpoint.size:018}.checkpoint"
        content = bucket.read(called)
        if content is None:
            bucket.create(called, checkpoint.note.encode())
            return
        held = self._held(called, content)
        if (held.origin, held.root) != (checkpoint.origin, checkpoint.root):
            raise self._is_another(called)

    def _held(self, called: str, content: bytes) -> Checkpoint:
        found = next(checkpoints_in(content.decode(errors="replace")), None)
        if found is None or found.size != int(called.partition(".")[0]):
            raise self._is_another(called)
        return found

    def _is_another(self, called: str) -> AuditDamaged:
        return AuditDamaged(
            f"{self.name}/{called} is not the checkpoint of this log: it was altered, the log went "
            "back and grew otherwise, or another log is witnessed there. It was left as it is. "
            f"`vouch audit verify --checkpoint {self.name}` tells more."
        )


@dataclass(frozen=True, slots=True)
class Notary:
    signer: Signer
    file: CheckpointFile
    tree_head: Callable[[int | None], tuple[int, bytes]]
    """Size and root of the tree, or of its first so many leaves."""
    now: Callable[[], datetime]

    def note(self, at_least: int | None = None) -> Checkpoint:
        """The newest noted checkpoint, over `at_least` so many entries, made where there is none.

        None: over all. Raise `AuditUnavailable`, and `AuditDamaged` where the log is not what was
        signed.
        """
        try:
            return self._noted(at_least)
        except OSError as error:
            raise AuditUnavailable(
                f"A checkpoint cannot be noted in {self.file.path} ({error.strerror}). See that "
                "there is room and that the bot may write there."
            ) from error

    def _noted(self, at_least: int | None) -> Checkpoint:
        newest = self.newest()
        if newest:
            self._demand_grown(newest)
        if newest and at_least is not None and newest.size >= at_least:
            return newest
        size, root = self.tree_head(None)
        if newest and (newest.size, newest.root) == (size, root):
            return newest
        made = self.signer.sign(size, root, self.now())
        self.file.keep(made)
        return made

    def _demand_grown(self, newest: Checkpoint) -> None:
        if self.tree_head(newest.size) != (newest.size, newest.root):
            raise AuditDamaged(
                f"The audit log is not what was signed on {newest.at} over {newest.size} entries, "
                "so nothing more of it is signed. `vouch audit verify` tells what became of it; "
                "restore the store from a backup. Where an older one was put back on purpose, "
                f"move {self.file.path} elsewhere and keep it there."
            )

    def newest(self) -> Checkpoint | None:
        """The last one of the log's own key."""
        noted = reversed(self.file.all())
        return next((each for each in noted if each.is_of(self.signer.key)), None)
