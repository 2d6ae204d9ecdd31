"""Records become rows of a table: CSV, JSON lines or Parquet, each with the same columns."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TextIO

from audit.export import new_for_its_owner
from audit.log import StoredEntry
from audit.record import Decision, badge_of

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
    """Write a table in the form that the file's suffix names; return the number of records.

    `path` is replaced only when all is written. Raise `KeyError` for another suffix than those of
    `FORMS`, `ImportError` for Parquet where pyarrow is missing, `OSError` for the file.
    """
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
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode()
        return f"'{value}" if value.startswith(FORMULA) else value
    return value


def _json_lines(rows: Iterable[Row], out: TextIO) -> None:
    out.writelines(f"{json.dumps(dict(each))}\n" for each in rows)


def _parquet(rows: Iterable[Row], out: TextIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [(name, pa.float64() if name == "confidence" else pa.string()) for name in COLUMNS]
    )
    told = iter(rows)
    with pq.ParquetWriter(out.buffer, schema) as writer:
        while some := [_storable(each) for each in islice(told, _AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(some, schema))


def _storable(each: Row) -> dict[str, str | float | None]:
    """Without lone surrogates, which Parquet's text has not."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in each.items()
    }


FORMS: Mapping[str, Callable[[Iterable[Row], TextIO], None]] = {
    ".csv": _csv,
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
