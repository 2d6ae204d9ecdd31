"""A document changes: whoever was answered from words that it no longer says hears of it, once."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_reading import words
from slack_scene import UNHURRIED, Asked, Scene, connecting_to, opened
from vouch_home import SAMPLE, Home, write

from bot.slack.blocks.corrections import correction_mark

THEN = {
    "leave.md": "# Leave\n\nAnnual leave is 25 days a year for everybody who works here.\n",
    "parking.md": "# Parking\n\nA parking permit costs 40 euros a year.\n",
    "hours.md": "# Opening hours\n\nThe library opens at 8:00 and closes at 22:00.\n",
    "pay.md": "# Pay day\n\nThe salary is paid on the 25th of each month.\n",
}
NOW = {
    "leave.md": "# Leave\n\nAnnual leave is 28 days a year for everybody who works here.\n",
    "hours.md": "# Opening hours\n\nPlease be quiet.\n\n"
    "The  library opens at **8:00** and closes\nat 22:00.\n",
    "pay.md": "---\naudience: {departments: [finance]}\n---\n# Pay day\n\n"
    "The salary is paid on the 20th of each month.\n",
}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write(tmp_path / "documents", THEN)


@pytest.fixture
def scene(tmp_path: Path, documents: Path) -> Iterator[Scene]:
    home = Home(tmp_path / "own")
    home.path.mkdir()
    shutil.copyfile(SAMPLE / "people.yaml", home.path / "people.yaml")
    home.ingest(documents)
    with opened(home, tmp_path, UNHURRIED) as scene:
        yield scene


def corrections(scene: Scene, asked: Asked) -> list[str]:
    """The words of those below an answer."""
    return [
        " ".join(words(each).split())
        for each in scene.said_by_bot(asked)
        if str(each["blocks"][0].get("block_id", "")).startswith("vouch-correction-")
    ]


def look_again(scene: Scene) -> str:
    ran = scene.home.vouch("jobs", "run", "corrections", **connecting_to(scene.workspace))
    assert ran.status == 0, ran.said
    return ran.said


def test_only_an_answer_that_is_another_one_now_is_corrected_and_once(
    scene: Scene, documents: Path
) -> None:
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
    said = look_again(scene)
    assert "corrected 2" in said and "untold 1" in said and "same 0" in said, said
    [told] = corrections(scene, leave)
    assert told.index("25 days") < told.index("28 days")
    [gone] = corrections(scene, parking)
    assert "40 euros" not in gone
    assert "I don’t know" in gone or "I don't know" in gone
    assert corrections(scene, hours) == corrections(scene, pay) == []

    record = scene.reply_to(leave).record
    [event] = scene.events(record.audit_id, "followed")
    now = scene.record(str(event.details["record"]))
    assert (now.corrects, now.person) == (record.audit_id, record.person)
    assert correction_mark(now)
    assert "corrected 0" in look_again(scene)
    assert len(corrections(scene, leave)) == 1
