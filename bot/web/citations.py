"""A citation of a record, as one reader may see it today: the place, the claim, what changed."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath

from audit.log import AuditReader
from audit.values import CitationRecord, Cited, ClaimKind
from bot import wording
from bot.access.people import Person
from bot.access.reading import RecordAccess, RecordView
from bot.answering.citations.layout import place_in_words
from bot.answering.citations.links import HOLDS, REPLY, CitationRef, own_link, refs_in
from bot.web.comparison import compared, corresponding
from bot.web.document_text import NOWHERE, CitedSpan, cited_span, page_text, part
from bot.web.opening import Exchanges, OpenedCitation, Opening, OtherVersions, freshness_of
from bot.web.views import (
    CitationView,
    ClaimView,
    DocumentView,
    Freshness,
    OtherVersion,
    VersionComparison,
)
from bot.wording.links import document_link, host_of
from bot.wording.untrusted_text import shortened
from retrieval.documents.holdings import Parsed, StoredVersion
from retrieval.documents.port import LibraryReader
from retrieval.errors import NoPicture
from retrieval.metadata.access import permits
from retrieval.types import Box, Scope

LONGEST_QUOTE = 5_000
"""Characters, where the quote alone is left to be shown; no sentence has so many."""
PAGED = ".pdf"
"""The format whose pages are shown as they look."""
_OF_ALL = frozenset({"audit_id", "kind", "time"})
log = logging.getLogger(__name__)


Draw = Callable[[bytes, int, Sequence[Box]], bytes]
"""Makes a picture (PNG) of a page of a PDF, from 1, with boxes marked; may raise `NoPicture`."""


@dataclass(frozen=True, slots=True)
class _Text:
    parsed: Parsed
    span: CitedSpan
    """Where it says what the record quotes."""
    around: CitedSpan | None = None
    """Where else in another version the place of the citation is."""


@dataclass(frozen=True, slots=True)
class Citations:
    """Safe to share between threads; raises what the audit store and the library raise."""

    records: AuditReader
    library: LibraryReader
    visibility: RecordAccess
    scope_for: Callable[[Person | None, str | None, date], Scope]
    is_listed: Callable[[str], bool]
    today: Callable[[], date]
    draw: Draw | None = None
    """None where no pages are drawn: their text is shown alone."""

    def find(
        self, audit_id: str, ref: str, reader: Person | None, at: str = "", version: str = ""
    ) -> CitationView | None:
        """A citation as somebody may see it today; None where there is nothing to show.

        Nobody learns why. `reader` is looked up now, not at sign-in; None is a guest. `at` is the
        page, or else the sentence, from which to go on. `version`: the SHA-256 of another version's
        bytes.
        """
        opened = self._opening(audit_id, ref, reader)
        shown = self._others.named(opened, reader, version) if opened else None
        if opened is None or shown is None:
            return None
        cited, is_other = opened.cited, shown != opened.version
        cited_text, place = self._text(opened), int(at) if _is_number(at) else None
        text = self._other_text(shown, cited_text) if is_other else cited_text
        if is_other and text is None:
            return None
        make = page_text if _is_paged(shown.file) else part
        body = make(text.parsed, text.span, place, text.around) if text else None
        freshness = freshness_of(opened, self.library)
        link = own_link(cited)
        versions = self._others.listed(opened, reader, shown)
        has_changed = freshness is Freshness.CHANGED and not is_other
        listed = next((each for each in versions if each.shown), None)  # or not any more
        other: OtherVersion | None = None
        if is_other and text and listed:
            says_the_same = text.span != NOWHERE if cited_text else None
            other = OtherVersion(listed, says_the_same)
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
            quote=shortened(cited.quote, LONGEST_QUOTE),
            freshness=freshness,
            answered_at=opened.record.time,
            claim=None if is_other else self._claim(opened, reader),
            nearest=opened.ref.is_nearest,
            other_side=str(opened.ref.other_side or ""),
            body=body,
            picture=self._picture(opened, shown, body.page if body else None),
            comparison=self._comparison(opened, cited_text, reader) if has_changed else None,
            version=next(each for each in versions if each.cited),
            versions=versions,
            other=other,
        )

    def document(
        self, document_id: str, reader: Person | None, at: str = ""
    ) -> DocumentView | None:
        """What stands today, to whoever may read it today: text and rule are of one version."""
        begins = self.library.first_passages([document_id]).get(document_id)
        scope = self.scope_for(reader, None, self.today())
        if begins is None or not permits(begins.document.metadata.access, scope):
            return None
        document = begins.document
        parsed = self.library.parsed(document_id, document.version)
        link = document_link(document.metadata.link, None)
        make = page_text if _is_paged(document.file) else part
        return DocumentView(
            document.title or document.file,
            document.file,
            link,
            host_of(link),
            make(parsed, NOWHERE, int(at) if _is_number(at) else None) if parsed else None,
        )

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None, version: str = ""
    ) -> bytes | None:
        """A page with the cited places marked; of another `version` nothing is."""
        opened = self._opening(audit_id, ref, reader)
        shown = self._others.named(opened, reader, version) if opened else None
        if opened is None or shown is None or self.draw is None:
            return None
        if not _is_number(page) or not _is_paged(shown.file):
            return None
        content = self.library.original(shown.document_id, shown.version)
        if content is None:
            return None
        boxes = opened.cited.boxes if shown == opened.version else ()
        try:
            return self.draw(content, int(page), boxes)
        except NoPicture as error:
            log.info("A page of %s was not drawn: %s", shown.file, error)
            return None

    def opened_names(self, audit_id: str, ref: str, reader: Person | None) -> frozenset[str] | None:
        """What a receipt opens; that of `REPLY` is for whoever the reply is for."""
        if ref == REPLY:
            return self._opened_of_reply(audit_id, reader)
        opened = self._opening(audit_id, ref, reader)
        if opened is None:
            return None
        is_audience = self._exchanges.may_read(opened.record, reader)
        shown = _OF_ALL | {_name_of(opened.ref)}
        return shown | _names_opened(opened.view, reader) if is_audience else shown

    def _opened_of_reply(self, audit_id: str, reader: Person | None) -> frozenset[str] | None:
        record = self._opening.record(audit_id)
        if record is None or record.erased or not self._exchanges.may_read(record, reader):
            return None
        view = RecordView(record, self.visibility.withheld(record, reader, None))
        return _OF_ALL | _names_opened(view, reader)

    @property
    def _opening(self) -> Opening:
        return Opening(self.records, self.library, self.visibility)

    @property
    def _others(self) -> OtherVersions:
        return OtherVersions(self.scope_for, self.today)

    @property
    def _exchanges(self) -> Exchanges:
        return Exchanges(self.scope_for, self.is_listed, self.today)

    def _claim(self, opened: OpenedCitation, reader: Person | None) -> ClaimView | None:
        """Return the claim where its words are this reader's to read, as in Slack's evidence."""
        claim = opened.ref.claim_of(opened.record)
        if claim is None or not opened.view.may_show(claim):
            return None
        if not self._exchanges.may_read(opened.record, reader):
            return None
        return ClaimView(
            text=claim.text,
            status=claim.status,
            copied=claim.copied,
            listed=claim.kind is ClaimKind.LISTED,
            score=claim.score,
            concluded=claim.kind is ClaimKind.INFERENCE,
            objections=claim.objections if opened.view.all_readable else (),
            places=tuple(
                str(CitationRef(opened.ref.claim, number + 1))
                for number in range(len(claim.citations))
            ),
        )

    def _text(self, opened: OpenedCitation) -> _Text | None:
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

    def _other_text(self, shown: StoredVersion, cited: _Text | None) -> _Text | None:
        """Return another version's text at the place of the citation; None where it is not kept."""
        now = self.library.parsed(shown.document_id, shown.version)
        if now is None or cited is None:
            return _Text(now, NOWHERE) if now else None
        place = corresponding(cited.parsed, now, cited.span)
        return _Text(now, place.same, place.around)

    def _comparison(
        self, opened: OpenedCitation, text: _Text | None, reader: Person | None
    ) -> VersionComparison | None:
        latest, scope = opened.versions[-1], self.scope_for(reader, None, self.today())
        if text is None or latest.rule is None or not permits(latest.rule, scope):
            return None
        now = self.library.parsed(latest.document_id, latest.version)
        return compared(text.parsed, now, text.span) if now else None

    def _picture(
        self, opened: OpenedCitation, shown: StoredVersion, page: int | None
    ) -> int | None:
        if self.draw is None or not _is_paged(shown.file):
            return None
        if self.library.original(shown.document_id, shown.version) is None:
            return None
        return page or opened.cited.place.page or 1


