"""On Monday each unit's channel hears what was asked in the week before and not answered."""

import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sample_records import an_event
from slack_people import double
from slack_reading import words
from slack_scene import GENERAL, STAFF, UNHURRIED, Asked, Scene, connecting_to, opened
from test_slack_jobs import inbox, own_home
from vouch_home import Finished

from audit.log import open_reader, open_writer
from audit.record import AuditRecord, EventKind
from audit.values import new_id
from bot.answering.digest import Week
from bot.jobs.runs import Ended, JobOutcome
from bot.slack.inbox.beside import JobRuns
from bot.slack.jobs import digest_mark
from bot.workspace.seed import BOT_USER

LEAVE = """---
title: Leave
owner: hr@example.org
---
# Leave

Annual leave is 25 days a year for everybody who works here. It is granted by the calendar year.

## Sick leave

Tell your manager on the first day when you are ill. A doctor's note is needed after three days.
"""
UNITS = """channels:
  - {id: C0GENERAL, name: general}
  - {id: C0STAFF, name: staff, audience: {programmes: [staff]}, answers_for: [HR@example.org]}
"""
PATERNITY = "How many days of paternity leave do I get?"
SHORTER = "paternity leave length?"
ALONE = "Will I lose my leave if I am pregnant and on probation?"
MOTORBIKE = "Can I park a motorbike?"
MONDAYS = {"VOUCH_ADMIN_CHANNEL": GENERAL, "VOUCH_JOBS_DIGEST": "0 8 * * 1"}


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    home = own_home(tmp_path, {"leave.md": LEAVE}, UNITS)
    with opened(home, tmp_path, UNHURRIED, **MONDAYS) as scene:
        yield scene


def asked_last_week(scene: Scene, *asked: Asked) -> None:
    """As if what the bot was just asked had been asked a week ago."""
    records = [scene.reply_to(each).record for each in asked]
    with open_reader(scene.audit_url) as reader:
        stored = [reader.record(each.audit_id).entry for each in records]
    with open_writer(scene.audit_url) as writer:
        for record in stored:
            assert isinstance(record, AuditRecord)
            earlier = record.time - timedelta(days=7)
            changed = {"time": earlier, "audit_id": new_id(earlier)}
            copy = record.model_copy(update=changed)
            writer.append(copy)
            writer.append(an_event(copy, kind=EventKind.DELIVERED, details={}))


def make_due(scene: Scene) -> None:
    """As if the last digest was long ago."""
    started = datetime.now(UTC) - timedelta(days=20)
    with JobRuns.open(inbox(scene.home)) as runs:
        runs.finish(runs.start("digest", started, by_hand=False), started, Ended(JobOutcome.OK, {}))


def digests(scene: Scene, channel: str) -> list[str]:
    """The words of each digest of last week that stands in a channel."""
    mark = digest_mark(Week.of(datetime.now(UTC).date()).earlier())
    said = scene.slack.messages(channel, double("priya", 1).user)
    mine = (one for one in said if one["user"] == BOT_USER)
    return [
        " ".join(words(one).split())
        for one in mine
        if (one["blocks"] or [{}])[0].get("block_id") == mark
    ]


def run_by_hand(scene: Scene) -> Finished:
    return scene.home.vouch("jobs", "run", "digest", **connecting_to(scene.workspace), **MONDAYS)


def test_each_channel_hears_once_what_it_may_though_the_bot_is_killed(scene: Scene) -> None:
    ana, ben, mei, guest = (scene.somebody(like) for like in ("ana", "ben", "mei", "guest"))
    asked = [scene.writes(ana, PATERNITY), scene.writes(ben, SHORTER), scene.writes(mei, ALONE)]
    asked_last_week(scene, *asked, scene.mentions(guest, MOTORBIKE))
    assert scene.program.end() == 0
    assert digests(scene, STAFF) == digests(scene, GENERAL) == []
    make_due(scene)
    scene.workspace.faults.lose_response("chat.postMessage")
    second = scene.workspace.faults.hold("chat.postMessage")
    scene.start()
    scene.wait_for(lambda: second.is_reached)
    scene.program.end(signal.SIGKILL)
    second.release()
    assert len(digests(scene, STAFF) + digests(scene, GENERAL)) == 1
    scene.start()
    scene.wait_until_connected()
    ran = run_by_hand(scene)
    assert (ran.status, "channels told 1" in ran.said) == (0, True), ran.said

    [staff], [general] = digests(scene, STAFF), digests(scene, GENERAL)
    assert SHORTER in staff
    assert "asked 2 times, by 2 people" in staff
    assert "Nearest: Leave" in staff
    assert "1 more was asked that you are not shown" in staff
    assert MOTORBIKE in general
    for told in (staff, general):
        assert ALONE not in told
        assert PATERNITY not in told, "of what was asked in private the shortest is enough"
        assert not any(who.name in told or who.user in told for who in (ana, ben, mei, guest))
    assert "paternity" not in general

    again = run_by_hand(scene)
    assert (again.status, "channels told 0" in again.said) == (0, True), again.said
    assert (len(digests(scene, STAFF)), len(digests(scene, GENERAL))) == (1, 1)
    last = Week.of(datetime.now(UTC).date()).earlier().name
    shown = scene.home.vouch("quality", "digest", "--week", last, **MONDAYS)
    assert SHORTER in shown.said
    assert ALONE not in shown.said
    told = scene.home.vouch("quality", "digest", "--json", **MONDAYS).json
    assert (told["week"], [each["channel"] for each in told["units"]]) == (last, [STAFF, GENERAL])
