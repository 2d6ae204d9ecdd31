"""An abstention quotes what came nearest, in its own words; nobody vouches for it as an answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from audit.values import Status
from bot.answering.anchors import consecutive, kept_out
from bot.answering.corroboration import repeats
from bot.answering.values import Claim, Run
from bot.answering.writers.answer_spans import (
    AnswerSpan,
    answer_spans,
    as_read,
    text_of,
    whole_span,
)
from retrieval.language.table_rows import rows_of
from retrieval.ports import Embedder, Reranker, RerankPair
from retrieval.search.ranking import SpeaksToTheSame, headed_alike, organisational_order
from retrieval.search.scores import COSINE, RELEVANCE
from retrieval.search.selection import OrganisationalSelection
from retrieval.types import Eligibility, Evidence, Hit, Passage

MOST_QUOTED = 3
MOST_COMPARED = 8
"""Passages among which a rule of the reader's own unit is put before what it overrides."""
LEAST_WORDS = 3
"""Of a quotation: a heading's word or a channel's name tells nobody anything. Not measured."""
MOST_WORDS = 60
"""Of a quotation that is made longer by the sentences beside it. Not measured: what is read at a
glance; a list or a sentence that is longer by itself is quoted in full."""
LIKELY = 0.3
"""Relevance, 0 to 1, from which what begins or ends by a day ahead is what was asked about."""


@dataclass(frozen=True, slots=True)
class Quotation(Run):
    overridden: bool = False
    """Whether a rule of the reader's own unit, quoted before it, holds in its place."""

    @property
    def shown(self) -> str:
        """The same, with the numbers of its steps where it has several, and items told apart."""
        sentences = self.sentences
        if sum(each.in_list for each in sentences) < 2:
            return self.text
        texts = [each.text for each in sentences]
        numbered = sum(each.item_number is not None for each in sentences) > 1
        said = [
            f"{each.item_number}. {text}" if numbered and each.item_number is not None else text
            for each, text in zip(sentences, texts, strict=True)
        ]
        apart = (
            ";" if one.in_list and other.in_list and text[-1:].isalnum() else ""
            for (one, other), text in zip(pairwise(sentences), texts, strict=False)
        )
        return " ".join(f"{text}{mark}" for text, mark in zip(said, [*apart, ""], strict=True))


@dataclass(frozen=True, slots=True)
class Nearness:
    """Whether a passage is near enough to a question to be named where nothing answers it."""

    relevance: float
    """From which it may answer; fitted by `vouch calibrate`."""
    about: float = 1.0
    """The cosine from which it is about the same; 1 for an embedder that nobody measured."""

    def __call__(self, hit: Hit) -> bool:
        if hit.scores.get(COSINE, 0.0) >= self.about:
            return True
        judged = hit.scores.get(RELEVANCE)
        if judged is None:
            return hit.eligibility is not Eligibility.NOT_REREAD
        return judged >= self.relevance


ANYTHING = Nearness(0.0)
Quote = Callable[[Evidence, Sequence[Claim]], tuple[Quotation, ...]]
"""What came nearest to the question, best first, `MOST_QUOTED` at most; none where nothing did.

The claims are a draft's that fell at the gate.
"""


