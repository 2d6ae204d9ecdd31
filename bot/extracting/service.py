"""Somebody has fields read out of a document that they may read, and a record is kept of that.

A document that they may not read is, in every word, one that is not there.
"""

import csv
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from audit.errors import AuditError
from audit.export import harmless
from audit.places import Box
from audit.record import (
    AuditRecord,
    Decision,
    TokenUsage,
    WriterRecord,
)
from audit.values import Channel, is_attached, new_id
from bot import wording as general
from bot.access.people import Person
from bot.answering.as_json import claim_as_json
from bot.answering.outcome import claim_record
from bot.answering.recording import (
    EXTRACTION,
    Circumstances,
    candidate,
    person_record,
    search_filter,
)
from bot.errors import NotAudited, UnknownDocument
from bot.extracting.extractor import Extractor, Progress
from bot.extracting.lines import stated_lines
from bot.extracting.schema import Field
from bot.extracting.values import Extracted, Extraction, FieldStatus, FieldValue, Opened
from bot.wording import extracting as wording
from retrieval.documents.port import LibraryReader
from retrieval.metadata.access import permits
from retrieval.types import Passage, Scope

Accept = Callable[[Mapping[str, Any]], Mapping[str, str]]
"""Returns why values, by the names of their fields, are not accepted: by those names."""


def anything(_: Mapping[str, Any]) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Extracting:
    library: LibraryReader
    documents_of: Callable[[Sequence[str]], frozenset[str]]
    """The ids of the documents of sources."""
    scope_for: Callable[[Person | None, str | None, date], Scope]
    extractor: Extractor
    record: Callable[[AuditRecord], object]
    """Appends durably; raises `AuditError`."""
    circumstances: Circumstances
    today: Callable[[], date]

    def documents(self, name: str, who: Person | None) -> list[str]:
        """Return the ids of the documents so named, or of a source, that may be read today.

        Raise `UnknownDocument` where there are none.
        """
        named = self._open(self.library.documents_named(name), who)
        found = named or self._open(self.documents_of([name]), who)
        if not found:
            raise UnknownDocument(wording.not_there(name, _name(who)))
        return found

    def _open(self, document_ids: Collection[str], who: Person | None) -> list[str]:
        scope = self.scope_for(who, None, self.today())
        rules = self.library.access_of(document_ids)
        return sorted(each for each, rule in rules.items() if permits(rule, scope))

    def opened(self, document_id: str) -> Opened | None:
        """Return a document, whoever may read it; None where it left."""
        found = self.library.passages(self.library.passage_ids([document_id]))
        passages = tuple(sorted(found.values(), key=lambda each: each.ordinal))
        if not passages:
            return None
        return Opened(passages, self.library.parsed(document_id, passages[0].document.version))

    def __call__(
        self,
        opened: Opened,
        fields: Sequence[Field],
        who: Person | None,
        *,
        place: Channel | None = None,
        accept: Accept = anything,
        progress: Progress = lambda *_: None,
    ) -> Extraction:
        """Read fields out of one document, and record it before anyone sees it.

        Raise `NotAudited` where that cannot be done, and `UnknownDocument` where it may no longer
        be read when it has been.
        """
        time = datetime.now(UTC)
        passages, parsed = opened.passages, opened.parsed
        document = passages[0].document
        stated = tuple(stated_lines(document, parsed)) if parsed else ()
        extraction = accepted(self.extractor(passages, fields, progress, stated), accept)
        if not is_attached(document.document_id) and not self._open([document.document_id], who):
            raise UnknownDocument(wording.not_there(document.file, _name(who)))
        extraction = replace(extraction, audit_id=new_id(time))
        try:
            self.record(self._record(extraction, passages[0], who, place or Channel(), time))
        except AuditError as error:
            raise NotAudited(f"{general.NOT_AUDITED} ({error})") from error
        return extraction

    def _record(
        self,
        extraction: Extraction,
        first: Passage,
        who: Person | None,
        place: Channel,
        time: datetime,
    ) -> AuditRecord:
        """With the document, so that a record of nothing found is no more open than that."""
        fields, document, asked = extraction.fields, extraction.document, extraction.by_model
        supported = [each for each in fields if each.status is FieldStatus.SUPPORTED]
        others = [each for each in fields if each.status is not FieldStatus.SUPPORTED]
        question = wording.asked([each.field.name for each in fields], document.file)
        return AuditRecord(
            audit_id=extraction.audit_id,
            time=time,
            person=person_record(who),
            channel=place,
            question=question,
            standalone_question=question,
            embedding_model=self.circumstances.embedding_model,
            filter=search_filter(self.scope_for(who, None, self.today())),
            candidates=(candidate(first, used=True),),
            writer=WriterRecord(
                name=EXTRACTION,
                model=asked.model,
                prompt_hash=asked.prompt_hash,
                template_hash=asked.template_hash,
                output=asked.output,
            ),
            tokens=TokenUsage(**asked.tokens),
            degraded=tuple(filter(None, (asked.degraded,))),
            reply="\n".join(map(line_of, fields)),
            claims=tuple(claim_record(each.places[0].claim) for each in supported),
            dropped=tuple(claim_record(one.claim) for each in others for one in each.places),
            answered=tuple(each.field.name for each in supported),
            missing=tuple(each.field.name for each in others),
            reasons=(EXTRACTION,),
            decision=_decision(len(supported), len(others)),
            versions=self.circumstances.versions,
        )


