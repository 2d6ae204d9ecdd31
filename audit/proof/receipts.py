"""A receipt proves that what it opens of a reply was recorded, and when at the latest.

It opens of the record's leaf what its reader may see, and of all else has salted hashes; then the
way from that leaf to the root of a signed checkpoint (`docs/verifying.md` states its form).
"""

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from audit.proof.checkpoints import Checkpoint, VerifierKey
from audit.proof.leaves import leaf, salt_of, values
from audit.proof.merkle import ALGORITHM
from audit.storing.appending import StoredEntry

RECEIPT = "vouch-receipt-1"
CONSISTENCY = "vouch-consistency-1"
HIDDEN = "entry"
"""The hash that seals the whole record: whoever knows all but one word of it could guess that."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A record with what proves it."""

    stored: StoredEntry
    salt: bytes
    path: tuple[bytes, ...]
    """From its leaf to the root."""


def receipt(
    proven: Proven, checkpoint: Checkpoint, key: VerifierKey, opens: Callable[[str], bool]
) -> dict[str, Any]:
    """The receipt, as JSON; `opens` tells of a name (`leaves.values`) whether to open it."""
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
