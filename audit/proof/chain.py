r"""The chain's form and hashes make the store tamper-evident.

The contract, so that anyone can check a store or an export without this program:

- The *payload* of an entry is JSON with keys sorted by code point, no white space,
  UTF-8, characters as they are but for those that JSON must escape and for lone
  surrogates (escaped as `\udXXX`), floats as the shortest decimal that reads back as
  the same double. Text is not normalised (NFC or otherwise): a quote must stay the one
  that stands in the file.
- The *hash* of an entry is "sha256:" and the hexadecimal SHA-256 of four lines joined
  by line feeds: `vouch-audit-1`, the sequence number, the previous entry's hash, the
  payload. The first entry has number 1 and `GENESIS` as the previous hash.

What a chain alone cannot show: entries cut off at its end, or everything rewritten from
some entry on by someone who can write to the database. Note the head somewhere else from
time to time, and hand it to `verification.verify` as `expected_head`.
"""

import hashlib
import json

from pydantic import BaseModel

FORM = "vouch-audit-1"
GENESIS = "sha256:" + 64 * "0"


def canonical(value: BaseModel) -> str:
    """The payload of a record or event; the module's docstring states its form."""
    return compact(value.model_dump(mode="json"))


def compact(payload: object) -> str:
    """Bare JSON in that form."""
    text = json.dumps(
        payload,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def entry_hash(sequence: int, previous_hash: str, payload: str) -> str:
    """The hash that seals an entry and all before it."""
    sealed = f"{FORM}\n{sequence}\n{previous_hash}\n{payload}"
    return "sha256:" + hashlib.sha256(sealed.encode("utf-8", "surrogateescape")).hexdigest()
