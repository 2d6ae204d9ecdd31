"""Where the bot is invited it says what it reads there and who sees its answers."""

from pathlib import Path

from front_desk import WITHOUT_BOT, open_desk
from office import ANA

from bot.wording import slack as wording


def test_whoever_invites_the_bot_reads_what_it_reads_and_who_sees_answers(tmp_path: Path) -> None:
    with open_desk(tmp_path) as desk:
        desk.workspace.invite(WITHOUT_BOT)
        said = desk.slack.wait_for(lambda: desk.slack.messages(WITHOUT_BOT, ANA), 30)
    assert [one["text"] for one in said] == [wording.GREETING_ALOUD]
    assert "Everyone here sees the answer" in str(said[0]["blocks"])
