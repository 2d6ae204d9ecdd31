"""The sweep in tables, in a picture and as plain values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from bot.evaluation.fusion.seconds import REPEATS, Seconds
from bot.evaluation.fusion.sweep import ANY, FIRST, FUSION, MEASURES, Sweep, Taken
from bot.evaluation.libraries import Held
from bot.evaluation.report import COLOURS, MARKERS, figure

MILLISECONDS = 1000
PUBLISHED_RATIO = 1.77
"""Patwal (2025): the time of fusion, one retriever's being 1."""


@dataclass(frozen=True, slots=True)
class Measured:
    """All that one run of the command measures."""

    models: Mapping[str, str]
    """The embedder of each retriever that has one."""
    sweep: Sweep
    seconds: Seconds
    library: Held

    @property
    def _tables(self) -> Iterator[tuple[str, Sequence[Sequence[str]]]]:
        """Each with a title, and rows of which the first has the columns' names."""
        for measure in MEASURES:
            ways = self.sweep.figures[measure]
            rows = zip(self.sweep.candidates, *ways.values(), strict=True)
            cells = ([str(n), *(f"{value:.3f}" for value in row)] for n, *row in rows)
            yield f"{measure}, by n candidates of each retriever", [["n", *ways], *cells]
        fused = self.seconds[FUSION]
        yield (
            "Retrieval of a question",
            [
                ["", "milliseconds, median", "fusion takes"],
                *(
                    [way, f"{MILLISECONDS * spent:.1f}", f"{fused / spent:.2f} times as long"]
                    if way != FUSION
                    else [way, f"{MILLISECONDS * spent:.1f}", "-"]
                    for way, spent in self.seconds.items()
                ),
            ],
        )

    def as_tables(self) -> Iterator[Table]:
        for title, (head, *rows) in self._tables:
            table = Table(*head, title=title)
            for row in rows:
                table.add_row(*row)
            yield table

    def as_markdown(self) -> str:
        written = []
        for title, (head, *rows) in self._tables:
            lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
            table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
            written.append(f"{title}\n\n{table}\n")
        return "".join(written) + "\n\n".join(self.notes) + "\n"

    @property
    def notes(self) -> Sequence[str]:
        found, library = self.sweep, self.library
        names = "; ".join(f"{name} is {model}" for name, model in self.models.items())
        apart = ", ".join(
            f"{way} {each.mean:+.3f} (p = {each.corrected:.2g})"
            for way, each in found.differences.items()
        )
        return (
            f"{names}. {found.questions} questions with gold; {library.passages:,} chunks of "
            f"{library.words:.0f} words on average; fused by 1 / ({found.k} + rank).",
            f"With {found.compared} candidates of each retriever {FIRST} beside the fusion's: "
            f"{apart}; McNemar's exact test over the same questions, two-sided, corrected after "
            "Holm.",
            "Rankings were taken once and cut to n. Times are of embedding, search and fusion "
            f"with {found.candidates[-1]} candidates, one retriever after another, medians of "
            f"{REPEATS} rounds after one to warm up; published: {PUBLISHED_RATIO} times as long as "
            "one retriever.",
        )

    def as_json(self, taken: Sequence[Taken]) -> dict[str, object]:
        """The form that `vouch evaluate-fusion --json` promises."""
        return {
            "models": dict(self.models),
            **asdict(self.sweep),
            "seconds": dict(self.seconds),
            "library": asdict(self.library),
            "rankings": {
                each.question.id: {
                    name: [dict(each.places[one]) for one in ids]
                    for name, ids in each.rankings.items()
                }
                for each in taken
            },
        }

    def draw(self, path: Path) -> None:
        """A panel a measure, a line a retriever, as a PNG; the fusion's P@1 with its band."""
        with figure(path, panels=len(DRAWN)) as panels:
            for axes, measure in zip(panels, DRAWN, strict=True):
                self._draw(axes, measure)

    def _draw(self, axes: Any, measure: str) -> None:  # matplotlib ships no types
        numbers = self.sweep.candidates
        ways = self.sweep.figures[measure]
        for at, way in enumerate([FUSION, *(each for each in ways if each != FUSION)]):
            look = {"color": COLOURS[at % len(COLOURS)], "marker": MARKERS[at % len(MARKERS)]}
            axes.plot(numbers, ways[way], label=way, markersize=4, **look)
        if measure == FIRST:
            low, high = zip(*self.sweep.likely, strict=True)
            axes.fill_between(numbers, low, high, color=COLOURS[0], alpha=0.1, linewidth=0)
        axes.set(
            title=measure,
            xlabel="candidates of each retriever",
            xticks=[each for each in numbers if len(numbers) <= SPACED or each % 5 == 0],
            ylim=(0, 1.02),
        )
        axes.legend(loc="lower right")


DRAWN = (FIRST, ANY)
SPACED = 12
"""So many numbers stand beside each other on an axis."""
