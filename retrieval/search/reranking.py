"""The best candidates are reranked: whole, then by their windows, or by a language model.

Platt scaling makes a cross-encoder's logit a probability. One that nobody calibrated is calibrated
on the calibration questions of the 18F handbook, a work of the US government, which ship with the
passages that were found for each.
"""

import json
import lzma
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from retrieval.language.numbered import items_called, items_looked_up
from retrieval.language.table_rows import about_only_row, in_words, rows_looked_up, tables_of
from retrieval.ports import CrossEncoder, ListwiseReranker, RerankPair, RerankScore
from retrieval.search.scores import (
    LOOKED_UP,
    READ_RELEVANCE,
    RELEVANCE,
    RELEVANT,
    WINDOW_LOGIT,
    relevance_of,
    reranked_logit,
)
from retrieval.types import Eligibility, Hit, Passage

STEPS = 100
"""Of Newton's method at most; it needs about ten."""
RIDGE = 1e-3
"""Added to the curvature, so that what separates perfectly has finite numbers."""
JUST_UNDER = 1e-6
"""Log odds by which the last one that must not pass the threshold stays under it; so few that no
other decision turns on them."""
MISSED_AS_NEAR = 0.05
"""Share, 0 to 1, of the questions whose answering passage would not be named as near. Not
measured; chosen so that few are missed."""


@dataclass(frozen=True, slots=True)
class RelevanceCalibration:
    """relevance = sigmoid(slope * logit + intercept).

    Platt, "Probabilistic outputs for support vector machines", 1999. The two numbers are fitted on
    labelled questions: first as a probability, then shifted until few unanswerable questions have
    a passage over the threshold. A raw logit (about -10 to 10) says nothing at 0.7 before.
    """

    slope: float
    intercept: float
    near: float = 0.2
    """The relevance that nearly every passage reaches which does answer. One under it is about
    something else, and not worth naming to somebody whose question has no answer."""

    def log_odds(self, logit: float) -> float:
        return self.slope * logit + self.intercept

    def relevance(self, logit: float) -> float:
        """0 to 1."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.log_odds(logit)))))

    def shifted(self, by: float) -> "RelevanceCalibration":
        """All log odds moved by as much."""
        return replace(self, intercept=self.intercept + by)


UNCALIBRATED = RelevanceCalibration(1.0, 0.0)
"""The plain sigmoid, for a model that nobody has calibrated yet."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a search found for one labelled question, as the cross-encoder read it."""

    has_answer: bool
    candidates: Sequence[tuple[float, bool]]
    """The logit of each that was read, and whether it answers; none answers an unanswerable
    question."""

    @property
    def first(self) -> tuple[float, bool]:
        return max(self.candidates, default=(-math.inf, False))


def fitted_relevance(
    found: Sequence[Ranked], threshold: float, risk: float
) -> RelevanceCalibration | None:
    """As a probability, then `careful`; None where a higher logit means no better passage."""
    firsts = [ranked.first for ranked in found if ranked.candidates]
    fitted = platt([logit for logit, _ in firsts], [right for _, right in firsts])
    if fitted is None:
        return None
    relevance = careful(found, RelevanceCalibration(*fitted), threshold, risk)
    answering = sorted(
        max(logit for logit, right in ranked.candidates if right)
        for ranked in found
        if any(right for _, right in ranked.candidates)
    )
    near = answering[math.floor(MISSED_AS_NEAR * len(answering))]
    return replace(relevance, near=relevance.relevance(near))


def careful(
    found: Sequence[Ranked], relevance: RelevanceCalibration, threshold: float, risk: float
) -> RelevanceCalibration:
    """Shifted until few unanswerable questions have a passage over the threshold.

    The threshold comes to stand where split conformal prediction would put it for a share of
    `risk` (Vovk, Gammerman and Shafer 2005; rank as in Angelopoulos and Bates, "A gentle
    introduction to conformal prediction", 2021, section 1), and with too few questions for
    that over all of them. Where the numbers were fitted on the same questions, the share is
    somewhat larger for others.
    """
    best = sorted(ranked.first[0] for ranked in found if not ranked.has_answer)
    rank = min(len(best), math.ceil((len(best) + 1) * (1 - risk)))
    if not best or best[rank - 1] == -math.inf:
        return relevance
    wanted = math.log(threshold / (1 - threshold))
    return relevance.shifted(wanted - relevance.log_odds(best[rank - 1]) - JUST_UNDER)


