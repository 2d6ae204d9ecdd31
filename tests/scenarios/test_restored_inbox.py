"""A bot comes back from a backup in which people waited for answers that they may have by now."""

import signal
from pathlib import Path

import pytest
from backups import back_up, empty_beside
from slack_reading import audit_id_of, words
from slack_scene import Asked, Scene, opened
from vouch_home import Home

from bot.wording import slack as wording

SUNDAYS = "is the main library open on sundays in term"


def answers_in(scene: Scene, asked: Asked) -> list[str]:
    said = scene.said_by_bot(asked)
    return [audit_id_of(one) for one in said if words(one) != wording.THANKS]


def held_up(scene: Scene, asked: Asked) -> Asked:
    """With its placeholder, before it is answered."""
    scene.placeholder_of(asked)
    return asked


@pytest.mark.exhaustive
def test_nobody_hears_again_what_was_answered_after_the_backup(
    university: Home, tmp_path: Path
) -> None:
    archive = tmp_path / "backup.zip"
    with opened(university, tmp_path) as scene:
        hold = scene.workspace.faults.hold("users.info", times=2)
        answered = held_up(scene, scene.mentions(scene.somebody("ben"), SUNDAYS))
        never = held_up(scene, scene.mentions(scene.somebody("ana"), SUNDAYS))
        scene.wait_for(lambda: hold.is_reached)
        back_up(scene.home, archive)
        scene.program.end(signal.SIGKILL)
        hold.release()
        scene.start()
        reply = scene.only_reply_to(answered)
        scene.wait_for(lambda: all(answers_in(scene, never)))  # both are answered by now
        scene.program.end(signal.SIGKILL)

        scene.home = empty_beside(scene.home)
        restored = scene.home.does("restore", archive)
        assert "2 questions had no reply yet" in restored.said
        scene.start()
        scene.wait_until_connected()
        later = scene.mentions(scene.somebody("ben"), SUNDAYS)
        assert scene.only_reply_to(later).record.audit_id != reply.record.audit_id
        scene.let_settle(answered)
        assert answers_in(scene, answered) == [reply.record.audit_id]
        assert scene.records_of(answered.who) == ()
