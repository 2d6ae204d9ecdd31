"""Which places an evidence modal shows as pictures, and to whom."""

from typing import Any

import pytest
from at_length import fewer
from block_records import HOSTILE, a_citation, a_claim, a_record, unseen, wild_records
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.record import AuditRecord
from audit.values import Status
from bot.access.reading import RecordView
from bot.slack.blocks.evidence import MOST_PICTURES, Pictures, evidence, place_key, to_be_pictured
from bot.workspace.block_kit.validation import view_problems

NOBODYS: frozenset[str] = frozenset()


def all_pictures(record: AuditRecord) -> Pictures:
    """One of every place that the record names, also of those that nobody may see."""
    cited = [each for claim in (*record.claims, *record.dropped) for each in claim.citations]
    return {place_key(each): f"F0PICTURE{number}" for number, each in enumerate(cited)}


def images(record: AuditRecord, withheld: frozenset[str] = NOBODYS) -> list[dict[str, Any]]:
    view = evidence(record, withheld, None, all_pictures(record))
    assert view_problems(view) == []
    return [block for block in view["blocks"] if block["type"] == "image"]


def test_a_picture_stands_under_its_claim_with_its_place_and_the_quote_for_those_who_hear() -> None:
    record = a_record()
    view = evidence(record, NOBODYS, None, all_pictures(record))
    kinds = [block["type"] for block in view["blocks"]]
    at = kinds.index("image")
    assert kinds[at - 2 : at] == ["header", "rich_text"]
    picture = view["blocks"][at]
    assert picture["slack_file"] == {"id": "F0PICTURE0"}
    assert picture["alt_text"] == "Parents get 14 weeks."
    assert picture["title"]["text"] == "Leave, lines 10-12 (Parental)"


@given(st.text() | st.sampled_from(HOSTILE), st.sampled_from([1, 700]))
def test_whatever_is_quoted_a_picture_is_told_in_one_visible_line(piece: str, often: int) -> None:
    claim = a_claim("So it is.", a_citation(quote=f"Parents{piece * often}"))
    [picture] = images(a_record(claims=(claim,)))
    alternative = picture["alt_text"]
    assert alternative.startswith("Parents")
    assert unseen(alternative) == set()
    assert alternative.splitlines() == [alternative]
    assert len(alternative) <= 2_000


def test_without_pictures_the_modal_is_as_it_was() -> None:
    record = a_record()
    with_pictures = evidence(record, NOBODYS, None, all_pictures(record))
    words_alone = [block for block in with_pictures["blocks"] if block["type"] != "image"]
    assert evidence(record, NOBODYS)["blocks"] == words_alone


def test_what_is_withheld_has_no_picture_and_no_hint_of_one() -> None:
    both = a_claim("Two say so.", a_citation("Leave"), a_citation("Secret", quote="Ten weeks."))
    record = a_record(claims=(both, a_claim("Ten weeks.", a_citation("Secret"))))
    withheld = frozenset({"d-Secret"})
    assert [each.document_id for each in to_be_pictured(RecordView(record, withheld))] == [
        "d-Leave"
    ]
    shown = images(record, withheld)
    assert [each["alt_text"] for each in shown] == ["Parents get 14 weeks."]
    assert "Secret" not in str(evidence(record, withheld, None, all_pictures(record)))
    everything = frozenset({"d-Secret", "d-Leave"})
    assert to_be_pictured(RecordView(record, everything)) == []
    assert images(record, everything) == []


def test_what_was_dropped_is_not_pictured() -> None:
    dropped = a_claim("Ten.", a_citation("Old"), status=Status.UNSUPPORTED)
    record = a_record(dropped=(dropped,))
    assert [each.document_id for each in to_be_pictured(RecordView(record, NOBODYS))] == ["d-Leave"]
    assert len(images(record)) == 1


def test_a_place_that_two_claims_cite_is_pictured_once() -> None:
    record = a_record(claims=(a_claim("One."), a_claim("Two.")))
    assert len(to_be_pictured(RecordView(record, NOBODYS))) == len(images(record)) == 1


def test_only_the_first_few_are_pictured() -> None:
    claims = [a_claim(f"{n}.", a_citation(quote=f"Quote {n}.")) for n in range(9)]
    picked = to_be_pictured(RecordView(a_record(claims=tuple(claims)), NOBODYS))
    assert [each.quote for each in picked] == [f"Quote {n}." for n in range(MOST_PICTURES)]


@pytest.mark.slow
@settings(max_examples=fewer(2))
@given(wild_records)
def test_whatever_documents_say_slack_takes_the_modal_with_pictures(record: AuditRecord) -> None:
    images(record)
