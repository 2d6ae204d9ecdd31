"""How many candidates of each retriever are worth fusing: a sweep, its times, and its report.

Each question is retrieved once, with the most candidates; smaller numbers are cut from that.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

from rich.table import Table

from bot.answering.as_json import MOST_RANKED, passage_place
from bot.answering.evidence import EvidenceFinder
from bot.answering.followups import standalone
from bot.answering.values import Question, as_read
from bot.lab.comparison import Difference, differences, interval
from bot.lab.libraries import Held
from bot.lab.report import COLOURS, MARKERS
from bot.quality import metrics
from bot.quality.metrics import figure
from bot.quality.questions import LabelledQuestion
from bot.quality.run import Evaluation, LabelledOutcome, Place, Progress, Ranking, is_relevant
from retrieval.search.ranking import reciprocal_rank_fusion
from retrieval.search.retrievers import Embedders, Query, Retriever, sought
from retrieval.search.search import Search
from retrieval.timing import Stages
from retrieval.types import Scope

FUSION = "fusion"
FIRST = "P@1"
GAIN = "nDCG@10"
BEST = "gold among the n best"
ANY = "gold among all candidates"
MEASURES = (FIRST, GAIN, BEST, ANY)
"""P@1 tells how often the first chunk answers, which alone is the published context. Fused there
are up to n candidates of each retriever, so `ANY` counts more of them than of one retriever;
`BEST` counts as many."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A labelled question, as it is searched for and by whom."""

    labelled: LabelledQuestion
    text: str
    scope: Scope


def asked_of(evaluation: Evaluation, finder: EvidenceFinder) -> list[Asked]:
    """The questions that have gold, a follow-up with what it refers to; raise `UnknownPerson`.

    Each is searched for whole, as published, whatever its parts.
    """
    return [
        _asked(labelled, as_read(evaluation.asked(labelled)), finder)
        for labelled in evaluation.questions
        if labelled.gold
    ]


def _asked(labelled: LabelledQuestion, question: Question, finder: EvidenceFinder) -> Asked:
    scope = finder.scope_for(question.person, question.channel, question.on)
    return Asked(labelled, standalone(question.text, question.previous), scope)


@dataclass(frozen=True, slots=True)
class Taken:
    """What was found for one question that has gold."""

    question: LabelledQuestion
    rankings: Mapping[str, Sequence[str]]
    """By retriever the ids of passages, best first."""
    places: Mapping[str, Place]
    """Of each of these passages."""
    relevant: int
    """How many passages of the library overlap gold."""

    def cut(self, most: int, k: int) -> dict[str, Sequence[str]]:
        """Each ranking's first `most`, and their fusion, equal scores in the order of the ids."""
        each = {name: ids[:most] for name, ids in self.rankings.items()}
        scores = reciprocal_rank_fusion(list(each.values()), k)
        return each | {FUSION: sorted(scores, key=lambda one: (-scores[one], one))}


def take(
    asked: Sequence[Asked], evaluation: Evaluation, search: Search, most: int, progress: Progress
) -> list[Taken]:
    """What each retriever of a search that reranks nothing finds: `most` of each are kept."""
    enough = replace(search.settings, candidates=most * len(search.retrievers))
    search = replace(search, settings=enough)
    library, taken = [passage_place(passage) for passage in evaluation.passages], []
    for done, each in enumerate(asked, start=1):
        hits = search(each.text, each.scope, Stages()).candidates
        found = {
            retriever.name: [
                hit.passage.passage_id
                for hit in sorted(hits, key=lambda hit: hit.scores.get(retriever.rank, 0.0))
                if retriever.rank in hit.scores
            ]
            for retriever in search.retrievers
        }
        places = {hit.passage.passage_id: passage_place(hit.passage) for hit in hits}
        relevant = sum(is_relevant(place, each.labelled.gold) for place in library)
        taken.append(Taken(each.labelled, found, places, relevant))
        progress(done, len(asked), each.labelled.id)
    return taken


@dataclass(frozen=True, slots=True)
class Sweep:
    """The measures by the number of candidates of each retriever."""

    candidates: Sequence[int]
    k: int
    """The constant of reciprocal rank fusion."""
    questions: int
    """With gold: all measures are means over them."""
    figures: Mapping[str, Mapping[str, Sequence[float]]]
    """By measure, and by retriever or `FUSION`: one for each number of candidates."""
    likely: Sequence[tuple[float, float]]
    """For each number of candidates where the fusion's P@1 lies, with 95 % confidence."""
    compared: int
    """The number of candidates with which retrievers are compared with the fusion."""
    differences: Mapping[str, Difference]
    """By how much the P@1 of each retriever differs from the fusion's."""


