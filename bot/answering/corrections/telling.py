"""The job `corrections`: whoever was answered from words that have changed since hears of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from threading import Event
from typing import Protocol

from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import Channel, CitationRecord, new_id
from bot.answering.corrections.asking_again import AskedAgain
from bot.answering.corrections.changes import (
    CorrectionOutcome,
    Followed,
    RestsOnChanged,
    TellingPlace,
    delivery_of,
)
from bot.errors import JobFailed, JobStopped
from retrieval.language.words import words_of

MOST = 50
"""Questions that one run asks again; each takes some seconds. The next run goes on."""


class Tell(Protocol):
    """Tells people in Slack what is said otherwise now."""

    def place(self, record: AuditRecord, delivered: Channel) -> TellingPlace | None:
        """Where people who read a reply are told; None for nowhere.

        Raise `JobFailed` where Slack does not say.
        """

    def __call__(
        self, before: AuditRecord, now: AuditRecord, old: tuple[str, ...], place: TellingPlace
    ) -> str:
        """Post it once, and return its `ts`; empty where nothing can be posted any more.

        Raise `JobFailed` where it does not stand there now.
        """


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
