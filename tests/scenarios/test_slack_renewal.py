"""The bot comes up with an index that an earlier version made."""

from pathlib import Path

import pytest
from slack_people import add_doubles, seed_for
from slack_reading import words
from slack_scene import UNHURRIED, Scene
from vouch_home import SAMPLE, Home, write

from bot.wording import slack as wording
from bot.workspace.server import Workspace

SUNDAYS = "is the main library open on sundays in term"


@pytest.mark.exhaustive
def test_the_index_is_made_anew_while_it_is_up_and_who_asks_before_is_told_to_wait(
    home: Home, tmp_path: Path
) -> None:
    text = "# Main library\n\nIn term the main library is open on Sundays, from 10:00 to 18:00."
    home.ingest(write(tmp_path / "docs", {"library.md": text}))
    for name in ("people.yaml", "channels.yaml"):
        (home.path / name).write_bytes((SAMPLE / name).read_bytes())
    add_doubles(home)
    home.made_by_the_embedder_before()
    with Workspace(seed_for(home), options=UNHURRIED) as workspace:
        with home.library.ingest_turn(lambda: None):  # so that it is not made yet
            scene = Scene(home, workspace)
            scene.wait_until_connected()
            asked = scene.mentions(scene.somebody("ben"), SUNDAYS)
            scene.wait_for(
                lambda: any(
                    wording.TROUBLE["index"] in words(each) for each in scene.said_by_bot(asked)
                )
            )
        scene.program.wait_for_log("The index is made anew: done, 1 passages")
        assert "10:00 to 18:00" in scene.only_reply_to(asked).words
        assert scene.program.end() == 0
    assert home.is_whole()
