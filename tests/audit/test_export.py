"""The export and the verification's answer, as somebody outside reads them."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from sample_records import a_record, an_event

from audit.chain import GENESIS, canonical, entry_hash
from audit.export import export
from audit.log import AuditReader, AuditWriter, StoredEntry

pytest_plugins = ["audit_stores"]


def test_an_export_can_be_checked_with_a_few_lines(
    five: list[StoredEntry], writer: AuditWriter, reader: AuditReader, tmp_path: Path
) -> None:
    writer.append(an_event(a_record(audit_id=five[0].entry.audit_id)))
    path = tmp_path / "audit.jsonl"
    assert export(reader, path) == 6
    previous = GENESIS
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        values = json.loads(line)
        chain = values.pop("chain")
        payload = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert chain["sequence"] == number
        assert chain["hash"] == entry_hash(number, previous, payload)
        previous = chain["hash"]
    assert previous == reader.verify().head


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
    }


def test_a_stored_payload_is_the_canonical_form_of_its_entry(five: list[StoredEntry]) -> None:
    assert all(canonical(stored.entry) == stored.payload for stored in five)


def test_an_export_that_breaks_off_leaves_the_old_one(
    five: list[StoredEntry], reader: AuditReader, tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text("the export of last month")
    (tmp_path / "audit.jsonl.part").mkdir()
    with pytest.raises(OSError, match=r"audit\.jsonl\.part"):
        export(reader, path)
    assert path.read_text() == "the export of last month"
