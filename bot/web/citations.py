"""A citation of a record, opened for one reader: what they may see of it today, or nothing.

Who may read is asked anew at every opening, of the same rules by which a click in Slack is judged
(`RecordVisibility`, `Seen`). The link names a citation and never a person, so whoever comes by it
sees what they may read themselves: nothing follows from a channel that it was posted in.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath
from typing import Protocol

from audit.errors import AmbiguousId, UnknownRecord
from audit.log import StoredEntry
from audit.record import AuditRecord, CitationRecord, ClaimKind, NearestRecord
from bot import wording
from bot.access import Person
from bot.citation_ref import CitationRef
from bot.links import at_page, host_of, is_web_address
from bot.record_visibility import RecordVisibility
from bot.seen import Seen
from bot.web.cited_span import Span, cited_span
from bot.web.document_text import page_text, part
from bot.web.exchanges import Exchanges
from bot.web.views import (
    NOT_SHOWN,
    Body,
    CitationView,
    ClaimView,
    NotShown,
    Picture,
    Standing,
    VersionView,
)
from retrieval.documents.holdings import KeptVersion, Parsed
from retrieval.documents.port import LibraryReader
from retrieval.errors import NoPicture
from retrieval.filters import permits
from retrieval.types import Box, Location, Scope

DIGEST_DIGITS = 8
PAGED = ".pdf"
"""The format whose pages are shown as they look."""
Cited = CitationRecord | NearestRecord
log = logging.getLogger(__name__)


class Records(Protocol):
    """An audit reader, as far as it is needed here."""

    def record(self, audit_id: str) -> StoredEntry:
        """One record, by its id or how it begins; raise `UnknownRecord` or `AmbiguousId`."""
        ...


Draw = Callable[[bytes, int, Sequence[Box]], bytes]
"""Makes a picture (PNG) of a page of a PDF, from 1, with boxes marked; may raise `NoPicture`."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A citation that its reader may see."""

    record: AuditRecord
    seen: Seen
    ref: CitationRef
    cited: Cited
    versions: tuple[KeptVersion, ...]
    version: KeptVersion


