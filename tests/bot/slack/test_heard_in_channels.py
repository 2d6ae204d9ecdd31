"""How often a line that nobody said to the bot is told right, where its channel wants it answered.

The lines were written and labelled before any was tried, then halved by chance: the threshold was
chosen on one half, precision .93 and recall 1.00 there, and is measured on the other: .96 and .98.
"""

import json
from pathlib import Path

from office import MEANINGS

from bot.slack.message_events import is_said_openly, unasked_of

LINES = Path(__file__).parent / "heard" / "channels.jsonl"
EVENT = {"type": "message", "channel": "C1", "user": "U0ANA", "ts": "20.000100"}


def is_heard(said: str, **more: str) -> bool:
    event = EVENT | {"text": said} | more
    return is_said_openly(event, "U0VOUCH") and bool(unasked_of(event, "U0VOUCH", MEANINGS))


def test_of_what_is_heard_in_a_channel_95_of_100_ask_the_documents_and_90_are_heard() -> None:
    labelled = [json.loads(each) for each in LINES.read_text("utf-8").splitlines()]
    unseen = [each for each in labelled if each["part"] == "held out"]
    heard = [each for each in unseen if is_heard(each["said"])]
    right = sum(each["asks"] for each in heard)
    assert right / len(heard) >= 0.95
    assert right / sum(each["asks"] for each in unseen) >= 0.9


def test_what_is_said_to_somebody_or_in_a_thread_or_by_a_bot_is_nobodys_question() -> None:
    asked = "how many days of annual leave do we get"
    assert is_heard(asked)
    assert not is_heard(f"<@U0BEN> {asked}")
    assert not is_heard(f"<!subteam^S0HR> {asked}")
    assert not is_heard(f"<!here> {asked}")
    assert not is_heard(asked, thread_ts="10.000100")
    assert not is_heard(asked, bot_id="B1")
    assert not is_heard(asked, subtype="message_changed")
