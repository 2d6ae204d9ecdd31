"""The forms that `vouch quality --json` promises."""

from typing import Any

from pydantic_core import to_jsonable_python

from bot.evaluation.watch import traffic
from bot.evaluation.watch.service import QualityReport
from bot.evaluation.watch.telling import in_words
from bot.evaluation.watch.values import Run


def run_as_json(run: Run) -> dict[str, Any]:
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
