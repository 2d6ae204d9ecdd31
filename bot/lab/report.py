"""An evaluation is reported in tables and a picture."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import cycle
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from audit.record import Badge, badge_of
from bot.cli.console import table_of
from bot.lab import judge
from bot.lab.calibration import RISK, risk_coverage
from bot.lab.claims import Passing, balanced_accuracy
from bot.lab.comparison import Differences, Held, Runs, SideBySide, interval, values
from bot.quality import metrics
from bot.quality.run import LabelledOutcome, is_relevant, verified_gold
from bot.wording import BADGES

Claims = Sequence[Mapping[str, Any]]


def _drafted(outcome: LabelledOutcome) -> Claims:
    return (*outcome.claims, *outcome.dropped)


STEPS: Mapping[str, Callable[[LabelledOutcome], Claims]] = {
    "drafts": _drafted,
    "verified": lambda outcome: [c for c in _drafted(outcome) if c["status"] == "VERIFIED"],
    "posted": lambda outcome: outcome.claims,
}


def steps(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, float | None]]:
    """Coverage, false answers, citation precision and the number of claims of each step."""
    return {name: _figures(outcomes, claims, name) for name, claims in STEPS.items()}


def _figures(
    outcomes: Sequence[LabelledOutcome], claims_of: Callable[[LabelledOutcome], Claims], step: str
) -> dict[str, float | None]:
    answerable = [o for o in outcomes if o.question.kind.has_answer]
    unanswerable = [o for o in outcomes if not o.question.kind.has_answer]
    gains = [_gains(outcome, claims_of(outcome)) for outcome in answerable]
    checked = [verified_gold(claims_of(o), o.question.gold) for o in answerable]
    return {
        "coverage": _mean([any(some) for some in gains] if step == "drafts" else checked),
        "false answers": _mean([bool(claims_of(outcome)) for outcome in unanswerable]),
        "citation precision": _mean([gain for some in gains for gain in some]),
        "claims": float(sum(len(claims_of(outcome)) for outcome in outcomes)),
    }


def _gains(outcome: LabelledOutcome, claims: Claims) -> list[bool]:
    gold = outcome.question.gold
    return [is_relevant(citation, gold) for claim in claims for citation in claim["citations"]]


def _mean(values: Sequence[bool]) -> float | None:
    return fmean(map(float, values)) if values else None


def tokens_per_question(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, float]]:
    """Means by stage and in all, of the questions that did not fail; empty where none were used."""
    asked = [outcome for outcome in outcomes if not outcome.failure]
    sums: dict[str, Counter[str]] = {}
    for outcome in asked:
        for stage, used in outcome.tokens.items():
            sums.setdefault(stage, Counter()).update(used)
            sums.setdefault("total", Counter()).update(used)
    return {
        stage: {each: count / len(asked) for each, count in used.items()}
        for stage, used in sorted(sums.items(), key=lambda item: item[0] == "total")
    }


def troubles(outcomes: Sequence[LabelledOutcome]) -> dict[str, int]:
    """How many questions failed, and how many were answered without what was out of order."""
    return {
        "failed": sum(bool(outcome.failure) for outcome in outcomes),
        "degraded": sum(bool(outcome.degraded) for outcome in outcomes),
    }


def by_badge(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, int]]:
    """How many replies bore each badge, and how many of them were right."""
    counts = {badge.value: {"right": 0, "shown": 0} for badge in Badge}
    for outcome in outcomes:
        if outcome.decision is None:
            continue
        count = counts[badge_of(outcome.decision, outcome.missing)]
        count["right"] += (
            outcome.cites_gold if outcome.answered else not outcome.question.kind.has_answer
        )
        count["shown"] += 1
    return counts


def summary(outcomes: Sequence[LabelledOutcome]) -> dict[str, object]:
    """All figures of one recipe as plain values; a gate's only where it decided."""
    figures: dict[str, object] = {"questions": len(outcomes), **metrics.retrieval(outcomes)}
    if any(outcome.decision for outcome in outcomes):
        figures |= metrics.citations(outcomes) | metrics.gate(outcomes)
        figures["decisions"] = metrics.decisions(outcomes)
        figures["badges"] = by_badge(outcomes)
        figures["steps"] = steps(outcomes)
        figures["tokens per question"] = tokens_per_question(outcomes)
        figures["risk-coverage"] = [
            [point.threshold, point.coverage, point.risk] for point in risk_coverage(outcomes)
        ]
    if judge.was_judged(outcomes):
        figures |= judge.summary(outcomes)
    figures |= troubles(outcomes)
    figures["latency ms (median, 95th percentile)"] = metrics.latency(outcomes)
    return figures


