"""A Slack channel witnesses the audit log: what was signed stands there, to be copied."""

import shutil
from pathlib import Path

from slack_people import double
from slack_reading import words
from slack_scene import GENERAL, UNHURRIED, connecting_to, opened
from vouch_home import SAMPLE, Home

from audit.proof.checkpoints import CheckpointFile, checkpoints_in

WITNESS = {"VOUCH_AUDIT_WITNESSES": GENERAL}


def test_what_the_bot_signed_when_it_stopped_is_posted_once(tmp_path: Path) -> None:
    home = Home(tmp_path / "own")
    home.path.mkdir()
    for name in ("people.yaml", "channels.yaml"):
        shutil.copyfile(SAMPLE / name, home.path / name)
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "hours.md").write_text("# Hours\n\nThe library closes at 22:00.\n")
    home.ingest(tmp_path / "documents")
    with opened(home, tmp_path, UNHURRIED, **WITNESS) as scene:
        scene.reply_to(scene.mentions(scene.somebody("ana"), "when does the library close?"))
        assert scene.program.end() == 0
        [signed] = CheckpointFile(scene.home.path / "audit-checkpoints.txt").all()
        assert signed.size == 3, "who is in a group, the reply, and that it was delivered"
        environment = {**connecting_to(scene.workspace), **WITNESS}
        for _ in range(2):
            posted = scene.home.vouch("jobs", "run", "checkpoint", **environment)
            assert posted.status == 0, posted.said
        said = scene.slack.messages(GENERAL, double("priya", 1).user)
        kept = [each for one in said for each in checkpoints_in(words(one))]
    assert kept == [signed]
