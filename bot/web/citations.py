"""A citation of a record, as one reader may see it today: the place, the claim, what changed."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from audit.record import CitationRecord, ClaimKind
from bot import wording
from bot.access import Person
from bot.citation_ref import CitationRef
from bot.links import at_page, host_of, is_web_address
from bot.record_visibility import RecordVisibility
from bot.web.cited_span import CitedSpan, cited_span
from bot.web.comparison import compared
from bot.web.document_text import page_text, part
from bot.web.exchanges import Exchanges
from bot.web.opening import Cited, Opened, Opening, Records
from bot.web.views import (
    NOT_SHOWN,
    CitationView,
    ClaimView,
    Comparison,
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
log = logging.getLogger(__name__)


Draw = Callable[[bytes, int, Sequence[Box]], bytes]
"""Makes a picture (PNG) of a page of a PDF, from 1, with boxes marked; may raise `NoPicture`."""


@dataclass(frozen=True, slots=True)
class _Text:
    """What a parser made of the cited version, which says there what the record quotes."""

    parsed: Parsed
    span: CitedSpan


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
        opened = self._opened(audit_id, ref, reader)
        if opened is None:
            return NOT_SHOWN
        cited, version = opened.cited, opened.version
        text, place = self._text(opened), int(at) if _is_number(at) else None
        make = page_text if _is_paged(opened) else part
        body = make(text.parsed, text.span, place) if text else None
        standing = self._standing(opened)
        place_of = cited.place.page, cited.place.page_label
        link = at_page(cited.link, *place_of) if is_web_address(cited.link) else ""
        versions = self._versions(opened, reader, version)
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
            standing=standing,
            answered_at=opened.record.time,
            claim=self._claim(opened, reader),
            nearest=opened.ref.claim is None,
            body=body,
            picture=self._picture(opened, body.page if body else None),
            comparison=self._comparison(opened, text, reader)
            if standing is Standing.CHANGED
            else None,
            version=next(each for each in versions if each.cited),
            versions=versions,
        )

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None
    ) -> bytes | NotShown:
        """Return a page of the cited version as a picture, the cited places marked."""
        opened = self._opened(audit_id, ref, reader)
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

    def _opened(self, audit_id: str, ref: str, reader: Person | None) -> Opened | None:
        return Opening(self.records, self.library, self.visibility)(audit_id, ref, reader)

    def _claim(self, opened: Opened, reader: Person | None) -> ClaimView | None:
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
            places=tuple(
                str(CitationRef(opened.ref.claim, number + 1))
                for number in range(len(claim.citations))
            ),
        )

    def _standing(self, opened: Opened) -> Standing:
        if not self.library.access_of([opened.cited.document_id]):
            return Standing.LEFT
        same = opened.versions[-1].sha256 == opened.version.sha256
        return Standing.AS_CITED if same else Standing.CHANGED

    def _text(self, opened: Opened) -> _Text | None:
        """Return the version's text, and where the quote stands in it; None where it does not."""
        cited = opened.cited
        parsed = self.library.parsed(cited.document_id, cited.version)
        key = (cited.document_id, cited.version, cited.passage_id)
        passage = self.library.passages_at([key]).get(cited.passage_id)
        if parsed is None or passage is None:
            return None
        cells = cited.cells if isinstance(cited, CitationRecord) else ()
        span = cited_span(cited.quote, cited.place, passage, parsed, cells)
        return _Text(parsed, span) if span else None

    def _comparison(
        self, opened: Opened, text: _Text | None, reader: Person | None
    ) -> Comparison | None:
        """Compare with what stands today, which this reader may read by its own rule."""
        latest, scope = opened.versions[-1], self.scope_for(reader, None, self.today())
        if text is None or latest.rule is None or not permits(latest.rule, scope):
            return None
        now = self.library.parsed(latest.document_id, latest.version)
        return compared(text.parsed, now, text.span) if now else None

    def _picture(self, opened: Opened, page: int | None) -> Picture | None:
        if self.draw is None or not _is_paged(opened):
            return None
        if self.library.original(opened.cited.document_id, opened.cited.version) is None:
            return None
        return Picture(page or opened.cited.place.page or 1)

    def _versions(
        self, opened: Opened, reader: Person | None, cited: KeptVersion
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


def _is_paged(opened: Opened) -> bool:
    return PurePath(opened.version.file).suffix.lower() == PAGED


def _place(cited: Cited) -> str:
    place = Location(**cited.place.model_dump(exclude={"section_path"}))
    return place.in_words()


def _is_number(text: str) -> bool:
    """Tell whether it is a number as links of ours have it."""
    return text.isascii() and text.isdecimal() and len(text) < 10
