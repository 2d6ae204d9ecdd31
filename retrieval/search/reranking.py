"""The best candidates are reranked: whole, then by their windows, or by a language model.

A cross-encoder that nobody calibrated is calibrated on the calibration questions of the 18F
handbook, a work of the US government, which ship with the passages that were found for each.
"""

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from retrieval.language.numbered import items_called, items_looked_up
from retrieval.language.table_rows import about_only_row, in_words, rows_looked_up, tables_of
from retrieval.ports import CrossEncoder, ListwiseReranker, RerankPair, RerankScore
from retrieval.search.calibration import Ranked, RelevanceCalibration, fitted_relevance
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
    """The first `most` by what the model makes of them; it takes the others out of the running.

    What it leaves out answers nothing. Raise what the model raises.
    """
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
    model: CrossEncoder, threshold: float = RELEVANT, most: int | None = None
) -> RelevanceCalibration | None:
    """Fitted on the first `most` questions, or all; None where the model does not tell."""
    found = [_ranked(model, asked) for asked in list(_labelled())[:most]]
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