def _is_paged(file: str) -> bool:
    return PurePath(file).suffix.lower() == PAGED


def _place(cited: Cited) -> str:
    cells = cited.references if isinstance(cited, CitationRecord) else ()
    return place_in_words(replace(cited.place, section_path=()), cells=cells)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _names_opened(view: RecordView, reader: Person | None) -> frozenset[str]:
    """Names of `audit.proof.hashes.values` that are opened to the audience of the reply.

    Claims and citations, each where all that it rests on may be read by this reader today. Who
    asked, and administrators, see the question too, and the reply where nothing is withheld.
    """
    record = view.record
    is_theirs = reader is not None and (reader.admin or reader.id == record.person.id)
    told = {"question"} | (set() if view.withheld else {"reply"}) if is_theirs else set()
    claims = {
        f"claims/{number}"
        for number, claim in enumerate(record.claims, start=1)
        if view.may_show(claim)
    }
    cited = {_name_of(each) for each in refs_in(record) if each.opened_in(view)}
    judged = {
        f"{_name_of(each)}/judged"
        for each in refs_in(record)
        if _name_of(each) in cited and f"claims/{each.claim}" in claims
    }
    return frozenset({"decision"} | told | claims | cited | judged)


def _name_of(ref: CitationRef) -> str:
    if ref.disagreement is not None:
        side = "holds" if ref.number == HOLDS else "against"
        return f"contradictions/{ref.disagreement}/{side}"
    if ref.claim is None:
        return f"nearest/{ref.number}"
    return f"claims/{ref.claim}/citations/{ref.number}"
