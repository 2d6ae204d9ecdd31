"""How often what the asker says on in a thread, without a mention, is told right.

Both files were written by somebody who saw neither the lines that the weights were fitted to nor
what came of them, and are not to be tuned on: precision .97 and recall .96 on `meanings.jsonl`, .92
and .91 on `threads.jsonl`, where many lines are near misses ("i'm on linux", "i'm on the train").
Before 1,904 lines of threads were added to those that are learnt from, it was .89 and .97, and .84
and .90.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from office import MEANINGS

from bot.slack.message_events import incoming_of
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
