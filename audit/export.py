"""The whole store as JSON lines or copied to another engine, and records as rows of a table.

A line is the payload's object with `chain` in front: sequence, previous_hash, hash, and the salt of
the tree's leaf. Take `chain` out, write the rest in the canonical form, and both can be checked. A
copy goes through the guards, which check the chain's links: it cannot lack an entry in its midst.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

from sqlalchemy import Connection, func, insert, select

from audit.engines import private
from audit.erasure.remains import EVENTS
from audit.finding.term_index import catch_up
from audit.log import AuditReader, StoredEntry
from audit.proof.verification import stored_rows
from audit.record import Decision, badge_of
from audit.storing.tables import cited, entries, erased, tree


def export(reader: AuditReader, path: Path) -> int:
    """Every entry, oldest first; returns their number. Raises `AuditUnavailable`, `OSError`."""
    count = 0
    with new_for_its_owner(path) as out:
        for stored, salt, event in reader.salted_entries():
            out.write(line(stored, salt, event) + "\n")
            count += 1
    return count


@contextmanager
def new_for_its_owner(path: Path) -> Iterator[TextIO]:
    """It replaces `path` only when all is written; raise `OSError`."""
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)  # of a broken one, or put there by somebody else
    with open(unfinished, "x", encoding="utf-8", newline="\n", opener=private) as out:
        yield out
    unfinished.replace(path)


def line(stored: StoredEntry, salt: str, event: int | None = None) -> str:
    """`salt`: in base64; of an entry that was erased by an `event`, what stands in its place."""
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


Row = Mapping[str, str | float | None]
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet would run; it gets an apostrophe in front."""
COLUMNS = (
    *("audit_id", "time", "person_id", "person_name", "channel_id", "channel_name"),
    *("decision", "badge", "confidence", "question", "reply", "reasons", "claims", "dropped"),
    *("cited", "writer", "model", "settings", "software", "hash"),
)
"""Several values of a cell stand on a line each; `confidence` is a number, all else is text.

What is `cited` has its version behind it.
"""
_AT_ONCE = 1000


def write_rows(entries: Iterable[StoredEntry], path: Path) -> int:
    """In the form of the suffix; how many. Raise `KeyError`, `ImportError`, `OSError`."""
    write = FORMS[path.suffix.lower()]
    count = 0

    def counted() -> Iterator[Row]:
        nonlocal count
        for stored in entries:
            count += 1
            yield row(stored)

    with new_for_its_owner(path) as out:
        write(counted(), out)
    return count


def row(stored: StoredEntry) -> Row:
    record = json.loads(stored.payload)
    claims, dropped = record.get("claims", ()), record.get("dropped", ())
    cited = [citation for claim in claims for citation in claim["citations"]]
    decision = Decision(record["decision"])
    return {
        "audit_id": record["audit_id"],
        "time": record["time"],
        "person_id": record["person"]["id"],
        "person_name": record["person"].get("name", ""),
        "channel_id": record["channel"]["id"],
        "channel_name": record["channel"].get("name", ""),
        "decision": decision.value,
        "badge": badge_of(decision, record.get("missing", ())).value,
        "confidence": record.get("confidence", {}).get("overall"),
        "question": record["question"],
        "reply": record["reply"],
        "reasons": "\n".join(record.get("reasons", ())),
        "claims": "\n".join(f"{each['status']} {each['text']}" for each in claims),
        "dropped": "\n".join(f"{each['status']} {each['text']}" for each in dropped),
        "cited": "\n".join(dict.fromkeys(f"{each['file']} ({each['version']})" for each in cited)),
        "writer": record["writer"]["name"],
        "model": record["writer"].get("model", ""),
        "settings": record["versions"].get("settings", {}).get("hash", ""),
        "software": record["versions"]["software"],
        "hash": stored.hash,
    }


def _csv(rows: Iterable[Row], out: TextIO) -> None:
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for each in rows:
        writer.writerow({name: harmless(value) for name, value in each.items()})


def harmless(value: str | float | None) -> str | float | None:
    value = _storable(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _json_lines(rows: Iterable[Row], out: TextIO) -> None:
    out.writelines(f"{json.dumps(dict(each))}\n" for each in rows)


def _parquet(rows: Iterable[Row], out: TextIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [(name, pa.float64() if name == "confidence" else pa.string()) for name in COLUMNS]
    )
    stored = ({name: _storable(value) for name, value in each.items()} for each in rows)
    with pq.ParquetWriter(out.buffer, schema) as writer:
        while some := [*islice(stored, _AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(some, schema))


def _storable(value: str | float | None) -> str | float | None:
    """Without lone surrogates, which neither form's text has."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


FORMS: Mapping[str, Callable[[Iterable[Row], TextIO], None]] = {
    ".csv": _csv,
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
