"""A reply as it stands in the audit store, laid out for Slack."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from audit.badge import Badge, badge_of
from audit.record import AuditRecord
from audit.record.claims import Status
from audit.record.nearest import NearestRecord
from audit.record.verdict import Decision
from bot import wording as shared
from bot.slack.blocks.contradictions import (
    contradiction_parts,
    contradictions_aloud,
    otherwise_aloud,
    otherwise_parts,
)
from bot.slack.blocks.elements import (
    RichPiece,
    actions,
    button,
    emoji,
    feedback_buttons,
    labelled,
    line,
    marked,
    note,
    plain,
    quotation,
    rich,
    section,
    words,
)
from bot.slack.blocks.limits import MESSAGE, fit, fitting, in_line, spoken, trimmed, weight
from bot.slack.blocks.places import expired_document
from bot.slack.blocks.sentences import Sentences
from bot.slack.blocks.sources import linked_lines, nearest_line, source_lines
from bot.slack.exchange import is_direct, reply_mark
from bot.slack.message import Block, Message
from bot.wording import slack as wording

_ID_BEGINNING = 13
"""Of a UUIDv7: its millisecond, so that no two exchanges share it in practice."""
_OF_TODAY = timedelta(days=1)
"""The record's time is in UTC, its day where the people are."""
MOST_NEAREST = 3
"""Quoted by an abstention."""


def reply(record: AuditRecord, exchange_id: int, *, quoted: bool) -> Message:
    """Lay out decision, sentences, sources and buttons; `quoted`: the question, too.

    In a channel everyone reads it, so nothing in it depends on what the asker alone may read.
    """
    top = [
        *question(record.question, quoted=quoted),
        section(wording.headline(_badge(record), record.confidence.overall)),
        *_understood(record),
        *_as_of(record),
        *_upcoming(record),
    ]
    bottom = [*_degraded(record), *_buttons(record)]
    mark = reply_mark(exchange_id)
    body = _BODIES[record.decision](record, MESSAGE - weight(marked(mark, [*top, *bottom])))
    return Message(spoken(_aloud(record, quoted=quoted)), marked(mark, [*top, *body, *bottom]))


def _badge(record: AuditRecord) -> Badge:
    return badge_of(record.decision, record.missing)


def question(asked: str, *, quoted: bool) -> list[Block]:
    """Quote the question, where nobody sees it otherwise."""
    return [rich(quotation(trimmed(asked, 600)))] if quoted else []


def understood(record: AuditRecord) -> str:
    """Say what was searched for, where an earlier question was needed to understand this one."""
    return shared.understood(record.question, record.standalone_question)


def _understood(record: AuditRecord) -> list[Block]:
    """Say it small; an abstention says what it looked for anyhow."""
    meant = understood(record)
    if not meant or record.decision is Decision.ABSTAIN:
        return []
    said = f"{shared.UNDERSTOOD}: {in_line(meant, 500)}"
    return [{"type": "context", "elements": [plain(said, emoji=False)]}]


def _answered(record: AuditRecord, room: int) -> list[Block]:
    sentences = Sentences.of(record)
    below = fitting(partial(_below, record, sentences), room - sentences.least())
    parts = sentences.parts(room - weight(below))
    return [*([rich(*parts)] if parts else []), *below]


def _below(record: AuditRecord, sentences: Sentences, detail: int) -> list[Block]:
    return [
        *_contradictions(record, detail),
        *_caveats(record),
        *_sources(sentences, detail),
    ]


def _abstained(record: AuditRecord, room: int) -> list[Block]:
    return fitting(partial(_refusal, record), room)


def _refusal(record: AuditRecord, detail: int) -> list[Block]:
    """Each quotation has a button below it, so it is a block of its own."""
    top = [
        line(words(why_not(record))),
        *_looked_for(record),
        *([line(words(shared.NOT_VOUCHED, bold=True))] if record.nearest else []),
    ]
    near = [
        block
        for number, each in enumerate(record.nearest[:MOST_NEAREST])
        for block in _quoted(record.audit_id, number, each, detail)
    ]
    found = contradiction_parts(record.contradictions, alone=_alone(record))
    bottom = [*found, *_ask_whom(record)]
    return [rich(*top), *near, *([rich(*bottom)] if bottom else [])]


def _looked_for(record: AuditRecord) -> list[RichPiece]:
    said = in_line("; ".join(sought(record)), 500)
    return [labelled(wording.LOOKED_FOR, said)] if record.in_english else []


def sought(record: AuditRecord) -> tuple[str, ...]:
    """Return what was looked for: each part of the question, as the person asked it."""
    return record.sought or (record.standalone_question,)


def _quoted(audit_id: str, number: int, near: NearestRecord, detail: int) -> list[Block]:
    """Quote what came near, and ask whether it was it; older records name a document alone."""
    said = [quotation(trimmed(near.text, 60 * detail))] if near.text.strip() else []
    ask = [actions(button(wording.THIS_WAS_IT, "this_was_it", f"{audit_id}:{number}"))]
    return [rich(nearest_line(near, detail), *said), *(ask if near.passage_id else [])]


_BODIES: Mapping[Decision, Callable[[AuditRecord, int], list[Block]]] = {
    Decision.ANSWER: _answered,
    Decision.PARTIAL: _answered,
    Decision.ABSTAIN: _abstained,
}


