"""What an administrator reads after `/audit`."""

import re
from dataclasses import replace
from datetime import date

from block_records import (
    AUDIT_ID,
    NOON,
    a_candidate,
    a_citation,
    a_claim,
    a_record,
    markup,
    read,
    sent,
    texts,
)
from hypothesis import given
from hypothesis import strategies as st

from audit.finding.queries import Summary
from audit.places import Place
from audit.record import AuditEvent, EventKind, ExpiredRecord, NearestRecord, TokenUsage
from audit.values import Channel, PersonRecord
from bot.slack.admin import (
    MOST_LISTED,
    audit_list,
    audit_nothing,
    audit_record,
    audit_usage,
)
from bot.workspace.block_kit.validation import problems, too_long


def a_summary(question: str = "How much leave?", name: str = "Ana Silva") -> Summary:
    return Summary(
        sequence=3,
        audit_id=AUDIT_ID,
        time="2026-03-02T12:00:00.000000Z",
        person_id="ana",
        person_name=name,
        channel_id="C0GENERAL",
        decision="ANSWER",
        question=question,
    )


def test_each_exchange_stands_in_a_line_with_a_button_that_opens_it() -> None:
    message = audit_list([a_summary()], "", None)
    assert read(message.blocks).splitlines() == [
        "The latest exchanges",
        "2026-03-02 12:00 UTC · Ana Silva · ANSWER · How much leave?",
    ]
    opening = message.blocks[1]["accessory"]
    assert (opening["action_id"], opening["value"]) == ("audit_open", AUDIT_ID)


def test_the_channel_stands_there_as_it_was_called_then() -> None:
    summary = replace(a_summary(), channel_name="general")
    assert " · Ana Silva · #general · ANSWER · " in read(audit_list([summary], "", None).blocks)


def test_a_person_without_a_name_stands_with_their_id() -> None:
    assert " · ana · " in read(audit_list([a_summary(name="")], "", None).blocks)


def test_a_query_too_long_for_a_button_is_to_be_narrowed() -> None:
    message = audit_list([a_summary()], "text", "x" * 2_001)
    assert problems(message.blocks) == []
    assert "ask for less at once" in read(message.blocks)


@given(
    st.lists(st.builds(a_summary, texts, texts), max_size=MOST_LISTED),
    texts,
    st.booleans(),
    st.booleans(),
)
def test_whatever_was_asked_slack_takes_the_list(
    records: list[Summary], query: str, more: bool, older: bool
) -> None:
    value = "x" * 1_900 if more else None
    message = audit_list(records, query, value, older=older)
    assert problems(message.blocks) == []
    assert not too_long(message.blocks)
    assert len(sent(message.blocks).encode()) < 13_000
    assert not re.search("[<>]", message.text)
    assert not markup(message.blocks)


def test_one_exchange_is_shown_in_full_with_what_each_stage_cost() -> None:
    feedback = AuditEvent(
        kind=EventKind.FEEDBACK,
        event_id="e-1",
        audit_id=AUDIT_ID,
        time=NOON,
        person=PersonRecord(id="ben", name="Ben Okafor"),
        text="It is 16 weeks now.",
        details={"value": "bad"},
    )
    source = NearestRecord(document_id="d", file="old.md", title="", place=Place())
    imagine, write = TokenUsage(prompt=60, completion=20), TokenUsage(prompt=900, completion=80)
    record = a_record(
        candidates=(a_candidate("Unused", used=False), a_candidate()),
        imagined_passage="Leave is 14 weeks.",
        expired=(ExpiredRecord(source=source, valid_to=date(2026, 1, 31)),),
        latency_ms={"imagine": 812.4, "total": 2000.0},
        tokens=TokenUsage(prompt=960, completion=100),
        tokens_by_stage={"imagine": imagine, "write": write},
    )
    text = read(audit_record(record, [feedback], 12, "sha256:ab")["blocks"])
    for line in (
        "Who: Ana Silva (ana)",
        "Where: general (C0GENERAL)",
        "When: 2026-03-02 12:00 UTC",
        "Could read: departments: cs (on 2026-03-02)",
        "Why: confidence 0.91 is at least 0.85",
        "VERIFIED: the source says so, score 0.97",
        "Imagined to search with: Leave is 14 weeks.",
        "Out of date: old.md (valid until 2026-01-31)",
        "Software: 0.1.0",
        "Took: imagine: 812 ms, total: 2000 ms",
        "Tokens, prompt and completion: imagine: 60 + 20, write: 900 + 80, total: 960 + 100 = 1060",
        "2026-03-02 12:00 UTC · feedback · Ben Okafor (ben) · not helpful: “It is 16 weeks now.”",
        "Entry 12 of the chain, hash sha256:ab",
        f"Audit {AUDIT_ID}",
    ):
        assert line in text.splitlines()
    assert text.index("used: leave.md (version 1), page 2") < text.index("unused.md (version 1)")
    older = record.model_copy(update={"tokens_by_stage": {}})
    summed = read(audit_record(older, [], 1, "sha256:ab")["blocks"])
    assert "Tokens, prompt and completion: total: 960 + 100 = 1060" in summed.splitlines()


def test_an_audit_tells_which_characters_of_which_reading_were_quoted_where_that_was_noted() -> (
    None
):
    cited = a_citation(char_start=120, ingested_at=NOON)
    record = a_record(claims=(a_claim("Parents get 14 weeks.", cited),))
    said = "characters 120-141, read in 2026-03-02 12:00 UTC"
    assert said in read(audit_record(record, [], 1, "sha256:ab")["blocks"])
    older = read(audit_record(a_record(), [], 1, "sha256:ab")["blocks"])
    assert "read in" not in older
    assert "characters" not in older


def test_a_direct_message_and_a_channel_without_a_name_are_told_apart() -> None:
    for channel, where in (
        (Channel(id="D3151CA7F5C"), "Where: a direct message"),
        (Channel(id="C0GENERAL", thread="1.2"), "Where: C0GENERAL, thread 1.2"),
    ):
        text = read(audit_record(a_record(channel=channel), [], 1, "sha256:ab")["blocks"])
        assert where in text.splitlines()


def test_what_was_not_understood_is_answered_with_what_may_be_written() -> None:
    text = read(audit_usage("I don't understand <!channel> there.").blocks)
    assert text.startswith("I don't understand <!channel> there.\n• `/audit`: the latest")


def test_what_to_write_is_shown_as_code() -> None:
    block, _usage = audit_usage("`maybe` is no decision. Write `answer`.").blocks
    pieces = block["elements"][0]["elements"]
    assert [each["text"] for each in pieces] == ["maybe", " is no decision. Write ", "answer", "."]
    assert ["style" in each for each in pieces] == [True, False, True, False]


@given(texts)
def test_nothing_found_and_misuse_are_harmless(words: str) -> None:
    for message in (audit_nothing(words), audit_usage(words)):
        assert problems(message.blocks) == []
        assert not re.search("[<>]", message.text)
        assert all("<" not in each["text"] for each in markup(message.blocks))