def sweep(taken: Sequence[Taken], candidates: Sequence[int], k: int, compared: int) -> Sweep:
    """Measure what was taken, which is at least one question, with each number of candidates."""
    by_number = [_runs(taken, most, k) for most in candidates]
    ways = list(by_number[0])
    means = [{way: _means(runs[way]) for way in ways} for runs in by_number]
    likely = [interval([each[FIRST] for each in runs[FUSION]]) for runs in by_number]
    return Sweep(
        tuple(candidates),
        k,
        len(taken),
        {name: {way: [each[way][name] for each in means] for way in ways} for name in MEASURES},
        likely,
        compared,
        _differences(taken, compared, k),
    )


Figures = Mapping[str, float]


def _runs(taken: Sequence[Taken], most: int, k: int) -> dict[str, list[Figures]]:
    """By way the figures of each question."""
    cut = [each.cut(most, k) for each in taken]
    return {way: _figures(taken, [each[way] for each in cut], most) for way in cut[0]}


def _figures(taken: Sequence[Taken], ranked: Sequence[Sequence[str]], most: int) -> list[Figures]:
    outcomes = [_outcome(each, ids) for each, ids in zip(taken, ranked, strict=True)]
    of_each = [each or {} for each in metrics.of_each(outcomes)]
    return [
        {
            FIRST: figures[FIRST],
            GAIN: figures[GAIN],
            BEST: float(_outcome(each, ids[:most]).ranking.found),
            ANY: figures[metrics.FOUND],
        }
        for each, ids, figures in zip(taken, ranked, of_each, strict=True)
    ]


def _means(figures: Sequence[Figures]) -> Figures:
    return {name: fmean(each[name] for each in figures) for name in MEASURES}


def _differences(taken: Sequence[Taken], most: int, k: int) -> Mapping[str, Difference]:
    cut = [each.cut(most, k) for each in taken]
    ways = [FUSION, *(way for way in cut[0] if way != FUSION)]
    runs = {
        way: [_outcome(each, found[way]) for each, found in zip(taken, cut, strict=True)]
        for way in ways
    }
    return differences(runs)[FIRST]


def _outcome(taken: Taken, ids: Sequence[str]) -> LabelledOutcome:
    """A ranking in the form that all measures take."""
    places = [taken.places[each] for each in ids]
    found = any(is_relevant(place, taken.question.gold) for place in places)
    return LabelledOutcome(
        question=taken.question,
        decision=None,
        text="",
        claims=(),
        dropped=(),
        confidence={},
        latency_ms=0.0,
        ranking=Ranking(best=places[:MOST_RANKED], found=found, relevant=taken.relevant),
        stages_ms={},
    )


REPEATS = 3
"""That count; before them each way has searched for each question once."""
Seconds = Mapping[str, float]
"""Of a question's retrieval, by retriever and `FUSION`: the median of the questions' medians."""


@dataclass(frozen=True, slots=True)
class Timing:
    """It has what a search has to embed a question, to search with and to fuse."""

    embedders: Embedders
    """They must not remember what they have read."""
    retrievers: Sequence[Retriever]
    rrf_k: int

    def seconds(self, asked: Sequence[Asked], progress: Progress) -> Seconds:
        """Time embedding, search and fusion for each question.

        Retrievers are asked one after another, as in any search here. Ways take turns, each
        question beginning with another one, so that what else the machine does hits all alike.
        """
        ways: list[tuple[str, Sequence[Retriever]]] = [
            *((each.name, (each,)) for each in self.retrievers),
            (FUSION, self.retrievers),
        ]
        spent: dict[str, list[list[float]]] = {name: [[] for _ in asked] for name, _ in ways}
        searches = (REPEATS + 1) * len(asked)
        for done in range(searches):
            at, turn = done % len(asked), done % len(ways)
            for name, retrievers in (*ways[turn:], *ways[:turn]):
                start = time.perf_counter()
                self._found(retrievers, asked[at])
                if done >= len(asked):
                    spent[name][at].append(time.perf_counter() - start)
            progress(done + 1, searches, asked[at].labelled.id)
        return {name: median(map(median, each)) for name, each in spent.items()}

    def _found(self, retrievers: Sequence[Retriever], asked: Asked) -> list[str]:
        """The ids of passages, best first."""
        spaces = {each.space for each in retrievers if each.space}
        query = Query(asked.text, sought(self.embedders, spaces, asked.text))
        found = [[match.passage_id for match in each(query, asked.scope)] for each in retrievers]
        scores = reciprocal_rank_fusion(found, self.rrf_k)
        return sorted(scores, key=lambda one: (-scores[one], one))


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
