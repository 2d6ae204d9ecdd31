"""Recipes side by side, and whether they differ by chance; gold is in lines of the source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from rich.table import Table

from bot.lab import judge
from bot.quality import metrics
from bot.quality.run import LabelledOutcome
from bot.wiring import Container
from bot.wiring.retrieval import index_files
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Held:
    """Recipes that change the same settings hold the same."""

    passages: int
    words: float
    """Of a passage, on average: a longer one overlaps gold more easily."""
    text_bytes: int
    """Of the documents' text, each once, whatever the passages repeat of it."""
    index_bytes: int | None
    """All files of the index; None where they cannot be seen, as on a server."""


def held(container: Container, passages: Sequence[Passage]) -> Held:
    documents = {(each.document.document_id, each.document.version) for each in passages}
    parsed = (container.stores.library.parsed(*each) for each in documents)
    files = index_files(container.settings)
    return Held(
        passages=len(passages),
        words=fmean(len(each.text.split()) for each in passages) if passages else 0.0,
        text_bytes=sum(len(each.source.encode()) for each in parsed if each),
        index_bytes=(
            sum(path.stat().st_size for path in files.rglob("*") if path.is_file())
            if files and files.is_dir()
            else None
        ),
    )


ALPHA = 0.05
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
    """95 % confidence of the mean: Wilson's interval of zeros and ones, else the bootstrap."""
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


Runs = Mapping[str, Sequence[LabelledOutcome]]
"""Outcomes by recipe, each of the same questions in the same order."""
Values = Sequence[float | None]
"""Of each question; None where a measure says nothing of it."""


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    mean: float
    p: float
    """Two-sided."""
    corrected: float
    """After Holm, over the recipes that are compared with the first."""
    questions: int


def values(outcomes: Sequence[LabelledOutcome]) -> dict[str, Values]:
    """By measure the value of each question: of all measures that are a mean over questions."""
    ranked = metrics.of_each(outcomes)
    found: dict[str, Values] = {
        name: [each[name] if each else None for each in ranked] for name in metrics.MEASURES
    }
    if any(outcome.decision for outcome in outcomes):
        found |= {
            name: [measure(outcome) for outcome in outcomes]
            for name, measure in metrics.OF_A_QUESTION.items()
        }
    if judge.was_judged(outcomes):
        found |= judge.values(outcomes)
    return found


Differences = Mapping[str, Mapping[str, MeasureDifference]]


def differences(runs: Runs) -> Differences:
    """By measure and recipe, of all but the first."""
    by_recipe = {name: values(outcomes) for name, outcomes in runs.items()}
    first, *others = by_recipe
    return {
        measure: _of_measure(
            own, {o: by_recipe[o][measure] for o in others if measure in by_recipe[o]}
        )
        for measure, own in by_recipe[first].items()
    }


def _of_measure(own: Values, others: Mapping[str, Values]) -> dict[str, MeasureDifference]:
    paired = {
        name: [(a, b) for a, b in zip(own, each, strict=True) if a is not None and b is not None]
        for name, each in others.items()
    }
    paired = {name: pairs for name, pairs in paired.items() if pairs}
    ps = [paired_p(*zip(*pairs, strict=True)) for pairs in paired.values()]
    return {
        name: MeasureDifference(fmean(b - a for a, b in pairs), p, corrected, len(pairs))
        for (name, pairs), p, corrected in zip(paired.items(), ps, holm(ps), strict=True)
    }


MARK = "*"
NOTHING = "-"
MILLISECONDS = 1000
BYTES_IN_MEGABYTE = 1024 * 1024
Row = Sequence[str]
Figures = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class SideBySide:
    columns: Sequence[str]
    sections: Sequence[Sequence[Row]]
    """Rows that belong together; of each row first what it is, then a cell a column."""
    notes: Sequence[str]

    def as_table(self) -> Table:
        table = Table("measure", title="Side by side" if len(self.columns) > 1 else None)
        for name in self.columns:
            table.add_column(name, justify="right", overflow="fold")
        for rows in self.sections:
            for row in rows:
                table.add_row(*row)
            table.add_section()
        return table

    def as_markdown(self) -> str:
        lines = [("measure", *self.columns), ("---", *("---:" for _ in self.columns))]
        lines += [tuple(row) for rows in self.sections for row in rows]
        table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        return table + "".join(f"\n{note}\n" for note in self.notes)


