"""A question is asked again by what its documents say now, and compared with what they said."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from audit.record import AuditRecord
from bot.access.people import Person
from bot.access.reading import RecordAccess
from bot.answering.corroboration import is_said
from bot.answering.exact.comparison import objections
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.replaying import answered_again, kept_of
from bot.answering.values import Question
from bot.corrections.changes import GONE, Followed, Outcome, Place, RestsOnChanged
from retrieval.ports import Embedder, Entailment, EntailmentPair
from retrieval.scores import ENTAILED
from retrieval.types import Scope

Facets = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """What came of it."""

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
    person: Callable[[str], Person | None]
    today: Callable[[], date]

    def __call__(self, resting: RestsOnChanged, place: Place) -> AskedAgain:
        """`place`: where it will be read. Raise what the pipeline raises."""
        record, keys = resting.record, resting.keys
        asker = self.person(record.person.id)
        withheld = self.visibility.withheld(record, asker, place.audience)
        if any(each.now != GONE and each.cited.document_id in withheld for each in resting.changed):
            return AskedAgain(resting.untold)
        now = self._now(record, asker, place)
        if self._same(record, now) or self._same(self._then(resting, asker), now):
            return AskedAgain(Followed(changed=keys, outcome=Outcome.SAME))
        changed = {each.cited.passage_id for each in resting.changed}
        old = tuple(
            claim.text
            for claim in record.claims
            if any(each.passage_id in changed for each in claim.citations)
            and not any(each.document_id in withheld for each in claim.citations)
        )
        followed = Followed(changed=keys, outcome=Outcome.CORRECTED, record=now.audit_id, old=old)
        return AskedAgain(followed, now)

    def _then(self, resting: RestsOnChanged, asker: Person | None) -> AuditRecord:
        """By the documents of then; what was said then, where their text is not kept."""
        kept = kept_of(resting.record, self.pipeline.evidence.search.library, self.embedder)
        if all(each.cited.passage_id in kept.passages for each in resting.changed):
            return answered_again(resting.record, self.pipeline, asker, kept)
        return resting.record

    def _same(self, then: AuditRecord, now: AuditRecord) -> bool:
        return self._says(now, said(then)) and self._says(then, said(now))

    def _now(self, record: AuditRecord, asker: Person | None, place: Place) -> AuditRecord:
        """By today's documents, for who may read them today and might then."""
        made: list[AuditRecord] = []
        then, scope_for = record.filter.facets, self.pipeline.evidence.scope_for

        def narrowed(person: Person | None, where: str | None, on: date) -> Scope:
            scope = scope_for(person, where, on)
            return replace(scope, facets=common(scope.facets, then))

        evidence = replace(self.pipeline.evidence, scope_for=narrowed)
        question = Question(
            record.question,
            asker,
            self.today(),
            place.audience,
            record.previous_questions,
            place.channel,
            sources=record.filter.sources,
        )
        replace(self.pipeline, evidence=evidence, record=made.append)(question)
        (now,) = made
        return now.model_copy(update={"corrects": record.audit_id})

    def _says(self, record: AuditRecord, others: Sequence[str]) -> bool:
        """Whether each of its claims is among the others, in whatever words."""
        return all(self._is_among(claim, others) for claim in said(record))

    def _is_among(self, claim: str, others: Sequence[str]) -> bool:
        if claim in others or is_said(claim, others):
            return True
        alike = [each for each in others if not objections(claim, [each])]
        pairs = [pair for each in alike for pair in ((each, claim), (claim, each))]
        likely = self.entailment.supported([EntailmentPair(*pair) for pair in pairs])
        return any(
            min(one, other) >= ENTAILED
            for one, other in zip(likely[::2], likely[1::2], strict=True)
        )


def said(record: AuditRecord) -> tuple[str, ...]:
    """The claims that are posted."""
    return tuple(claim.text for claim in record.claims)


def common(one: Facets, other: Mapping[str, Iterable[str]]) -> Facets:
    """What is in both."""
    both = {name: values & frozenset(other.get(name, ())) for name, values in one.items()}
    return {name: values for name, values in both.items() if values}
