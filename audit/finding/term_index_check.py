"""What records are found by is held to what the entries say, as one after the other is read.

Of the rows of blocks a sum of keyed hashes is compared, whose key nobody else knows: so no order
and no memory is needed, and no other rows have the same sum.
"""

import json
import secrets
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Row, func, select

from audit.finding.term_index import BLOCK, IndexedEntry, block_rows, terms_row
from audit.storing.tables import term_blocks, terms

_MODULUS = 1 << 256
_AT_ONCE = 10_000


class TermIndexCheck:
    """Knows what the entries so far say; entries from the first on, or rows alone."""

    def __init__(self, connection: Connection, *, whole: bool) -> None:
        self._connection = connection
        self._whole = whole
        self._key = secrets.token_bytes(32)
        self._sum = 0
        self._block: list[IndexedEntry] = []
        self._last = connection.scalar(select(func.max(terms.c.sequence))) or 0

    def step(
        self, entry: Row[Any], stored: Row[Any] | None, payload: Mapping[str, Any]
    ) -> str | None:
        """What is wrong with the terms of the next entry; those of the last ones may be missing."""
        number = entry.sequence
        if number > self._last:
            return None
        if stored is None:
            return "audit_terms has no row of it"
        derived = terms_row(self._connection, number, payload)
        if dict(stored._mapping) != derived:  # noqa: SLF001 - SQLAlchemy's own
            return "its row of audit_terms does not agree with the payload"
        if self._whole:
            self._block.append(
                IndexedEntry(derived["record"], json.loads(derived["terms"]), entry.words)
            )
            if number % BLOCK == 0:
                self._close(number // BLOCK - 1)
        return None

    def wrong_at_the_end(self, last: int) -> str | None:
        """What is wrong with the rest; `last`: the number of entries."""
        if self._last > last:
            return "audit_terms has terms of entries that are not there"
        if not self._whole:
            return None
        query = select(term_blocks).execution_options(yield_per=_AT_ONCE)
        stored = sum(self._hash(*row) for row in self._connection.execute(query)) % _MODULUS
        return None if stored == self._sum else "audit_found does not agree with the entries"

    def _close(self, block: int) -> None:
        for row in block_rows(block, self._block):
            self._sum = (self._sum + self._hash(*row.values())) % _MODULUS
        self._block.clear()

    def _hash(self, term: str, block: int, closed: int, numbers: bytes) -> int:
        head = json.dumps([term, block, closed]).encode()
        held = numbers if isinstance(numbers, bytes) else repr(numbers).encode()
        hashed = blake2b(head + held, digest_size=32, key=self._key)
        return int.from_bytes(hashed.digest())
