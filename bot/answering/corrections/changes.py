"""Which replies rest on words that their documents no longer say."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache

from audit.finding.queries import RecordQuery
from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, Decision, EventKind
from audit.values import Channel, CitationRecord, ClaimKind, Status, Value, is_attached
from bot.answering.corroboration import Headed, is_said
from bot.answering.recording import NO_ANSWER
from retrieval.documents.port import LibraryReader
from retrieval.types import Passage

GONE = ""
"""The version of a document that has left."""
_DOCUMENTS = 16
"""Whose sentences are in memory at once."""
_ENDS = (EventKind.WITHDRAWN, EventKind.FOLDED)


class CorrectionOutcome(StrEnum):
    """Of a reply whose source has changed."""

    SAME = "same"
    """The answer is what it was, in whatever words."""
    CORRECTED = "corrected"
    """Something else is said now; `Followed.record` has it."""
    UNTOLD = "untold"
    """Nobody can be told, or who reads the reply may not read the document any more."""


class Followed(Value):
    """What an event of that kind says in its `details`."""

    changed: tuple[str, ...]
    """Each document with its version of today, as `ChangedCitation.key` has them."""
    outcome: CorrectionOutcome
    record: str = ""
    """The id of the exchange that says what holds now."""
    old: tuple[str, ...] = ()
    """What was said from words that changed, as far as the readers may still read them."""

    @classmethod
    def of(cls, event: AuditEvent) -> "Followed":
        return cls.model_validate(dict(event.details), extra="ignore")


@dataclass(frozen=True, slots=True)
class ChangedCitation:
    """A reply cites it, and the document no longer says it."""

    cited: CitationRecord
    now: str
    """The document's version today; `GONE` where there is none."""
    lost: tuple[Headed, ...]
    """Those of its sentences."""
    today: tuple[Headed, ...]
    """What the document says now; nothing where it holds no longer."""

    @property
    def key(self) -> str:
        """What changed, for what was looked at once is not looked at again."""
        return f"{self.cited.document_id}:{self.now}"


@dataclass(frozen=True, slots=True)
class TellingPlace:
    """Somewhere in Slack people are told."""

    channel: Channel
    """With the thread; empty at the top level."""
    audience: str | None
    """The channel whose readers count; None where one person alone reads it."""


@dataclass(frozen=True, slots=True)
class RestsOnChanged:
    """A delivered reply rests on words that have changed since."""

    record: AuditRecord
    changed: tuple[ChangedCitation, ...]
    delivered: Channel
    """Where it stands in Slack."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(sorted({each.key for each in self.changed}))

    @property
    def untold(self) -> Followed:
        return Followed(changed=self.keys, outcome=CorrectionOutcome.UNTOLD)


@dataclass(frozen=True, slots=True)
class Changes:
    """Looks for them among what was answered lately."""

    records: AuditReader
    library: LibraryReader

    def __call__(self, since: datetime) -> Iterator[RestsOnChanged]:
        """Yield replies that rest on changed words; of a corrected one the correction alone."""
        looked_at, corrected = dict[str, set[str]](), set[str]()
        for event in self.records.happened(EventKind.FOLLOWED, since):
            followed = Followed.of(event)
            looked_at.setdefault(event.audit_id, set()).update(followed.changed)
            if followed.outcome is CorrectionOutcome.CORRECTED:
                corrected.add(event.audit_id)
        seen, comparison = set(corrected), Comparison(self.library)
        for document_id, changed in sorted(self.library.replaced_since(since).items()):
            query = RecordQuery(document=document_id, since=since, until=changed)
            for stored in self.records.records(query):
                record = stored.record
                if record.audit_id not in seen:
                    seen.add(record.audit_id)
                    known = looked_at.get(record.audit_id, set())
                    yield from self._resting(record, known, comparison)

    def _resting(
        self, record: AuditRecord, looked_at: Set[str], comparison: "Comparison"
    ) -> Iterator[RestsOnChanged]:
        answers = record.decision is not Decision.ABSTAIN and record.writer.name not in NO_ANSWER
        if record.erased or not answers:
            return
        changed = tuple(comparison.changed(record))
        if changed and not looked_at >= {each.key for each in changed}:
            delivered = delivery_of(self.records, record.audit_id)
            if delivered is not None:
                yield RestsOnChanged(record, changed, delivered)


class Comparison:
    """Compares what is cited with the documents of one moment, which it reads once each."""

    def __init__(self, library: LibraryReader) -> None:
        self._library = library
        self._history = cache(library.history)
        self._sentences = lru_cache(_DOCUMENTS)(self._said_in)
        self._lost = cache(self._not_said_in)
        self._is_over = cache(self._says_it_is_over)

    def changed(self, record: AuditRecord) -> Iterator[ChangedCitation]:
        """Not of what a list names, nor of what stands and is not served: it is not settled."""
        said = (each for each in record.claims if each.kind is not ClaimKind.LISTED)
        for cited in (each for claim in said for each in claim.citations):
            if cited.status is not Status.VERIFIED or is_attached(cited.document_id):
                continue
            versions = self._history(cited.document_id)
            now = next((each for each in versions if each.removed_at is None), None)
            then = next((each for each in versions if each.version == cited.version), None)
            same = now and then and now.sha256 == then.sha256
            is_over = self._is_over(cited.document_id)
            today = () if is_over else self._sentences(cited.document_id)
            if not is_over and (same or (now and not today)):
                continue
            place = (cited.document_id, cited.version, cited.passage_id)
            if lost := self._lost(place, cited.quote, today):
                yield ChangedCitation(cited, now.version if now else GONE, lost, today)

    def _says_it_is_over(self, document_id: str) -> bool:
        """Whether its version of today holds no longer, as one that was archived."""
        rule = self._library.access_of({document_id}).get(document_id)
        return bool(rule and rule.valid_to and rule.valid_to < date.today())

    def _said_in(self, document_id: str) -> tuple[Headed, ...]:
        found = self._library.passages(self._library.passage_ids({document_id}))
        return tuple(each for passage in found.values() for each in _headed(passage))

    def _not_said_in(
        self, place: tuple[str, str, str], quote: str, today: tuple[Headed, ...]
    ) -> tuple[Headed, ...]:
        """The sentences that are cited and stand nowhere in the document."""
        said = [each.text for each in today]
        quoted = _cited_sentences(quote, self._library.passages_at({place}).get(place[2]))
        return tuple(each for each in quoted if not is_said(each.text, said))


def _headed(passage: Passage) -> tuple[Headed, ...]:
    return tuple(Headed(passage.heading, each.text) for each in passage.sentences)


def _cited_sentences(quote: str, kept: Passage | None) -> tuple[Headed, ...]:
    """The quote as sentences; whole where the text of its version is not kept any more."""
    if kept is not None:
        sentences = _headed(kept)
        for first in range(len(sentences)):
            for last in range(first, len(sentences)):
                if kept.quote(first, last) == quote:
                    return sentences[first : last + 1]
    return (Headed("", " ".join(quote.split())),)


def delivery_of(records: AuditReader, audit_id: str) -> Channel | None:
    """Where a reply stands in Slack; None where it was never delivered, or taken away."""
    told = records.happened_to(audit_id)
    delivered = [each.channel for each in told if each.kind is EventKind.DELIVERED]
    return delivered[-1] if delivered and not any(each.kind in _ENDS for each in told) else None
