"""The gate decides ANSWER, PARTIAL or ABSTAIN by plain rules over what is known by now.

The thresholds are those of the published accountable-RAG system; what `overall` means is settled by
the calibration. What nothing measured is None, and its weight is shared by the others.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from pydantic import TypeAdapter

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Status
from bot.answering.contradictions import gives_way, unsettled
from bot.answering.exact.amounts import leaves_open_when
from bot.answering.values import Claim, Contradiction, Draft, Verdict
from bot.errors import BadConfiguration
from bot.wording import ANOTHER_DAY, DOUBTFUL, FROM_ELSEWHERE, NO_SUCH_DOCUMENT, NOT_IN_ENGLISH
from retrieval.search.ranking import best_relevance
from retrieval.search.reranking import UNCALIBRATED as PLAIN_SIGMOID
from retrieval.search.reranking import RelevanceCalibration
from retrieval.search.scores import relevance_of
from retrieval.types import Eligibility, Evidence, QuestionPart

WEIGHTS = {"retrieval": 0.35, "entailment": 0.35}
"""Shares of the composite, of their sum. Not measured: the published system does not state its own.
Chosen so that whether the right passage was found and whether it bears the answer out count most.
Coverage has none, for a missing part makes the reply PARTIAL and is named there, but takes nothing
from the answer to another part."""


def measured(evidence: Evidence, draft: Draft, claims: Sequence[Claim]) -> Confidence:
    """What was measured of a draft, each from 0 to 1; None for what nothing measured.

    `claims`: those of the draft, checked, whether or not they are posted. Entailment is of a writer
    that could have written anything.
    """
    score = fmean(claim.score for claim in claims) if claims and not draft.only_copies else None
    relevance = _mean_relevance(evidence, claims)
    return Confidence(retrieval=relevance, entailment=score)


def composite(confidences: Mapping[str, float | None]) -> float:
    """The weighted mean, 0 to 1, of those that have a weight and were measured."""
    return weighted_mean(WEIGHTS, confidences)


def weighted_mean(weights: Mapping[str, float], values: Mapping[str, float | None]) -> float:
    known = {name: value for name in weights if (value := values.get(name)) is not None}
    weight = sum(weights[name] for name in known)
    return sum(weights[name] * value for name, value in known.items()) / weight


def _mean_relevance(evidence: Evidence, claims: Sequence[Claim]) -> float:
    """Of the passages that claims cite; where nothing was written, the best candidate's."""
    relevance = {hit.passage.passage_id: relevance_of(hit.scores) for hit in evidence.candidates}
    cited = {
        evidence.continued_from(c.passage.passage_id) for claim in claims for c in claim.citations
    }
    if cited:
        return fmean(relevance.get(passage_id, 0.0) for passage_id in cited)
    return best_relevance(evidence.candidates)


ANSWER_AT = 0.85
"""Overall confidence, 0 to 1, from which a reply is an ANSWER; the published system's."""
PARTIAL_AT = 0.60
"""Overall confidence, 0 to 1, from which a reply is PARTIAL; the published system's."""
MARKED: Mapping[str, frozenset[ClaimKind]] = {
    "drop": frozenset(),
    "mark": frozenset(ClaimKind),
    "mark-inferences": frozenset({ClaimKind.INFERENCE}),
}
"""By how VOUCH_UNSUPPORTED_CLAIMS calls it: the kinds that are marked in place of left out."""
NEARLY = 1e-6
"""What 0 and 1 are taken for this far from, as probabilities: their log odds are infinite. Not
measured; far under anything that a model tells apart."""


@dataclass(frozen=True, slots=True)
class Risk:
    risk: float
    """The rate of false answers that was allowed, 0 to 1."""
    confidence: float
    asked: int
    """Unanswerable questions that it was fitted on."""
    false_answers: int
    """Of those."""
    bound: float
    """The rate that is not exceeded, with that confidence."""
    promised: bool
    """Whether the bound keeps the risk; else it was kept on those questions alone."""


@dataclass(frozen=True, slots=True)
class GateCalibration:
    """Platt scaling makes it: overall = sigmoid(slope * logit(composite) + intercept).

    Platt, "Probabilistic outputs for support vector machines", 1999. Fitted on labelled
    questions, so that `overall` is the share of such answers that are right; cut off where
    more answers would risk too much.
    """

    slope: float = 1.0
    intercept: float = 0.0
    floor: float = 0.0
    """The composite from which answers keep the risk that was allowed."""
    most_under_floor: float = 1.0
    """The probability that is not exceeded under it."""

    def probability(self, composite: float) -> float:
        fitted = 1 / (1 + math.exp(-(self.slope * logit(composite) + self.intercept)))
        return fitted if composite >= self.floor else min(fitted, self.most_under_floor)


def remaining(borne_out: int, claims: int) -> float:
    """What is left of the confidence in a draft of which not every claim is borne out."""
    return (1 + (borne_out + 1) / (claims + 1)) / 2


