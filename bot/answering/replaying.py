"""An answer is made again of what its record keeps, and compared with what was said then.

Nothing is searched for: the candidates are those of the record, in their versions, for its scope
and day. Thresholds are those of the given pipeline; models and people those of today.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from audit.record import AuditRecord, Candidate
from audit.values import ClaimRecord, is_attached
from bot.access.people import Person
from bot.access.reading import is_private
from bot.answering.evidence import EvidenceFinder, InPrivate, SearchResult
from bot.answering.followups import Attempt, asked_on, attempts_of
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.recording import NO_ANSWER, OF_LIBRARY
from bot.answering.standard import StandardAnswers
from bot.answering.values import Question
from bot.errors import WrongUse
from bot.wording import ENGLISH_ONLY, NO_SUCH_DOCUMENT, STANDARD_ANSWER, as_of
from bot.wording import quality as wording
from bot.wording.evidence import NOT_MEASURED
from retrieval.documents.port import LibraryReader
from retrieval.ports import Embedder
from retrieval.search.scores import (
    HIERARCHY,
    LOGIT,
    READ_RELEVANCE,
    RECENCY,
    RELEVANCE,
    WINDOW_LOGIT,
)
from retrieval.search.timing import Stages
from retrieval.types import Hit, Passage, Scope

NOTICEABLE = 0.005
"""Of scores from 0 to 1: less is the arithmetic of another machine. Not measured."""


@dataclass(frozen=True, slots=True)
class RecordedPassages:
    """The passages of a record that the library still keeps, in the versions of then, by id."""

    passages: Mapping[str, Passage]
    library: LibraryReader
    embedder: Embedder

    def vectors(self, passage_ids: Sequence[str], /) -> Mapping[str, NDArray[np.float32]]:
        """Embedded anew: the index may have another version of them."""
        texts = [self.passages[each].with_heading for each in passage_ids]
        return dict(zip(passage_ids, self.embedder.embed(texts), strict=True)) if texts else {}

    def passages_of(self, document_id: str) -> Collection[Passage]:
        every = self.passages.values()
        return [each for each in every if each.document.document_id == document_id]

    def neighbours(self, passage: Passage, distance: int) -> Sequence[Passage]:
        """As the library has them; of a version that it does not serve, those of the record."""
        version, document_id = passage.document.version, passage.document.document_id
        served = self.library.neighbours(passage, distance)
        if served and all(each.document.version == version for each in served):
            return served
        of_one = (
            each
            for each in self.passages.values()
            if (each.document.document_id, each.document.version) == (document_id, version)
        )
        near = (each for each in of_one if 0 < abs(each.ordinal - passage.ordinal) <= distance)
        return sorted(near, key=lambda each: each.ordinal)


def still_stored(
    record: AuditRecord, library: LibraryReader, embedder: Embedder
) -> RecordedPassages:
    """What the library keeps of a record's candidates, and of what its writer was shown."""
    found = {(each.document_id, each.version, each.passage_id) for each in record.candidates}
    shown = {(each.document_id, each.version, each.passage_id) for each in record.shown}
    return RecordedPassages(library.passages_at(found | shown), library, embedder)


