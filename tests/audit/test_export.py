"""The export and the verification's answer, as somebody outside reads them."""

import csv
import json
from base64 import b64encode
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from sample_records import a_record

from audit.export import export, write_rows
from audit.finding.queries import RecordQuery
from audit.log import AuditReader, AuditWriter, StoredEntry
from audit.record import Confidence
from audit.values import PersonRecord


def test_a_verification_can_be_printed_as_json(
    five: list[StoredEntry], reader: AuditReader
) -> None:
    assert json.loads(json.dumps(asdict(reader.verify()))) == {
        "ok": True,
        "records": 5,
        "events": 0,
        "first_bad": None,
        "head": five[-1].hash,
        "lacks_expected_head": False,
        "unread": 0,
        "root": b64encode(reader.tree_head()[1]).decode(),
        "proven": 0,
        "proven_at": "",
    }


def test_an_export_that_breaks_off_leaves_the_old_one(
    five: list[StoredEntry], reader: AuditReader, tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text("the export of last month")
    (tmp_path / "audit.jsonl.part").mkdir()
    with pytest.raises(OSError, match=r"audit\.jsonl\.part"):
        export(reader, path)
    assert path.read_text() == "the export of last month"


def rows_of(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".csv":
        return list(csv.DictReader(path.open(newline="", encoding="utf-8")))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_records_that_were_asked_for_become_a_table_in_which_no_cell_is_run(
    writer: AuditWriter, reader: AuditReader, tmp_path: Path, suffix: str
) -> None:
    asked = ["=cmd|' /C calc'!A0", '-1 day, "or" two?\nMore', "+1", "@SUM(A1)", "\tleave \ud800"]
    for number, question in enumerate(asked):
        writer.append(a_record(number, question=question, confidence=Confidence(overall=0.4)))
    writer.append(a_record(9, person=PersonRecord(id="ben")))
    path = tmp_path / f"found{suffix}"
    assert write_rows(reader.records(RecordQuery(person="ana")), path) == len(asked)
    rows = rows_of(path)
    if suffix == ".csv":
        assert all(row["question"].startswith("'") for row in rows)
    questions = [row["question"].removeprefix("'" if suffix == ".csv" else "") for row in rows]
    assert [each.replace("\ud800", "?") for each in questions] == [
        each.replace("\ud800", "?") for each in asked[::-1]
    ]
    assert {float(row["confidence"]) for row in rows} == {0.4}
    assert {row["cited"] for row in rows} == {"handbook/leave.md (sha256:12ab)"}
