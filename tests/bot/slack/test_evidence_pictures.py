"""Pictures are added to an evidence modal that stands open, and leave Slack again.

In a real workspace over a real socket; what is drawn is made up here.
"""

import io
import logging
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from block_records import a_citation, a_claim, a_record
from front_desk import NOON, FrontDesk, open_desk
from office import ANA, BEN, GENERAL
from PIL import Image
from slack_sdk.errors import SlackApiError
from workspace_client import UNHURRIED

from audit.record import AuditRecord
from audit.values import Channel, CitationRecord, new_id
from bot.slack.citations import MOST_WAITING, PICTURES_KEPT, Draw, UploadRemover
from bot.wording.evidence import PICTURES_LEFT_OUT
from retrieval.errors import LibraryUnavailable, NoPicture

WORDS_ALONE = "Evidence stays without pictures"


class Later:
    """The machine's clock, which a test can put forward."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


def drawn(citation: CitationRecord) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (len(citation.quote), 9), "yellow").save(buffer, "PNG")
    return buffer.getvalue()


@contextmanager
def desk_with(
    folder: Path, draw: Draw = drawn, later: Later | None = None, processing: float = 0.4
) -> Iterator[FrontDesk]:
    options = replace(UNHURRIED, file_processing=processing)
    with open_desk(folder, draw, later or Later(), options) as desk:
        yield desk


def asked(desk: FrontDesk, **changes: Any) -> tuple[AuditRecord, str]:
    thread = desk.slack.says(BEN, GENERAL, "How much leave?")
    place = Channel(id=GENERAL, thread=thread)
    record = a_record(audit_id=new_id(NOON), channel=place, **changes)
    return record, desk.posted(record)


def clicked(
    desk: FrontDesk, record: AuditRecord, ts: str, user: str = ANA
) -> Callable[[], list[dict[str, Any]]]:
    """Opens the evidence, which has words alone; what its page is shown after that."""
    page = desk.slack.page(user)
    desk.slack.clicks(user, GENERAL, ts, "evidence", record.audit_id)
    first = page.next("view")["view"]
    assert pictures_in(first) == []

    def updated() -> list[dict[str, Any]]:
        try:
            return pictures_in(page.next("view")["view"])
        finally:
            page.close()

    return updated


def pictures_in(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for block in view["blocks"] if block["type"] == "image"]


def shown_to(desk: FrontDesk, user: str, file_id: str) -> bytes:
    url = f"{desk.workspace.url}/page/files/{file_id}?as={user}"
    with urllib.request.urlopen(url) as response:  # noqa: S310 - the workspace's own
        return bytes(response.read())


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if WORDS_ALONE in one.getMessage()]


def test_the_words_come_at_once_and_the_pictures_as_soon_as_slack_has_them(tmp_path: Path) -> None:
    with desk_with(tmp_path) as desk:
        record, ts = asked(desk)
        [picture] = clicked(desk, record, ts)()
        assert picture["alt_text"] == "Parents get 14 weeks."
        content = shown_to(desk, ANA, picture["slack_file"]["id"])
        assert content == drawn(record.claims[0].citations[0])


def test_whoever_may_not_read_the_document_gets_none_and_nothing_is_drawn(tmp_path: Path) -> None:
    asked_for: list[CitationRecord] = []

    def noting(citation: CitationRecord) -> bytes:
        asked_for.append(citation)
        return drawn(citation)

    with desk_with(tmp_path, noting) as desk:
        record, ts = asked(desk)
        with desk.slack.page(BEN) as page:
            desk.slack.clicks(BEN, GENERAL, ts, "evidence", record.audit_id)
            assert pictures_in(page.next("view")["view"]) == []
        [picture] = clicked(desk, record, ts)()
        assert len(asked_for) == 1, "Ana's, who may read it, and not Ben's before"
        assert b"file_not_found" in shown_to(desk, BEN, picture["slack_file"]["id"])


def test_a_place_that_cannot_be_drawn_leaves_the_others_theirs(tmp_path: Path) -> None:
    def some(citation: CitationRecord) -> bytes:
        if citation.document_id == "d-Old":
            raise NoPicture("The font has no shape for U+2264.")
        return drawn(citation)

    claim = a_claim("Both.", a_citation("Old"), a_citation("Leave"))
    with desk_with(tmp_path, some) as desk:
        record, ts = asked(desk, claims=(claim,))
        [picture] = clicked(desk, record, ts)()
        assert "Leave" in picture["title"]["text"]


def test_when_many_wait_for_pictures_the_words_come_alone_and_say_so(tmp_path: Path) -> None:
    free = Event()

    def slowly(citation: CitationRecord) -> bytes:
        assert free.wait(60)
        return drawn(citation)

    with desk_with(tmp_path, slowly) as desk, desk.slack.page(ANA) as page:
        record, ts = asked(desk)

        def click() -> str:
            desk.slack.clicks(ANA, GENERAL, ts, "evidence", record.audit_id)
            view = page.next("view")["view"]
            assert pictures_in(view) == []
            return str(view["blocks"])

        assert not any(PICTURES_LEFT_OUT in click() for _ in range(MOST_WAITING))
        desk.slack.wait_for(lambda: PICTURES_LEFT_OUT in click())  # the last was counted after it
        free.set()
        desk.slack.wait_for(lambda: PICTURES_LEFT_OUT not in click())
        assert pictures_in(page.next("view")["view"])


def test_a_missing_scope_is_logged_once_and_nothing_more_is_tried_for_an_hour(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    drawn_for: list[CitationRecord] = []

    def noting(citation: CitationRecord) -> bytes:
        drawn_for.append(citation)
        return drawn(citation)

    later = Later()
    with desk_with(tmp_path, noting, later) as desk, caplog.at_level(logging.WARNING):
        desk.workspace.faults.refuse("files.getUploadURLExternal", "missing_scope", times=1)
        record, ts = asked(desk)
        clicked(desk, record, ts)
        desk.slack.wait_for(lambda: warned(caplog))
        clicked(desk, record, ts)
        assert len(warned(caplog)) == len(drawn_for) == 1
        assert "files:write" in warned(caplog)[0]
        assert desk.whispers(ANA) == []
        later.ahead = timedelta(hours=1)
        [picture] = clicked(desk, record, ts)()
        assert picture["slack_file"]["id"], "it may have been installed with the scope since"


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("files.getUploadURLExternal", "internal_error"),
        ("files.completeUploadExternal", "file_type_not_allowed"),
        ("views.update", "internal_error"),
    ],
)
def test_whatever_slack_refuses_the_reader_has_the_words_and_hears_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, method: str, error: str
) -> None:
    with desk_with(tmp_path) as desk, caplog.at_level(logging.WARNING):
        desk.workspace.faults.refuse(method, error)
        record, ts = asked(desk)
        clicked(desk, record, ts)
        desk.slack.wait_for(lambda: warned(caplog))
        assert error in warned(caplog)[0]
        assert desk.whispers(ANA) == []
        [picture] = clicked(desk, record, ts)()
        assert picture["slack_file"]["id"]


def test_a_library_away_leaves_the_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def away(_: CitationRecord) -> bytes:
        raise LibraryUnavailable("The library is away.")

    with desk_with(tmp_path, away) as desk, caplog.at_level(logging.WARNING):
        record, ts = asked(desk)
        clicked(desk, record, ts)
        desk.slack.wait_for(lambda: warned(caplog))


def test_a_closed_modal_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with desk_with(tmp_path) as desk, caplog.at_level(logging.WARNING):
        hold = desk.workspace.faults.hold("files.completeUploadExternal")
        record, ts = asked(desk)
        with desk.slack.page(ANA) as page:
            desk.slack.clicks(ANA, GENERAL, ts, "evidence", record.audit_id)
            view = page.next("view")["view"]
            desk.slack.wait_for(lambda: hold.is_reached)
            desk.slack.closes(ANA, view["id"])
            hold.release()
            desk.slack.wait_for(lambda: desk.bot.count("views.update"))  # type: ignore[attr-defined]  # a scripted one
        assert warned(caplog) == []


# --- and leave again ----------------------------------------------------------------


def remover(desk: FrontDesk, later: Later) -> UploadRemover:
    return UploadRemover(desk.bot, desk.inbox.uploads, later)


def is_there(desk: FrontDesk, file_id: str) -> bool:
    try:
        desk.bot.files_completeUploadExternal(files=[{"id": file_id}])
    except SlackApiError as refused:
        if refused.response["error"] != "file_not_found":
            raise
        return False
    return True


def test_a_picture_is_deleted_after_an_hour(tmp_path: Path) -> None:
    later = Later()
    with desk_with(tmp_path, later=later) as desk:
        record, ts = asked(desk)
        [picture] = clicked(desk, record, ts)()
        file_id, remove = picture["slack_file"]["id"], remover(desk, later)
        later.ahead = PICTURES_KEPT - timedelta(minutes=1)
        assert not remove()
        assert is_there(desk, file_id)
        later.ahead = PICTURES_KEPT + timedelta(minutes=1)
        assert remove()
        assert not is_there(desk, file_id)
        assert not remove()


def test_what_was_uploaded_by_a_process_that_died_is_deleted_all_the_same(tmp_path: Path) -> None:
    """It is noted before anything is in it."""
    later = Later()
    with desk_with(tmp_path, later=later) as desk:
        hold = desk.workspace.faults.hold("files.completeUploadExternal")
        record, ts = asked(desk)
        clicked(desk, record, ts)
        desk.slack.wait_for(lambda: hold.is_reached)
        later.ahead = PICTURES_KEPT + timedelta(minutes=1)
        upload = desk.inbox.uploads.take(later())
        assert upload is not None
        hold.release()


def test_what_slack_does_not_delete_for_weeks_is_deleted_all_the_same(tmp_path: Path) -> None:
    """As where the app's token was revoked, and is given anew."""
    later, failures = Later(), 30
    with desk_with(tmp_path, later=later) as desk:
        desk.inbox.uploads.add("F0PICTURE1", later())
        desk.workspace.faults.refuse("files.delete", "token_revoked", times=failures)
        remove = remover(desk, later)
        for _ in range(failures):
            later.ahead += timedelta(days=1)
            assert remove()
        desk.workspace.faults.refuse("files.delete", "file_deleted")
        later.ahead += timedelta(days=1)
        assert remove()
        later.ahead += timedelta(days=1)
        assert not remove()


@pytest.mark.parametrize("error", ["file_not_found", "file_deleted", "file_deleting_disabled"])
def test_what_is_gone_or_must_stay_is_asked_for_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, error: str
) -> None:
    later = Later()
    with desk_with(tmp_path, later=later) as desk:
        desk.inbox.uploads.add("F0PICTURE1", later())
        desk.workspace.faults.refuse("files.delete", error)
        remove = remover(desk, later)
        assert remove()
        later.ahead = timedelta(hours=99)
        assert not remove()
    told = [one for one in caplog.records if "lets nobody delete" in one.getMessage()]
    assert len(told) == (error == "file_deleting_disabled")
