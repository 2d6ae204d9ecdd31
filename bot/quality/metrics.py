"""The measures are pure functions of `LabelledOutcome`s, shares from 0 to 1 unless they say."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from audit.record import Decision
from bot.quality.questions import QuestionKind
from bot.quality.run import LabelledOutcome, is_of_gold_document, is_relevant, overlaps
from retrieval.search.scores import RELEVANT

NAMES = {"P@1": "P@1", "P@5": "P@5", "RR": "MRR", "nDCG@10": "nDCG@10"}
"""As ir-measures names them, and as they are told."""
RECALL = "recall@50"
BY_DOCUMENT = "P@1 by document"
MEASURES = (*NAMES.values(), RECALL, BY_DOCUMENT)
Figures = Mapping[str, float]


def of_each(outcomes: Sequence[LabelledOutcome]) -> list[Figures | None]:
    """P@1, P@5, reciprocal rank and nDCG@10 of the best ten, and recall@50 before reranking.

    P@1 by document asks only whether the first passage is of a document that answers. In the order
    of the outcomes; None for a question without gold or that failed. Gains are 0 and 1, and the
    ideal of nDCG has all relevant passages of the library ahead.
    """
    import ir_measures

    counted = {
        str(at): outcome
        for at, outcome in enumerate(outcomes)
        if outcome.question.gold and not outcome.failure
    }
    measures = [ir_measures.parse_measure(name) for name in NAMES]
    judged = {at: _judged(outcome) for at, outcome in counted.items()}
    ranked = {at: _ranked(outcome) for at, outcome in counted.items()}
    figures = {at: _counted_here(outcome) for at, outcome in counted.items()}
    for metric in ir_measures.iter_calc(measures, judged, ranked) if counted else ():
        figures[metric.query_id][NAMES[str(metric.measure)]] = metric.value
    return [figures.get(str(at)) for at in range(len(outcomes))]


def _counted_here(outcome: LabelledOutcome) -> dict[str, float]:
    """What needs more than the best ten passages' relevance."""
    gold, ranking = outcome.question.gold, outcome.ranking
    first = any(is_of_gold_document(place, gold) for place in ranking.best[:1])
    return {RECALL: float(ranking.found), BY_DOCUMENT: float(first)}


def _judged(outcome: LabelledOutcome) -> dict[str, int]:
    """By place in the ranking whether it is relevant; those that are not in it have names alone."""
    gold, ranking = outcome.question.gold, outcome.ranking
    gains = {str(at): int(is_relevant(place, gold)) for at, place in enumerate(ranking.best)}
    left = ranking.relevant - sum(gains.values())
    return gains | {f"not ranked {at}": 1 for at in range(left)} | {"no passage": 0}


def _ranked(outcome: LabelledOutcome) -> dict[str, float]:
    """The order alone; passages may have equal scores."""
    return {str(at): -float(at) for at in range(len(outcome.ranking.best))}


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def retrieval(outcomes: Sequence[LabelledOutcome]) -> dict[str, float | None]:
    """The means of `of_each`, over the questions that have gold and did not fail."""
    figures = [each for each in of_each(outcomes) if each]
    return {name: _mean([each[name] for each in figures]) for name in MEASURES}


def citations(outcomes: Sequence[LabelledOutcome]) -> dict[str, float | None]:
    """Precision over all citations of posted claims; recall: answered questions that cite gold."""
    cited = [
        (citation, outcome)
        for outcome in outcomes
        if outcome.question.kind.has_answer
        for citation in outcome.citations
    ]
    recalled = [
        any(overlaps(citation, gold) for citation in outcome.citations for gold in o_gold)
        for outcome in outcomes
        if outcome.answered and (o_gold := outcome.question.gold)
    ]
    return {
        "citation precision": _mean([float(is_relevant(c, o.question.gold)) for c, o in cited]),
        "citation precision by document": _mean(
            [float(is_of_gold_document(c, o.question.gold)) for c, o in cited]
        ),
        "citation recall": _mean([float(each) for each in recalled]),
    }