@dataclass(frozen=True, slots=True)
class Citations:
    """What the pages show; safe to share between threads.

    Its methods raise what the audit store and the library raise where they cannot be read.
    """

    records: Records
    library: LibraryReader
    visibility: RecordVisibility
    scope_for: Callable[[Person | None, str | None, date], Scope]
    today: Callable[[], date]
    draw: Draw | None = None
    """None where no pages are drawn: their text is shown alone."""

    def find(
        self, audit_id: str, ref: str, reader: Person | None, at: str = ""
    ) -> CitationView | NotShown:
        """Return a citation as somebody may see it today.

        `reader` is looked up by whoever calls, now and not at sign-in; None is a guest. `at` is the
        page, or else the sentence, from which to go on reading; anything but a number is ignored.
        """
        opened = self._open(audit_id, ref, reader)
        if opened is None:
            return NOT_SHOWN
        cited, version = opened.cited, opened.version
        body = self._body(opened, int(at) if _is_number(at) else None)
        link = at_page(cited.link, cited.place.page) if is_web_address(cited.link) else ""
        return CitationView(
            audit_id=opened.record.audit_id,
            ref=str(opened.ref),
            title=cited.title if cited.title.strip() else cited.file,
            file=cited.file,
            kind=wording.document_kind(cited.subtype, cited.level),
            link=link,
            host=host_of(link),
            place=_place(cited),
            section_path=tuple(name for name in cited.place.section_path if name.strip()),
            quote=cited.quote,
            standing=self._standing(opened),
            answered_at=opened.record.time,
            claim=self._claim(opened, reader),
            nearest=opened.ref.claim is None,
            body=body,
            picture=self._picture(opened, body),
            versions=self._versions(opened, reader, version),
        )

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None
    ) -> bytes | NotShown:
        """Return a page of the cited version as a picture, the cited places marked."""
        opened = self._open(audit_id, ref, reader)
        if opened is None or self.draw is None or not _is_number(page) or not _is_paged(opened):
            return NOT_SHOWN
        content = self.library.original(opened.cited.document_id, opened.cited.version)
        if content is None:
            return NOT_SHOWN
        boxes = [Box(**box.model_dump()) for box in opened.cited.boxes]
        try:
            return self.draw(content, int(page), boxes)
        except NoPicture as error:
            log.info("A page of %s was not drawn: %s", opened.version.file, error)
            return NOT_SHOWN

    def _open(self, audit_id: str, ref: str, reader: Person | None) -> _Opened | None:
        """Return None where this reader is to learn nothing, for whatever reason."""
        named, record = CitationRef.parse(ref), self._record(audit_id)
        cited = named.cited_by(record) if named and record else None
        if named is None or record is None or cited is None:
            return None
        seen = Seen(record, self.visibility.withheld(record, reader, None))
        if cited.document_id in seen.withheld:
            return None
        versions = tuple(self.library.history(cited.document_id))
        version = next((each for each in versions if each.version == cited.version), None)
        if version is None or version.erased_at is not None:
            return None
        return _Opened(record, seen, named, cited, versions, version)

    def _record(self, audit_id: str) -> AuditRecord | None:
        """Return the record with this id: a beginning of one opens nothing."""
        try:
            entry = self.records.record(audit_id).entry
        except (UnknownRecord, AmbiguousId):
            return None
        is_it = isinstance(entry, AuditRecord) and entry.audit_id == audit_id
        return entry if isinstance(entry, AuditRecord) and is_it else None

    def _claim(self, opened: _Opened, reader: Person | None) -> ClaimView | None:
        """Return the claim where its words are this reader's to read, as in Slack's evidence."""
        claim = opened.ref.claim_of(opened.record)
        exchanges = Exchanges(self.scope_for, self.today)
        if claim is None or not opened.seen.may_show(claim):
            return None
        if not exchanges.may_read(opened.record, reader):
            return None
        return ClaimView(
            text=claim.text,
            status=claim.status,
            copied=claim.copied,
            score=claim.score,
            concluded=claim.kind is ClaimKind.INFERENCE,
            objections=claim.objections if opened.seen.all_readable else (),
            citations=len(claim.citations),
        )

    def _standing(self, opened: _Opened) -> Standing:
        if not self.library.access_of([opened.cited.document_id]):
            return Standing.LEFT
        same = opened.versions[-1].sha256 == opened.version.sha256
        return Standing.AS_CITED if same else Standing.CHANGED

    def _body(self, opened: _Opened, at: int | None) -> Body | None:
        cited = opened.cited
        parsed = self.library.parsed(cited.document_id, cited.version)
        span = self._span(opened, parsed) if parsed else None
        if parsed is None or span is None:
            return None
        return page_text(parsed, span, at) if _is_paged(opened) else part(parsed, span, at)

    def _span(self, opened: _Opened, parsed: Parsed) -> Span | None:
        cited = opened.cited
        key = (cited.document_id, cited.version, cited.passage_id)
        passage = self.library.passages_at([key]).get(cited.passage_id)
        return cited_span(cited.quote, cited.place, passage, parsed) if passage else None

    def _picture(self, opened: _Opened, body: Body | None) -> Picture | None:
        if self.draw is None or not _is_paged(opened):
            return None
        if self.library.original(opened.cited.document_id, opened.cited.version) is None:
            return None
        page = body.page if body else opened.cited.place.page
        return Picture(page or 1)

    def _versions(
        self, opened: _Opened, reader: Person | None, cited: KeptVersion
    ) -> tuple[VersionView, ...]:
        """Return those that this reader may know of, newest first; at least the cited one."""
        scope = self.scope_for(reader, None, self.today())
        ever = Scope(scope.facets, scope.on, expired=True)
        return tuple(
            VersionView(
                digest=each.sha256[:DIGEST_DIGITS],
                since=each.ingested_at,
                until=each.removed_at,
                cited=each.version == cited.version,
                same_file=each.sha256 == cited.sha256,
            )
            for each in reversed(opened.versions)
            if each.version == cited.version
            or (each.erased_at is None and each.rule is not None and permits(each.rule, ever))
        )


def _is_paged(opened: _Opened) -> bool:
    return PurePath(opened.version.file).suffix.lower() == PAGED


def _place(cited: Cited) -> str:
    place = Location(**cited.place.model_dump(exclude={"section_path"}))
    return place.in_words()


def _is_number(text: str) -> bool:
    """Tell whether it is a number as links of ours have it."""
    return text.isascii() and text.isdecimal() and len(text) < 10
