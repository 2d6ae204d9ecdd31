"""Whoever asked says which passage was it; nobody else does, and nobody of what is closed."""

from collections.abc import Iterator

import pytest
from block_records import an_abstention
from front_desk import NOON, WITHOUT_BOT, FrontDesk, open_desk
from office import ANA, BEN, EVE, GENERAL
from slack_reading import words

from audit.record import AuditRecord, Decision, NearestRecord
from audit.values import Channel, PersonRecord, new_id
from bot.slack.blocks.elements import actions, button, feedback_buttons
from bot.slack.clicks import it_was
from bot.wording import slack
from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.types import AccessRule, Document, Metadata

OPEN, CLOSED = Metadata(), Metadata(access=AccessRule((("departments", ("hr",)),)))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontDesk]:
    with open_desk(tmp_path_factory.mktemp("this-was-it")) as desk:
        hold(desk, "Parking")
        hold(desk, "Bicycles")
        yield desk


def hold(desk: FrontDesk, name: str, metadata: Metadata = OPEN, version: str = "1") -> None:
    document = Document(f"d-{name}", f"{name.lower()}.md", version, NOON, name, metadata)
    desk.library.store([Acquisition("docs", document, Fingerprint(1, 1, "sha", ""), [])])


def near(name: str) -> NearestRecord:
    return NearestRecord(
        document_id=f"d-{name}",
        file=f"{name.lower()}.md",
        title=name,
        passage_id=f"p-{name}",
        version="1",
        quote=f"{name} is free.",
        text=f"{name} is free.",
    )


@pytest.fixture
def record(desk: FrontDesk) -> AuditRecord:
    """Ben asked in a channel; two passages were quoted."""
    return an_abstention(
        audit_id=new_id(NOON),
        person=PersonRecord(id=BEN, name="Ben Okafor"),
        channel=Channel(id=GENERAL),
        candidates=(),
        nearest=(near("Parking"), near("Bicycles")),
    )


def press(desk: FrontDesk, record: AuditRecord, ts: str, number: int, user: str = BEN) -> str:
    """What whoever presses is told."""
    value = f"{record.audit_id}:{number}"
    click = lambda: desk.slack.clicks(user, GENERAL, ts, "this_was_it", value)  # noqa: E731
    return str(desk.told(click, user)["text"])


def test_a_quoted_passage_is_kept_once_and_confirmed(desk: FrontDesk, record: AuditRecord) -> None:
    ts = desk.posted(record)
    for number in (1, 1, 0):
        assert press(desk, record, ts, number) == it_was(record.nearest[number])
    assert [dict(event.details) for event in desk.feedback(record)] == [
        {
            "value": "this_was_it",
            "passage_id": f"p-{name}",
            "document_id": f"d-{name}",
            "file": f"{name.lower()}.md",
            "version": "1",
        }
        for name in ("Bicycles", "Parking")
    ]


def test_it_leaves_a_thumb_as_it_is(desk: FrontDesk, record: AuditRecord) -> None:
    """Under a refusal of before there were thumbs, too."""
    ts = desk.posted(record)
    press(desk, record, ts, 0)
    thumbs = feedback_buttons(record.audit_id)
    old = desk.bot.chat_postMessage(channel=GENERAL, text="I don't know.", blocks=[thumbs])
    value = f"good:{record.audit_id}"
    desk.told(lambda: desk.slack.clicks(BEN, GENERAL, str(old["ts"]), "feedback", value))
    listed = desk.records.feedback().given
    assert [each.value for each in listed if each.audit_id == record.audit_id] == [
        "good",
        "this_was_it",
    ]


def test_nobody_else_says_which_it_was(desk: FrontDesk, record: AuditRecord) -> None:
    ts = desk.posted(record)
    assert press(desk, record, ts, 0, EVE) == slack.ASKER_ALONE
    assert desk.feedback(record) == []


def test_what_may_not_be_read_now_is_not_kept_as_seen(desk: FrontDesk, record: AuditRecord) -> None:
    hold(desk, "Cellar")
    record = record.model_copy(update={"nearest": (near("Cellar"),)})
    ts = desk.posted(record)
    hold(desk, "Cellar", CLOSED, version="2")
    assert press(desk, record, ts, 0) == slack.NOT_KEPT
    assert desk.feedback(record) == []


@pytest.mark.parametrize("number", ["2", "-1", "3", "00", "1_0", "x", "", "0:1", "\u0660"])
def test_a_forged_click_keeps_nothing_and_tells_nothing(
    desk: FrontDesk, record: AuditRecord, number: str
) -> None:
    """The last of three that are quoted was only named, as in older records: it has no button."""
    named = near("Cellar").model_copy(update={"passage_id": ""})
    record = record.model_copy(update={"nearest": (*record.nearest, named)})
    desk.posted(record)
    told = forged(desk, f"{record.audit_id}:{number}")
    assert told == slack.NOT_KEPT
    assert not any(each.title in told or each.file in told for each in record.nearest)
    assert desk.feedback(record) == []


def forged(desk: FrontDesk, value: str, action: str = "this_was_it") -> str:
    """What Ben is told who presses a button that the bot never drew."""
    drawn = actions(button("This was it", action, value))
    message = desk.bot.chat_postMessage(channel=GENERAL, text="forged", blocks=[drawn])
    click = lambda: desk.slack.clicks(BEN, GENERAL, str(message["ts"]), action, value)  # noqa: E731
    return str(desk.told(click)["text"])


def test_nothing_was_quoted_under_an_answer(desk: FrontDesk, record: AuditRecord) -> None:
    answered = record.model_copy(update={"decision": Decision.ANSWER})
    desk.posted(answered)
    assert forged(desk, f"{answered.audit_id}:0") == slack.NOT_KEPT
    assert desk.feedback(answered) == []


@pytest.mark.parametrize(
    ("action", "value"),
    [
        ("this_was_it", "{}:0"),
        *(("feedback", "good:{}"), ("feedback", "bad:{}"), ("evidence", "{}")),
    ],
)
def test_what_another_conversation_was_shown_is_nothing_of_this_one(
    desk: FrontDesk, record: AuditRecord, action: str, value: str
) -> None:
    elsewhere = record.model_copy(update={"channel": Channel(id=WITHOUT_BOT)})
    desk.writer.append(elsewhere)
    assert forged(desk, value.format(elsewhere.audit_id), action) == slack.NOT_HERE
    assert desk.feedback(elsewhere) == []


def test_an_administrator_reads_what_it_means(desk: FrontDesk, record: AuditRecord) -> None:
    press(desk, record, desk.posted(record), 0)
    means = "the quoted passage was the answer: parking.md"
    assert means in words(desk.audit("feedback"))
    opened = desk.opens(lambda: desk.slack.command(ANA, GENERAL, "/audit", record.audit_id), ANA)
    assert means in words(opened)
