"""The job `corrections`: whoever was answered from words that have changed since hears of it.

Their question is asked again by what the documents say now, and compared with what was said.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice
from threading import Event
from typing import Protocol

from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import Channel, CitationRecord, ClaimRecord, is_attached, new_id
from bot.access.people import Person
from bot.access.reading import RecordAccess, documents_of
from bot.answering.corrections.changes import (
    ChangedCitation,
    CorrectionOutcome,
    Followed,
    RestsOnChanged,
    TellingPlace,
    delivery_of,
)
from bot.answering.corroboration import Headed, is_among
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.recording import OF_LIBRARY
from bot.answering.replaying import answered_again, asked_as_then, still_stored
from bot.errors import JobFailed, JobStopped
from retrieval.language.dates import days_named
from retrieval.language.words import words_of
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
        """Whether who reads there may read what it cites and still stands; `expired`: or could."""
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
        """By the documents of then; of a summary, or without their text, what was said."""
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


MOST = 50
"""Questions that one run asks again; each takes some seconds. The next run goes on."""


class Tell(Protocol):
    """Tells people in Slack what is said otherwise now."""

    def place(self, record: AuditRecord, delivered: Channel) -> TellingPlace | None:
        """Where people who read a reply are told; None for nowhere. Raise `JobFailed`."""

    def __call__(
        self, before: AuditRecord, now: AuditRecord, old: tuple[str, ...], place: TellingPlace
    ) -> str:
        """Post it once, and return its `ts`; empty where it cannot be. Raise `JobFailed`."""


class IsOpen(Protocol):
    def __call__(self, record: AuditRecord, place: TellingPlace, *, expired: bool = False) -> bool:
        """Whether all who read there may read what a record cites today; `expired`: or might."""


@dataclass(frozen=True, slots=True)
class Rested:
    """So many answers rested on words that a document no longer says."""

    cited: CitationRecord
    came_to: Counter[str]
    """How many by `CorrectionOutcome`."""


@dataclass(frozen=True, slots=True)
class TellCorrections:
    """Asks again what rests on changed words, and tells what is said otherwise."""

    days: int
    """How old an answer may be that is looked at."""
    changes: Callable[[datetime], Iterator[RestsOnChanged]]
    ask_again: Callable[[RestsOnChanged, TellingPlace], AskedAgain]
    tell: Tell
    tell_owner: Callable[[Rested], None]
    """Tells whoever answers for the document; raises nothing."""
    records: AuditReader
    is_open: IsOpen
    append: Callable[[AuditRecord | AuditEvent], object]
    now: Callable[[], datetime]

    def __call__(self, stopping: Event) -> Mapping[str, int]:
        """Return how many replies came to what; raise `JobFailed` for those not told.

        What was recorded and not posted, as of a bot that was killed, is posted first.
        """
        since = self.now() - timedelta(days=self.days)
        failed = list[str]()
        for event in self.records.happened(EventKind.FOLLOWED, since):
            _demand_time(stopping)
            self._tell(event, failed)
        came_to, rested = Counter[str](), dict[str, Rested]()
        told = dict[tuple[object, ...], str]()
        for resting in islice(self.changes(since), MOST):
            _demand_time(stopping)
            try:
                event = self._followed(resting, told)
            except JobFailed as error:
                failed.append(str(error))
                continue
            outcome = Followed.of(event).outcome
            came_to[outcome] += 1
            for cited in {each.cited.document_id: each.cited for each in resting.changed}.values():
                known = rested.setdefault(cited.document_id, Rested(cited, Counter()))
                known.came_to[outcome] += 1
            self._tell(event, failed)
        for each in rested.values():
            self.tell_owner(each)
        numbers = {each.value: came_to[each] for each in CorrectionOutcome}
        if failed:
            raise JobFailed(" ".join(dict.fromkeys(failed)), numbers)
        return numbers

    def _followed(
        self, resting: RestsOnChanged, told: MutableMapping[tuple[object, ...], str]
    ) -> AuditEvent:
        """Ask again, and record what came of it before anybody is told.

        `told`: ids of the corrections of this run, by what one place was told of one question: who
        asked it three times hears it once.
        """
        record = resting.record
        place = self.tell.place(record, resting.delivered)
        again = self.ask_again(resting, place) if place else AskedAgain(resting.untold)
        followed = again.followed
        if place and again.now is not None:
            where = place.channel if place.audience else place.channel.id
            same = (where, *words_of(record.question), followed.old)
            by = told.setdefault(same, again.now.audit_id)
            if by == again.now.audit_id:
                self.append(again.now)
            followed = followed.model_copy(update={"record": by})
        at = self.now()
        event = AuditEvent(
            kind=EventKind.FOLLOWED,
            event_id=new_id(at),
            audit_id=record.audit_id,
            time=at,
            details=followed.model_dump(mode="json", exclude_defaults=True),
        )
        self.append(event)
        return event

    def _tell(self, event: AuditEvent, failed: list[str]) -> None:
        """Post what a correction says, unless it stands there, or nowhere any more."""
        followed = Followed.of(event)
        if followed.outcome is not CorrectionOutcome.CORRECTED or self.records.events(
            followed.record
        ):
            return
        delivered = delivery_of(self.records, event.audit_id)
        if delivered is None:
            return
        before, now = (
            self.records.record(each).record for each in (event.audit_id, followed.record)
        )
        try:
            place = self.tell.place(before, delivered)
            open_to = (
                place and self.is_open(before, place, expired=True) and self.is_open(now, place)
            )
            ts = self.tell(before, now, followed.old, place) if place and open_to else ""
        except JobFailed as error:
            failed.append(str(error))
            return
        kind = EventKind.DELIVERED if ts else EventKind.WITHDRAWN
        done = AuditEvent(
            kind=kind,
            event_id=f"{now.audit_id}-{kind}",
            audit_id=now.audit_id,
            time=self.now(),
            channel=place.channel if place else Channel(),
            details={"ts": ts} if ts else {},
        )
        self.append(done)


def _demand_time(stopping: Event) -> None:
    if stopping.is_set():
        raise JobStopped("The bot stops.")
