"""The values of a record, and the columns and hashes that are made of them."""

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sample_records import NOON, a_citation, a_record, an_event, wild_records

from audit.log import StoredEntry
from audit.places import Box, Place
from audit.proof.hashes import GENESIS, canonical, entry_hash
from audit.record import AuditRecord, Confidence, EventKind, SettingsRecord
from audit.storing.tables import words
from audit.values import CitationRecord, PersonRecord, new_id


def stored(payload: str) -> StoredEntry:
    return StoredEntry(sequence=1, payload=payload, previous_hash=GENESIS, hash="")


@given(record=wild_records)
def test_any_record_survives_json(record: AuditRecord) -> None:
    assert stored(canonical(record)).entry == record


def test_a_record_from_before_slides_and_sheets_is_read_as_it_was_sealed() -> None:
    payload = canonical(a_record())
    older = payload.replace('"cell_range":"",', "").replace('"page_label":"",', "")
    older = older.replace('"cells":[],', "")
    assert len(older) < len(payload)
    assert stored(older).entry == stored(payload).entry
    assert stored(older).payload == older


def test_a_score_that_no_search_gives_any_more_is_read_of_older_records() -> None:
    payload = canonical(a_record())
    for bare in (None, 0.5):
        older = payload.replace('"scores":{', f'"scores":{{"bare_logit":{json.dumps(bare)},')
        for read in (stored(older).record, AuditRecord.model_validate_json(older)):
            assert read.candidates[0].scores.model_dump()["bare_logit"] == bare


@pytest.mark.parametrize("cells", ["b7", "B7:", "B0", "<!channel>", "B7\n"])
def test_a_place_names_cells_or_nothing(cells: str) -> None:
    with pytest.raises(ValueError, match="names no cells"):
        Place(cell_range=cells)


@given(number=st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_survives_json_bit_for_bit(number: float) -> None:
    record = a_record(confidence=Confidence(overall=number))
    read = stored(canonical(record)).entry
    assert isinstance(read, AuditRecord)
    assert read.confidence.overall is not None
    assert read.confidence.overall.hex() == number.hex()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_cannot_carry_is_refused(number: float) -> None:
    with pytest.raises(ValidationError):
        a_record(confidence=Confidence(overall=number))
    with pytest.raises(ValidationError):
        SettingsRecord(values={"threshold": [number]})
    with pytest.raises(ValidationError):
        CitationRecord(**dict(a_citation()) | {"boxes": (Box(1, 0, 0, 0, number),)})


def test_the_canonical_form_is_the_one_that_is_stated() -> None:
    event = an_event(
        a_record(audit_id="r-1"),
        event_id="e-1",
        kind=EventKind.DELIVERED,
        text="é e\u0301 🦉 \x00\n",
        details={"b": 1e-7, "a": [1.0, 1]},
        nonce="n",
    )
    assert canonical(event) == (
        '{"audit_id":"r-1","channel":{"id":"","name":"","thread":""},'
        '"details":{"a":[1.0,1],"b":1e-07},"event_id":"e-1","kind":"delivered",'
        '"nonce":"n",'
        '"person":{"id":"ben","name":""},"schema_version":1,'
        '"text":"é e\u0301 🦉 \\u0000\\n","time":"2025-03-01T12:05:00.000000Z"}'
    )


def test_what_json_has_not_is_refused_even_where_nothing_checked_the_value() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(an_event(a_record()).model_copy(update={"details": {"b": float("nan")}}))


def test_the_hash_is_the_one_that_is_stated() -> None:
    sealed = f"vouch-audit-1\n7\n{GENESIS}\n{{}}".encode()
    assert entry_hash(7, GENESIS, "{}") == "sha256:" + hashlib.sha256(sealed).hexdigest()


def test_a_time_is_kept_in_utc_and_needs_a_zone() -> None:
    colombo = timezone(timedelta(hours=5, minutes=30))
    record = a_record(time=datetime(2025, 3, 1, 17, 30, tzinfo=colombo))
    assert record.time == NOON
    assert record.time.tzinfo is UTC
    with pytest.raises(ValidationError):
        a_record(time=datetime(2025, 3, 1, 12))


@pytest.mark.parametrize("audit_id", ["", "a b", "ä", "a\x00", "a" * 101])
def test_an_id_that_cannot_be_typed_is_refused(audit_id: str) -> None:
    with pytest.raises(ValidationError):
        a_record(audit_id=audit_id)


def test_ids_sort_by_time_and_never_meet() -> None:
    later = [new_id(NOON + timedelta(milliseconds=number)) for number in range(100)]
    assert later == sorted(later)
    assert len({new_id(NOON) for _ in range(1000)}) == 1000
    assert new_id(NOON)[14] == "7"


def test_a_record_of_a_newer_program_can_still_be_read() -> None:
    record = a_record()
    newer = canonical(record).replace('{"audit_id"', '{"a_new_field":1,"audit_id"', 1)
    newer = newer.replace('"person":{', '"person":{"a_new_field":1,')
    assert stored(newer).entry == record


def test_a_misspelt_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        PersonRecord(id="ana", nmae="Ana")  # type: ignore[call-arg]  # misspelt on purpose


def test_words_are_what_people_type() -> None:
    assert words("Re-evaluation of CS201, straße_STRASSE; 3.5 %!") == [
        *("re", "evaluation", "of", "cs201", "strasse", "3", "5")
    ]


MISREAD = "read by text recognition and may be misread"
SHEET = Place(page=2, section_path=("Fees",), page_label="sheet Fees")


@pytest.mark.parametrize(
    ("location", "words"),
    [
        (Place(line_start=3, line_end=3), "pay.md, line 3"),
        (Place(line_start=3), "pay.md, line 3"),
        (Place(line_start=3, line_end=5), "pay.md, lines 3-5"),
        (Place(page=2, line_start=3, line_end=5), "pay.md, page 2, lines 3-5"),
        (Place(paragraph=4, section_path=("Pay", "Late")), "pay.md, paragraph 4 (Pay > Late)"),
        (Place(paragraph=4, page_label="table 2, row 3"), "pay.md, table 2, row 3"),
        (Place(section_path=("Pay", " ")), "pay.md (Pay)"),
        (Place(), "pay.md"),
        (Place(page=2, section_path=("Pay",), misread=True), f"pay.md, page 2, {MISREAD} (Pay)"),
        (Place(page=3, section_path=("Late",), page_label="slide 3"), "pay.md, slide 3 (Late)"),
        (replace(SHEET, cell_range="B7"), "pay.md, sheet Fees, cell B7"),
        (replace(SHEET, cell_range="B7:D7"), "pay.md, sheet Fees, cells B7:D7"),
        (Place(line_start=7, line_end=7, cell_range="B7:D7"), "pay.md, line 7, cells B7:D7"),
    ],
)
def test_a_place_is_said_after_its_file(location: Place, words: str) -> None:
    assert location.in_words("pay.md") == words


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert Place().in_words() == ""
    assert Place(line_start=3, line_end=3).in_words() == "line 3"
