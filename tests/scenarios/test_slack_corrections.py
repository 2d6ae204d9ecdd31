"""A document changes: whoever was answered from words that it no longer says hears of it, once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_people import Somebody, double
from slack_reading import words
from slack_scene import GENERAL, STAFF, UNHURRIED, Asked, Scene, connecting_to, opened
from test_slack_jobs import own_home
from vouch_home import write

THEN = {
    "leave.md": "---\nowner: hr@example.org\n---\n# Leave\n\n"
    "Annual leave is 25 days a year for everybody who works here.\n",
    "parking.md": "# Parking\n\nA parking permit costs 40 euros a year.\n",
    "hours.md": "# Opening hours\n\nThe library opens at 8:00 and closes at 22:00.\n",
    "pay.md": "# Pay day\n\nThe salary is paid on the 25th of each month.\n",
}
CHANNELS = """channels:
  - {id: C0GENERAL, name: general}
  - {id: C0STAFF, name: staff, audience: {programmes: [staff]}, answers_for: [hr@example.org]}
"""
PRIYA = double("priya", 1)
ADMINS = {"VOUCH_ADMIN_CHANNEL": GENERAL}
NOW = {
    "leave.md": "---\nowner: hr@example.org\n---\n# Leave\n\n"
    "Annual leave is 28 days a year for everybody who works here.\n",
    "hours.md": "# Opening hours\n\nPlease be quiet.\n\n"
    "The  library opens at **8:00** and closes\nat 22:00.\n",
    "pay.md": "---\nowner: mei1@example.org\naudience: {departments: [finance]}\n---\n# Pay day\n\n"
    "The salary is paid on the 20th of each month.\n",
}


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    home = own_home(tmp_path, THEN, CHANNELS)
    with opened(home, tmp_path, UNHURRIED, **ADMINS) as scene:
        yield scene


def corrections(scene: Scene, asked: Asked) -> list[str]:
    """The words of those below an answer."""
    return [
        " ".join(words(each).split())
        for each in scene.said_by_bot(asked)
        if str(each["blocks"][0].get("block_id", "")).startswith("vouch-correction-")
    ]


def told_owners(scene: Scene, channel: str, reader: Somebody = PRIYA) -> list[str]:
    said = scene.slack.messages(channel, reader.user)
    return [words(each) for each in said if "rested on what it said" in words(each)]


def look_again(scene: Scene, status: int = 0, **settings: str) -> str:
    connected = connecting_to(scene.workspace) | ADMINS | settings
    ran = scene.home.vouch("jobs", "run", "corrections", **connected)
    assert ran.status == status, ran.said
    return ran.said


def test_only_an_answer_that_is_another_one_now_is_corrected_and_once_though_slack_fails(
    scene: Scene, tmp_path: Path
) -> None:
    documents = tmp_path / "documents"
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    leave = scene.mentions(ana, "How many days of annual leave do I get a year?")
    parking = scene.mentions(ben, "What does a parking permit cost?")
    hours = scene.mentions(ben, "When does the library open?")
    pay = scene.mentions(ana, "When is the salary paid?")
    for asked in (leave, parking, hours, pay):
        assert scene.only_reply_to(asked).record.decision != "ABSTAIN", asked.text
    assert "corrected 0" in look_again(scene)

    (documents / "parking.md").unlink()
    write(documents, NOW)
    scene.home.ingest(documents)
    scene.workspace.faults.lose_response("chat.postMessage")
    said = look_again(scene, 1)
    assert "tried again at the next run" in said
    assert [each in said for each in ("corrected 2", "untold 1", "same 0")] == [True] * 3, said
    assert "corrected 0" in look_again(scene)
    [told] = corrections(scene, leave)
    assert told.index("25 days") < told.index("28 days")
    [gone] = corrections(scene, parking)
    assert "40 euros" not in gone
    assert "I don’t know" in gone or "I don't know" in gone
    assert corrections(scene, hours) == corrections(scene, pay) == []

    owner, admins = told_owners(scene, STAFF), told_owners(scene, GENERAL)
    assert owner == [
        "leave.md changed: 1 answer rested on what it said; "
        "one is another one now, and was corrected."
    ]
    assert sorted(each.split()[0] for each in admins) == ["parking.md", "pay.md"]

    record = scene.reply_to(leave).record
    [event] = scene.events(record.audit_id, "followed")
    now = scene.record(str(event.details["record"]))
    assert (now.corrects, now.person) == (record.audit_id, record.person)
    assert len(scene.events(now.audit_id, "delivered")) == 1

    mei = scene.somebody("mei")
    assert mei.id == "mei1"
    by_mei = NOW["leave.md"].replace("hr@", "mei1@")
    write(documents, {"leave.md": by_mei.replace("28", "30")})
    scene.home.ingest(documents)
    assert "corrected 1" in look_again(scene, VOUCH_CORRECTIONS_TO="asker")
    assert corrections(scene, leave) == [told]
    direct = scene.slack.direct(ana.user)
    [alone] = [words(each) for each in scene.slack.messages(direct, ana.user)]
    assert alone.index("28 days") < alone.index("30 days")
    assert told_owners(scene, scene.slack.direct(mei.user), mei) == owner, "of pay.md she is not"
