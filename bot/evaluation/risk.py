"""Answers must be so careful that few unanswerable questions are answered.

Learn then Test (Angelopoulos, Bates, Candès, Jordan and Lei, "Learn then test: calibrating
predictive algorithms to achieve risk control", 2021) with fixed-sequence testing: thresholds
are tried from the most careful downwards for as long as an exact binomial bound (Clopper and
Pearson, 1934) keeps the risk, which then holds for the last of them with the stated
confidence, on questions drawn as the labelled ones were. That asks for composites which were
fixed before. `vouch calibrate` makes them with weights that were fitted on other questions, but
of two fits, neither of which is the one that is written: so it holds approximately, as it says.
"""

import math
from collections.abc import Callable, Sequence

from bot.answering.gate import Risk


def upper_bound(false_answers: int, asked: int, confidence: float) -> float:
    """The rate of false answers that, with this confidence, is not exceeded."""
    if false_answers >= asked:
        return 1.0
    from scipy.stats import beta

    return float(beta.ppf(confidence, false_answers + 1, asked - false_answers))


def fewest_questions(risk: float, confidence: float) -> int:
    """Unanswerable questions without one false answer that are needed to promise a risk."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - risk))


def careful_threshold(
    false: Sequence[float], answerable: Sequence[float], asked: int, risk: float, confidence: float
) -> tuple[float, Risk]:
    """The lowest composite to answer from, and what it risks.

    `false` and `answerable` are the composites of drafts that unanswerable and answerable
    questions got; `asked` is how many unanswerable ones there were, drafted or not. Where
    there are too few of them for any promise, the risk is kept on these questions and not
    promised for others.
    """
    tried = [(each, sum(f >= each for f in false)) for each in _descending(false, answerable)]
    kept = _while(tried, lambda k: upper_bound(k, asked, confidence) <= risk)
    if not kept:
        kept = _while(tried, lambda k: k <= risk * asked)
    threshold, false_answers = kept[-1] if kept else (1.0, 0)
    bound = upper_bound(false_answers, asked, confidence)
    return threshold, Risk(risk, confidence, asked, false_answers, bound, bound <= risk)


def _descending(*composites: Sequence[float]) -> list[float]:
    return sorted({each for some in composites for each in some}, reverse=True)


def _while(
    tried: Sequence[tuple[float, int]], holds: Callable[[int], bool]
) -> list[tuple[float, int]]:
    """The first of them, up to where it does not hold any more."""
    kept = []
    for threshold, false_answers in tried:
        if not holds(false_answers):
            break
        kept.append((threshold, false_answers))
    return kept
