"""A language model that says something else each time is trusted less."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from answering_values import evidence, passage
from fakes import WordsEmbedder
from openai_fixtures import (
    GOOD,
    Scripted,
    ScriptedServer,
    a_brief,
    a_claim,
    a_completion,
    an_answer,
)
from openai_fixtures import a_server as a_chat_server

from bot import wording
from bot.answering.gate import Gate, GateCalibration
from bot.answering.values import Draft
from bot.answering.writers.openai import OpenAIWriter
from bot.answering.writers.sampling import SamplingWriter


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer().running() as running:
        yield running


def saying(*texts: str) -> list[Scripted]:
    """A response for each run; an empty text is a run without claims."""
    claims = [[a_claim(text, "1.1")] if text else [] for text in texts]
    return [Scripted(a_completion(an_answer(*each))) for each in claims]


def written(server: ScriptedServer, script: Sequence[Scripted]) -> Draft:
    server.script = list(script)
    chat = a_chat_server(server.url)
    writer, sampler = OpenAIWriter(chat), OpenAIWriter(chat, 0.7)
    return SamplingWriter(writer, sampler, 2, WordsEmbedder()).write(a_brief())


def test_three_runs_that_agree_are_consistent_and_all_are_counted(server: ScriptedServer) -> None:
    draft = written(server, [GOOD])
    assert draft.consistency == pytest.approx(1.0)
    assert draft.tokens == {"prompt": 3 * 321, "completion": 3 * 45}
    assert len(server.received) == 3


def test_what_the_first_run_says_is_what_is_posted(server: ScriptedServer) -> None:
    draft = written(server, saying("It costs 20 euros.", "It is free.", "Nobody pays."))
    assert [claim.text for claim in draft.claims] == ["It costs 20 euros."]
    assert draft.consistency is not None
    assert draft.consistency < 0.5


def test_runs_that_find_nothing_disagree_with_one_that_does(server: ScriptedServer) -> None:
    assert written(server, saying("It costs 20 euros.", "", "")).consistency == pytest.approx(1 / 3)


def test_where_the_first_run_finds_nothing_the_others_are_spared(server: ScriptedServer) -> None:
    draft = written(server, saying(""))
    assert (draft.claims, draft.consistency, len(server.received)) == ((), None, 1)


def test_consistency_counts_in_the_confidence_and_is_left_out_where_there_is_none() -> None:
    found = evidence(passage("leave", "You earn 6 hours."), relevance=0.9)
    gate = Gate(GateCalibration())
    once = Draft((), (), answering=0.9)
    unmeasured = gate(found, once, ()).confidence
    assert unmeasured.consistency is None
    apart = gate(found, replace(once, consistency=0.1), ()).confidence
    alike = gate(found, replace(once, consistency=0.95), ()).confidence
    assert apart.overall < unmeasured.overall < alike.overall


def test_a_run_that_fails_takes_nothing_from_the_draft(server: ScriptedServer) -> None:
    draft = written(server, [GOOD, Scripted("", 503), GOOD])
    assert len(draft.claims) == 1
    assert draft.consistency == pytest.approx(1.0)
    assert draft.degraded == wording.FEWER_RUNS.format(missing=1)
