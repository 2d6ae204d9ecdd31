"""A person asked before the bot was upgraded, and is answered after it."""

from pathlib import Path

import pytest
from inboxes import fill
from office import ANA, EVE, open_office, until

from bot.slack.exchange import Stage

UNFINISHED = (Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY)
MOVED = "Who waters the plants?"


@pytest.mark.parametrize("form", ["0_2_0", "before_migrations"])
def test_a_question_from_before_the_upgrade_is_answered_after_it(tmp_path: Path, form: str) -> None:
    fill(f"sqlite:///{tmp_path / 'inbox.sqlite'}", form)
    with open_office(tmp_path) as office, office.workers():
        until(lambda: not any(office.inbox.counts()[stage] for stage in UNFINISHED))
        asked = {question.text: question for question in office.answers.asked}
        assert asked.keys() == {"How many keys do we have?", "Wann ist Schluss? 🦉", MOVED}
        assert all(len(office.delivered(each.audit_id or "")) == 1 for each in asked.values())
        (ana,) = office.bot_said(office.direct(ANA))
        assert ana["text"].startswith("You asked: Wann ist Schluss? 🦉\nAnswered from")
        (eve,) = office.bot_said(office.direct(EVE), EVE)  # where she asked is no thread any more
        assert eve["text"].startswith(f"You asked: {MOVED}\nAnswered from")
