"""How good one question's ranking is; the arithmetic is ir-measures', which is trec_eval's."""

from collections.abc import Mapping, Sequence

from bot.evaluation.outcomes import LabelledOutcome, is_of_gold_document, is_relevant

NAMES = {"P@1": "P@1", "P@5": "P@5", "RR": "MRR", "nDCG@10": "nDCG@10"}
"""As ir-measures names them, and as they are told."""
FOUND = "recall@50"
BY_DOCUMENT = "P@1 by document"
MEASURES = (*NAMES.values(), FOUND, BY_DOCUMENT)

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
    return {FOUND: float(ranking.found), BY_DOCUMENT: float(first)}


def _judged(outcome: LabelledOutcome) -> dict[str, int]:
    """By place in the ranking whether it is relevant; those that are not in it have names alone."""
    gold, ranking = outcome.question.gold, outcome.ranking
    gains = {str(at): int(is_relevant(place, gold)) for at, place in enumerate(ranking.best)}
    left = ranking.relevant - sum(gains.values())
    return gains | {f"not ranked {at}": 1 for at in range(left)} | {"no passage": 0}


def _ranked(outcome: LabelledOutcome) -> dict[str, float]:
    """The order alone; passages may have equal scores."""
    return {str(at): -float(at) for at in range(len(outcome.ranking.best))}
