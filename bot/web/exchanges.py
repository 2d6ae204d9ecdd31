"""One exchange as an administrator sees it: what was said, by which places, how sure, what came."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from audit.record import AuditEvent, AuditRecord
from audit.values import Cited, ClaimRecord, is_attached
from bot.access.asked import in_words
from bot.answering.citations.links import CitationRef, path_of
from bot.answering.in_words import (
    asking_facts,
    certainty,
    deciding_facts,
    event_in_words,
    measured,
    place_and_version,
)
from bot.web.addresses import AUDIT
from bot.web.views import ExchangeView, Linked, SaidView
from bot.wording import auditing as wording
from bot.wording import broken_anchor, evidence
from bot.wording.erasing import ERASED


def link_to(audit_id: str) -> str:
    return f"{AUDIT}?{urlencode({'id': audit_id})}"


def asking(key: str, value: str) -> str:
    return f"{AUDIT}?{urlencode({'q': in_words({key: value})})}"


def exchange_view(
    record: AuditRecord, events: Sequence[AuditEvent], place_in_chain: str
) -> ExchangeView:
    return ExchangeView(
        record.question or ERASED,
        asking_facts(record) | deciding_facts(record) | measured(record),
        record.reply,
        certainty(record),
        [_said(record, number, each) for number, each in enumerate(record.claims, 1)],
        [_said(record, None, each) for each in record.dropped],
        [_nearest(record, number, each) for number, each in enumerate(record.nearest, 1)],
        [event_in_words(each) for each in events],
        list(_alike(record)),
        f"{place_in_chain}. Audit id: {record.audit_id}",
    )


def _said(record: AuditRecord, number: int | None, claim: ClaimRecord) -> SaidView:
    """`number`: None for one that was dropped, whose places have no page."""
    score = "" if claim.score is None else f"{evidence.SCORE} {claim.score:.2f}"
    notes = (*claim.objections, *map(broken_anchor, claim.broken_anchors))
    places = [
        _place(record, each, None if number is None else CitationRef(number, at))
        for at, each in enumerate(claim.citations, 1)
    ]
    return SaidView(claim.text, " · ".join(filter(None, (claim.status, score, *notes))), places)


def _nearest(record: AuditRecord, number: int, near: Cited) -> Linked:
    return _place(record, near, CitationRef(None, number))


def _place(record: AuditRecord, cited: Cited, ref: CitationRef | None) -> Linked:
    has_page = ref is not None and not is_attached(cited.document_id)
    link = path_of(record.audit_id, str(ref)) if has_page else ""
    return Linked(place_and_version(cited), link)


def _alike(record: AuditRecord) -> Iterator[Linked]:
    """What else can be asked for, by what this one has."""
    for key, value in (
        ("person", record.person.id),
        ("channel", record.channel.id),
        ("writer", record.writer.name),
        ("settings", record.versions.settings.hash),
    ):
        if value:
            yield Linked(wording.likewise(key), asking(key, value))
