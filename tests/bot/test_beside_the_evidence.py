"""What is beside the evidence, in private or over, is told of by a flag and stands nowhere."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from fakes import StatedReranker
from numpy.typing import NDArray
from shelves import TODAY, Shelves
from tiny_pipeline import copying

from audit.record import AuditRecord
from bot.access.people import Person
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.values import Brief, Draft, Question
from bot.answering.writers.extractive import ExtractiveWriter
from retrieval.models.caching import CachingCrossEncoder
from retrieval.ports import ListwiseReading, RerankPair
from retrieval.search.reranking import CalibratedReranker, RelevanceCalibration, WindowReranker
from retrieval.types import AccessRule, Metadata, Passage

ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
OF_CS = (("departments", ("cs",)),)
BY_ANA = Question("dogs bark?", ANA, TODAY, channel="C1")
BY_A_GUEST = replace(BY_ANA, person=None)
LAST_YEAR = date(2025, 12, 31)
CLOSED = Metadata(access=AccessRule(OF_CS))
OVER = Metadata(access=AccessRule(valid_to=LAST_YEAR))
CLOSED_AND_OVER = Metadata(access=AccessRule(OF_CS, valid_to=LAST_YEAR))
HIDDEN = ("kennel", "burrow", "lair")
"""A word of each of them, in its name too."""


@dataclass
class Seen:
    """Whatever a door, a writer, a language model or the record was given."""

    briefs: list[Brief] = field(default_factory=list)
    reread: list[Passage] = field(default_factory=list)
    records: list[AuditRecord] = field(default_factory=list)
    kept: list[Passage] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def all(self) -> str:
        said = [json.dumps(outcome_as_json(each)) for each in self.outcomes]
        recorded = [each.model_dump_json() for each in self.records]
        return repr((self.briefs, self.reread, self.kept, said, recorded)).lower()


@dataclass
class SeeingWriter:
    seen: Seen
    name: str = "seeing"

    def write(self, brief: Brief) -> Draft:
        self.seen.briefs.append(brief)
        return ExtractiveWriter(StatedReranker()).write(brief)


@dataclass
class SeeingListwise:
    """A language model that finds each passage as relevant as it says of itself."""

    seen: Seen
    name: str = "listwise"

    def __call__(self, question: str, passages: Sequence[Passage]) -> ListwiseReading:
        self.seen.reread.extend(passages)
        pairs = [RerankPair(question, each.text, {}) for each in passages]
        scores = StatedReranker().scores(pairs)
        return ListwiseReading(
            {p.passage_id: s.relevance for p, s in zip(passages, scores, strict=True)}
        )


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def answering(shelves: Shelves, seen: Seen) -> AnsweringPipeline:
    pipeline = copying(shelves, seen.records.append)
    search = replace(pipeline.evidence.search, listwise_reranker=SeeingListwise(seen))
    return replace(
        pipeline,
        writer=SeeingWriter(seen),
        keep_shown=seen.kept.extend,
        evidence=replace(pipeline.evidence, search=search),
    )


def add_hidden(shelves: Shelves) -> None:
    """Each answers better than what is open."""
    shelves.add("kennel", "Dogs bark in the kennel, 0.97.", metadata=CLOSED)
    shelves.add("burrow", "Dogs bark in the burrow, 0.98.", metadata=OVER)
    shelves.add("lair", "Dogs bark in the lair, 0.99.", metadata=CLOSED_AND_OVER)


def untimed(outcome: Outcome) -> dict[str, Any]:
    """What a door is given, without what differs from one question to the next."""
    said = outcome_as_json(outcome)
    return {name: each for name, each in said.items() if name not in ("audit_id", "latency_ms")}


def test_the_best_match_of_what_only_the_asker_may_read_changes_a_flag_alone(
    shelves: Shelves, answering: AnsweringPipeline, seen: Seen
) -> None:
    shelves.add("open", "Dogs bark outside, 0.8.")
    add_hidden(shelves)
    seen.outcomes = [answering(BY_ANA), answering(BY_A_GUEST)]
    of_ana, of_a_guest = seen.outcomes
    assert of_ana.evidence == of_a_guest.evidence
    assert [each.passage.passage_id for each in of_ana.evidence.candidates] == ["open-0"]
    assert of_ana.more_in_private
    assert not of_a_guest.more_in_private
    assert untimed(of_ana) == untimed(of_a_guest) | {"more_in_private": True}
    assert "outside" in seen.all
    for word in HIDDEN:
        assert word not in seen.all


def test_of_what_ran_out_a_document_is_named_and_nothing_of_it_is_told(
    shelves: Shelves, answering: AnsweringPipeline, seen: Seen
) -> None:
    shelves.add("open", "Dogs bark outside, 0.2.")
    add_hidden(shelves)
    seen.outcomes = [answering(BY_ANA)]
    [outcome] = seen.outcomes
    assert [each.document.title for each in outcome.expired] == ["burrow"]
    assert [each.passage.passage_id for each in outcome.evidence.candidates] == ["open-0"]
    assert outcome.more_in_private
    assert "in the burrow" not in seen.all
    assert "kennel" not in seen.all
    assert "lair" not in seen.all


@dataclass
class CountingEncoder:
    """A text answers as well as it says; what is read is counted."""

    read: list[str] = field(default_factory=list)
    name: str = "counting"

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.read.extend(text for _, text in pairs)
        scores = StatedReranker().scores([RerankPair(*pair, {}) for pair in pairs])
        return np.array([[each.logit] for each in scores], np.float32)


def test_models_read_what_more_the_asker_may_read_and_nothing_twice(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    encoder, relevance = CountingEncoder(), RelevanceCalibration(1.0, 0.0)
    remembering = CachingCrossEncoder(encoder)
    search = replace(
        answering.evidence.search,
        reranker=CalibratedReranker(remembering, relevance, "test"),
        window_reranker=WindowReranker(remembering, relevance),
        listwise_reranker=None,
    )
    find = replace(answering.evidence, search=search)
    answering = replace(answering, evidence=find)
    shelves.add("open", "Dogs bark outside, 0.8.", "Dogs bark at night, 0.75.")
    answering(BY_A_GUEST)
    by_a_guest = list(encoder.read)
    encoder.read.clear()
    answering(replace(BY_ANA, text="dogs bark!"))
    assert len(encoder.read) == len(by_a_guest), "she may read no more"
    encoder.read.clear()
    shelves.add("kennel", "Dogs bark in the kennel, 0.97.", metadata=CLOSED)
    assert answering(BY_ANA).more_in_private
    assert encoder.read
    assert all("kennel" in text for text in encoder.read)
