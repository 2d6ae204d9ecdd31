"""How often what nobody says to the bot by name is told right, in threads and in channels.

In threads both files were written by somebody who saw neither the lines that the weights were
fitted to nor what came of them, and are not to be tuned on: precision .97 and recall .96 on
`meanings.jsonl`, .92 and .91 on `threads.jsonl`, where many lines are near misses. The lines of
channels were written and labelled before any was tried, then halved by chance: the threshold was
chosen on one half, and is measured on the other: .96 and .98.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from office import MEANINGS

from bot.slack.message_events import incoming_of, is_said_openly, unasked_of
from retrieval.language.meanings import ASKS

HEARD = Path(__file__).parent / "heard"
ASKER = {"type": "message", "channel": "C1", "user": "U0ANA", "ts": "20.000100"}
Labelled = Mapping[str, object]


def is_heard(said: str) -> bool:
    event = ASKER | {"thread_ts": "10.000100", "text": said}
    return incoming_of(event, "U0VOUCH", MEANINGS) is not None


def precision_and_recall(
    name: str, wants_an_answer: Callable[[Labelled], bool]
) -> tuple[float, float]:
    said = (HEARD / name).read_text("utf-8").splitlines()
    labelled: list[Labelled] = [json.loads(each) for each in said]
    heard = [each for each in labelled if is_heard(str(each["said"]))]
    right = sum(map(wants_an_answer, heard))
    return right / len(heard), right / sum(map(wants_an_answer, labelled))


@pytest.mark.exhaustive
def test_of_what_is_heard_in_a_thread_95_of_100_want_an_answer_and_95_of_100_are_heard() -> None:
    precision, recall = precision_and_recall("meanings.jsonl", lambda one: one["meaning"] in ASKS)
    assert precision >= 0.95
    assert recall >= 0.95


@pytest.mark.exhaustive
def test_where_lines_differ_by_a_few_words_90_of_100_are_told_apart() -> None:
    precision, recall = precision_and_recall("threads.jsonl", lambda one: bool(one["asks"]))
    assert precision >= 0.9
    assert recall >= 0.9


LINES = Path(__file__).parent / "heard" / "channels.jsonl"
EVENT = {"type": "message", "channel": "C1", "user": "U0ANA", "ts": "20.000100"}


def is_heard_openly(said: str, **more: str) -> bool:
    event = EVENT | {"text": said} | more
    return is_said_openly(event, "U0VOUCH") and bool(unasked_of(event, "U0VOUCH", MEANINGS))


def test_of_what_is_heard_in_a_channel_95_of_100_ask_the_documents_and_90_are_heard() -> None:
    labelled = [json.loads(each) for each in LINES.read_text("utf-8").splitlines()]
    unseen = [each for each in labelled if each["part"] == "held out"]
    heard = [each for each in unseen if is_heard_openly(each["said"])]
    right = sum(each["asks"] for each in heard)
    assert right / len(heard) >= 0.95
    assert right / sum(each["asks"] for each in unseen) >= 0.9


def test_what_is_said_to_somebody_or_in_a_thread_or_by_a_bot_is_nobodys_question() -> None:
    asked = "how many days of annual leave do we get"
    assert is_heard_openly(asked)
    assert not is_heard_openly(f"<@U0BEN> {asked}")
    assert not is_heard_openly(f"<!subteam^S0HR> {asked}")
    assert not is_heard_openly(f"<!here> {asked}")
    assert not is_heard_openly(asked, thread_ts="10.000100")
    assert not is_heard_openly(asked, bot_id="B1")
    assert not is_heard_openly(asked, subtype="message_changed")
