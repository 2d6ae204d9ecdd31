"""Whether two recipes differ by more than chance, asked the same questions."""

from collections.abc import Sequence

ALPHA = 0.05
"""What a difference is marked under."""
RESAMPLES = 9_999
"""Random relabellings, and bootstrap samples; with fewer than 14 questions all relabellings."""
SEED = 0
"""So that the same outcomes give the same figures."""


def paired_p(one: Sequence[float], other: Sequence[float]) -> float:
    """The two-sided probability, 0 to 1, of so large a difference where there is none.

    McNemar's exact test where every value is 0 or 1, else a randomisation test of the mean
    difference (Smucker, Allan and Carterette, "A comparison of statistical significance tests for
    information retrieval evaluation", 2007). 1 where no question differs.
    """
    import numpy as np
    from scipy.stats import binomtest, permutation_test

    differences = np.subtract(other, one)
    differing = differences[differences != 0]
    if not differing.size:
        return 1.0
    if {*one, *other} <= {0.0, 1.0}:
        return float(binomtest(int((differing > 0).sum()), differing.size).pvalue)
    if differing.size == 1:
        return 1.0
    found = permutation_test(
        (differing,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(SEED),
    )
    return float(found.pvalue)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Corrected for being several, after Holm (1979), in their order."""
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    corrected, most = [1.0] * len(probabilities), 0.0
    for rank, at in enumerate(order):
        most = max(most, min(1.0, (len(probabilities) - rank) * probabilities[at]))
        corrected[at] = most
    return corrected


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Where the mean lies with 95 % confidence.

    Wilson's interval where every value is 0 or 1, since of no false answer among few questions it
    says more than nothing; else the percentile bootstrap over questions.
    """
    import numpy as np
    from scipy.stats import binomtest, bootstrap

    if set(values) <= {0.0, 1.0}:
        found = binomtest(int(sum(values)), len(values)).proportion_ci(method="wilson")
    elif len(set(values)) < 2:
        return values[0], values[0]
    else:
        rng = np.random.default_rng(SEED)
        found = bootstrap(
            (values,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=rng
        ).confidence_interval
    return float(found.low), float(found.high)