@dataclass(frozen=True, slots=True)
class RecordedEvidence(EvidenceFinder):
    """Finds what a record's answer was made from, and nothing else."""

    record: AuditRecord = field(kw_only=True)
    kept: RecordedPassages = field(kw_only=True)

    def __call__(self, question: Question, stages: Stages) -> SearchResult:
        record = self.record
        facets = {name: frozenset(values) for name, values in record.filter.facets.items()}
        scope = Scope(facets, record.filter.on)
        said = self.understanding.what_is_asked
        text, previous = asked_on(said(question.text), tuple(map(said, question.previous)))
        asked = RewrittenQuery(
            text,
            previous,
            degraded=(ENGLISH_ONLY,) if ENGLISH_ONLY in record.degraded else (),
            in_english=record.in_english,
        )
        attempt = self._attempt(asked, scope)
        hits = sorted(
            (
                Hit(self.kept.passages[each.passage_id], _scores(each))
                for each in record.candidates
                if each.passage_id in self.kept.passages
            ),
            key=lambda hit: LOGIT not in hit.scores,
        )
        read = sum(LOGIT in hit.scores for hit in hits)
        search = replace(self.search, settings=replace(self.search.settings, reranked=read))
        kept = self.kept
        evidence = search.again(
            attempt.query, scope, stages, hits, attempt.parts, kept, kept.neighbours
        )
        return SearchResult(asked, attempt.keep(evidence), (attempt,), record.upcoming)

    def in_private(self, question: Question, found: SearchResult) -> InPrivate:  # noqa: ARG002
        """As it was: what the asker may read today is another matter."""
        return InPrivate(self.record.more_in_private, self.record.own_rule_in_private)

    def in_steps(self, found: SearchResult, stages: Stages) -> SearchResult:  # noqa: ARG002
        """As it was: what was recorded was found in one step or in two."""
        return found

    def _attempt(self, asked: RewrittenQuery, scope: Scope) -> Attempt:
        """The wording that was recorded, as rules or else a language model came to it."""
        query, sought = self.record.standalone_question, self.record.sought
        plain = self._in_plain_words(asked, scope)
        recorded = Attempt(query, lambda evidence: evidence, sought)
        same = (
            each
            for each in attempts_of(plain)
            if each.query == query and bool(each.parts) == bool(sought)
        )
        return next(same, recorded)


def _scores(candidate: Candidate) -> dict[str, float]:
    """What the search gave it, and the logit, by which those are known that were read."""
    again = (RELEVANCE, READ_RELEVANCE, WINDOW_LOGIT, HIERARCHY, RECENCY)
    scores = candidate.scores.model_dump(exclude_none=True)
    return {name: value for name, value in scores.items() if name not in again}


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    what: str
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class Replay:
    audit_id: str
    same: bool
    """Whether decision and reply are word for word those of then."""
    reply: str
    differences: tuple[ReplayDifference, ...]
    """In what came out."""
    changed: tuple[ReplayDifference, ...]
    """In what it was made with: software, models, calibration, settings."""
    lacking: tuple[str, ...]
    """What cannot be had again as it was, in words."""


def replayed(
    record: AuditRecord,
    pipeline: AnsweringPipeline,
    asker: Person | None,
    embedder: Embedder,
    *,
    by_model: bool,
) -> Replay:
    """Answer again, and say what differs; `pipeline`: one that records nothing.

    `by_model`: whether a language model writes or judges in it.

    Raise `WrongUse` for a search, which has no answer, and for what the library said of itself that
    day; and what the pipeline raises.
    """
    if record.writer.name in NO_ANSWER:
        raise WrongUse(wording.NO_ANSWER)
    if not (OF_LIBRARY | {NO_SUCH_DOCUMENT}).isdisjoint(record.reasons):
        raise WrongUse(wording.FROM_LIBRARY)
    kept = still_stored(record, pipeline.evidence.search.library, embedder)
    now = answered_again(record, pipeline, asker, kept)
    return Replay(
        audit_id=record.audit_id,
        same=(record.decision, record.reply) == (now.decision, now.reply),
        reply=now.reply,
        differences=tuple(_outcomes(record, now)),
        changed=tuple(_makings(record, now)),
        lacking=tuple(_lacking(record, kept.passages, by_model=by_model)),
    )


def answered_again(
    record: AuditRecord, pipeline: AnsweringPipeline, asker: Person | None, kept: RecordedPassages
) -> AuditRecord:
    """What is said today from what was found then; nothing is appended."""
    made: list[AuditRecord] = []
    finder, standard = pipeline.evidence, pipeline.standard
    if isinstance(standard, StandardAnswers) and STANDARD_ANSWER in record.reasons:
        own = {each.document_id for claim in record.claims for each in claim.citations[:1]}
        standard = replace(standard, reviewed=lambda: own, passages_of=kept.passages_of)
    again = replace(
        pipeline,
        evidence=RecordedEvidence(
            finder.scope_for,
            finder.search,
            finder.understanding,
            finder.plain_words,
            record=record,
            kept=kept,
        ),
        standard=standard,
        record=made.append,
        library=None,
    )
    again(asked_as_then(record, asker))
    (now,) = made
    return now


