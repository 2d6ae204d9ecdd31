"""A language model that says something else each time is trusted less."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fakes import WordsEmbedder
from openai_fixtures import (
    Scripted,
    ScriptedServer,
    a_claim,
    a_completion,
    a_writer,
    an_answer,
    an_error,
)
from openai_fixtures import a_server as a_chat_server
from shelves import TODAY, Shelves
from tiny_pipeline import reading

from audit.record import AuditRecord
from bot.access.people import Person
from bot.answering.chat.query_rewriting import ChatQueryRewriter
from bot.answering.outcome import Outcome
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.values import Question
from bot.answering.writers.openai import OpenAIWriter
from bot.lab.published.accountable import SeveralRuns, four_confidences
from retrieval.types import AccessRule, Metadata

DOGS = "Dogs bark at night, 0.9."
ASKED = Question("dogs bark?", None, TODAY)
AWAY = Scripted(an_error("overloaded"), status=503)
Ask = Callable[..., Outcome]


def saying(*texts: str) -> list[Scripted]:
    """A response for each run; an empty text is a run without claims."""
    claims = [[a_claim(text, "1.1")] if text else [] for text in texts]
    return [Scripted(a_completion(an_answer(*each))) for each in claims]


@pytest.fixture
def asked(shelves: Shelves, server: ScriptedServer, records: list[AuditRecord]) -> Ask:
    """Three runs in all."""
    shelves.add("dogs", DOGS)

    def ask(
        *script: Scripted, question: Question = ASKED, understanding: QueryRewriting | None = None
    ) -> Outcome:
        server.script = list(script)
        answering = reading(shelves, records.append, a_writer(server.url))
        finder = replace(answering.evidence, understanding=understanding or QueryRewriting())
        again = OpenAIWriter(a_chat_server(server.url), 0.7)
        runs = SeveralRuns(answering.writer, again, lambda: finder, WordsEmbedder())
        return replace(answering, writer=runs, gate=four_confidences)(question)

    return ask


def test_three_runs_that_agree_are_consistent_and_all_are_counted(
    asked: Ask, server: ScriptedServer, records: list[AuditRecord]
) -> None:
    outcome = asked(*saying(DOGS))
    assert outcome.verdict.confidence.consistency == pytest.approx(1.0)
    [record] = records
    assert record.tokens_by_stage["write"].prompt == 3 * 321
    assert len(server.received) == 3


def test_what_the_first_run_says_is_what_is_posted_and_no_other_run_is_kept(
    asked: Ask, records: list[AuditRecord]
) -> None:
    outcome = asked(*saying(DOGS, "Cats purr.", "Nobody sleeps."))
    assert [claim.text for claim in outcome.verdict.claims] == [DOGS]
    consistency = outcome.verdict.confidence.consistency
    assert consistency is not None
    assert consistency < 0.5
    assert "purr" not in records[0].model_dump_json()


def test_runs_that_find_nothing_disagree_with_one_that_does(asked: Ask) -> None:
    outcome = asked(*saying(DOGS, "", ""))
    assert outcome.verdict.confidence.consistency == pytest.approx(1 / 3)


def test_where_the_first_run_finds_nothing_the_others_are_spared(
    asked: Ask, server: ScriptedServer
) -> None:
    assert asked(*saying("")).verdict.confidence.consistency is None
    assert len(server.received) == 1


def test_a_run_that_fails_takes_nothing_from_the_draft(asked: Ask) -> None:
    [good] = saying(DOGS)
    outcome = asked(good, AWAY, good)
    assert [claim.text for claim in outcome.verdict.claims] == [DOGS]
    assert outcome.verdict.confidence.consistency == pytest.approx(1.0)


def test_each_run_takes_the_question_apart_and_searches_anew(
    shelves: Shelves, asked: Ask, server: ScriptedServer
) -> None:
    """The others understand that cats are meant, and read what is said of them."""
    shelves.add("cats", "Cats purr by day, 0.9.")
    cats = Scripted(a_completion('{"question": "cats?", "parts": ["cats purr?", "cats nap?"]}'))
    script = [*saying(DOGS), cats, *saying("Cats purr by day, 0.9."), cats, *saying("Cats purr.")]
    rewriter = ChatQueryRewriter(a_chat_server(server.url), 0.7)
    outcome = asked(
        *script,
        question=replace(ASKED, text="dogs bark and howl?"),
        understanding=QueryRewriting(understand=rewriter.understood),
    )
    assert len(server.received) == 5
    assert "cats nap?" in str(server.received[2].messages)
    assert "cats nap?" not in str(server.received[0].messages)
    assert (outcome.verdict.confidence.consistency or 0) < 0.5


def test_no_run_reads_what_the_asker_may_not(
    shelves: Shelves, asked: Ask, server: ScriptedServer
) -> None:
    secret = Metadata(access=AccessRule((("departments", ("cs",)),)))
    shelves.add("secret", "Dogs bark at the vault, 0.9.", metadata=secret)
    asked(*saying(DOGS))
    ana = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
    asked(*saying(DOGS), question=replace(ASKED, person=ana, channel="C1"))
    assert len(server.received) == 6
    assert "vault" not in str([each.messages for each in server.received])
