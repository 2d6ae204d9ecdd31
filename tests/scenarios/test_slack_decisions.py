"""An answer, half an answer and none look different at a glance; with the thresholds as shipped."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from slack_reading import buttons
from slack_scene import Scene, opened
from vouch_home import STRICT, Home

from bot.wording import AGAIN, BADGES
from bot.wording import slack as wording

COURSEWORK = "how late may I hand in coursework?"
SPORTS = "when is the sports centre open on weekdays and what does membership cost"
PERMIT = "How much is a parking permit?"


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    shipped = replace(university, environment=STRICT)
    folder = tmp_path_factory.mktemp("decisions")
    with opened(shipped, folder, VOUCH_CANDIDATES="50") as scene:
        yield scene


def test_an_answer_comes_with_numbered_citations(scene: Scene) -> None:
    reply = scene.reply_to(scene.writes(scene.somebody("mei"), COURSEWORK))
    assert reply.record.decision == "ANSWER"
    assert reply.words.startswith(wording.headline("answered"))
    assert f"{reply.record.claims[0].text} [1]" in " ".join(reply.words.split())  # [1] is a link
    citation = reply.record.claims[0].citations[0]
    below = reply.words[reply.words.index(wording.SOURCES) :]
    assert "[1]" in below
    assert citation.title in below
    assert "paragraph 6" in below
    assert citation.link in str(reply.message["blocks"])


def test_half_an_answer_says_what_is_missing(scene: Scene) -> None:
    reply = scene.reply_to(scene.writes(scene.somebody("ben"), SPORTS))
    assert reply.record.decision == "PARTIAL"
    assert reply.words.startswith(f":{wording.SIGNS['in part']}: *{BADGES['in part']}*")
    assert "I have no answer to: what does membership cost" in reply.words
    assert reply.record.claims[0].text in reply.words


def test_a_refusal_quotes_what_came_closest_and_says_why_and_whom_to_ask(scene: Scene) -> None:
    reply = scene.reply_to(scene.writes(scene.somebody("mei"), PERMIT))
    assert (reply.record.decision, reply.record.claims) == ("ABSTAIN", ())
    assert reply.words.startswith(f":{wording.SIGNS['closest']}: *{BADGES['closest']}*")
    quoted, _, why = reply.words.partition("I am not sure that this answers your question.")
    assert "Getting to campus and around it" in quoted
    assert "campus@example.org" in why
    assert buttons(reply.message).keys() == {"this_was_it", "evidence", "ask_person"}


def test_the_second_refusal_in_a_thread_is_a_line_over_the_closest(scene: Scene) -> None:
    asked = scene.mentions(scene.somebody("mei"), PERMIT)
    assert "I am not sure that" in scene.delivered_to(asked).words
    second = scene.reply_to(scene.mentions(asked.who, PERMIT, thread=asked.ts))
    assert second.record.decision == "ABSTAIN"
    assert second.words.startswith(f":{wording.SIGNS['closest']}: *{AGAIN['closest']}*")
    assert "I am not sure that" not in second.words
    [button] = buttons(second.message).keys() - {"evidence", "ask_person"}
    assert button == "this_was_it"
