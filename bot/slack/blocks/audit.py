"""What `/audit` shows an administrator: records, what people said of answers, scheduled jobs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from audit.feedback import GivenFeedback
from audit.finding.queries import Summary
from audit.record import AuditEvent, AuditRecord, Candidate
from bot import wording as shared
from bot.answering.in_words import (
    asking_facts,
    deciding_facts,
    event_in_words,
    making_facts,
    shown_as,
)
from bot.jobs.runs import JobStatus
from bot.slack.blocks.claims import candidate_block, claim_block, confidences, several
from bot.slack.blocks.elements import (
    MESSAGE,
    MODAL,
    Block,
    Element,
    Message,
    RichPiece,
    View,
    actions,
    bullets,
    button,
    ends,
    fit,
    fitting,
    header,
    in_line,
    labelled,
    line,
    modal,
    note,
    plain,
    quotation,
    rich,
    section,
    spoken,
    text_room,
    trimmed,
    weight,
    words,
)
from bot.slack.blocks.sentences import Sentences
from bot.wording import documents
from bot.wording import evidence as wording
from bot.wording import jobs as jobs_wording
from bot.wording import slack as replies
from bot.wording.erasing import ERASED
from bot.wording.referrals import MAKE_STANDARD


def _facts(facts: Mapping[str, str], detail: int) -> list[RichPiece]:
    return [labelled(name, in_line(text, text_room(detail))) for name, text in facts.items()]


MOST_LISTED = 20
"""Records in one message; ask the store for no more."""
_LONGEST_VALUE = 2_000
"""Of a button, in Slack's Block Kit reference."""
_LONGEST_LINE = 400
_MOST_EVENTS = 20
_CODE = re.compile(r"`([^`]+)`")


def audit_list(
    records: Sequence[Summary], query_words: str, more: str | None, *, older: bool = False
) -> Message:
    """Give each a line with a button; `more` is what the button for older ones carries."""
    heading = wording.audit_heading(asked_for(query_words), older=older)
    told = [in_line(_in_words(each), _LONGEST_LINE) for each in records]
    return _with_buttons(heading, records, told, more_button(more, "audit_more"))


def _with_buttons(
    heading: str,
    listed: Sequence[Summary | GivenFeedback],
    items: Sequence[str],
    bottom: Sequence[Block],
) -> Message:
    top = rich(line(words(heading, bold=True)))
    frame = weight([top, *(_row(each, "") for each in listed), *bottom])
    lines = fit(items, MESSAGE - frame)
    rows = [_row(each, text) for each, text in zip(listed, lines, strict=True)]
    return Message(spoken("\n".join([heading, *lines])), (top, *rows, *bottom))


def audit_record(
    record: AuditRecord,
    events: Sequence[AuditEvent],
    sequence: int,
    hash: str,  # noqa: A002 - the chain's own word
) -> View:
    """Show in a modal all that led to the reply, what came later, its place in the chain."""
    place = wording.place_in_chain(sequence, hash)
    return fitting(partial(_view, record, events, place), MODAL)


def audit_nothing(query_words: str) -> Message:
    return _nothing(wording.audit_nothing(asked_for(query_words)))


def _nothing(said: str) -> Message:
    return Message(spoken(said), (rich(line(words(said))),))


def audit_usage(problem: str = "") -> Message:
    said = [in_line(problem, 900)] if problem else []
    above = [rich(line(*_with_code(each))) for each in said]
    return Message(spoken("\n".join([*said, wording.USAGE])), (*above, section(wording.USAGE)))


def kept_out_list(kept_out: Sequence[tuple[str, str]]) -> Message:
    """List what no reader is shown: (file, reason), as the last ingests recorded it."""
    if not kept_out:
        return Message(documents.KEPT_OUT_NONE, (section(documents.KEPT_OUT_NONE),))
    heading = documents.kept_out_heading(len(kept_out))
    lines = [in_line(f"{file} {reason}", _LONGEST_LINE) for file, reason in kept_out]
    shown = lines[:MOST_LISTED]
    if len(lines) > len(shown):
        shown.append(documents.kept_out_more(len(lines) - len(shown)))
    listed = bullets([line(words(each)) for each in shown])
    return Message(
        spoken("\n".join([heading, *shown])), (rich(line(words(heading, bold=True)), listed),)
    )


def asked_for(query_words: str) -> str:
    """Return what was asked for, as one line; empty for all."""
    return in_line(query_words, 300) if query_words.strip() else ""


def _with_code(text: str) -> list[Element]:
    """Make `backticks` a style: own words with foreign ones in them are no markup."""
    pieces = enumerate(_CODE.split(text))  # every second one stood in backticks
    styles = [{}, {"style": {"code": True}}]
    return [{**words(piece), **styles[number % 2]} for number, piece in pieces if piece]