UNCALIBRATED = GateCalibration()
"""Takes the composite for a probability."""
UNMEASURED_DRAFTS = GateCalibration(slope=0.0, intercept=math.log(0.7 / 0.3))
"""For a language model on whose drafts nobody fitted a gate: what is borne out is posted, as
probable and not as sure, however little a smaller model thought of its passage. The 0.7 is not
measured; chosen between `PARTIAL_AT` and `ANSWER_AT`."""


UNSETTLED = "sources contradict each other, and neither prevails"
GIVES_WAY = "what was drafted gives way to another source"


@dataclass(frozen=True, slots=True)
class Weighed:
    """A decision rests on these alone, whether a draft or a record of one says them."""

    has_evidence: bool
    """Whether a passage is evidence."""
    drafted: int
    """Claims, whatever became of them."""
    borne_out: int
    """Of those."""
    holding: int
    """Of these, those that give way to no other source."""
    unsettled: bool
    """Whether sources contradict each other, and neither prevails."""
    complete: bool
    """Whether no part of the question is missing."""
    doubtful: bool
    """Whether what is posted cites a sentence with a value or a condition that is not known."""
    overall: float


class Decide(Protocol):
    """Decides what is said of a draft whose claims were checked."""

    def __call__(
        self,
        evidence: Evidence,
        draft: Draft,
        claims: Sequence[Claim],
        contradictions: Sequence[Contradiction] = (),
    ) -> Verdict:
        """Return which claims are posted and which dropped, in the order they came in.

        Inferences stand after what they were concluded from. `claims` are those of the draft,
        checked; without claims or hits it abstains. `evidence.parts` is not empty. Raise nothing.
        """
        ...


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate is pure: it has no model, no clock and no I/O."""

    calibration: GateCalibration
    answer_at: float = ANSWER_AT
    partial_at: float = PARTIAL_AT
    marked: frozenset[ClaimKind] = frozenset()
    """The kinds of claims that are posted beside others, marked, where no source bears them out."""

    def __call__(
        self,
        evidence: Evidence,
        draft: Draft,
        claims: Sequence[Claim],
        contradictions: Sequence[Contradiction] = (),
    ) -> Verdict:
        holding = [claim for claim in claims if not gives_way(claim, contradictions)]
        posted = _stated_first([claim for claim in holding if self._is_posted(claim)])
        dropped = tuple(claim for claim in claims if claim not in posted)
        done = self._answered(evidence.parts, posted)
        missing = _in_own_words(part for part in evidence.parts if part not in done)
        answered = _in_own_words(done) if len(evidence.parts) > 1 else ()
        coverage = len(done) / len(evidence.parts) if _borne_out(posted) else 0.0
        found = measured(evidence, draft, claims)
        overall = self.calibration.probability(composite(asdict(found)))
        overall *= remaining(len(_borne_out(claims)), len(claims))
        doubtful = any(s.is_doubtful for e in posted for c in e.citations for s in c.sentences)
        decision, reason = self.decide(
            Weighed(
                has_evidence=bool(evidence.hits),
                drafted=len(claims),
                borne_out=len(_borne_out(claims)),
                holding=len(_borne_out(holding)),
                unsettled=bool(unsettled(contradictions)),
                complete=not missing,
                doubtful=doubtful,
                overall=overall,
            )
        )
        shown = tuple(contradictions)
        if decision is Decision.ABSTAIN:
            posted, dropped, answered = (), tuple(claims), ()
            if reason not in (UNSETTLED, GIVES_WAY):
                shown = ()  # nothing of the draft is shown
        found_foreign = any(h.eligibility is Eligibility.NOT_ENGLISH for h in evidence.candidates)
        if found_foreign and not evidence.hits:
            reason = NOT_IN_ENGLISH
        reasons = (reason, DOUBTFUL) if posted and doubtful else (reason,)
        sure = replace(found, coverage=coverage, overall=overall)
        told = tuple(dict.fromkeys(reasons))
        return Verdict(decision, posted, dropped, missing, sure, told, shown, answered)

    def _is_posted(self, claim: Claim) -> bool:
        marked = claim.kind in self.marked and claim.status is Status.UNSUPPORTED
        return marked or claim.status is Status.VERIFIED

    @staticmethod
    def _answered(parts: Sequence[QuestionPart], posted: Sequence[Claim]) -> list[QuestionPart]:
        """Those with evidence; of several parts only those that a posted claim answers."""
        if len(parts) == 1:
            return [part for part in parts if part.covered]
        return [
            part
            for n, part in enumerate(parts)
            if part.covered and any(_answers(claim, n, part) for claim in _borne_out(posted))
        ]

    def decide(self, weighed: Weighed) -> tuple[Decision, str]:
        """The decision and its reason, in words for the audit."""
        decision, reason = self._by_confidence(weighed)
        if decision is not Decision.ABSTAIN:
            if weighed.unsettled:
                return Decision.ABSTAIN, UNSETTLED
            if not weighed.holding:
                return Decision.ABSTAIN, GIVES_WAY
        return decision, reason

    def _by_confidence(self, weighed: Weighed) -> tuple[Decision, str]:
        overall = weighed.overall
        if not weighed.has_evidence:
            return Decision.ABSTAIN, "no passage passes the threshold"
        if not weighed.drafted:
            return Decision.ABSTAIN, "the writer found no answer in the passages"
        if not weighed.borne_out:
            return Decision.ABSTAIN, "no claim is entailed by what it cites"
        if overall < self.partial_at:
            return Decision.ABSTAIN, f"confidence {overall:.2f} is under {self.partial_at}"
        if not weighed.complete:
            return Decision.PARTIAL, "a part of the question is not answered"
        if weighed.doubtful:
            return Decision.PARTIAL, DOUBTFUL
        if overall < self.answer_at:
            return Decision.PARTIAL, f"confidence {overall:.2f} is under {self.answer_at}"
        return Decision.ANSWER, f"confidence {overall:.2f} is at least {self.answer_at}"


def of_another_day(verdict: Verdict) -> Verdict:
    if verdict.decision is not Decision.ANSWER:
        return verdict
    return replace(verdict, decision=Decision.PARTIAL, reasons=(ANOTHER_DAY,))


def from_elsewhere(verdict: Verdict) -> Verdict:
    """Sure of nothing that no document says; of one that answers at all."""
    return replace(verdict, decision=Decision.PARTIAL, reasons=(FROM_ELSEWHERE, *verdict.reasons))


def _borne_out(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.status is Status.VERIFIED]


def _answers(claim: Claim, number: int, part: QuestionPart) -> bool:
    return claim.answers(number) and not leaves_open_when(part.in_own_words, claim.text)


def _stated_first(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """What was concluded stands under what it was concluded from, at every door."""
    return tuple(sorted(claims, key=lambda claim: claim.kind is ClaimKind.INFERENCE))


def _in_own_words(parts: Iterable[QuestionPart]) -> tuple[str, ...]:
    return tuple(part.in_own_words for part in parts)


def logit(probability: float) -> float:
    clipped = min(max(probability, NEARLY), 1 - NEARLY)
    return math.log(clipped / (1 - clipped))


def of_no_document(verdict: Verdict) -> Verdict:
    """Which documents there are was asked, and there is none on it: nothing else is posted."""
    return replace(
        verdict,
        decision=Decision.ABSTAIN,
        claims=(),
        dropped=(*verdict.claims, *verdict.dropped),
        reasons=(NO_SUCH_DOCUMENT,),
        contradictions=(),
        answered=(),
    )


SHIPPED = Path(__file__).parent / "calibration.json"
FOR_LANGUAGE_MODELS = "calibration-openai.json"
"""Beside it, made of a large language model's drafts; where it does not ship there is none for such
a writer."""
COPYING = "extractive"
"""The writer that copies; any other one's name begins with that of its kind."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A calibration is of the reranker's scores and of the gate's confidence, made in one run."""

    name: str
    relevance: RelevanceCalibration
    gate: GateCalibration = UNCALIBRATED
    models: Mapping[str, str] = field(default_factory=dict)
    """The names of the models whose scores it was fitted on, by what they do."""
    writer: str = COPYING
    """Who drafted: a copied sentence's entailment means something else than a written one's."""
    risk: Risk | None = None
    """What the gate's part keeps to; None where nobody measured it."""
    provenance: str = ""
    """Where the drafts came from that it was fitted on, in words; empty where nobody said."""