def side_by_side(runs: Runs, libraries: Mapping[str, Held], found: Differences) -> SideBySide:
    decided = {name: any(each.decision for each in some) for name, some in runs.items()}
    gate = {
        n: metrics.citations(o) | metrics.gate(o) if decided[n] else {} for n, o in runs.items()
    }
    sections = [list(_tested({n: metrics.retrieval(o) for n, o in runs.items()}, found))]
    if any(decided.values()):
        sections.append(list(_tested(gate, found)))
    sections += [list(_judged(runs, found))]
    sections.append([*_seconds(runs), *_libraries(runs, libraries)])
    notes = (*_notes(runs, decided), *judge.notes(runs))
    return SideBySide(tuple(runs), [rows for rows in sections if rows], notes)


def _judged(runs: Runs, found: Differences) -> Iterator[Row]:
    asked = {name: judge.was_judged(some) for name, some in runs.items()}
    if any(asked.values()):
        means = {name: judge.means(some) if asked[name] else {} for name, some in runs.items()}
        yield from _tested(means, found)
        cells = (judge.counts(some) if asked[name] else NOTHING for name, some in runs.items())
        yield "replies judged", *cells


def _tested(figures: Mapping[str, Figures], found: Differences) -> Iterator[Row]:
    for measure in max(figures.values(), key=len):
        cells = []
        for name, own in figures.items():
            cell, value = NOTHING, own.get(measure)
            if value is not None:
                cell = f"{value:.3f}"
                if difference := found.get(measure, {}).get(name):
                    mark = MARK if difference.corrected < ALPHA else ""
                    cell += f" ({difference.mean:+.3f}{mark})"
            cells.append(cell)
        yield measure, *cells


def _seconds(runs: Runs) -> Iterator[Row]:
    spent = {name: [o.latency_ms for o in some if not o.failure] for name, some in runs.items()}
    yield (
        "seconds, median / 95th percentile",
        *(
            f"{median(some) / MILLISECONDS:.2f} / {metrics.percentile(some) / MILLISECONDS:.2f}"
            if some
            else NOTHING
            for some in spent.values()
        ),
    )


def _libraries(runs: Runs, libraries: Mapping[str, Held]) -> Iterator[Row]:
    held = [libraries[name] for name in runs]
    yield "passages", *(f"{each.passages:,}" for each in held)
    yield "words of a passage, on average", *(f"{each.words:.0f}" for each in held)
    yield "passages that answer, of a question with gold", *map(_answering, runs.values())
    yield "index, MB", *(_megabytes(each.index_bytes) for each in held)
    yield "the documents' text, MB", *(_megabytes(each.text_bytes) for each in held)


def _answering(outcomes: Sequence[LabelledOutcome]) -> str:
    counts = [each.ranking.relevant for each in outcomes if each.question.gold]
    return f"{fmean(counts):.1f}" if counts else NOTHING


def _megabytes(count: int | None) -> str:
    return NOTHING if count is None else f"{count / BYTES_IN_MEGABYTE:.2f}"


def _notes(runs: Runs, decided: Mapping[str, bool]) -> Iterator[str]:
    first, *others = runs
    outcomes = runs[first]
    if others:
        gold = sum(bool(each.question.gold) for each in outcomes)
        answerable = sum(each.question.kind.has_answer for each in outcomes)
        compared = "one recipe" if len(others) == 1 else f"{len(others)} recipes"
        yield (
            f"In brackets the difference to {first}; {MARK} marks p < {ALPHA}, two-sided, over the "
            f"same {len(outcomes)} questions in pairs ({gold} with gold, {answerable} that the "
            "documents answer): McNemar's exact test for shares of questions, else a "
            f"randomisation test; corrected after Holm for the {compared} beside "
            f"{first}, not for there being several measures. What has no brackets was not tested: "
            f"it is not a mean over questions, or {first} does not do it."
        )
        yield (
            "Passages differ between recipes, and a longer one overlaps gold more easily: read "
            "P@1 and nDCG together with the words of a passage. P@5 is at most the passages that "
            "answer, divided by five. recall@50 is of all candidates that a recipe has, however "
            "many those are."
        )
    ranking = [name for name, decides in decided.items() if not decides]
    if ranking and len(runs) > len(ranking):
        yield f"{', '.join(ranking)}: only ranks, so its seconds are those of its search alone."
