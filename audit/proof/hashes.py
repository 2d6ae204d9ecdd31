r"""What is hashed of an entry: its payload in the chain, and its values in the tree's leaf.

`docs/verifying.md` states the forms, so that anyone can check a log without this program. A payload
is JSON with keys sorted by code point, no white space, characters as they are but for those that
JSON must escape and for lone surrogates (`\udXXX`), floats as the shortest decimal that reads back
as the same double; text is not normalised. A leaf is canonical JSON (JCS, RFC 8785), with lone
surrogates likewise, which the RFC refuses and a file's name may hold. Its commitments are filled up
to a multiple of 16: how much a reply cites they tell in such steps alone.

What a chain alone cannot show: entries cut off at its end, or everything rewritten from some entry
on by someone who can write to the database. Hence the tree, whose roots are signed.
"""

import hashlib
import hmac
import json
import math
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

_CHAIN_FORM = "vouch-audit-1"
GENESIS = "sha256:" + 64 * "0"


def canonical(value: BaseModel) -> str:
    return compact(value.model_dump(mode="json"))


def compact(payload: object) -> str:
    """Bare JSON in the form of a payload."""
    text = json.dumps(
        payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def entry_hash(sequence: int, previous_hash: str, payload: str) -> str:
    """It seals an entry and all before it."""
    sealed = f"{_CHAIN_FORM}\n{sequence}\n{previous_hash}\n{payload}"
    return "sha256:" + hashlib.sha256(sealed.encode("utf-8", "surrogateescape")).hexdigest()


_string = json.JSONEncoder(ensure_ascii=False).encode
_WORDS = {None: "null", True: "true", False: "false"}
_FIXED_FROM, _FIXED_TO = -7, 21
"""Exponents between which ECMAScript writes a number without one."""


def canonical_json(value: object) -> bytes:
    """Write what `json.loads` returns; raise `ValueError` for NaN and infinities."""
    return _written(value).encode("utf-8", "backslashreplace")


def _written(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict):
        names = sorted(value, key=_utf_16)
        return "{" + ",".join([f"{_string(name)}:{_written(value[name])}" for name in names]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([_written(each) for each in value]) + "]"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int | float):
        return _number(float(value))
    raise TypeError(f"{type(value).__name__} is not of JSON")


def _utf_16(name: str) -> bytes:
    """Its code units, by which names are sorted."""
    return name.encode("utf-16-be", "surrogatepass")


def _number(value: float) -> str:
    """As ECMAScript does: the shortest digits that read back as the same double."""
    if not math.isfinite(value):
        raise ValueError("JSON has no NaN and no infinities")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, exponent = _shortest(abs(value))
    point = exponent + 1
    if len(digits) <= point <= _FIXED_TO:
        return sign + digits.ljust(point, "0")
    if 0 < point <= _FIXED_TO:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _FIXED_FROM < exponent < 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign}{digits[0]}{fraction}e{exponent:+d}"


def _shortest(value: float) -> tuple[str, int]:
    """Its digits, without zeros at their end, and the exponent of the first one."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    return (whole + fraction).rstrip("0"), int(exponent or 0) + len(whole) - 1


_LEAF_FORM = "vouch-leaf-1"
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
    counted from 1. How a source was judged stands apart, under its name and `/judged`. `entry`, the
    hash that seals the whole payload, is opened in no receipt.
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
    hashes = [commitment(salt_of(name, salt), name, value) for name, value in committed.items()]
    missing = -len(hashes) % FILLED_TO
    fillers = [
        b64encode(hmac.digest(salt, f"filler {number}".encode(), "sha256")).decode()
        for number in range(missing)
    ]
    return leaf_with(sorted((*hashes, *fillers)))


def leaf_with(commitments: Sequence[str]) -> bytes:
    return canonical_json({"algorithm": _LEAF_FORM, "commitments": list(commitments)})


def salt_of(name: str, salt: bytes) -> str:
    """What opens the value of that name and no other, in base64."""
    return b64encode(hmac.digest(salt, name.encode(), "sha256")).decode()


def commitment(salt: str, name: str, value: object) -> str:
    """What a leaf has of a value, in base64; `salt`: the name's own."""
    return b64encode(hashlib.sha256(canonical_json([salt, name, value])).digest()).decode()
