"""Pages of what was answered and why, one by one and all, for administrators: they read alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import partial
from urllib.parse import urlencode

from starlette.responses import Response

from audit.errors import AmbiguousId, UnknownRecord
from audit.finding.overview import Overview, TimeSpan
from audit.finding.queries import RecordQuery, Summary
from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, Decision
from audit.values import Cited, ClaimRecord, is_attached
from bot.access.asked import Asked, Finders, in_words, parse
from bot.access.names import AuditNames
from bot.access.reading import is_of_team
from bot.answering.citations.links import CitationRef, path_of
from bot.answering.in_words import (
    asking_facts,
    certainty,
    deciding_facts,
    event_in_words,
    measured,
    place_and_version,
)
from bot.errors import UnknownDocument, UnknownPerson, WrongUse
from bot.web.addresses import AUDIT
from bot.web.pages import sent, template
from bot.wording import auditing as wording
from bot.wording import broken_anchor, evidence
from bot.wording.erasing import ERASED
from bot.wording.evidence import place_in_chain


@dataclass(frozen=True, slots=True)
class Counted:
    name: str
    count: int = 0
    part: float = 0
    """Of `whole`, as long as its bar is."""
    whole: float = 1
    link: str = ""


@dataclass(frozen=True, slots=True)
class Stack:
    """A part of a column, from above; a chart is 60 high."""

    kind: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class ChartColumn:
    name: str
    x: int
    pieces: Sequence[Stack]
    counts: Sequence[int]
    """Answered, in part, refused."""
    link: str


@dataclass(frozen=True, slots=True)
class Linked:
    name: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class ListedView:
    question: Linked
    when: str
    who: Linked
    where: Linked


@dataclass(frozen=True, slots=True)
class AuditView:
    typed: str
    shortcuts: Sequence[Counted]
    understood: str = ""
    problem: str = ""
    """Why nothing was understood; then there is nothing else."""
    overview: Overview | None = None
    chart: Sequence[ChartColumn] = ()
    reasons: Sequence[Counted] = ()
    confidence: Sequence[Counted] = ()
    most: Sequence[Counted] = ()
    least: Sequence[Counted] = ()
    records: Sequence[ListedView] = ()
    refused: Sequence[ListedView] = ()
    older: str = ""


@dataclass(frozen=True, slots=True)
class SaidView:
    text: str
    standing: str
    places: Sequence[Linked]


@dataclass(frozen=True, slots=True)
class ExchangeView:
    """One exchange; what is empty is not shown."""

    question: str
    facts: Mapping[str, str]
    reply: str
    sure: str
    claims: Sequence[SaidView]
    dropped: Sequence[SaidView]
    nearest: Sequence[Linked]
    later: Sequence[str]
    alike: Sequence[Linked]
    chain: str


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
    for key, value in (
        ("person", record.person.id),
        ("channel", record.channel.id),
        ("writer", record.writer.name),
        ("settings", record.versions.settings.hash),
    ):
        if value:
            yield Linked(wording.likewise(key), asking(key, value))


SHOWN = 20
UNANSWERED = 8
LONGEST = 500
_HIGH = 60
_DECISIONS = (Decision.ANSWER, Decision.PARTIAL, Decision.ABSTAIN)


@dataclass(frozen=True, slots=True)
class AuditRecordPages:
    reader: AuditReader
    names: AuditNames
    today: Callable[[], date]
    """In UTC, as the times of records are."""

    def page(self, asked: Mapping[str, str], token: str, team: str) -> Response | None:
        """The page, or that of an exchange that the address names; None where there is none."""
        if audit_id := asked.get("id", ""):
            exchange = self._exchange(audit_id[:LONGEST], team)
            return self._shown("exchange.html", exchange, token) if exchange else None
        typed = asked.get("q", "")[:LONGEST]
        view = AuditView(typed, [Counted(name, link=_link(q)) for name, q in wording.SHORTCUTS])
        try:
            found = parse(typed, self._finders(team), self.today(), SHOWN)
            query = replace(found.query, team=team, before=_number(asked.get("before", "")))
        except (WrongUse, UnknownDocument, UnknownPerson) as problem:
            view = replace(view, problem=str(problem))
        else:
            view = self._found(view, found, query)
        return self._shown("audit.html", view, token)

    def _shown(self, name: str, view: AuditView | ExchangeView, token: str) -> Response:
        page = template(name).render(
            view=view, token=token, said=wording, shown=evidence, address=AUDIT
        )
        return sent(page)

    def _exchange(self, audit_id: str, team: str) -> ExchangeView | None:
        try:
            stored = self.reader.record(audit_id)
        except (UnknownRecord, AmbiguousId):
            return None
        record = stored.record
        if not is_of_team(record, team):
            return None
        chain = place_in_chain(stored.sequence, stored.hash)
        return exchange_view(record, self.reader.happened_to(record.audit_id), chain)

    def _finders(self, team: str) -> Finders:
        return Finders(
            partial(self.names.person, team=team),
            partial(self.names.document, team=team),
            partial(self.names.channel, team=team),
        )

    def _found(self, view: AuditView, asked: Asked, query: RecordQuery) -> AuditView:
        files = self.names.files(query.team or "")
        seen = self.reader.overview(query, self.today(), UNANSWERED, files)
        older = seen.page.next
        return replace(
            view,
            understood=asked.words,
            overview=seen,
            chart=_chart(seen.spans, asked),
            reasons=_counted(seen.reasons, asked, "reason"),
            confidence=_confidence(seen, asked),
            most=_counted(seen.most, asked, "document"),
            least=_counted(seen.least, asked, "document"),
            records=[_listed(each, asked) for each in seen.page.records],
            refused=[_listed(each, asked) for each in seen.refused],
            older=_link(view.typed, before=str(older)) if older else "",
        )


def _number(said: str) -> int | None:
    is_one = said.isascii() and said.isdecimal() and len(said) < len(str(1 << 62))
    return (int(said) or None) if is_one else None


def _link(words: str, **more: str) -> str:
    return f"{AUDIT}?{urlencode({'q': words, **more})}"


def _narrowed(asked: Asked, key: str, value: str) -> str:
    return _link(in_words({**dict(asked.pairs), key: value}))


def _listed(record: Summary, asked: Asked) -> ListedView:
    who = record.person_name or record.person_id
    channel = f"#{record.channel_name}" if record.channel_name else ""
    return ListedView(
        Linked(record.question or ERASED, link_to(record.audit_id)),
        wording.when(record.time, record.decision),
        Linked(who, _narrowed(asked, "person", record.person_id)),
        Linked(channel, _narrowed(asked, "channel", record.channel_id)),
    )


def _counted(lines: Sequence[tuple[str, int]], asked: Asked, key: str) -> list[Counted]:
    most = max((count for _, count in lines), default=0)
    return [
        Counted(name, count, count, max(most, 1), _narrowed(asked, key, name))
        for name, count in lines
    ]


def _confidence(view: Overview, asked: Asked) -> list[Counted]:
    """From the surest down."""
    most = max(view.confidence, default=0)
    return [
        Counted(band, count, count, max(most, 1), _narrowed(asked, "confidence", band))
        for tenth, count in reversed(list(enumerate(view.confidence)))
        if most and (band := f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}")
    ]


def _chart(spans: Sequence[TimeSpan], asked: Asked) -> list[ChartColumn]:
    most = max((span.asked for span in spans), default=0)
    return [_column(span, number, max(most, 1), asked) for number, span in enumerate(spans)]


def _column(span: TimeSpan, number: int, most: int, asked: Asked) -> ChartColumn:
    pieces, top = [], float(_HIGH)
    for decision in _DECISIONS:
        height = round(_HIGH * span.by_decision[decision] / most, 2)
        top = round(top - height, 2)
        pieces.append(Stack(decision.lower(), top, height))
    first, last = _within(span.name, asked.query)
    others = {key: said for key, said in asked.pairs if key not in ("last", "since", "until")}
    link = _link(in_words({**others, "since": first, "until": last}))
    return ChartColumn(
        span.name, 10 * number + 1, pieces, [span.by_decision[each] for each in _DECISIONS], link
    )


def _within(span: str, query: RecordQuery) -> tuple[str, str]:
    first, last = _days_of(span)
    if query.since:
        first = max(first, _typed(query.since))
    if query.until:
        # A day alone is meant to its end.
        whole = query.until - timedelta(days=1) if _is_midnight(query.until) else query.until
        last = _typed(whole) if _typed(whole)[: len(last)] <= last else last
    return first, last


def _typed(moment: datetime) -> str:
    return moment.date().isoformat() if _is_midnight(moment) else moment.isoformat()


def _is_midnight(moment: datetime) -> bool:
    return moment.time() == time()


def _days_of(span: str) -> tuple[str, str]:
    if len(span) > len("2026-01"):
        return span, span
    month = date.fromisoformat(f"{span}-01")
    following = month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)
    return month.isoformat(), date.fromordinal(following.toordinal() - 1).isoformat()
