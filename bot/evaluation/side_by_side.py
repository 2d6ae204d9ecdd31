"""One table with a row for each measure and a column for each recipe, to be read or copied."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from rich.table import Table

from bot.evaluation import metrics
from bot.evaluation.comparison import Differences, Runs
from bot.evaluation.judging import judged
from bot.evaluation.libraries import Held
from bot.evaluation.outcomes import LabelledOutcome
from bot.evaluation.scale.process import BYTES_IN_MEGABYTE
from bot.evaluation.significance import ALPHA

MARK = "*"
NOTHING = "-"
MILLISECONDS = 1000

Row = Sequence[str]
Figures = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All of it in words and figures as people read them."""

    columns: Sequence[str]
    sections: Sequence[Sequence[Row]]
    """Rows that belong together; of each row first what it is, then a cell a column."""
    notes: Sequence[str]
    """What the marks mean, and what cannot be compared."""
    rows_are: str = "measure"

    def as_table(self) -> Table:
        table = Table(self.rows_are, title="Side by side" if len(self.columns) > 1 else None)
        for name in self.columns:
            table.add_column(name, justify="right", overflow="fold")
        for rows in self.sections:
            for row in rows:
                table.add_row(*row)
            table.add_section()
        return table

    def as_markdown(self) -> str:
        lines = [(self.rows_are, *self.columns), ("---", *("---:" for _ in self.columns))]
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
    notes = (*_notes(runs, decided), *judged.notes(runs))
    return SideBySide(tuple(runs), [rows for rows in sections if rows], notes)


def _judged(runs: Runs, found: Differences) -> Iterator[Row]:
    """Nothing where no judge was asked."""
    asked = {name: judged.was_judged(some) for name, some in runs.items()}
    if any(asked.values()):
        means = {name: judged.means(some) if asked[name] else {} for name, some in runs.items()}
        yield from _tested(means, found)
        cells = (judged.counts(some) if asked[name] else NOTHING for name, some in runs.items())
        yield "replies judged", *cells


def _tested(figures: Mapping[str, Figures], found: Differences) -> Iterator[Row]:
    """Each with its difference to the first recipe's, where that is a mean over questions."""
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
        yield (
            f"In brackets the difference to {first}; {MARK} marks p < {ALPHA}, two-sided, over the "
            f"same {len(outcomes)} questions in pairs ({gold} with gold, {answerable} that the "
            "documents answer): McNemar's exact test for shares of questions, else a "
            f"randomisation test; corrected after Holm for the {_recipes(len(others))} beside "
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


def _recipes(count: int) -> str:
    return "one recipe" if count == 1 else f"{count} recipes"
