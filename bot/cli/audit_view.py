"""Audit records become pages, and a list that a narrow terminal shows; `--json` has all."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.record import AuditEvent, AuditRecord, Candidate, NearestRecord
from audit.values import CitationRecord, ClaimRecord, ContradictionRecord
from bot import wording
from bot.access.reading import RecordView, is_private
from bot.answering.citations.layout import place_in_words
from bot.answering.citations.links import opening_here, opens_at
from bot.answering.in_words import (
    asking_facts,
    certainty,
    deciding_facts,
    event_in_words,
    measured,
    place_and_version,
    preferences,
    shown_as,
    standing_at,
)
from bot.wording import erasing, evidence
from bot.wording.evidence import feedback_in_words, feedback_nothing

if TYPE_CHECKING:
    from audit.feedback import GivenFeedback
    from audit.finding.queries import Summary

MOST_CANDIDATES = 10


def render(
    record: AuditRecord, events: Sequence[AuditEvent], place_in_chain: str, pages: str = ""
) -> RenderableType:
    """What was asked and answered, from which places, how sure; `pages` is where citations open."""
    shown = opening_here(record, pages)
    lines: list[RenderableType] = [
        Text(wording.BADGES[shown_as(record)], style="bold"),
        _facts(asking_facts(record) | deciding_facts(record) | _still_cited(record)),
        *_titled(evidence.REPLY, [Text(record.reply)] if record.reply else []),
        *_titled(evidence.CLAIMS, map(_claim, shown.claims)),
        *_titled(
            evidence.WHY_SO, map(Text, filter(None, [certainty(record), *_preferred(record)]))
        ),
        *_titled(evidence.DROPPED, map(_claim, record.dropped)),
        *_titled("Contradictions", map(_contradiction, shown.contradictions)),
        *_titled(evidence.NUMBERS, [_facts(facts)] if (facts := measured(record)) else []),
        *_titled("Best candidates", _candidates(record.candidates)),
        *_titled(evidence.LATER, map(Text, map(event_in_words, events))),
        Text(f"\n{place_in_chain}\nAudit id: {record.audit_id}"),
    ]
    return Group(*lines)


def _preferred(record: AuditRecord) -> list[str]:
    view = RecordView(record, frozenset())
    return preferences(view, alone=is_private(record.channel.id))


def _still_cited(record: AuditRecord) -> dict[str, str]:
    """Which places of which version an erased record still says that it cited."""
    cited = [
        NearestRecord.model_validate(each, extra="ignore")
        for each in (record.erased.cited.values() if record.erased else ())
        if "file" in each  # the others say how it was judged
    ]
    return {"Cited": "; ".join(dict.fromkeys(map(place_and_version, cited)))}


def _titled(title: str, lines: Iterable[RenderableType]) -> list[RenderableType]:
    shown = list(lines)
    return [Text(f"\n{title}", style="bold"), *shown] if shown else []


def _facts(facts: Mapping[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in facts.items():
        if value:
            table.add_row(Text(name, style="dim"), Text(value))
    return table


def _claim(claim: ClaimRecord) -> Text:
    text = Text(f"{claim.status}  {claim.text}")
    for objection in claim.objections:
        text.append(f"\n    {objection}", style="yellow")
    for anchor in claim.broken_anchors:
        text.append(f"\n    {wording.broken_anchor(anchor)}", style="yellow")
    for citation in claim.citations:
        place = place_in_words(citation.place, citation.file, citation.references)
        which = f"version {citation.version}, passage {citation.passage_id}"
        kind = wording.document_kind(citation.subtype, citation.level)
        _append_cited(
            text,
            citation,
            " · ".join(filter(None, (f"{place}, {which}", standing_at(citation), kind))),
        )
    return text


def _contradiction(found: ContradictionRecord) -> Text:
    text = Text(f"{'; '.join(found.differs)}  (prevails: {found.prevails})")
    for side in (found.holds, found.against):
        standing = ", ".join(str(each) for each in (side.level, side.effective) if each)
        place = place_in_words(side.citation.place, side.citation.file)
        _append_cited(text, side.citation, f"{place}  {standing}")
    return text


def _append_cited(text: Text, citation: CitationRecord, where: str) -> None:
    text.append(f"\n    {where}", style="cyan")
    text.append(f"\n    “{' '.join(citation.quote.split())}”", style="dim")
    if url := opens_at(citation):
        text.append(f"\n    {url}", style=f"dim link {url}")


def _candidates(candidates: Sequence[Candidate]) -> list[RenderableType]:
    table = Table("", "passage", "relevance", "level", "recency", "overridden")
    for candidate in candidates[:MOST_CANDIDATES]:
        scores = candidate.scores
        looked_up = " looked up" if "read_relevance" in (scores.model_extra or {}) else ""
        table.add_row(
            "used" if candidate.used else "",
            Text(candidate.place.in_words(candidate.file)),
            "" if scores.relevance is None else f"{scores.relevance:.2f}{looked_up}",
            f"{scores.hierarchy:.0f}",
            f"{scores.recency:.1f}",
            "yes" if candidate.overridden_by else "",
        )
    return [table] if candidates else []


ID_BEGINNING = len("01a1fd9c-5fc9-7ee5")
"""The time in milliseconds and 12 random bits: enough for `vouch audit show`."""
INDENT = 2


def listing(records: "Sequence[Summary]") -> RenderableType:
    lines = [part for record in records for part in (_record_head(record), _question(record))]
    return Group(*lines) if lines else Text(wording.NO_RECORDS)


def feedback_listing(given: "Sequence[GivenFeedback]") -> RenderableType:
    lines = [part for each in given for part in _feedback(each)]
    return Group(*lines) if lines else Text(feedback_nothing(""))


def _feedback(given: "GivenFeedback") -> tuple[RenderableType, RenderableType]:
    said = feedback_in_words(given.value, given.why, given.file, given.words)
    who = given.person_name or given.person_id
    return _headed(given.time, said, given.audit_id), _indented(f"{who}: {given.question}")


def _record_head(record: "Summary") -> Text:
    return _headed(record.time, f"{record.decision:<{len('ABSTAIN')}}", record.audit_id)


def _question(record: "Summary") -> RenderableType:
    who = record.person_name or record.person_id
    where = f" in #{record.channel_name}" if record.channel_name else ""
    if not who:
        return _indented(erasing.ERASED)
    return _indented(f"{who}{where}: {record.question}")


def _headed(time: str, what: str, audit_id: str) -> Text:
    beginning = audit_id[:ID_BEGINNING]
    return Text.assemble(f"{wording.minute(time)}  ", (what, "bold"), f"  {beginning}")


def _indented(said: str) -> RenderableType:
    return Padding(Text(said, overflow="fold"), (0, 0, 0, INDENT))