def as_json(
    runs: Runs, libraries: Mapping[str, Held], differences: Differences
) -> dict[str, object]:
    """The form that `vouch evaluate --json` promises."""
    return {
        "recipes": {
            name: {
                "summary": summary(outcomes),
                "library": asdict(libraries[name]),
                "questions": [outcome.as_json() for outcome in outcomes],
            }
            for name, outcomes in runs.items()
        },
        "comparison": {
            "first": next(iter(runs)),
            "differences": {
                measure: {name: asdict(each) for name, each in found.items()}
                for measure, found in differences.items()
            },
        },
    }


def print_tables(runs: Runs, beside: SideBySide, console: Console) -> None:
    console.print(beside.as_table())
    for note in beside.notes:
        console.print(note, markup=False)
    decided = {name: o for name, o in runs.items() if any(each.decision for each in o)}
    for name, outcomes in decided.items():
        console.print(_steps(f"Drafts and what became of them, {name}", outcomes))
        console.print(_decisions(f"Decisions, {name}", outcomes))
        console.print(_badges(f"Badges, {name}", outcomes))
        if used := tokens_per_question(outcomes):
            console.print(_tokens(f"Tokens per question, {name}", used))
    for name, outcomes in runs.items():
        for trouble in _troubles(name, outcomes):
            console.print(trouble, markup=False)
    for name, outcomes in runs.items():
        console.print(_latency(f"Milliseconds, {name}", outcomes))


def _decisions(title: str, outcomes: Sequence[LabelledOutcome]) -> Table:
    counts = metrics.decisions(outcomes)
    rows = ((kind, *map(str, row.values())) for kind, row in counts.items())
    return table_of(("kind", *next(iter(counts.values()))), rows, title)


def _steps(title: str, outcomes: Sequence[LabelledOutcome]) -> Table:
    by_step = steps(outcomes)
    rows = (
        (step, *("-" if each is None else f"{each:.3f}" for each in shares), f"{claims:.0f}")
        for step, (*shares, claims) in ((step, each.values()) for step, each in by_step.items())
    )
    return table_of(("", *next(iter(by_step.values()))), rows, title)


def _tokens(title: str, used: Mapping[str, Mapping[str, float]]) -> Table:
    rows = (
        (stage, *(f"{each.get(kind, 0.0):.0f}" for kind in ("prompt", "completion")))
        for stage, each in used.items()
    )
    return table_of(("stage", "read", "written"), rows, title)


def _troubles(name: str, outcomes: Sequence[LabelledOutcome]) -> Iterator[str]:
    found = troubles(outcomes)
    if found["failed"]:
        first = next(outcome.failure for outcome in outcomes if outcome.failure)
        yield (
            f"{name}: {found['failed']} of {len(outcomes)} questions failed and count as not "
            f"answered; the first one: {first}"
        )
    if found["degraded"]:
        first = next(each for outcome in outcomes for each in outcome.degraded)
        yield (
            f"{name}: {found['degraded']} of {len(outcomes)} questions were answered without what "
            f"was out of order; the first one: {first}"
        )


def _badges(title: str, outcomes: Sequence[LabelledOutcome]) -> Table:
    rows = (
        (BADGES[badge], str(count["right"]), str(count["shown"]))
        for badge, count in by_badge(outcomes).items()
    )
    return table_of(("badge", "right", "shown"), rows, title)


def _latency(title: str, outcomes: Sequence[LabelledOutcome]) -> Table:
    rows = (
        (stage, f"{middle:.1f}", f"{slow:.1f}")
        for stage, (middle, slow) in metrics.latency(outcomes).items()
    )
    return table_of(("stage", "median", "95th percentile"), rows, title)