def decisions(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for kind in QuestionKind:
        counted = Counter(
            o.decision.value for o in outcomes if o.question.kind is kind and o.decision
        )
        if counted:
            counts[kind.value] = {each.value: counted[each.value] for each in Decision}
    return counts


def gate(outcomes: Sequence[LabelledOutcome]) -> dict[str, float | None]:
    """False-answer rate, coverage, AUROC of the overall confidence and the CRAG score.

    Helped are the answerable questions that were answered rightly, or of which an abstention
    quoted from a passage that answers.
    """
    unanswerable = [o for o in outcomes if not o.question.kind.has_answer]
    answerable = [o for o in outcomes if o.question.kind.has_answer]
    return {
        **{name: _mean_of(measure, outcomes) for name, measure in OF_A_QUESTION.items()},
        "AUROC": auroc([o.overall for o in answerable], [o.overall for o in unanswerable]),
        "AUROC of relevance": auroc(
            [_best_relevance(o) for o in answerable], [_best_relevance(o) for o in unanswerable]
        ),
        f"unanswerable over {RELEVANT}": _mean(
            [float(_best_relevance(o) >= RELEVANT) for o in unanswerable]
        ),
        "ECE of relevance": calibration_error(_relevances(outcomes)),
        "ECE of relevance by chance": error_by_chance(_relevances(outcomes)),
        "ECE of confidence": calibration_error(_confidences(outcomes)),
        "ECE of confidence by chance": error_by_chance(_confidences(outcomes)),
        "forbidden": float(sum(_shows_forbidden(o) for o in outcomes)),
    }


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The probability that a positive scores above a negative; ties count half."""
    if not positive or not negative:
        return None
    won = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
    return won / (len(positive) * len(negative))


def crag_score(outcome: LabelledOutcome) -> float:
    """-1 to 1, after Yang et al., "CRAG: comprehensive RAG benchmark" (2024)."""
    if not outcome.answered:
        return 0.0
    if not outcome.question.kind.has_answer or not outcome.cites_gold:
        return -1.0
    due = Decision.PARTIAL if outcome.question.kind is QuestionKind.PARTIAL else Decision.ANSWER
    return 1.0 if outcome.decision is due else 0.5


def _unanswerable(outcome: LabelledOutcome, value: float) -> float | None:
    return None if outcome.question.kind.has_answer else float(value)


def _answerable(outcome: LabelledOutcome, value: float) -> float | None:
    return float(value) if outcome.question.kind.has_answer else None


OF_A_QUESTION: Mapping[str, Callable[[LabelledOutcome], float | None]] = {
    "false answers": lambda o: _unanswerable(o, o.answered),
    "coverage": lambda o: _answerable(o, o.answered and o.cites_gold),
    "helped": lambda o: _answerable(o, o.helps),
    "helped by the words quoted": lambda o: _answerable(o, o.shows_gold),
    "score": crag_score,
}
"""The measures of the gate that are means over questions; None where one says nothing of it."""


def _mean_of(
    measure: Callable[[LabelledOutcome], float | None], outcomes: Sequence[LabelledOutcome]
) -> float | None:
    return _mean([value for each in outcomes if (value := measure(each)) is not None])


def _shows_forbidden(outcome: LabelledOutcome) -> bool:
    places = (*outcome.ranking.best, *outcome.citations, *outcome.nearest)
    shown = {place["file"] for place in places}
    return bool(shown & set(outcome.question.forbidden))


Stated = tuple[float, bool]
"""A probability, and whether what it was stated of is so."""
_BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    stated: float
    right: float
    count: int


def reliability(stated: Sequence[Stated]) -> list[Bin]:
    """By probability, in bins of equal width; empty ones left out."""
    return [
        Bin(fmean(p for p, _ in some), fmean(float(right) for _, right in some), len(some))
        for some in _binned(stated)
    ]


def _binned(stated: Sequence[Stated]) -> list[list[Stated]]:
    filled: dict[int, list[Stated]] = {}
    for probability, right in stated:
        place = min(int(probability * _BINS), _BINS - 1)
        filled.setdefault(place, []).append((probability, right))
    return [some for _, some in sorted(filled.items())]


def calibration_error(stated: Sequence[Stated]) -> float | None:
    """Expected calibration error: Guo et al., "On calibration of modern neural networks" (2017)."""
    found = reliability(stated)
    count = sum(each.count for each in found)
    return (
        sum(each.count * abs(each.stated - each.right) for each in found) / count if found else None
    )


def error_by_chance(stated: Sequence[Stated]) -> float | None:
    """The calibration error that these probabilities are expected to show if they are right.

    Of few questions the share that is so misses even a true probability: by the normal
    approximation a sum of independent events deviates by sqrt(2 / pi) of its standard
    deviation on average. An error that is not above this says nothing.
    """
    if not stated:
        return None
    deviations = [math.sqrt(sum(p * (1 - p) for p, _ in some)) for some in _binned(stated)]
    return math.sqrt(2 / math.pi) * sum(deviations) / len(stated)


def _relevances(outcomes: Sequence[LabelledOutcome]) -> list[Stated]:
    """Of the best ten passages; what no reranker read has its fusion's score, no probability."""
    return [
        (place["score"], is_relevant(place, outcome.question.gold))
        for outcome in outcomes
        for place in outcome.ranking.best
        if place.get("eligibility", "") is not None
    ]


def _best_relevance(outcome: LabelledOutcome) -> float:
    return max((place["score"] for place in outcome.ranking.best), default=0.0)


def _confidences(outcomes: Sequence[LabelledOutcome]) -> list[Stated]:
    return [(o.overall, o.drafts_gold) for o in outcomes if o.has_draft]


def confidence_reliability(outcomes: Sequence[LabelledOutcome]) -> list[Bin]:
    """Of the drafts, whatever the gate decided."""
    return reliability(_confidences(outcomes))


def latency(outcomes: Sequence[LabelledOutcome]) -> Mapping[str, tuple[float, float]]:
    stages: dict[str, list[float]] = {}
    for outcome in outcomes:
        for stage, spent in outcome.stages_ms.items():
            stages.setdefault(stage, []).append(spent)
    return {stage: (median(spent), percentile(spent)) for stage, spent in stages.items()}


def percentile(values: Sequence[float], share: float = 0.95) -> float:
    return sorted(values)[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


@contextmanager
def figure(path: Path, panels: int, height: float = 4) -> Iterator[Sequence[Any]]:
    """Axes side by side, inches high, written when all is drawn."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, panels, figsize=(6 * panels, height), squeeze=False)
    yield axes[0]
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
