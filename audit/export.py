"""The whole store is written as JSON lines, or copied to another engine entry by entry.

A line is the payload's object with `chain` in front: sequence, previous_hash and hash. Take `chain`
out, write the rest in the canonical form, and the hash can be checked.

A copy goes through the guards, which let in nothing else than entries: they check the chain's links
on the way, so that it cannot lack an entry in its midst.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, func, insert, select

from audit.log import AuditReader, StoredEntry
from audit.tables import cited, entries
from audit.verification import rows_with_cited


def export(reader: AuditReader, path: Path) -> int:
    """Write every entry, oldest first; returns their number.

    `path` is replaced only when all is written, so a broken export leaves the old one. The
    file is its owner's alone, as the store is.
    Raises `AuditUnavailable` where the store cannot be read, `OSError` for the file.
    """
    unfinished = path.with_name(path.name + ".part")
    count = 0
    unfinished.unlink(missing_ok=True)  # of a broken export, or put there by somebody else
    with open(unfinished, "x", encoding="utf-8", newline="\n", opener=_for_its_owner) as out:
        for stored in reader.entries():
            out.write(line(stored) + "\n")
            count += 1
    unfinished.replace(path)
    return count


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)


def line(stored: StoredEntry) -> str:
    """One line of the export; the payload stands in it as it was hashed."""
    chain = json.dumps(
        {
            "sequence": stored.sequence,
            "previous_hash": stored.previous_hash,
            "hash": stored.hash,
        }
    )
    return f'{{"chain": {chain},{stored.payload.removeprefix("{")}'


def copy_entries(
    source: Connection, target: Connection, progress: Callable[[int, int, str], None]
) -> None:
    """Copy all entries into an empty store; `source` is in a transaction that sees one state."""
    total = source.scalar(select(func.count()).select_from(entries)) or 0
    for row, names in rows_with_cited(source):
        target.execute(insert(entries), dict(row._mapping))  # noqa: SLF001 - SQLAlchemy's own door
        if names:
            named = [{"name": name, "sequence": row.sequence} for name in sorted(names)]
            target.execute(insert(cited), named)
        progress(row.sequence, total, entries.name)
