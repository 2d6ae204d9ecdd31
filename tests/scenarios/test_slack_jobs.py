"""Jobs run beside the bot: administrators ask how they stand, and hear what fails or was signed."""

import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from slack_people import double
from slack_reading import words
from slack_scene import GENERAL, UNHURRIED, Scene, connecting_to, opened
from test_slack_audit import audit
from vouch_home import SAMPLE, Home, write

from audit.proof.checkpoints import CheckpointFile, checkpoints_in
from bot.jobs.runs import Ended, JobOutcome
from bot.slack.inbox.beside import JobRuns, newest_in
from bot.wording import evidence as wording
from bot.workspace.seed import BOT_USER

HOURS = {"hours.md": "# Hours\n\nThe library closes at 22:00.\n"}
HOURLY = {"VOUCH_JOBS_INGEST": "every 1 hour", "VOUCH_ADMIN_CHANNEL": GENERAL}


def inbox(home: Home) -> str:
    return f"sqlite:///{home.path / 'inbox.sqlite'}"


def own_home(folder: Path, documents: Mapping[str, str], channels: str = "") -> Home:
    """The sample organisation's people over documents of one's own, in `documents` beside it."""
    home = Home(folder / "own")
    home.path.mkdir()
    for name in ("people.yaml", "channels.yaml"):
        shutil.copyfile(SAMPLE / name, home.path / name)
    if channels:
        write(home.path, {"channels.yaml": channels})
    home.ingest(write(folder / "documents", documents))
    return home


def make_due(home: Home) -> None:
    """As if the last ingest was long ago."""
    started = datetime.now(UTC) - timedelta(days=2)
    with JobRuns.open(inbox(home)) as runs:
        run_id = runs.start("ingest documents", started, by_hand=False)
        runs.finish(run_id, started, Ended(JobOutcome.OK, {"new": 1}))


def ran(scene: Scene, outcome: JobOutcome) -> bool:
    run = newest_in(inbox(scene.home)).get("ingest documents")
    is_new = run is not None and run.started_at > datetime.now(UTC) - timedelta(hours=1)
    return is_new and run is not None and run.outcome is outcome


def told(scene: Scene, part: str) -> list[str]:
    """What everybody in the administrators' channel was told."""
    said = scene.slack.messages(GENERAL, double("priya", 1).user)
    shown = [words(one) for one in said if one["user"] == BOT_USER and not one.get("ephemeral")]
    return [each for each in shown if part in each]


@pytest.fixture
def scene(
    tmp_path: Path,
) -> Iterator[Scene]:
    """A sample organisation of one folder, whose ingest is overdue."""
    home = own_home(tmp_path, HOURS)
    with opened(home, tmp_path, UNHURRIED, **HOURLY) as scene:
        yield scene


def begin_anew(scene: Scene) -> None:
    assert scene.program.end() == 0
    make_due(scene.home)
    scene.start()
    scene.wait_until_connected()


def test_an_administrator_sees_how_the_jobs_stand_and_nobody_else(scene: Scene) -> None:
    priya, ana, guest = (scene.somebody(like) for like in ("priya", "ana", "guest"))
    shown = words(audit(scene, priya, "jobs"))
    assert "ingest" in shown
    assert "every 1 hour, next " in shown
    assert "last never" in shown
    begin_anew(scene)
    scene.wait_for(lambda: ran(scene, JobOutcome.OK))
    assert "ok: new 0, changed 0, gone 0, unchanged 1" in words(audit(scene, priya, " Jobs "))
    for other in (ana, guest):
        assert words(audit(scene, other, "jobs")) == wording.NOT_ADMIN


@pytest.mark.exhaustive
def test_a_failing_job_is_told_once_and_its_recovery_over_restarts_and_an_ill_slack(
    scene: Scene, tmp_path: Path
) -> None:
    (tmp_path / "documents").rename(tmp_path / "away")
    scene.workspace.faults.refuse("chat.postMessage", "fatal_error")
    begin_anew(scene)
    scene.wait_for(lambda: ran(scene, JobOutcome.FAILED))
    scene.program.wait_for_log("channel cannot be told just now")
    assert told(scene, "ingest") == []
    for _ in range(2):
        begin_anew(scene)
        scene.wait_for(lambda: told(scene, "The job ingest documents of"))
        scene.wait_for(lambda: ran(scene, JobOutcome.FAILED))
    [failure] = told(scene, "The job ingest documents of")
    assert f"documents: its folder {tmp_path / 'documents'} is gone" in failure
    (tmp_path / "away").rename(tmp_path / "documents")
    begin_anew(scene)
    scene.wait_for(lambda: told(scene, "The job ingest documents works again"))
    begin_anew(scene)
    scene.wait_for(lambda: ran(scene, JobOutcome.OK))
    assert scene.program.end() == 0
    assert len(told(scene, "ingest")) == 2


WITNESS = {"VOUCH_AUDIT_WITNESSES": GENERAL}


def test_what_the_bot_signed_when_it_stopped_is_posted_once(tmp_path: Path) -> None:
    with opened(own_home(tmp_path, HOURS), tmp_path, UNHURRIED, **WITNESS) as scene:
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
