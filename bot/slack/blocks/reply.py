"""A reply as it stands in the audit store, laid out for Slack."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from audit.record import AuditRecord, Decision, NearestRecord, badge_of
from audit.values import CitationRecord, Status, is_attached, is_searched
from bot import wording as shared
from bot.access.channels import is_direct
from bot.answering.in_words import expired, shown_as
from bot.answering.outcome import reviewed
from bot.slack.blocks.elements import (
    MESSAGE,
    Block,
    Message,
    RichPiece,
    actions,
    button,
    emoji,
    feedback_buttons,
    fit,
    fitting,
    in_line,
    line,
    marked,
    note,
    quotation,
    rich,
    section,
    small,
    spoken,
    trimmed,
    weight,
    words,
)
from bot.slack.blocks.sentences import Sentences, table
from bot.slack.blocks.sources import (
    contradiction_parts,
    contradictions_aloud,
    linked_lines,
    nearest_line,
    otherwise_aloud,
    otherwise_parts,
    source_lines,
)
from bot.slack.exchange import CameWith, reply_mark
from bot.wording import channels
from bot.wording import slack as wording
from bot.wording.referrals import ASK_A_PERSON

_OF_TODAY = timedelta(days=1)
"""The record's time is in UTC, its day where the people are."""
MOST_NEAREST = 3
"""Quoted by an abstention."""
NO_FILES = CameWith()


def reply(
    record: AuditRecord,
    exchange_id: int,
    *,
    quoted: bool,
    refused_before: bool = False,
    asked_by: str = "",
    shareable: bool = False,
    askable: bool = False,
    files: CameWith = NO_FILES,
    unasked: bool = False,
    above: Sequence[Block] = (),
) -> Message:
    """Lay out badge, sentences, sources and buttons; `quoted`: the question, too.

    `asked_by`: whose question it is, by Slack's id, where nobody saw them ask. `shareable`: it can
    be given to everyone where it came from. `askable`: there are people who may know what it
    leaves open. `files`: what came with it. `unasked`: nobody asked the bot, and they are told how
    it is taken away. `above`: what stands over it.

    In a channel everyone reads it, so nothing in it depends on what the asker alone may read.
    Who was `refused_before` in the thread reads no more than a line of the next refusal, and
    what came closest: the evidence has the rest.
    """
    again = refused_before and record.decision is Decision.ABSTAIN
    of_files = _of_files(record, files)
    top = [
        *above,
        *([note(wording.ASKED_BY.format(user=asked_by))] if asked_by else []),
        *quoted_question(record.question, quoted=quoted),
        section(wording.headline(shown_as(record), again=again)),
        *_reviewed(record),
        *_understood(record),
        *_as_of(record),
        *_upcoming(record),
        *map(small, of_files),
    ]
    answers = record.decision is not Decision.ABSTAIN
    unsettled = record.decision is not Decision.ANSWER
    bottom = [
        *_degraded(record),
        *_buttons(record, shareable=shareable and answers, askable=askable and unsettled),
        *([note(channels.UNASKED)] if unasked else []),
    ]
    mark = reply_mark(exchange_id)
    lay_out = _closest if again else _BODIES[record.decision]
    body = lay_out(record, MESSAGE - weight(marked(mark, [*top, *bottom])))
    aloud = spoken(_aloud(record, of_files, quoted=quoted, again=again))
    return Message(aloud, marked(mark, [*top, *body, *bottom]))


def _of_files(record: AuditRecord, files: CameWith) -> list[str]:
    """Say on which attached files it rests, on which messages, what has nothing, what is unread.

    Of a refusal what is quoted first is meant: others are named where they are quoted.
    """
    near = record.nearest[:1] if record.decision is Decision.ABSTAIN else ()
    cited: list[CitationRecord | NearestRecord] = [
        *(citation for claim in record.claims for citation in claim.citations),
        *near,
    ]
    elsewhere = [each for each in cited if is_attached(each.document_id)]
    shown = {each.document_id for each in (*elsewhere, *record.nearest)}
    messages = dict.fromkeys(each.file for each in elsewhere if is_searched(each.document_id))
    used = {e.document_id: e.file for e in elsewhere if not is_searched(e.document_id)}
    said = (
        (wording.FROM_ATTACHED, ", ".join(dict.fromkeys(used.values()))),
        (wording.FROM_SEARCH, ", ".join(messages)),
        (wording.FILES_SAY_NOTHING, ", ".join(e for k, e in files.read.items() if k not in shown)),
        (wording.FILES_NOT_READ, "; ".join(files.unread.values())),
    )
    return [f"{words} {in_line(named, 500)}" for words, named in said if named]


def quoted_question(asked: str, *, quoted: bool) -> list[Block]:
    return [rich(quotation(trimmed(asked, 600)))] if quoted else []