def platt(scores: Sequence[float], labels: Sequence[bool]) -> tuple[float, float] | None:
    """Slope and intercept by Newton's method; None where the labels do not rise with the scores.

    Labels are Platt's own, (n + 1) / (n + 2) and 1 / (n + 2), so that a few questions that are
    told apart wholly promise no certainty.
    """
    right, wrong = sum(labels), len(labels) - sum(labels)
    if not right or not wrong:
        return None
    x = np.column_stack([scores, np.ones(len(scores))])
    y = np.where(labels, (right + 1) / (right + 2), 1 / (wrong + 2))
    weights = np.zeros(2)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(x @ weights)))
        curvature = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, x.T @ (y - p))
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    slope, intercept = (float(each) for each in weights)
    return (slope, intercept) if slope > 0 else None


REREAD = 5
"""How many of the reranked are reread by their windows; each costs its reading."""


class CalibratedReranker:
    def __init__(self, model: CrossEncoder, calibration: RelevanceCalibration, name: str) -> None:
        """`name` is the calibration's."""
        self.model = model
        self._calibration = calibration
        self.name = f"{model.name}, calibration {name}"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        if not pairs:
            return []
        logits = self.model.logits([(pair.question, pair.text) for pair in pairs])[:, 0]
        return [
            RerankScore(float(logit), self._calibration.relevance(float(logit))) for logit in logits
        ]


def read_whole(question: str, passage: Passage) -> str:
    """What is read of it first: rows as they are kept, but for one that stands alone."""
    said = [each.as_item(items_called(question)) for each in passage.sentences]
    if about := about_only_row(passage):
        said = [in_words(each, question, about) for each in said]
    return f"{passage.heading}\n{' '.join(said)}"