def _name(who: Person | None) -> str:
    return who.name if who else wording.A_GUEST


def _decision(supported: int, others: int) -> Decision:
    if not supported:
        return Decision.ABSTAIN
    return Decision.PARTIAL if others else Decision.ANSWER


def line_of(each: Extracted) -> str:
    """A field in one line: `due_date: 2026-04-13 (supported)`."""
    return wording.line(each.field.name, in_text(each.value), each.status.value, each.reason)


def in_text(value: object) -> str:
    """Empty for null; of a list its values, with a semicolon between them."""
    if isinstance(value, tuple):
        return "; ".join(map(in_text, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def accepted(extraction: Extraction, accept: Accept) -> Extraction:
    """Without values that somebody else does not accept, each with why."""
    refused = accept({each.field.name: each.value for each in extraction.fields})
    fields = tuple(
        replace(
            each,
            status=FieldStatus.DOUBTFUL,
            value=None,
            reason=f"{wording.REFUSED}: {refused[each.field.name]}.",
        )
        if each.value is not None and each.field.name in refused
        else each
        for each in extraction.fields
    )
    return replace(extraction, fields=fields)


def as_json(extraction: Extraction) -> dict[str, object]:
    """The form of `vouch extract --json`; pages count from 1, boxes are in points."""
    return {
        "audit_id": extraction.audit_id,
        "file": extraction.document.file,
        "title": extraction.document.title,
        "fields": {each.field.name: _field(each) for each in extraction.fields},
    }


def _field(each: Extracted) -> dict[str, object]:
    first = each.places[0] if each.places else None
    place = _place(first) if first else {"page": None, "box": None, "quote": None, "text": None}
    value = list(each.value) if isinstance(each.value, tuple) else each.value
    others = [_place(one) | {"value": one.value} for one in each.places[1:]]
    if each.value is None and first:  # of a contradiction no place is the first
        others = [place | {"value": first.value}, *others]
    return {
        "value": value,
        "status": each.status.value,
        "reason": each.reason or None,
        **place,
        "other_places": others,
    }


def _place(found: FieldValue) -> dict[str, object]:
    claim = claim_record(found.claim)
    cited, boxes = (claim.citations or (None,))[0], boxes_of(found)
    return {
        "page": cited.place.page if cited else None,
        "box": asdict(boxes[0]) if boxes else None,
        "boxes": [asdict(box) for box in boxes],
        "quote": quote_of(found) or None,
        "text": text_of(found) or None,
        "place": cited.place.in_words(cited.file) if cited else None,
        "claim": claim_as_json(claim),
    }


def boxes_of(found: FieldValue) -> tuple[Box, ...]:
    """Where a value stands on its pages: its line alone, where lines are told apart."""
    boxes = tuple(box for each in claim_record(found.claim).citations for box in each.boxes)
    if found.line_at and found.line_at[1] == len(boxes):
        return (boxes[found.line_at[0]],)
    return boxes


def quote_of(found: FieldValue) -> str:
    """The source as it stands, of which the line alone, likewise."""
    quote = "\n".join(each.quote for each in found.claim.citations)
    start, end = line_of_quote(found, quote)
    return quote[start:end]


def text_of(found: FieldValue) -> str:
    quote = "\n".join(each.quote for each in found.claim.citations)
    if line_of_quote(found, quote) != (0, len(quote)):
        return quote_of(found)
    return "\n".join(each.text for one in found.claim.citations for each in one.sentences)


def line_of_quote(found: FieldValue, quote: str) -> tuple[int, int]:
    """Where in it the line begins and ends that the value was read in; else all of it."""
    lines = [each for each in _LINE.finditer(quote) if each[0].strip()]
    if not found.line_at or found.line_at[1] != len(lines):
        return 0, len(quote)
    line = lines[found.line_at[0]]
    start = line.start() + len(line[0]) - len(line[0].lstrip())
    return start, start + len(line[0].strip())


_LINE = re.compile(r"[^\r\n]+")


COLUMNS = (
    *("file", "field", "value", "status", "reason", "page", "box", "place", "quote", "text"),
    "audit_id",
)


def as_csv(extractions: Sequence[Extraction]) -> str:
    """A row for each field; no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for extraction in extractions:
        for each in extraction.fields:
            said, box = _field(each), boxes_of(each.places[0])[:1] if each.places else ()
            row = (
                extraction.document.file,
                each.field.name,
                in_text(each.value),
                said["status"],
                each.reason,
                said["page"],
                "".join(f"{one.x0:.1f} {one.y0:.1f} {one.x1:.1f} {one.y1:.1f}" for one in box),
                said.get("place"),
                said["quote"],
                said["text"],
                extraction.audit_id,
            )
            writer.writerow([harmless(None if one is None else str(one)) for one in row])
    return out.getvalue()
