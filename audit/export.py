"""The whole store is written as JSON lines, or copied to another engine entry by entry.

A line is the payload's object with `chain` in front: sequence, previous_hash, hash, and the salt of
the tree's leaf. Take `chain` out, write the rest in the canonical form, and both can be checked.

A copy goes through the guards, which let in nothing else than entries: they check the chain's links
on the way, so that it cannot lack an entry in its midst.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sqlalchemy import Connection, func, insert, select

from audit.durable import private
from audit.erasure.checking import EVENTS
from audit.finding.term_index import catch_up
from audit.log import AuditReader, StoredEntry
from audit.proof.verification import stored_rows
from audit.storing.tables import cited, entries, erased, tree


def export(reader: AuditReader, path: Path) -> int:
    """Write every entry, oldest first; returns their number.

    `path` is replaced only when all is written, so a broken export leaves the old one. The
    file is its owner's alone, as the store is.
    Raises `AuditUnavailable` where the store cannot be read, `OSError` for the file.
    """
    count = 0
    with new_for_its_owner(path) as out:
        for stored, salt, event in reader.salted_entries():
            out.write(line(stored, salt, event) + "\n")
            count += 1
    return count


@contextmanager
def new_for_its_owner(path: Path) -> Iterator[TextIO]:
    """A file that replaces `path` only when all is written; raise `OSError`."""
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)  # of a broken one, or put there by somebody else
    with open(unfinished, "x", encoding="utf-8", newline="\n", opener=private) as out:
        yield out
    unfinished.replace(path)


def line(stored: StoredEntry, salt: str, event: int | None = None) -> str:
    """One line of the export; the payload stands in it as it was hashed.

    `salt`: in base64; of an entry that was erased by an `event`, what stands in its place.
    """
    chain = json.dumps(
        {
            "sequence": stored.sequence,
            "previous_hash": stored.previous_hash,
            "hash": stored.hash,
            "salt": salt,
            **({} if event is None else {"erased": event}),
        }
    )
    return f'{{"chain": {chain},{stored.payload.removeprefix("{")}'


def copy_entries(
    source: Connection, target: Connection, progress: Callable[[int, int, str], None]
) -> None:
    """Copy all entries into an empty store; `source` is in a transaction that sees one state."""
    total = source.scalar(select(func.count()).select_from(entries)) or 0
    for stored in stored_rows(source, None, with_tree=True):
        number = stored.row.sequence
        target.execute(insert(entries), dict(stored.row._mapping))  # noqa: SLF001 - SQLAlchemy's own
        if stored.names:
            named = [{"name": name, "sequence": number} for name in sorted(stored.names)]
            target.execute(insert(cited), named)
        if stored.leaf is not None:
            target.execute(insert(tree), dict(stored.leaf._mapping))  # noqa: SLF001 - likewise
        if stored.row.kind in EVENTS:
            by_it = source.execute(select(erased).where(erased.c.event == number)).mappings()
            if gone := [dict(each) for each in by_it]:
                target.execute(insert(erased), gone)
        progress(number, total, entries.name)
    while catch_up(target):
        pass
