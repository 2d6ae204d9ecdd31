"""Each retriever alone and all of them fused, with more and more candidates of each.

Rankings are taken once, with the most candidates of the sweep, and cut: the first n of the ten
nearest are the n nearest, for an index that looks at all passages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from bot.answering.as_json import MOST_RANKED, passage_place
from bot.answering.evidence import EvidenceFinder
from bot.answering.followups import standalone
from bot.answering.values import Question, as_read
from bot.evaluation import rankings
from bot.evaluation.comparison import Difference, differences
from bot.evaluation.outcomes import LabelledOutcome, Place, Ranking, is_relevant
from bot.evaluation.questions import LabelledQuestion
from bot.evaluation.run import Evaluation, Progress
from bot.evaluation.significance import interval
from retrieval.ranking import reciprocal_rank_fusion
from retrieval.search import Search
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
    of_each = [each or {} for each in rankings.of_each(outcomes)]
    return [
        {
            FIRST: figures[FIRST],
            GAIN: figures[GAIN],
            BEST: float(_outcome(each, ids[:most]).ranking.found),
            ANY: figures[rankings.FOUND],
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