def claims_table(rows: Sequence[Passing]) -> Table:
    """What passes of each kind of claim, and the balanced accuracies."""
    passes = [
        (
            row.kind,
            "yes" if row.supported else "no",
            str(row.claims),
            f"{row.by_model:.1%}",
            f"{row.by_both:.1%}",
        )
        for row in rows
    ]
    balanced = [
        (kind, "balanced accuracy", "", f"{model:.3f}", f"{both:.3f}")
        for kind, (model, both) in balanced_accuracy(rows).items()
    ]
    head = ("kind", "supported", "claims", "pass the model", "pass both")
    return table_of(head, [*passes, *balanced])


def draw_runs(runs: Runs, path: Path) -> None:
    """Draw coverage against false answers as a PNG, a line a recipe; several with intervals."""
    if len(runs) == 1:
        with metrics.figure(path, panels=1) as [axes]:
            _risk_coverage(axes, runs)
        return
    with metrics.figure(path, panels=2, height=MEASURE_HEIGHT * len(DRAWN)) as [left, right]:
        _risk_coverage(left, runs)
        _measures(right, runs)


def draw_calibration(outcomes: Sequence[LabelledOutcome], path: Path) -> None:
    """How often drafts of a confidence were right, beside what coverage risks, as a PNG."""
    with metrics.figure(path, panels=2) as [left, right]:
        bins = metrics.confidence_reliability(outcomes)
        left.plot([0, 1], [0, 1], color="grey", linestyle=":")
        left.plot([each.stated for each in bins], [each.right for each in bins], marker="o")
        for each in bins:
            left.annotate(str(each.count), (each.stated, each.right), fontsize="small")
        left.set(xlabel="confidence", ylabel="share that was right", xlim=(0, 1), ylim=(0, 1))
        _risk_coverage(right, {"calibrated": outcomes})


DRAWN = (
    *("P@1", metrics.BY_DOCUMENT, "MRR", "nDCG@10", "recall@50"),
    *("coverage", "helped", "false answers"),
)
MEASURE_HEIGHT = 0.85
"""Inches."""
COLOURS = ("#000000", "#E69F00", "#0072B2", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
"""Told apart by the colour-blind too (Okabe and Ito, "Color universal design", 2008)."""
MARKERS = "osD^vPX"


def _looks(runs: Runs) -> dict[str, dict[str, str]]:
    looks = zip(cycle(COLOURS), cycle(MARKERS), strict=False)
    return {
        name: {"color": colour, "marker": marker}
        for name, (colour, marker) in zip(runs, looks, strict=False)
    }


def _measures(axes: Any, runs: Runs) -> None:
    """A dot a recipe with a bar of 95 % confidence, one recipe under the other."""
    looks, step = _looks(runs), 0.8 / len(runs)
    for place, (name, outcomes) in enumerate(runs.items()):
        found = values(outcomes)
        for row, measure in enumerate(DRAWN):
            if known := [each for each in found.get(measure, ()) if each is not None]:
                low, high = interval(known)
                at = row + (place - (len(runs) - 1) / 2) * step
                axes.plot([low, high], [at, at], color=looks[name]["color"], linewidth=1.2)
                axes.plot([fmean(known)], [at], linestyle="", markersize=5, **looks[name])
        axes.plot([], [], linestyle="", label=name, **looks[name])
    for row in range(1, len(DRAWN)):
        axes.axhline(row - 0.5, color="lightgrey", linewidth=0.8)
    axes.set(
        xlabel="mean over questions, with 95 % confidence",
        xlim=(-0.02, 1.02),
        ylim=(len(DRAWN) - 0.5, -0.5),
        yticks=range(len(DRAWN)),
        yticklabels=DRAWN,
    )
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3)


def _risk_coverage(axes: Any, runs: Runs) -> None:  # matplotlib ships no types
    looks = _looks(runs)
    for name, outcomes in runs.items():
        points = risk_coverage(outcomes)
        if points:
            axes.step(
                [point.risk for point in points],
                [point.coverage for point in points],
                where="post",
                label=name,
                color=looks[name]["color"],
            )
    axes.axvline(RISK, color="grey", linestyle=":", label=f"{100 * RISK:.0f} % false answers")
    axes.set(
        xlabel="share of unanswerable questions answered",
        ylabel="share of answerable questions\nanswered with a correct citation",
        xlim=(0, 1),
        ylim=(0, 1),
    )
    axes.legend()
