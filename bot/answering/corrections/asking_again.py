"""A question is asked again by what its documents say now, and compared with what they said."""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from datetime import date

from audit.record import AuditRecord
from audit.values import ClaimRecord, is_attached
from bot.access.people import Person
from bot.access.reading import RecordAccess, documents_of
from bot.answering.corrections.changes import (
    ChangedCitation,
    CorrectionOutcome,
    Followed,
    RestsOnChanged,
    TellingPlace,
)
from bot.answering.corroboration import Headed, is_among
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.recording import OF_LIBRARY
from bot.answering.replaying import answered_again, asked_as_then, still_stored
from retrieval.language.dates import days_named
from retrieval.ports import Embedder, Entailment
from retrieval.search.scores import ENTAILED
from retrieval.types import Scope

Facets = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    followed: Followed
    now: AuditRecord | None = None
    """What is said otherwise; not appended yet."""


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Asks by both versions on the build of today, so that nothing but the documents differs."""

    pipeline: AnsweringPipeline
    """One that records nothing and keeps what a writer is shown."""
    embedder: Embedder
    entailment: Entailment
    visibility: RecordAccess
    person: Callable[[AuditRecord], Person | None]
    """Who asked, as they are today; raises `JobFailed` where nobody can say now."""
    today: Callable[[], date]

    def __call__(self, resting: RestsOnChanged, place: TellingPlace) -> AskedAgain:
        """`place`: where it will be read. Raise what the pipeline raises."""
        record, keys = resting.record, resting.keys
        asker = self.person(record)
        if not self._can_compare(record) or not self.is_open(record, place, expired=True):
            return AskedAgain(resting.untold)
        same = AskedAgain(Followed(changed=keys, outcome=CorrectionOutcome.SAME))
        otherwise = {each.cited.passage_id for each in resting.changed if self._is_otherwise(each)}
        if not otherwise:
            return same
        now = self._now(record, asker, place)
        lost = self._lost(resting, otherwise, asker, now)
        if not lost:
            return same
        withheld = self._withheld(record, place, expired=True)
        old = tuple(
            claim.text
            for claim in lost
            if not any(each.document_id in withheld for each in claim.citations)
        )
        followed = Followed(
            changed=keys, outcome=CorrectionOutcome.CORRECTED, record=now.audit_id, old=old
        )
        return AskedAgain(followed, now)

    def is_open(self, record: AuditRecord, place: TellingPlace, *, expired: bool = False) -> bool:
        """Whether all who read there may read each document that it cites and that still stands.

        `expired`: of what was told before, that a document is over since closes nothing.
        """
        cited = {each.document_id for claim in record.claims for each in claim.citations}
        closed = cited & self._withheld(record, place, expired=expired)
        return not self.visibility.access_of(closed)

    def _withheld(self, record: AuditRecord, place: TellingPlace, *, expired: bool) -> Set[str]:
        """What the asker may read for themselves opens nothing where others read along."""
        reader = self.person(record) if place.audience is None else None
        return self.visibility.withheld(record, reader, place.audience, expired=expired)

    def _can_compare(self, record: AuditRecord) -> bool:
        """Not what came with a question, which is not kept, nor what it asks of other days now."""
        asked, then = (*record.previous_questions, record.question), _day_of(record)
        return not any(is_attached(each) for each in documents_of(record)) and all(
            days_named(each, then) == days_named(each, self.today()) for each in asked
        )

    def _is_otherwise(self, changed: ChangedCitation) -> bool:
        """Whether the document says no more what is cited, in whatever words."""
        return not all(is_among(each, changed.today, self.entailment) for each in changed.lost)

    def _lost(
        self, resting: RestsOnChanged, otherwise: Set[str], asker: Person | None, now: AuditRecord
    ) -> list[ClaimRecord]:
        """What was said from what is `otherwise`, is said of it still, and not of today's."""
        lost = [
            claim
            for claim in resting.record.claims
            if any(each.passage_id in otherwise for each in claim.citations)
            and not self._is_among(claim, now)
        ]
        then = self._then(resting, asker) if lost else resting.record
        return [claim for claim in lost if self._is_among(claim, then)]

    def _then(self, resting: RestsOnChanged, asker: Person | None) -> AuditRecord:
        """By the documents of then; what was said then, where their text is not kept.

        Or where it was a document's summary, for which nothing was searched.
        """
        if not OF_LIBRARY.isdisjoint(resting.record.reasons):
            return resting.record
        kept = still_stored(resting.record, self.pipeline.evidence.search.library, self.embedder)
        if all(each.cited.passage_id in kept.passages for each in resting.changed):
            return answered_again(resting.record, self.pipeline, asker, kept)
        return resting.record

    def _now(self, record: AuditRecord, asker: Person | None, place: TellingPlace) -> AuditRecord:
        """By today's documents, for who may read them today and might then."""
        made: list[AuditRecord] = []
        then, scope_for = record.filter.facets, self.pipeline.evidence.scope_for

        def narrowed(person: Person | None, where: str | None, on: date) -> Scope:
            scope = scope_for(person, where, on)
            return replace(scope, facets=common(scope.facets, then))

        evidence = replace(self.pipeline.evidence, scope_for=narrowed)
        asked = asked_as_then(record, asker)
        question = replace(
            asked,
            on=self.today() if asked.on == _day_of(record) else asked.on,
            channel=place.audience,
            place=place.channel,
            sources=record.filter.sources,
        )
        replace(self.pipeline, evidence=evidence, record=made.append)(question)
        (now,) = made
        return now.model_copy(update={"corrects": record.audit_id, "person": record.person})

    def _is_among(self, claim: ClaimRecord, record: AuditRecord) -> bool:
        told = [Headed("", each.text) for each in record.claims]
        return is_among(Headed("", claim.text), told, self.entailment, ENTAILED)


def common(one: Facets, other: Mapping[str, Iterable[str]]) -> Facets:
    both = {name: values & frozenset(other.get(name, ())) for name, values in one.items()}
    return {name: values for name, values in both.items() if values}


def _day_of(record: AuditRecord) -> date:
    return record.time.astimezone().date()
