"""Labelled questions are asked of one recipe."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from audit.errors import AuditError
from bot.access import Person
from bot.answering.as_json import (
    MOST_RANKED,
    claim_as_json,
    confidence_as_json,
    passage_place,
    quotation_as_json,
    ranked_as_json,
)
from bot.answering.evidence import EvidenceFinder
from bot.answering.outcome import Outcome
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.reply import reply_text
from bot.answering.values import Question, as_read
from bot.errors import BotError, EmptyLibrary, UnknownPerson
from bot.evaluation.outcomes import LabelledOutcome, Ranking, is_relevant
from bot.evaluation.questions import LabelledQuestion
from retrieval.errors import RetrievalError
from retrieval.timing import Stages
from retrieval.types import Evidence, Hit, Passage


class Progress(Protocol):
    """It is called with questions done, from 0, questions in all, and the id of the one in hand."""

    def __call__(self, done: int, total: int, what: str, /) -> None: ...


PersonOf = Callable[[str | None], Person | None]
"""Finds a person by id, e-mail or name; None is a guest. Raises `UnknownPerson`."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation has the questions and what is needed to ask and to judge them."""

    questions: Sequence[LabelledQuestion]
    person_of: PersonOf
    passages: Sequence[Passage]
    """All of the library, to know how many could be found."""
    today: date

    def answers(self, answering: AnsweringPipeline, progress: Progress) -> list[LabelledOutcome]:
        """The whole line: retrieval, writer, verification, gate, audit.

        A question that fails is kept as that, and the next one is asked.
        """
        outcomes = []
        for done, labelled in enumerate(self.questions):
            progress(done, len(self.questions), labelled.id)
            try:
                outcome = answering(self.asked(labelled))
            except (EmptyLibrary, UnknownPerson):
                raise  # no question would go better
            except (AuditError, BotError, RetrievalError) as error:
                outcomes.append(self._failed(labelled, str(error)))
            else:
                outcomes.append(self._answered(labelled, outcome))
        progress(len(self.questions), len(self.questions), "")
        return outcomes

    def _answered(self, labelled: LabelledQuestion, outcome: Outcome) -> LabelledOutcome:
        return LabelledOutcome(
            question=labelled,
            decision=outcome.decision,
            text=reply_text(outcome),
            claims=[claim_as_json(claim) for claim in outcome.verdict.claims],
            dropped=[claim_as_json(claim) for claim in outcome.verdict.dropped],
            nearest=[
                quotation_as_json(each) | {"passage": passage_place(each.passage)}
                for each in outcome.nearest
            ],
            missing=outcome.verdict.missing,
            confidence=confidence_as_json(outcome.verdict.confidence),
            latency_ms=outcome.latency_ms,
            stages_ms=outcome.stages_ms,
            ranking=self._ranking(labelled, outcome.evidence.candidates),
            tokens=outcome.tokens,
            degraded=outcome.degraded,
            shown=_shown(outcome),
        )

    def _failed(self, labelled: LabelledQuestion, failure: str) -> LabelledOutcome:
        return LabelledOutcome(
            question=labelled,
            decision=None,
            text="",
            claims=(),
            dropped=(),
            confidence={},
            latency_ms=0.0,
            ranking=self._ranking(labelled, ()),
            stages_ms={},
            failure=failure,
        )

    def rankings(self, evidence: EvidenceFinder, progress: Progress) -> list[LabelledOutcome]:
        """Retrieval alone, to compare rankings; nothing is decided."""
        return [
            LabelledOutcome(
                question=labelled,
                decision=None,
                text="",
                claims=(),
                dropped=(),
                confidence={},
                latency_ms=sum(stages.milliseconds.values()),
                ranking=self._ranking(labelled, found.candidates),
                stages_ms=stages.milliseconds,
            )
            for labelled, found, stages in self._searched(evidence, progress)
        ]

    def evidences(
        self, evidence: EvidenceFinder, progress: Progress
    ) -> Iterator[tuple[LabelledQuestion, Evidence]]:
        """Each question with what a search finds for it."""
        for labelled, found, _ in self._searched(evidence, progress):
            yield labelled, found

    def _searched(
        self, evidence: EvidenceFinder, progress: Progress
    ) -> Iterator[tuple[LabelledQuestion, Evidence, Stages]]:
        for done, labelled in enumerate(self.questions, start=1):
            stages = Stages()
            found = evidence(as_read(self.asked(labelled)), stages)
            yield labelled, found.evidence, stages
            progress(done, len(self.questions), labelled.id)

    def asked(self, labelled: LabelledQuestion) -> Question:
        """The question as that person asks it on that day; raise `UnknownPerson`."""
        return Question(
            text=labelled.question,
            person=self.person_of(labelled.person),
            on=labelled.on or self.today,
            previous=labelled.previous,
        )

    def _ranking(self, labelled: LabelledQuestion, hits: Sequence[Hit]) -> Ranking:
        places = ranked_as_json(hits, most=len(hits))
        library = [passage_place(passage) for passage in self.passages]
        return Ranking(
            best=places[:MOST_RANKED],
            found=any(is_relevant(place, labelled.gold) for place in places),
            relevant=sum(is_relevant(place, labelled.gold) for place in library),
        )


def _shown(outcome: Outcome) -> tuple[Passage, ...]:
    """What was written from and what is quoted, each passage once."""
    passages = (*outcome.shown, *(each.passage for each in outcome.nearest))
    return tuple({passage.passage_id: passage for passage in passages}.values())