def why_not(record: AuditRecord) -> str:
    """Say why there is no answer."""
    return shared.why_not(
        near=bool(record.nearest),
        drafted=bool(record.dropped),
        borne_out=any(claim.status is Status.VERIFIED for claim in record.dropped),
        prevailing=[each.prevails for each in record.contradictions],
        expired=[expired_document(each) for each in record.expired[:3]],
        owners=record.owners,
        readers="you" if _alone(record) else wording.READERS_HERE,
        in_english=record.in_english,
    )


def _alone(record: AuditRecord) -> bool:
    """Whether nobody but the asker reads the reply."""
    return not record.channel.id or is_direct(record.channel.id)


def _sources(sentences: Sentences, detail: int) -> list[Block]:
    if not sentences.sources:
        return []
    heading = line(words(wording.SOURCES, bold=True))
    lines = source_lines(list(sentences.sources.values()), detail)
    return [rich(heading, lines, *linked_lines(sentences.kept, detail))]


def _contradictions(record: AuditRecord, detail: int) -> list[Block]:
    parts = otherwise_parts(record.contradictions, detail, alone=_alone(record))
    return [rich(*parts)] if parts else []


def _caveats(record: AuditRecord) -> list[Block]:
    """Say what a partial answer leaves open, and whom to ask for the rest."""
    parts = [line(words(each)) for each in _what_is_missing(record)]
    parts += _ask_whom(record)
    return [rich(*parts)] if parts else []


def _what_is_missing(record: AuditRecord) -> list[str]:
    return shared.caveats(
        _badge(record),
        answered=_short(record.answered, 500),
        missing=_short(record.missing, 500),
    )


def _ask_whom(record: AuditRecord) -> list[RichPiece]:
    asked = shared.ask_whom(_short(record.owners, 300))
    return [line(words(asked))] if asked else []


def _as_of(record: AuditRecord) -> list[Block]:
    """Say for which day it is answered, where that is not the day when it was asked."""
    on = record.filter.on
    if abs(on - record.time.date()) <= _OF_TODAY or _is_of_day_ahead(record):
        return []
    return [note(wording.AS_OF.format(day=on.isoformat()))]


def _is_of_day_ahead(record: AuditRecord) -> bool:
    """Tell whether it is answered as of the day ahead that was asked about."""
    return record.upcoming is not None and record.upcoming.day == record.filter.on


def _upcoming(record: AuditRecord) -> list[Block]:
    said = _upcoming_aloud(record)
    return [rich(line(words(said)))] if said else []


def _upcoming_aloud(record: AuditRecord) -> str:
    """Say that another rule will hold on the day that was asked about."""
    if record.upcoming is None:
        return ""
    said = shared.as_of if _is_of_day_ahead(record) else shared.upcoming
    return said(record.upcoming.day, record.upcoming.valid_from)


def _degraded(record: AuditRecord) -> list[Block]:
    said = [words(f" {each}", italic=True) for each in _short(record.degraded, 300)]
    return [rich(*(line(emoji("warning"), each) for each in said))] if said else []


def _buttons(record: AuditRecord) -> list[Block]:
    return [
        actions(*_answer_as_of(record), button(wording.SHOW_EVIDENCE, "evidence", record.audit_id)),
        feedback_buttons(record.audit_id),
        note(wording.audit_footer(record.audit_id[:_ID_BEGINNING])),
    ]


def _answer_as_of(record: AuditRecord) -> list[Mapping[str, Any]]:
    """Offer what everybody who clicks is answered alone, from what they themselves may read."""
    if record.upcoming is None or _is_of_day_ahead(record):
        return []
    label = wording.ANSWER_AS_OF.format(day=record.upcoming.day.isoformat())
    return [button(label, "ask_as_of", record.audit_id)]


def _short(texts: Sequence[str], room: int) -> list[str]:
    """Give the first few a line each."""
    return fit(texts[:5], room)


def _near_aloud(near: NearestRecord) -> str:
    named = in_line(near.title or near.file, 150)
    return f"{named}: {in_line(near.text, 400)}" if near.text.strip() else named


def _aloud(record: AuditRecord, *, quoted: bool) -> str:
    """Say the reply without any layout."""
    said = [f"{wording.YOU_ASKED}: {in_line(record.question, 300)}"] if quoted else []
    said.append(wording.headline_aloud(_badge(record), record.confidence.overall))
    if meant := understood(record):
        said.append(f"{shared.UNDERSTOOD}: {in_line(meant, 300)}")
    said.append(_upcoming_aloud(record))
    if record.decision is Decision.ABSTAIN:
        said.append(why_not(record))
        near = [_near_aloud(each) for each in record.nearest]
        said += [shared.NOT_VOUCHED, *_short(near, 1_200)] if near else []
    else:
        sentences = Sentences.of(record)
        said += sentences.aloud(1_200)
        said += _what_is_missing(record)
        said += [f"{wording.SOURCES}: {each}" for each in sentences.sources_aloud(600)]
    abstained = record.decision is Decision.ABSTAIN
    aloud = contradictions_aloud if abstained else otherwise_aloud
    said += aloud(record.contradictions, alone=_alone(record))
    said.append(shared.ask_whom(_short(record.owners, 300)))
    said += _short(record.degraded, 300)
    return "\n".join(each for each in said if each)