def understood(record: AuditRecord) -> str:
    return shared.understood(record.question, record.standalone_question)


def _understood(record: AuditRecord) -> list[Block]:
    meant = understood(record)
    return [small(f"{shared.UNDERSTOOD}: {in_line(meant, 500)}")] if meant else []


def _answered(record: AuditRecord, room: int) -> list[Block]:
    sentences = Sentences.of(record)
    rows = [sentences.table] if sentences.table else []
    room -= weight(rows)
    below = fitting(partial(_below, record, sentences), room - sentences.least())
    parts = sentences.rich_lines(room - weight(below))
    lines = [rich(*parts)] if parts else []
    said = [*rows, *lines] if sentences.begins_with_table else [*lines, *rows]
    return [*said, *below]


def _below(record: AuditRecord, sentences: Sentences, detail: int) -> list[Block]:
    differs = otherwise_parts(record.contradictions, detail, alone=_alone(record))
    caveats = [*(line(words(each)) for each in _what_is_missing(record)), *_ask_whom(record)]
    said = [rich(*parts) for parts in (differs, caveats) if parts]
    return [*said, *_sources(sentences, detail)]


def _refusal(record: AuditRecord, detail: int) -> list[Block]:
    found = contradiction_parts(record.contradictions, alone=_alone(record))
    near: list[Block] = []
    for number in _not_shown_as_sides(record):
        has_table = any(block["type"] == "table" for block in near)
        near += _quoted(record, number, detail, as_table=not has_table)
    why = rich(line(words(why_not(record))), *_ask_whom(record))
    return [*([rich(*found)] if found else []), *near, why]


def _closest(record: AuditRecord, room: int) -> list[Block]:
    if not record.nearest:
        return []
    return fitting(lambda detail: _quoted(record, 0, detail), room)


def _not_shown_as_sides(record: AuditRecord) -> list[int]:
    """Return which of the nearest are quoted beside sources that contradict each other."""
    sides = (side for each in record.contradictions for side in (each.holds, each.against))
    shown = {side.citation.passage_id for side in sides}
    nearest = enumerate(record.nearest[:MOST_NEAREST])
    return [number for number, each in nearest if each.passage_id not in shown]


def _quoted(record: AuditRecord, number: int, detail: int, *, as_table: bool = True) -> list[Block]:
    """Quote what came near, a button below each; `as_table`: where it is one."""
    near, over = record.nearest[number], overridden(record, number)
    rows = table(near.rows, [{}] * len(near.rows), record.filter.on) if as_table else None
    said, *where = nearest_parts(near, detail, over=over)
    quoted = [rows, rich(*where)] if rows and where else [rich(said, *where)]
    if not near.passage_id or is_attached(near.document_id):
        return quoted
    ask = button(wording.THIS_WAS_IT, "this_was_it", f"{record.audit_id}:{number}")
    return [*quoted, actions(ask)]


def overridden(record: AuditRecord, number: int) -> str:
    """Say that a rule quoted before holds in place of this one; empty where it does not."""
    over = record.nearest[number].overridden
    return shared.overridden(alone=_alone(record)) if over else ""


def nearest_parts(nearest: NearestRecord, detail: int, *, over: str) -> list[RichPiece]:
    """Lay out the words of what came near, where they stand, and what holds `over` them."""
    said = [quotation(trimmed(nearest.text, 60 * detail))] if nearest.text.strip() else []
    return [
        *said,
        nearest_line(nearest, detail),
        *([line(words(over, italic=True))] if over else []),
    ]


_BODIES: Mapping[Decision, Callable[[AuditRecord, int], list[Block]]] = {
    Decision.ANSWER: _answered,
    Decision.PARTIAL: _answered,
    Decision.ABSTAIN: lambda record, room: fitting(partial(_refusal, record), room),
}


def why_not(record: AuditRecord) -> str:
    return shared.why_not(
        came_close=bool(record.nearest),
        drafted=bool(record.dropped),
        borne_out=any(claim.status is Status.VERIFIED for claim in record.dropped),
        prevailing=[each.prevails for each in record.contradictions],
        expired=[in_line(expired(each), 150) for each in record.expired[:3]],
        owners=record.owners,
        readers="you" if _alone(record) else wording.READERS_HERE,
        in_english=record.in_english,
        reasons=record.reasons,
    )


def _alone(record: AuditRecord) -> bool:
    return not record.channel.id or is_direct(record.channel.id)


def _sources(sentences: Sentences, detail: int) -> list[Block]:
    if not sentences.sources:
        return []
    heading = line(words(wording.SOURCES, bold=True))
    lines = source_lines(list(sentences.sources.values()), detail)
    return [rich(heading, lines, *linked_lines(sentences.kept, detail))]


