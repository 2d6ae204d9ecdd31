"""What the tree's leaf of an entry says: hashes of the entry's values, of which any can be opened.

The leaf is canonical JSON (`audit.proof.canonical_json`):

    {"algorithm":"vouch-leaf-1","commitments":["...", ...]}

A *commitment* is the SHA-256 of the canonical JSON of `[salt, name, value]`, in base64; so whoever
is handed the three can tell that the leaf has that value, and from a commitment alone nobody can
guess one. The salt of a name is HMAC-SHA256 with the entry's own 32 random bytes as the key.

Commitments are sorted and filled up to a multiple of 16 with others of the same look: how much a
reply cites they tell in such steps alone, and of what is not opened nothing else.

`values` says what is committed to. `entry` is the entry's hash in the chain, which seals the whole
payload; it is opened in no receipt.
"""

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audit.proof.canonical_json import canonical_json

FORM = "vouch-leaf-1"
SALT_BYTES = 32
FILLED_TO = 16
NO_ENTRY = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""Raised by reading a payload that is no entry's, by `values` of it, and by `leaf` of these."""
_JUDGED = ("status", "score", "overridden")
_PLAIN = ("audit_id", "time", "kind", "question", "reply", "decision")


def values(payload: Mapping[str, Any], entry_hash: str) -> dict[str, object]:
    """Name to value, of the bare payload; raise one of `NO_ENTRY`.

    Claims are named `claims/1`, their citations `claims/1/citations/1`, what an abstention named
    `nearest/1`, the sides of a disagreement `contradictions/1/holds` and `.../against`, each
    counted from 1. How a source was judged stands apart, under its name and `/judged`. An event
    has neither question nor reply.
    """
    plain = {name: payload[name] for name in _PLAIN if name in payload}
    return {"entry": entry_hash, **plain, **dict(_cited(payload))}


def _cited(payload: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for number, claim in enumerate(payload.get("claims", ()), start=1):
        yield f"claims/{number}", {"text": claim["text"], "status": claim["status"]}
        for place, citation in enumerate(claim["citations"], start=1):
            yield from _source(f"claims/{number}/citations/{place}", citation)
    for number, nearest in enumerate(payload.get("nearest", ()), start=1):
        yield from _source(f"nearest/{number}", nearest)
    for number, found in enumerate(payload.get("contradictions", ()), start=1):
        for side in ("holds", "against"):
            yield from _source(f"contradictions/{number}/{side}", found[side]["citation"])


def _source(name: str, source: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    yield name, {key: value for key, value in source.items() if key not in _JUDGED}
    yield f"{name}/judged", {key: source[key] for key in _JUDGED if key in source}


def leaf(committed: Mapping[str, object], salt: bytes) -> bytes:
    """The leaf's canonical JSON."""
    hashes = [commitment(salt_of(name, salt), name, value) for name, value in committed.items()]
    missing = -len(hashes) % FILLED_TO
    fillers = [
        b64encode(hmac.digest(salt, f"filler {number}".encode(), "sha256")).decode()
        for number in range(missing)
    ]
    return leaf_with(sorted((*hashes, *fillers)))


def leaf_with(commitments: Sequence[str]) -> bytes:
    return canonical_json({"algorithm": FORM, "commitments": list(commitments)})


def salt_of(name: str, salt: bytes) -> str:
    """What opens the value of that name and no other, in base64."""
    return b64encode(hmac.digest(salt, name.encode(), "sha256")).decode()


def commitment(salt: str, name: str, value: object) -> str:
    """What a leaf has of a value, in base64; `salt`: the name's own."""
    return b64encode(hashlib.sha256(canonical_json([salt, name, value])).digest()).decode()
