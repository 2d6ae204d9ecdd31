"""An administrator gives a file, and those whom they choose are answered from it."""

import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from slack_people import Somebody
from slack_reading import words
from slack_scene import GENERAL, STAFF, Scene

from audit.log import open_reader
from audit.record import AuditEvent, EventKind
from bot.slack.blocks.system_messages import READ_IN
from bot.slack.given_files import option_of
from bot.slack.reading_in import READERS
from bot.wiring.given_files import SOURCE
from bot.wording import reading_in as wording
from retrieval.metadata.access import Audience

KEYS = "What does a lost key of the boat house cost?"
FORTY = "A lost key of the boat house costs forty euros."
SIXTY = "A lost key of the boat house costs sixty euros."
BOATS = "boats.md"
CS: Audience = (("departments", ("cs",)),)
BEGAN = datetime.now(UTC)


def boats(sentence: str) -> dict[str, bytes]:
    return {BOATS: f"# Boat house\n\n{sentence}\n".encode()}


def form_of(scene: Scene, who: Somebody, channel: str, ts: str) -> dict[str, Any]:
    """What opens from the message's menu."""
    return scene.shown(who, lambda: scene.slack.shortcut(who.user, READ_IN, channel, ts))


def chooses(scene: Scene, who: Somebody, view: dict[str, Any], readers: Audience = ()) -> None:
    chosen = {READERS: {READERS: {"selected_option": {"value": option_of(readers)}}}}
    assert scene.slack.submits(who.user, view["id"], chosen) == {}


def told(scene: Scene, who: Somebody, number: int = 1) -> str:
    """The newest of so many messages that tell what became of files."""
    channel = scene.slack.direct(who.user)

    def found() -> list[str]:
        said = [" ".join(words(m).split()) for m in scene.slack.messages(channel, who.user)]
        mine = [each for each in said if wording.OUTCOMES in each]
        return mine if len(mine) >= number else []

    mine: list[str] = scene.wait_for(found)
    assert len(mine) == number, "each is told once"
    return mine[-1]


def uploaded(scene: Scene) -> list[AuditEvent]:
    with open_reader(scene.audit_url) as reader:
        return reader.happened(EventKind.UPLOADED, BEGAN)


def standing(scene: Scene) -> list[str]:
    root: Path = scene.home.path / SOURCE
    return sorted(each.relative_to(root).as_posix() for each in root.glob("[!.]*/*.md"))


def test_a_file_is_answered_from_for_those_who_were_chosen_until_it_is_replaced_or_taken_back(
    scene: Scene,
) -> None:
    priya, ana, ben = (scene.somebody(each) for each in ("priya", "ana", "ben"))
    given = scene.writes(priya, "Please read this!", files=boats(FORTY))
    offer = scene.reads(given, wording.CHOOSE_FIRST)
    view = scene.shown(
        priya, lambda: scene.slack.clicks(priya.user, given.channel, offer["ts"], READ_IN)
    )
    assert "initial_option" not in str(view), "nothing is chosen before somebody chooses"
    chooses(scene, priya, view, CS)
    assert "departments cs may read it" in told(scene, priya)
    (event,) = uploaded(scene)
    assert (event.person and event.person.id, event.details["file"]) == (priya.id, BOATS)
    assert event.details["audience"] == {"departments": ["cs"]}
    assert FORTY in scene.reply_to(scene.writes(ana, KEYS)).words
    assert "forty" not in scene.reply_to(scene.writes(ben, KEYS)).words
    assert "forty" not in scene.reply_to(scene.mentions(ana, KEYS)).words

    tomas = scene.somebody("tomas")
    ts = scene.slack.says(tomas.user, STAFF, "The new rules", files=boats(SIXTY))
    with FileLock(scene.home.path / SOURCE / ".given" / "turn.lock"):
        view = form_of(scene, priya, STAFF, ts)
        assert "programmes staff" in str(view), "what everyone in the channel has"
        chooses(scene, priya, view)
        scene.program.end(signal.SIGKILL)
    scene.start()
    scene.wait_until_connected()
    assert "everyone may read it" in told(scene, priya, 2)
    assert standing(scene) == [f"everyone/{BOATS}"]
    later = scene.reply_to(scene.writes(scene.somebody("ben"), KEYS)).words
    assert SIXTY in later
    assert "forty" not in scene.reply_to(scene.writes(scene.somebody("ana"), KEYS)).words

    assert scene.home.vouch("ingest", "--remove", scene.home.path / SOURCE / "everyone").status == 0
    scene.home.vouch("ingest", "--all")
    assert standing(scene) == []
    gone = scene.reply_to(scene.writes(scene.somebody("ben"), KEYS))
    assert "sixty" not in gone.words


@pytest.mark.exhaustive
def test_others_are_answered_and_what_is_not_read_in_is_told_with_why(scene: Scene) -> None:
    tomas, priya = scene.somebody("tomas"), scene.somebody("priya")
    asked = scene.mentions(tomas, "read this", files=boats(FORTY))
    scene.reply_to(asked)
    assert FORTY in scene.reply_to(scene.adds(asked, KEYS)).words, "what goes on is answered"
    scene.slack.shortcut(tomas.user, READ_IN, GENERAL, asked.ts)
    scene.wait_for(lambda: wording.NOT_ADMIN in scene.whispers(tomas, GENERAL))
    lure = {"<!channel> <https://evil.example|yours>.zip": b"PK"}
    said = scene.slack.says(tomas.user, GENERAL, "Look", files=lure)
    scene.slack.shortcut(priya.user, READ_IN, GENERAL, said)
    (whisper,) = scene.wait_for(lambda: scene.whispers(priya, GENERAL))
    assert wording.NO_FILES in whisper
    assert "<!channel> <https://evil.example|yours>.zip" in whisper
    shown = next(m for m in scene.slack.messages(GENERAL, priya.user) if m.get("ephemeral"))
    assert "mrkdwn" not in str([block for block in shown["blocks"] if "evil" in str(block)])

    files = {
        **boats("# Boat house\n\nIt is blue.\n"),
        "../../people.md": b"Nobody reads this.",
        "metadata.yaml.md": b"audience: everyone\n",
        "draft.md": b"---\ndraft: true\n---\nThe mast is green.\n",
        "plan.zip": b"PK",
    }
    given = scene.writes(priya, "read these", files=files)
    view = form_of(scene, priya, given.channel, given.ts)
    blocks = str(view["blocks"])
    assert f"../../people.md {wording.BAD_NAME}" in blocks
    assert f"metadata.yaml.md {wording.LIKE_METADATA}" in blocks
    assert "plan.zip is of a kind that is not read" in blocks
    chooses(scene, priya, view)
    became = told(scene, priya)
    assert "draft.md: is a draft" in became
    assert "boats.md: is read" in became
    assert standing(scene) == [f"everyone/{BOATS}"]
    assert "draft" not in scene.home.vouch("check").said