def asked_as_then(record: AuditRecord, asker: Person | None) -> Question:
    """On the day that it was answered as of, or, where the reply says that, on that of its time."""
    day, ahead = record.filter.on, record.upcoming
    if as_of(day, ahead.valid_from if ahead else None) in record.reply:
        day = record.time.astimezone().date()
    return Question(
        record.question,
        asker,
        day,
        None if is_private(record.channel.id) else record.channel.id,
        record.previous_questions,
        record.channel,
    )


def _outcomes(then: AuditRecord, now: AuditRecord) -> Iterator[ReplayDifference]:
    """What a reader would see first, then what is behind it."""
    for what, one, other in (
        ("decision", then.decision.value, now.decision.value),
        ("reasons", "; ".join(then.reasons), "; ".join(now.reasons)),
        ("reply", then.reply, now.reply),
        ("searched for", then.standalone_question, now.standalone_question),
        ("missing", "; ".join(then.missing), "; ".join(now.missing)),
        ("posted claims", _claims(then.claims), _claims(now.claims)),
        ("dropped claims", _claims(then.dropped), _claims(now.dropped)),
        ("written from", _used(then), _used(now)),
    ):
        if one != other:
            yield ReplayDifference(what, one, other)
    yield from _apart("confidence", asdict(then.confidence), asdict(now.confidence))
    yield from _apart("relevance", _relevance(then), _relevance(now))


def _claims(claims: Sequence[ClaimRecord]) -> str:
    return "; ".join(f"{each.status} {each.text}" for each in claims)


def _used(record: AuditRecord) -> str:
    return "; ".join(_named(each) for each in record.candidates if each.used)


def _relevance(record: AuditRecord) -> dict[str, float | None]:
    return {_named(each): each.scores.relevance for each in record.candidates if each.used}


def _named(candidate: Candidate) -> str:
    return f"{candidate.place.in_words(candidate.file)}, version {candidate.version}"


def _apart(
    what: str, then: Mapping[str, float | None], now: Mapping[str, float | None]
) -> Iterator[ReplayDifference]:
    for name in then.keys() & now.keys():
        one, other = then[name], now[name]
        if one is None or other is None:
            if one is not other:
                yield ReplayDifference(f"{what}: {name}", _score(one), _score(other))
        elif abs(one - other) > NOTICEABLE:
            yield ReplayDifference(f"{what}: {name}", _score(one), _score(other))


def _score(score: float | None) -> str:
    return NOT_MEASURED if score is None else f"{score:.3f}"


def _makings(then: AuditRecord, now: AuditRecord) -> Iterator[ReplayDifference]:
    one, other = then.versions, now.versions
    yield from _named_apart("", {"software": one.software}, {"software": other.software})
    yield from _named_apart("model: ", one.models, other.models)
    yield from _named_apart("", {"writer": then.writer.name}, {"writer": now.writer.name})
    calibrations = {"calibration": then.calibration_id}, {"calibration": now.calibration_id}
    yield from _named_apart("", *calibrations)
    yield from _named_apart("setting: ", one.settings.values, other.settings.values)


def _named_apart(
    what: str, then: Mapping[str, JsonValue], now: Mapping[str, JsonValue]
) -> Iterator[ReplayDifference]:
    for name, value in then.items():
        if value != now.get(name):
            yield ReplayDifference(f"{what}{name}", str(value), str(now.get(name, "")))


def _lacking(record: AuditRecord, kept: Collection[str], *, by_model: bool) -> Iterator[str]:
    lost = [each for each in record.candidates if each.passage_id not in kept]
    if any(is_attached(each.document_id) for each in lost):
        yield wording.ATTACHED
    gone = {(each.file, each.version) for each in lost if not is_attached(each.document_id)}
    yield from (wording.gone(file, version) for file, version in sorted(gone))
    if len(record.sought) > 1:
        yield wording.SEVERAL_PARTS
    if record.degraded:
        yield wording.degraded(record.degraded)
    if by_model:
        yield wording.BY_LANGUAGE_MODEL
