"""Where a language model writes it reads more than would be copied, and nothing else changes."""

from dataclasses import replace
from datetime import date

import pytest
from fakes import StatedReranker
from openai_fixtures import (
    Scripted,
    ScriptedServer,
    a_claim,
    a_completion,
    a_writer,
    an_answer,
    an_error,
)
from shelves import TODAY, Shelves
from tiny_pipeline import copying, reading

from audit.record import AuditRecord, Decision
from bot import wording
from bot.access.people import Person
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.standard import Fallback
from bot.answering.values import Question
from bot.answering.writers.extractive import ExtractiveWriter
from bot.errors import WriterUnavailable
from retrieval.types import AccessRule, Metadata

ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
CS = AccessRule((("departments", ("cs",)),))
OVER = AccessRule(valid_to=date(2025, 1, 1))
ASKED = Question("dogs bark?", None, TODAY)
AWAY = Scripted(an_error("overloaded"), status=503)


def says(text: str) -> Scripted:
    return Scripted(a_completion(an_answer(a_claim(text, "1.1"))))


@pytest.fixture
def answering(
    shelves: Shelves, records: list[AuditRecord], server: ScriptedServer
) -> AnsweringPipeline:
    return reading(shelves, records.append, a_writer(server.url))


def with_fallback(answering: AnsweringPipeline) -> AnsweringPipeline:
    writer = ExtractiveWriter(StatedReranker())
    circumstances = replace(answering.circumstances, writer=writer.name, calibration="of copies")
    held_to = (answering.verification, answering.gate, circumstances)
    return replace(answering, fallback=Fallback(writer, 0.7, *held_to))


def test_what_would_not_be_copied_is_read_and_answers(
    shelves: Shelves,
    answering: AnsweringPipeline,
    records: list[AuditRecord],
    server: ScriptedServer,
) -> None:
    shelves.add("dogs", "Dogs bark at night, 0.3.")
    shelves.add("moon", "The moon never barks, 0.05.")
    server.script = [says("Dogs bark at night, 0.3.")]
    reply = answering(ASKED)
    assert reply.decision is not Decision.ABSTAIN
    assert [claim.text for claim in reply.verdict.claims] == ["Dogs bark at night, 0.3."]
    [sent] = server.received
    assert "The moon" not in sent.messages[-1]["content"], "it is under the floor"
    [read] = [each for each in records[0].candidates if each.used]
    assert read.eligibility == "under the threshold, over the floor of what a language model reads"
    assert copying(shelves, lambda _: None)(ASKED).decision is Decision.ABSTAIN
    server.script = [Scripted(a_completion(an_answer()))]
    nothing = answering(ASKED)
    assert nothing.decision is Decision.ABSTAIN
    assert nothing.verdict.reasons == ("the writer found no answer in the passages",)


def test_a_passage_that_may_not_be_read_stays_out_however_low_the_floor(
    shelves: Shelves, answering: AnsweringPipeline, server: ScriptedServer
) -> None:
    shelves.add("open", "Dogs bark at night, 0.3.")
    shelves.add("closed", "Dogs bark in the secret kennel, 0.95.", metadata=Metadata(access=CS))
    server.script = [says("Dogs bark at night, 0.3.")]
    answering(replace(ASKED, person=ANA, channel="C1"))
    assert all("kennel" not in request.messages[-1]["content"] for request in server.received)
    answering(replace(ASKED, person=ANA))
    assert "kennel" in server.received[-1].messages[-1]["content"], "she may, in private"


@pytest.mark.parametrize(("stated", "told"), [("0.3", False), ("0.9", True)])
def test_that_more_may_be_read_in_private_is_said_of_what_answers_not_of_all_that_is_read(
    stated: str, told: bool, shelves: Shelves, answering: AnsweringPipeline, server: ScriptedServer
) -> None:
    shelves.add("open", "Dogs bark at night, 0.8.")
    shelves.add("closed", f"Dogs bark too, {stated}.", metadata=Metadata(access=CS))
    server.script = [says("Dogs bark at night, 0.8.")]
    assert answering(replace(ASKED, person=ANA, channel="C1")).more_in_private is told


def test_what_ran_out_is_told_though_the_model_read_something_else(
    shelves: Shelves, answering: AnsweringPipeline, server: ScriptedServer
) -> None:
    shelves.add("near", "Dogs sleep, 0.2.")
    shelves.add("old", "Dogs bark at night, 0.9.", metadata=Metadata(access=OVER))
    server.script = [Scripted(a_completion(an_answer()))]
    reply = answering(ASKED)
    assert [passage.passage_id for passage in reply.expired] == ["old-0"]


def test_what_is_copied_in_the_models_place_is_held_to_the_threshold_of_copies(
    shelves: Shelves,
    answering: AnsweringPipeline,
    records: list[AuditRecord],
    server: ScriptedServer,
) -> None:
    shelves.add("sure", "Dogs bark at night, 0.9.")
    shelves.add("unsure", "Dogs bark by day, 0.65.")
    server.script = [AWAY]
    with pytest.raises(WriterUnavailable):
        answering(ASKED)
    assert records == [], "a failure is an error where nothing else was chosen"
    reply = with_fallback(answering)(ASKED)
    assert [claim.text for claim in reply.verdict.claims] == ["Dogs bark at night, 0.9."]
    assert [hit.passage.passage_id for hit in reply.evidence.hits] == ["sure-0"]
    [said] = reply.degraded
    assert said.startswith(wording.FALLBACK_WRITER)
    assert records[0].degraded == (said,)
    assert (records[0].writer.name, records[0].calibration_id) == ("extractive", "of copies")


def test_nothing_is_copied_from_what_only_the_model_was_to_read(
    shelves: Shelves, answering: AnsweringPipeline, server: ScriptedServer
) -> None:
    shelves.add("unsure", "Dogs bark at night, 0.65.")
    server.script = [AWAY]
    reply = with_fallback(answering)(ASKED)
    assert reply.decision is Decision.ABSTAIN
    assert not reply.evidence.hits
    assert not any(part.covered for part in reply.evidence.parts)