def _what_is_missing(record: AuditRecord) -> list[str]:
    return shared.caveats(
        badge_of(record.decision, record.missing),
        answered=_short(record.answered, 500),
        missing=_short(record.missing, 500),
        unsure=_short(record.unsure, 500),
        reasons=record.reasons,
    )


def _ask_whom(record: AuditRecord) -> list[RichPiece]:
    asked = shared.ask_whom(_short(record.owners, 300))
    return [line(words(asked))] if asked else []


def _reviewed(record: AuditRecord) -> list[Block]:
    said = reviewed(record.reasons, record.claims)
    return [small(in_line(said, 300))] if said else []


def _as_of(record: AuditRecord) -> list[Block]:
    on = record.filter.on
    if abs(on - record.time.date()) <= _OF_TODAY or _is_of_day_ahead(record):
        return []
    return [note(wording.AS_OF.format(day=on.isoformat()))]


def _is_of_day_ahead(record: AuditRecord) -> bool:
    return record.upcoming is not None and record.upcoming.day == record.filter.on


def _upcoming(record: AuditRecord) -> list[Block]:
    said = _upcoming_aloud(record)
    return [rich(line(words(said)))] if said else []


def _upcoming_aloud(record: AuditRecord) -> str:
    if record.upcoming is None:
        return ""
    said = shared.as_of if _is_of_day_ahead(record) else shared.upcoming
    return said(record.upcoming.day, record.upcoming.valid_from)


def _degraded(record: AuditRecord) -> list[Block]:
    said = [words(f" {each}", italic=True) for each in _short(record.degraded, 300)]
    return [rich(*(line(emoji("warning"), each) for each in said))] if said else []


def _buttons(record: AuditRecord, *, shareable: bool, askable: bool) -> list[Block]:
    """A refusal asks of each quotation whether it was it, and not whether it was good."""
    evidence = button(wording.SHOW_EVIDENCE, "evidence", record.audit_id)
    refused = record.decision is Decision.ABSTAIN
    thumbs = [] if refused else [feedback_buttons(record.audit_id)]
    share = [button(wording.POST_HERE, "post_here", record.audit_id)] if shareable else []
    person = [button(ASK_A_PERSON, "ask_person", record.audit_id)] if askable else []
    return [actions(*_answer_as_of(record), evidence, *share, *person), *thumbs]


def _answer_as_of(record: AuditRecord) -> list[Mapping[str, Any]]:
    """Offer what everybody who clicks is answered alone, from what they themselves may read."""
    if record.upcoming is None or _is_of_day_ahead(record):
        return []
    label = wording.ANSWER_AS_OF.format(day=record.upcoming.day.isoformat())
    return [button(label, "ask_as_of", record.audit_id)]


def _short(texts: Sequence[str], room: int) -> list[str]:
    return fit(texts[:5], room)


def _nearest_aloud(record: AuditRecord, number: int) -> str:
    near, over = record.nearest[number], overridden(record, number)
    named = in_line(near.title or near.file, 150) + (f" ({over})" if over else "")
    return f"{named}: {in_line(near.text, 400)}" if near.text.strip() else named


def _aloud(record: AuditRecord, files: Sequence[str], *, quoted: bool, again: bool) -> str:
    said = [f"{wording.YOU_ASKED}: {in_line(record.question, 300)}"] if quoted else []
    said.append(f"{wording.in_words(shown_as(record), again=again)}.")
    said.append(reviewed(record.reasons, record.claims))
    if meant := understood(record):
        said.append(f"{shared.UNDERSTOOD}: {in_line(meant, 300)}")
    said += files
    said.append(_upcoming_aloud(record))
    if record.decision is Decision.ABSTAIN:
        said += _refusal_aloud(record, again=again)
    else:
        said += _answer_aloud(record)
    if not again:
        said.append(shared.ask_whom(_short(record.owners, 300)))
    said += _short(record.degraded, 300)
    return "\n".join(each for each in said if each)


def _refusal_aloud(record: AuditRecord, *, again: bool) -> list[str]:
    if again:
        return [_nearest_aloud(record, 0)] if record.nearest else []
    near = [_nearest_aloud(record, number) for number in _not_shown_as_sides(record)]
    found = contradictions_aloud(record.contradictions, alone=_alone(record))
    return [*found, *_short(near, 1_200), why_not(record)]


def _answer_aloud(record: AuditRecord) -> list[str]:
    sentences = Sentences.of(record)
    said = [*sentences.aloud(1_200), *_what_is_missing(record)]
    said += [f"{wording.SOURCES}: {each}" for each in sentences.sources_aloud(600)]
    return said + otherwise_aloud(record.contradictions, alone=_alone(record))
