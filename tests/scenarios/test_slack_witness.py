"""A Slack channel witnesses the audit log: what was signed stands there, to be copied."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from slack_people import double
from slack_reading import words
from slack_scene import GENERAL, UNHURRIED, Scene, opened
from test_slack_jobs import inbox
from vouch_home import SAMPLE, Home

from audit.checkpoints import checkpoints_in
from audit.witnesses import CheckpointFile
from bot.jobs.runs import Ended, Outcome
from bot.slack.inbox.job_runs import JobRuns, newest_in

WITNESS = {"VOUCH_AUDIT_WITNESSES": GENERAL}


def make_due(scene: Scene) -> None:
    started = datetime.now(UTC) - timedelta(days=2)
    with JobRuns.open(inbox(scene.home)) as runs:
        runs.finish(
            runs.start("checkpoint", started, by_hand=False), started, Ended(Outcome.OK, {})
        )


def has_run(scene: Scene) -> bool:
    run = newest_in(inbox(scene.home)).get("checkpoint")
    if run is None or run.outcome is not Outcome.OK:
        return False
    return run.started_at > datetime.now(UTC) - timedelta(days=1)


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
        assert signed.size == 2, "the reply, and that it was delivered"
        for _ in range(2):
            make_due(scene)
            scene.start()
            scene.wait_until_connected()
            scene.wait_for(lambda: has_run(scene))
            assert scene.program.end() == 0
        said = scene.slack.messages(GENERAL, double("priya", 1).user)
        kept = [each for one in said for each in checkpoints_in(words(one))]
    assert kept == [signed]
