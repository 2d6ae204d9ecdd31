"""Whoever asked says which passage was it; nobody else does, and nobody of what is closed."""

from collections.abc import Iterator

import pytest
from block_records import an_abstention
from front_desk import NOON, FrontDesk, open_desk
from office import BEN, EVE, GENERAL

from audit.record import AuditRecord
from audit.record.asker import Channel, PersonRecord
from audit.record.base import new_id
from audit.record.nearest import NearestRecord
from bot.slack.blocks.feedback import it_was
from bot.wording import commands
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


def test_each_quoted_passage_is_kept_once_and_confirmed(
    desk: FrontDesk, record: AuditRecord
) -> None:
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
    ts = desk.posted(record)
    press(desk, record, ts, 0)
    value = f"good:{record.audit_id}"
    desk.told(lambda: desk.slack.clicks(BEN, GENERAL, ts, "feedback", value))
    listed = desk.records.feedback().given
    assert [each.value for each in listed if each.audit_id == record.audit_id] == [
        "good",
        "this_was_it",
    ]


def test_nobody_else_says_which_it_was(desk: FrontDesk, record: AuditRecord) -> None:
    ts = desk.posted(record)
    assert press(desk, record, ts, 0, EVE) == commands.ASKER_ALONE
    assert desk.feedback(record) == []


def test_what_may_no_longer_be_read_is_not_kept_as_seen(
    desk: FrontDesk, record: AuditRecord
) -> None:
    hold(desk, "Cellar")
    record = record.model_copy(update={"nearest": (near("Cellar"),)})
    ts = desk.posted(record)
    hold(desk, "Cellar", CLOSED, version="2")
    assert press(desk, record, ts, 0) == commands.NO_LONGER_READABLE
    assert desk.feedback(record) == []
