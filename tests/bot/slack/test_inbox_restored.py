"""What waits in an inbox that comes back from a backup, or is of an earlier version."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from inboxes import at, fill, said
from office import ANA, EVE, open_office, until

from bot.slack.exchange import Exchange, Intent, Stage
from bot.slack.inbox.removals import SKIPPED, set_aside
from bot.slack.inbox.store import Inbox

ON_THE_WAY = (Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'inbox.sqlite'}"


def left_at(
    url: str, stage: Stage, posted_at: datetime | None = None, kind: Intent = Intent.QUESTION
) -> None:
    """The only question, as far as this on its way when the process died."""
    with Inbox.open(url) as inbox:
        inbox.take_in(said(1, kind=kind), at(0))
        claimed = inbox.claim(Stage.PLACEHOLDER, at(1))
        assert claimed
        if stage is not Stage.PLACEHOLDER:
            shown = replace(claimed, stage=stage, placeholder="17.1", posted_at=posted_at)
            inbox.save(shown)
            inbox.claim(stage, at(3))


def everything_due(inbox: Inbox) -> list[Exchange]:
    found = (inbox.claim(stage, at(9_999)) for stage in ON_THE_WAY)
    return [each for each in found if each]


@pytest.mark.parametrize("stage", ON_THE_WAY[:3])
def test_a_question_without_a_reply_is_never_worked_on_again(url: str, stage: Stage) -> None:
    left_at(url, stage)
    assert set_aside(url, at(10)) == 1
    with Inbox.open(url) as inbox:
        assert inbox.counts()[Stage.UNDELIVERABLE] == 1
        assert everything_due(inbox) == []
        assert not inbox.take_in(said(1), at(11)).stored, "Slack may deliver it again"


@pytest.mark.parametrize("stage", [Stage.POSTING, Stage.DELIVERY])
def test_a_reply_that_stands_is_still_recorded_as_delivered(url: str, stage: Stage) -> None:
    """A step stores that it posted before it is done."""
    left_at(url, stage, posted_at=at(2))
    assert set_aside(url, at(10)) == 0
    with Inbox.open(url) as inbox:
        due = inbox.claim(stage, at(11))
        assert due is not None
        assert (due.placeholder, due.posted_at) == ("17.1", at(2))
        assert inbox.stale_messages.take(at(9_999)) is None, "a reply is not taken away"


def test_a_placeholder_that_stands_is_taken_away(url: str) -> None:
    left_at(url, Stage.ANSWERING)
    set_aside(url, at(10))
    with Inbox.open(url) as inbox:
        removal = inbox.stale_messages.take(at(11))
        assert removal is not None
        assert (removal.what.channel, removal.what.ts, removal.waits) == ("C1", "17.1", False)


def test_that_a_file_is_here_stays_said_where_it_was_not_read_yet(url: str) -> None:
    left_at(url, Stage.ANSWERING, kind=Intent.HELP)
    set_aside(url, at(10))
    with Inbox.open(url) as inbox:
        assert inbox.stale_messages.take(at(9_999)) is None


def test_a_placeholder_that_was_posted_after_the_backup_is_looked_for(url: str) -> None:
    with Inbox.open(url) as inbox:
        inbox.take_in(said(1), at(0))
    set_aside(url, at(10))
    with Inbox.open(url) as inbox:
        removal = inbox.stale_messages.take(at(11))
        assert removal is not None
        assert (removal.what.ts, removal.what.mark, removal.waits) == ("", "vouch-1", False)


def test_a_welcome_is_neither_said_again_nor_taken_away(url: str) -> None:
    with Inbox.open(url) as inbox:
        inbox.take_in(said(1, kind=Intent.THANKS), at(0))
    assert set_aside(url, at(10)) == 0
    with Inbox.open(url) as inbox:
        assert everything_due(inbox) == []
        assert inbox.stale_messages.take(at(9_999)) is None


def test_what_was_kept_for_a_late_question_is_not_answered_with_a_new_one(url: str) -> None:
    with Inbox.open(url) as inbox:
        inbox.follow_up(said(2, thread=said(1).ts), at(0))
    set_aside(url, at(10))
    with Inbox.open(url) as inbox:
        inbox.take_in(said(1), at(11))
        assert inbox.counts()[Stage.PLACEHOLDER] == 1


@pytest.mark.parametrize("before", [0, 3])
def test_no_number_is_given_out_that_may_mark_a_message_already(url: str, before: int) -> None:
    with Inbox.open(url) as inbox:
        for number in range(before):
            inbox.take_in(said(number), at(number))
    set_aside(url, at(10))
    with Inbox.open(url) as inbox:
        inbox.take_in(said(100), at(11))
        claimed = inbox.claim(Stage.PLACEHOLDER, at(12))
        assert claimed is not None
        assert claimed.exchange_id == before + SKIPPED + 1


@pytest.mark.parametrize("form", ["0_2_0", "before_migrations"])
def test_an_inbox_of_an_earlier_version_is_brought_up_first(url: str, form: str) -> None:
    fill(url, form)
    assert set_aside(url, at(10)) > 0
    with Inbox.open(url) as inbox:
        assert everything_due(inbox) == []


UNFINISHED = (Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY)
MOVED = "Who waters the plants?"


@pytest.mark.parametrize("form", ["0_2_0", "before_migrations"])
def test_a_question_from_before_the_upgrade_is_answered_after_it(tmp_path: Path, form: str) -> None:
    fill(f"sqlite:///{tmp_path / 'inbox.sqlite'}", form)
    with open_office(tmp_path) as office, office.workers():
        until(lambda: not any(office.inbox.counts()[stage] for stage in UNFINISHED))
        asked = {question.text: question for question in office.answers.asked}
        assert asked.keys() == {"How many keys do we have?", "Wann ist Schluss? 🦉", MOVED}
        assert all(len(office.delivered(each.audit_id or "")) == 1 for each in asked.values())
        (ana,) = office.bot_said(office.direct(ANA))
        assert ana["text"].startswith("You asked: Wann ist Schluss? 🦉\nAnswered from")
        (eve,) = office.bot_said(office.direct(EVE), EVE)  # where she asked is no thread any more
        assert eve["text"].startswith(f"You asked: {MOVED}\nAnswered from")