_FORM = TypeAdapter(Calibration)
_FORMERLY = ("look", "reranking")
"""By which files of 0.3 and before are known, whose relevance weighed several scores."""
NONE = Calibration("uncalibrated", PLAIN_SIGMOID)
"""Plain sigmoids: for models that nobody has calibrated."""


def load_calibration(path: Path) -> Calibration:
    """Read a file made by `vouch calibrate`; raise `BadConfiguration` for any other."""
    try:
        read = json.loads(path.read_bytes())
        if any(former in _relevance_in(read) for former in _FORMERLY):
            raise ValueError("it was fitted on scores that no longer decide")
        return _FORM.validate_python(read)
    except (OSError, ValueError) as error:  # pydantic's and json's are such
        raise BadConfiguration(
            f"The calibration {path} cannot be read ({error}). Make it anew with "
            "`vouch calibrate`, or leave VOUCH_CALIBRATION out for the shipped one."
        ) from error


def _relevance_in(read: Any) -> Mapping[str, Any]:  # whatever JSON a file holds
    relevance = read.get("relevance") if isinstance(read, dict) else None
    return relevance if isinstance(relevance, dict) else {}


def save_calibration(calibration: Calibration, path: Path) -> None:
    path.write_bytes(_FORM.dump_json(calibration, indent=2) + b"\n")