@dataclass(frozen=True, slots=True)
class WindowReranker:
    """It rereads the best candidates by windows of a sentence or two, each under its heading.

    A passage may answer in one sentence among many that do not, and a heading may match a
    question that the text beneath it leaves open. The relevance is that of the mean of two
    logits, the passage's and its best window's, and `LOOKED_UP` where that is near and the
    question looks something up in the passage; what both are worth stands in
    `docs/measurements.md`.
    """

    model: CrossEncoder
    calibration: RelevanceCalibration

    def __call__(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with what was learned, best first; each has a logit."""
        called = items_called(question)
        texts = [_windows_of(question, hit.passage, called) for hit in hits]
        flat = [(question, text) for each in texts for text in each]
        if not flat:
            return []
        logits = iter(self.model.logits(flat)[:, 0].tolist())
        read = [
            self._judged(question, hit, max(next(logits) for _ in each))
            for hit, each in zip(hits, texts, strict=True)
        ]
        return sorted(read, key=lambda hit: -hit.scores[RELEVANCE])

    def _judged(self, question: str, hit: Hit, window: float) -> Hit:
        scores = {**hit.scores, WINDOW_LOGIT: window}
        relevance = self.calibration.relevance(reranked_logit(scores) or 0.0)
        if self.calibration.near <= relevance < LOOKED_UP and looked_up(question, hit.passage):
            scores[READ_RELEVANCE], relevance = relevance, LOOKED_UP
        return replace(hit, scores={**scores, RELEVANCE: relevance})


def looked_up(question: str, passage: Passage) -> frozenset[int]:
    """By index, the rows or the list's item that a question names; see `LOOKED_UP`."""
    rows = (rows_looked_up(question, passage.heading, t) for t in tables_of(passage.sentences))
    return items_looked_up(question, passage).union(*rows)


def _windows_of(question: str, passage: Passage, called: str) -> list[str]:
    """`called`: what the items of its lists are."""
    about = about_only_row(passage)
    said = [in_words(each.as_item(called), question, about) for each in passage.sentences]
    leads: dict[int, int | None] = {}
    for row in sorted(row for table in tables_of(passage.sentences) for row in table):
        leads[row] = leads.get(row - 1, row - 1 if row else None)
    return windows(passage.heading, said, leads)


NO_LEADS: Mapping[int, int | None] = {}


def windows(
    heading: str, said: Sequence[str], leads: Mapping[int, int | None] = NO_LEADS
) -> list[str]:
    """Each of a passage's sentences under its heading, alone and behind the one before it.

    Rows stand in `leads` with what they are read behind in place of another row: the line above
    their table, or nothing.
    """
    behind = ((leads.get(at, at - 1), each) for at, each in enumerate(said[1:], start=1))
    both = (f"{said[lead]} {each}" for lead, each in behind if lead is not None)
    return list(dict.fromkeys(f"{heading}\n{each}" for each in (*(said or [""]), *both)))


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking is hits, best first, and what it took to rank them."""

    hits: Sequence[Hit]
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Of a language model; empty where none was asked."""
    degraded: str = ""
    """What had to be done without; empty where nothing had."""


def reranked(model: ListwiseReranker, question: str, hits: Sequence[Hit], most: int) -> Ranking:
    """The first `most` by what the model makes of them; it takes the others out of the running."""
    best, others = hits[:most], hits[most:]
    if not best:
        return Ranking(hits)
    read = model(question, [hit.passage for hit in best])
    if read.degraded:
        return Ranking(hits, read.tokens, read.degraded)
    judged = [
        replace(
            hit,
            scores={**hit.scores, RELEVANCE: read.relevance.get(hit.passage.passage_id, 0.0)},
            eligibility=None,
        )
        for hit in best
    ]
    unread = (replace(hit, eligibility=Eligibility.NOT_REREAD) for hit in others)
    return Ranking(
        [*sorted(judged, key=lambda hit: -relevance_of(hit.scores)), *unread], read.tokens
    )


LABELLED = Path(__file__).parent.parent / "models" / "bundled" / "labelled.json.xz"
RISK = 0.05
"""Share, 0 to 1, of the questions that nothing answers, of which a passage may pass."""


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    has_answer: bool
    candidates: tuple[tuple[str, tuple[str, ...], bool], ...]
    """Heading, sentences, and whether they answer."""


def fitted_on_labelled(
    model: CrossEncoder, threshold: float = RELEVANT
) -> RelevanceCalibration | None:
    """None where the model does not tell."""
    found = [_ranked(model, asked) for asked in _labelled()]
    return fitted_relevance(found, threshold, RISK)


def _ranked(model: CrossEncoder, asked: _Asked) -> Ranked:
    """As the search reads them: all whole, the best by their windows too."""
    texts = [(asked.question, f"{h}\n{' '.join(said)}") for h, said, _ in asked.candidates]
    whole = model.logits(texts)[:, 0].tolist()
    read = sorted(zip(whole, asked.candidates, strict=True), key=lambda each: -each[0])
    return Ranked(
        asked.has_answer,
        [
            ((logit + _best_window(model, asked.question, heading, said)) / 2, answers)
            for logit, (heading, said, answers) in read[:REREAD]
        ],
    )


def _best_window(model: CrossEncoder, question: str, heading: str, said: tuple[str, ...]) -> float:
    pairs = [(question, text) for text in windows(heading, said)]
    return float(model.logits(pairs)[:, 0].max())


def _labelled() -> Iterator[_Asked]:
    read = json.loads(lzma.decompress(LABELLED.read_bytes()))
    for each in read["questions"]:
        candidates = tuple(
            (read["passages"][n]["heading"], tuple(read["passages"][n]["sentences"]), answers)
            for n, answers in each["candidates"]
        )
        yield _Asked(each["question"], each["has_answer"], candidates)
