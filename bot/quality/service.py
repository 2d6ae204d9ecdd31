"""Everything is looked at once: the labelled questions, what people asked, and the sources."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any

from pydantic_core import to_jsonable_python

from bot.answering.recording import is_no_answer
from bot.quality import metrics, traffic
from bot.quality.alarms import Alarm, quality_alarms
from bot.quality.questions import LabelledQuestion
from bot.quality.run import LabelledOutcome, is_relevant
from bot.quality.telling import in_words
from bot.quality.traffic import AnsweredInTraffic, Week, source_alarms
from bot.quality.values import FIRST, Figures, MadeWith, QualityRun, QuestionResult, RankedPlace
from retrieval.documents.holdings import SourceTimes

LABEL_DIGITS = 16


def run_of(outcomes: Sequence[LabelledOutcome], at: datetime, made_with: MadeWith) -> QualityRun:
    return QualityRun(at, figures(outcomes), made_with, tuple(map(_asked, outcomes)))


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


def _asked(outcome: LabelledOutcome) -> QuestionResult:
    question = outcome.question
    return QuestionResult(
        question_id=question.id,
        question=question.question,
        label=label(question),
        has_answer=question.kind.has_answer,
        has_gold=bool(question.gold),
        decision=outcome.decision.value if outcome.decision else "",
        cites_gold=outcome.cites_gold,
        ranked=tuple(
            RankedPlace(place["score"], is_relevant(place, question.gold))
            for place in outcome.ranking.best
        ),
        attainable=outcome.ranking.relevant,
        confidence=outcome.confidence.get("overall"),
        failure=outcome.failure,
    )


def label(question: LabelledQuestion) -> str:
    return hashlib.sha256(question.model_dump_json().encode()).hexdigest()[:LABEL_DIGITS]


@dataclass(frozen=True, slots=True)
class AlarmLimits:
    fall: float
    """Of precision at 5, and of coverage, 0 to 1."""
    unread_days: int
    """0 for never, as in the next."""
    unchanged_days: int


@dataclass(frozen=True, slots=True)
class QualityReport:
    at: datetime
    run: QualityRun | None
    previous: QualityRun | None
    """The last one before, whatever it asked."""
    traffic: Sequence[Week]
    """What people asked, the week just past first."""
    alarms: Sequence[Alarm]


def report_on(
    now: datetime,
    earlier: Sequence[QualityRun],
    run: QualityRun | None,
    asked: Iterable[Mapping[str, Any]],
    sources: Sequence[SourceTimes],
    limits: AlarmLimits,
) -> QualityReport:
    """`now` is aware; `asked`: audit records, as JSON, since `traffic.since(now)`."""
    records = (each for each in asked if not is_no_answer(each))
    weeks = traffic.weeks(map(AnsweredInTraffic.of, records), now)
    alarms: list[Alarm] = [
        *(quality_alarms(earlier, run, limits.fall) if run else ()),
        *traffic.traffic_alarms(weeks),
        *source_alarms(sources, now, limits.unread_days, limits.unchanged_days),
    ]
    return QualityReport(now, run, earlier[-1] if earlier else None, weeks, tuple(alarms))


def run_as_json(run: QualityRun) -> dict[str, Any]:
    values: dict[str, Any] = to_jsonable_python(run)
    for each, shown in zip(run.asked, values["asked"], strict=True):
        shown |= {"right": each.right, "relevant_first": each.relevant_first}
    return values


def report_as_json(report: QualityReport) -> dict[str, Any]:
    return {
        "at": report.at.isoformat(),
        "run": run_as_json(report.run) if report.run else None,
        "weeks": [
            {"questions": len(week)}
            | {measure.value: traffic.mean(measure, week) for measure in traffic.WATCHED}
            for week in report.traffic
        ],
        "alarms": [
            {"alarm": type(alarm).__name__, "words": in_words(alarm), **to_jsonable_python(alarm)}
            for alarm in report.alarms
        ],
    }
