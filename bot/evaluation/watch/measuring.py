"""A run is made of labelled outcomes, with the measures of `vouch evaluate`."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from statistics import fmean

from bot.evaluation import metrics
from bot.evaluation.outcomes import LabelledOutcome, is_relevant
from bot.evaluation.questions import LabelledQuestion
from bot.evaluation.watch.values import FIRST, Asked, Figures, MadeWith, Ranked, Run

LABEL_DIGITS = 16


def run_of(outcomes: Sequence[LabelledOutcome], at: datetime, made_with: MadeWith) -> Run:
    return Run(at, figures(outcomes), made_with, tuple(map(_asked, outcomes)))


def figures(outcomes: Sequence[LabelledOutcome]) -> Figures:
    """Of what did not fail: a language model that is away says nothing about quality."""
    judged = [outcome for outcome in outcomes if not outcome.failure]
    gate, first = metrics.gate(judged), _relevant_first(judged)
    confidences = [
        found for each in judged if (found := each.confidence.get("overall")) is not None
    ]
    return Figures(
        questions=len(outcomes),
        precision_at_5=None if first is None else first / FIRST,
        relevant_first_5=first,
        false_answers=gate["false answers"],
        coverage=gate["coverage"],
        citation_precision=metrics.citations(judged)["citation precision"],
        helped=gate["helped"],
        confidence=fmean(confidences) if confidences else None,
    )


def _relevant_first(outcomes: Sequence[LabelledOutcome]) -> float | None:
    """Counted here, since a bot has none of what `vouch evaluate` needs."""
    counted = [
        sum(is_relevant(place, each.question.gold) for place in each.ranking.best[:FIRST])
        for each in outcomes
        if each.question.gold
    ]
    return fmean(counted) if counted else None


def _asked(outcome: LabelledOutcome) -> Asked:
    question = outcome.question
    return Asked(
        question_id=question.id,
        question=question.question,
        label=label(question),
        has_answer=question.kind.has_answer,
        has_gold=bool(question.gold),
        decision=outcome.decision.value if outcome.decision else "",
        cites_gold=outcome.cites_gold,
        ranked=tuple(
            Ranked(place["score"], is_relevant(place, question.gold))
            for place in outcome.ranking.best
        ),
        attainable=outcome.ranking.relevant,
        confidence=outcome.confidence.get("overall"),
        failure=outcome.failure,
    )


def label(question: LabelledQuestion) -> str:
    return hashlib.sha256(question.model_dump_json().encode()).hexdigest()[:LABEL_DIGITS]
