"""Which replies rest on words that their documents no longer say."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache

from audit.log import AuditReader
from audit.queries import RecordQuery
from audit.record import AuditEvent, AuditRecord, Decision, EventKind
from audit.values import Channel, CitationRecord, Status, Value, is_attached
from bot.answering.corroboration import is_said
from bot.answering.recording import FROM_LIBRARY, NO_ANSWER
from retrieval.documents.port import LibraryReader
from retrieval.types import Passage

GONE = ""
"""The version of a document that has left."""
_ENDS = (EventKind.WITHDRAWN, EventKind.FOLDED)


class Outcome(StrEnum):
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
    outcome: Outcome
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

    @property
    def key(self) -> str:
        """What changed, for what was looked at once is not looked at again."""
        return f"{self.cited.document_id}:{self.now}"


@dataclass(frozen=True, slots=True)
class Place:
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
        return Followed(changed=self.keys, outcome=Outcome.UNTOLD)


@dataclass(frozen=True, slots=True)
class Changes:
    """Looks for them among what was answered lately."""

    records: AuditReader
    library: LibraryReader

    def __call__(self, since: datetime) -> Iterator[RestsOnChanged]:
        """Yield delivered replies since then that nobody looked at since what they cite changed."""
        looked_at: dict[str, set[str]] = {}
        for event in self.records.happened(EventKind.FOLLOWED, since):
            looked_at.setdefault(event.audit_id, set()).update(Followed.of(event).changed)
        seen = set[str]()
        for document_id in sorted({each.document_id for each in self.records.cited_documents()}):
            changed = None if is_attached(document_id) else self._changed(document_id, since)
            if changed is None:
                continue
            query = RecordQuery(document=document_id, since=since, until=changed)
            for stored in self.records.records(query):
                record = stored.entry
                if isinstance(record, AuditRecord) and record.audit_id not in seen:
                    seen.add(record.audit_id)
                    yield from self._resting(record, looked_at.get(record.audit_id, set()))

    def _changed(self, document_id: str, when: datetime) -> datetime | None:
        """When the document last changed; None where it did not since then."""
        versions = self.library.history(document_id)
        if len(versions) < 2 and not any(each.removed_at for each in versions):
            return None
        changed = max(each.removed_at or each.ingested_at for each in versions)
        return changed if changed >= when else None

    def _resting(self, record: AuditRecord, looked_at: Set[str]) -> Iterator[RestsOnChanged]:
        answers = record.decision is not Decision.ABSTAIN and record.writer.name not in (
            *NO_ANSWER,
            FROM_LIBRARY,
        )
        if record.erased or not answers:
            return
        changed = tuple(self._changed_citations(record))
        if changed and not looked_at >= {each.key for each in changed}:
            delivered = delivery_of(self.records, record.audit_id)
            if delivered is not None:
                yield RestsOnChanged(record, changed, delivered)

    def _changed_citations(self, record: AuditRecord) -> Iterator[ChangedCitation]:
        history, says = cache(self.library.history), cache(self._sentences)
        for claim in record.claims:
            for cited in claim.citations:
                if cited.status is not Status.VERIFIED or is_attached(cited.document_id):
                    continue
                versions = history(cited.document_id)
                now = next((each for each in versions if each.removed_at is None), None)
                then = next((each for each in versions if each.version == cited.version), None)
                same = now and then and now.sha256 == then.sha256
                if not same and not self._still_said(cited, says(cited.document_id)):
                    yield ChangedCitation(cited, now.version if now else GONE)

    def _sentences(self, document_id: str) -> tuple[str, ...]:
        found = self.library.passages(self.library.passage_ids({document_id}))
        return tuple(each.text for passage in found.values() for each in passage.sentences)

    def _still_said(self, cited: CitationRecord, sentences: tuple[str, ...]) -> bool:
        """Whether each sentence that is cited stands in the document, if elsewhere."""
        wanted = (cited.document_id, cited.version, cited.passage_id)
        kept = self.library.passages_at({wanted}).get(cited.passage_id)
        quoted = _cited_sentences(cited, kept)
        return all(each in sentences or is_said(each, sentences) for each in quoted)


def _cited_sentences(cited: CitationRecord, kept: Passage | None) -> tuple[str, ...]:
    """The quote as sentences; whole where the text of its version is not kept any more."""
    if kept is not None:
        texts = [each.text for each in kept.sentences]
        for first in range(len(texts)):
            for last in range(first, len(texts)):
                if kept.quote(first, last) == cited.quote:
                    return tuple(texts[first : last + 1])
    return (" ".join(cited.quote.split()),)


def events_of(records: AuditReader, audit_id: str) -> list[AuditEvent]:
    """What happened to a reply, in order."""
    entries = (stored.entry for stored in records.events(audit_id))
    return [each for each in entries if isinstance(each, AuditEvent)]


def delivery_of(records: AuditReader, audit_id: str) -> Channel | None:
    """Where a reply stands in Slack; None where it was never delivered, or taken away."""
    told = events_of(records, audit_id)
    delivered = [each.channel for each in told if each.kind is EventKind.DELIVERED]
    return delivered[-1] if delivered and not any(each.kind in _ENDS for each in told) else None