@dataclass(frozen=True, slots=True)
class NearestQuoter:
    """It quotes, of what the asker may read, what answers most probably."""

    reranker: Reranker
    embedder: Embedder
    nearness: Nearness

    def __call__(self, evidence: Evidence, drafted: Sequence[Claim] = ()) -> tuple[Quotation, ...]:
        """Passages of one document too, unless one repeats another.

        What a draft was copied or written from comes first, if its source bears it out or is near
        by itself, and a rule of the asker's own unit before one that it overrides.
        """
        quoted: list[Quotation] = []
        for found in self._found(evidence, drafted):
            if not any(
                found.text == other.text or repeats(found.text, other.text) for other in quoted
            ):
                quoted.append(found)
            if len(quoted) == MOST_QUOTED:
                break
        return tuple(quoted)

    def _found(self, evidence: Evidence, drafted: Sequence[Claim]) -> Iterator[Quotation]:
        near = {h.passage.passage_id for h in evidence.candidates if self.nearness(h)}
        of_draft = _of_draft(drafted, near)
        hits = self._ordered(evidence, tuple(of_draft))
        ids = {hit.passage.passage_id for hit in hits}
        yield from (each for of, some in of_draft.items() if of not in ids for each in some)
        for hit in hits:
            passage = hit.passage
            own = of_draft.get(passage.passage_id, ())
            span = self._quotation(evidence.query, passage) if not own else None
            for each in (*own, *([span] if span else [])):
                yield replace(each, overridden=hit.overridden_by in ids)

    def _ordered(self, evidence: Evidence, first: Sequence[str]) -> list[Hit]:
        """Those that are near enough, and `first` by their ids; own rules before the overridden."""
        known = {each.passage.passage_id: each for each in (*evidence.hits, *evidence.duplicates)}
        candidates = {each.passage.passage_id: each for each in evidence.candidates} | known
        prevailing = {hit.overridden_by for hit in known.values()}
        near = (id_ for id_, hit in candidates.items() if id_ in prevailing or self.nearness(hit))
        ids = dict.fromkeys(id_ for id_ in (*first, *near) if id_ in candidates)
        hits = [candidates[id_] for id_ in islice(ids, MOST_COMPARED)]
        return organisational_order(hits, self._of_one_rule(known))

    def _of_one_rule(self, known: Mapping[str, Hit]) -> SpeaksToTheSame:
        """Whether one is found to override the other, or both are headed and worded alike."""
        overrides = {(hit.overridden_by, id_) for id_, hit in known.items()}
        least = OrganisationalSelection().same_heading

        def same(one: Passage, other: Passage) -> bool:
            ids = one.passage_id, other.passage_id
            if ids in overrides or ids[::-1] in overrides:
                return True
            of_one_document = one.document.document_id == other.document.document_id
            if of_one_document or not headed_alike(one, other):
                return False
            vectors = self.embedder.embed([one.text, other.text])
            return float(vectors[0] @ vectors[1]) >= least

        return same

    def _quotation(self, question: str, passage: Passage) -> Quotation | None:
        """The sentences nearest to the question, with what they cannot stand without."""
        whole = [whole_span(passage, span) for span in answer_spans(passage)]
        spans = [span for span in whole if len(text_of(passage, span).split()) >= LEAST_WORDS]
        if not spans:
            return None
        pairs = [RerankPair(question, as_read(question, Run(passage, *span))) for span in spans]
        scores = self.reranker.scores(pairs)
        nearness = {span: score.logit for span, score in zip(spans, scores, strict=True)}
        return Quotation(passage, *_lengthened(passage, nearness))


def _of_draft(claims: Sequence[Claim], near: Set[str]) -> dict[str, list[Quotation]]:
    """What the claims cite, by passage: first of those that their sources bear out."""
    cited = [
        (claim.status is Status.VERIFIED, each) for claim in claims for each in claim.citations
    ]
    found: dict[str, list[Quotation]] = {}
    for borne_out, citation in sorted(cited, key=lambda each: not each[0]):
        if not borne_out and citation.passage.passage_id not in near:
            continue
        of_passage = found.setdefault(citation.passage.passage_id, [])
        quotation = Quotation(citation.passage, citation.first, citation.last)
        last = of_passage[-1] if of_passage else None
        if last and last.first <= quotation.first <= last.last + 1:
            of_passage[-1] = replace(last, last=max(last.last, quotation.last))
        else:
            of_passage.append(quotation)
    return found


def _lengthened(passage: Passage, nearness: Mapping[AnswerSpan, float]) -> AnswerSpan:
    """The nearest span with what stands beside it, the nearer first, in `MOST_WORDS` words."""
    span = max(nearness, key=nearness.__getitem__)
    alike = [each for each in nearness if _is_table(passage, each) == _is_table(passage, span)]
    others = sorted(alike, key=nearness.__getitem__, reverse=True)
    while longer := [both for other in others if (both := _joined(passage, span, other))]:
        span = longer[0]
    return span


def _is_table(passage: Passage, span: AnswerSpan) -> bool:
    return bool(rows_of(passage.sentences[span[0] : span[1] + 1]))


def _joined(passage: Passage, span: AnswerSpan, other: AnswerSpan) -> AnswerSpan | None:
    (first, last), (start, end) = span, other
    if end < first - 1 or start > last + 1:
        return None
    both = min(first, start), max(last, end)
    words = len(text_of(passage, both).split())
    return both if both != span and words <= MOST_WORDS else None


def runs_for_people(passage: Passage) -> Iterator[Quotation]:
    """All that may be shown of a passage: whole, where no sentence of it is kept out."""
    left_out = kept_out(passage)
    shown = (n for n in range(len(passage.sentences)) if n not in left_out)
    for run in consecutive(shown):
        yield Quotation(passage, run[0], run[-1])