def _row(listed: Summary | GivenFeedback, text: str) -> Block:
    """Use plain text, for a rich text block cannot have a button beside it."""
    opening = button(wording.OPEN, "audit_open", listed.audit_id)
    return {"type": "section", "text": plain(text, emoji=False), "accessory": opening}


def _in_words(record: Summary) -> str:
    who = record.person_name or record.person_id
    where = [f"#{record.channel_name}"] if record.channel_name else []
    said = [shared.minute(record.time), who, *where, record.decision, record.question or ERASED]
    return " · ".join(said)


def more_button(value: str | None, action_id: str) -> list[Block]:
    """Offer older ones; a value that no button can hold asks to narrow the search instead."""
    if value is None:
        return []
    if len(value) > _LONGEST_VALUE:
        return [section(wording.NARROW)]
    return [actions(button(wording.MORE, action_id, value))]


def _view(record: AuditRecord, events: Sequence[AuditEvent], chain: str, detail: int) -> View:
    claim = partial(claim_block, mark_of=Sentences.of(record).mark_of, detail=detail)
    dropped = partial(claim_block, mark_of=lambda _: "", detail=detail)
    ranked = sorted(record.candidates, key=lambda each: not each.used)  # each kind best first
    output = record.writer.output
    written = [quotation(trimmed(output, 2 * text_room(detail)))] if output.strip() else []
    review = actions(button(MAKE_STANDARD, "make_standard", record.audit_id))
    blocks = [
        section(replies.headline_sure(shown_as(record), record.confidence.overall)),
        rich(*_facts(asking_facts(record), detail)),
        header(wording.REPLY),
        rich(quotation(trimmed(record.reply, 2 * text_room(detail)))),
        rich(*_facts(deciding_facts(record), detail), *confidences(record.confidence)),
        *several(wording.SAID, record.claims, detail, claim),
        *several(wording.DROPPED, record.dropped, detail, dropped),
        *several(wording.CANDIDATES, ranked, detail, _candidate),
        *([review] if record.claims else []),
        *_titled(wording.WRITTEN, written),
        *_titled(wording.MADE_WITH, _facts(making_facts(record), detail)),
        *_titled(wording.LATER, list(_event_lines(events, detail))),
        rich(line(words(in_line(chain, 300)))),
        note(replies.audit_footer(record.audit_id)),
    ]
    return modal(wording.AUDIT_TITLE, "audit_record", "", blocks, close=replies.CLOSE)


def _candidate(candidate: Candidate) -> Block:
    """Leave its text out, which is the library's; the record has none."""
    used = f"{wording.USED}: " if candidate.used else ""
    title = f"{used}{candidate.file} ({wording.VERSION} {candidate.version})"
    return candidate_block(candidate, title)


def _titled(title: str, parts: Sequence[RichPiece]) -> list[Block]:
    return [header(title), rich(*parts)] if parts else []


def _event_lines(events: Sequence[AuditEvent], detail: int) -> Iterator[RichPiece]:
    shown = ends(events, _MOST_EVENTS)
    yield from (_event(each, detail) for each in shown.first)
    if shown.omitted:
        yield line(words(wording.more(shown.omitted), italic=True))
    yield from (_event(each, detail) for each in shown.last)


def _event(event: AuditEvent, detail: int) -> RichPiece:
    return line(words(in_line(event_in_words(event), text_room(detail))))


def feedback_list(
    given: Sequence[GivenFeedback], query_words: str, more: str | None, *, older: bool = False
) -> Message:
    """Give each a line with a button for its exchange; `more` is what the one for older holds."""
    heading = wording.feedback_heading(asked_for(query_words), older=older)
    told = [_feedback_in_words(each) for each in given]
    return _with_buttons(heading, given, told, more_button(more, "feedback_more"))


def feedback_nothing(query_words: str) -> Message:
    return _nothing(wording.feedback_nothing(asked_for(query_words)))


def _feedback_in_words(given: GivenFeedback) -> str:
    said = wording.feedback_in_words(given.value, given.why, given.file, given.words)
    who = given.person_name or given.person_id
    parts = [shared.minute(given.time), who, in_line(said, 400), in_line(given.question, 400)]
    return " · ".join(parts)


_LONGEST_JOB = 700


def job_list(jobs: Sequence[JobStatus]) -> Message:
    """Give each a line: when, when next, and what its last run came to."""
    said = [(job.name, in_line(job.in_words, _LONGEST_JOB)) for job in jobs]
    listed = [line(words(name, bold=True), words(f": {how}")) for name, how in said]
    lines = [f"{name}: {how}" for name, how in said]
    heading = line(words(jobs_wording.HEADING if jobs else jobs_wording.NO_JOBS, bold=True))
    parts = [heading, bullets(listed)] if listed else [heading]
    return Message(spoken("\n".join([jobs_wording.HEADING, *lines])), (rich(*parts),))
