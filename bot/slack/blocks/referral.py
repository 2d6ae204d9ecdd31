"""What is shown while a question goes to people who may know, and their answer comes back."""

from collections.abc import Collection, Mapping, Sequence

from audit.record import AuditRecord, Decision
from audit.values import Status
from bot.slack.blocks.elements import (
    MESSAGE,
    Block,
    Message,
    View,
    actions,
    button,
    fitting,
    in_line,
    line,
    marked,
    note,
    plain,
    quotation,
    rich,
    section,
    spoken,
    trimmed,
    weight,
    words,
)
from bot.slack.blocks.forms import LONGEST_TYPED, boxes, form, form_field, radio, text_input
from bot.slack.blocks.reply import nearest_parts
from bot.slack.inbox.referrals import Referral
from bot.wording import referrals as wording
from bot.wording.slack import YOU_ASKED

ASK, GIVE, STANDARD = "ask_person", "give_answer", "make_standard"
RESOLVED, STILL_OPEN = "answer_resolved", "answer_still_open"
NOTE, NAMED = "note", "named"
WORDS, OTHERS, LAST_DAY, QUESTION = "words", "others", "last_day", "question"
_MOST_NEAREST = 3


def ask_form(
    audit_id: str, channel: str, audience: Mapping[str, Sequence[str]] | None, *, private: bool
) -> View:
    """`audience`: who else may be answered from what comes back, as `give_form` names it."""
    how = {"yes": wording.WITH_NAME, "no": wording.WITHOUT_NAME}
    others = "" if audience is None else wording.others_hear(audience)
    own = wording.THEY_READ_UNIT if others and private else ""
    told = {"type": "section", "text": plain(f"{others}{own}", emoji=False)}
    blocks = [
        section(wording.passes_to(channel)),
        *([told] if others else []),
        form_field(NAMED, wording.HOW, radio(how, "yes")),
        form_field(NOTE, wording.NOTE, text_input(), optional=True),
    ]
    return form(wording.TITLE, ASK, f"{audit_id}:{channel}", blocks, wording.SEND)


def give_form(
    referral: Referral,
    question: str,
    written: str,
    audience: Mapping[str, Sequence[str]] | None,
    *,
    shared: bool,
) -> View:
    """Take an answer to a question down.

    `audience`: who else may be answered from it, None for nobody. `shared`: people of another
    company read along where it was asked.
    """
    goes_to = wording.goes_to(
        private=referral.is_private, channel=referral.asked_channel, shared=shared
    )
    blocks: list[Block] = [
        form_field(WORDS, wording.THE_ANSWER, text_input(written[:LONGEST_TYPED])),
        note(goes_to),
    ]
    if audience is None:
        blocks.append(note(wording.NO_DOCUMENT))
    else:
        asked = text_input(trimmed(question, LONGEST_TYPED))
        box = boxes({"yes": wording.FOR_OTHERS_TOO})
        general = wording.IN_GENERAL_WORDS
        blocks += [
            form_field(OTHERS, wording.FOR_OTHERS, box, optional=True),
            {"type": "section", "text": plain(wording.others_are(audience), emoji=False)},
            form_field(QUESTION, wording.KIND_OF_QUESTION, asked, optional=True, hint=general),
            _last_day(),
        ]
    return form(wording.GIVE_TITLE, GIVE, referral.audit_id, blocks, wording.GIVE_SEND)


def standard_form(record: AuditRecord) -> View:
    """Have a reply reviewed: the question that it is the standard answer to, and its words."""
    cited = [each for each in record.claims if each.citations and each.status is Status.VERIFIED]
    said = "\n".join(claim.text for claim in cited)
    asked = text_input(trimmed(record.standalone_question, LONGEST_TYPED))
    blocks: list[Block] = [
        form_field(QUESTION, wording.KIND_OF_QUESTION, asked, hint=wording.ONE_A_LINE),
        form_field(WORDS, wording.THE_ANSWER, text_input(trimmed(said, LONGEST_TYPED))),
        _last_day(),
        note(wording.STANDARD_READERS),
    ]
    title, send = wording.STANDARD_TITLE, wording.STANDARD_SEND
    return form(title, STANDARD, record.audit_id, blocks, send)


def _last_day() -> Block:
    day = {"type": "datepicker"}
    return form_field(LAST_DAY, wording.LAST_DAY, day, optional=True, hint=wording.LAST_DAY_HINT)


def passed_on(
    referral: Referral, record: AuditRecord, withheld: Collection[str], closed: str = ""
) -> Message:
    """Ask those who may know; nothing is quoted that they may not read.

    `closed`: whose answer there is, in Slack's markup, once there is one.
    """
    asked = record.standalone_question
    top: list[Block] = [
        section(wording.asks(referral.asker if referral.named else "")),
        rich(quotation(trimmed(asked, 1_500))),
        *([rich(line(words(trimmed(referral.note, 1_500))))] if referral.note else []),
    ]
    give = button(wording.GIVE, GIVE, referral.audit_id, primary=True)
    bottom = [section(closed) if closed else actions(give)]
    mark = referral.mark("asked")
    room = MESSAGE - weight(marked(mark, [*top, *bottom]))
    body = [] if closed else fitting(lambda detail: _found(record, withheld, detail), room)
    return Message(spoken(wording.asks_aloud(asked)), marked(mark, [*top, *body, *bottom]))


def _found(record: AuditRecord, withheld: Collection[str], detail: int) -> list[Block]:
    near = [
        rich(*nearest_parts(each, detail, over=""))
        for each in record.nearest[:_MOST_NEAREST]
        if each.document_id not in withheld
    ]
    missing = [in_line(each, 300) for each in record.missing]
    why = wording.why(missing, answered=record.decision is not Decision.ABSTAIN)
    return [rich(line(words(why))), *([note(wording.CLOSEST)] if near else []), *near]


def given(referral: Referral, question: str, name: str) -> Message:
    """Hand an answer to whoever asked, in the words of the one who knew."""
    blocks: list[Block] = [
        section(wording.answered_by(referral.answered_by, referral.answered_on)),
        rich(line(words(f"{YOU_ASKED}:")), quotation(trimmed(question, 600))),
        rich(line(words(trimmed(referral.answer, LONGEST_TYPED)))),
        actions(
            button(wording.RESOLVED, RESOLVED, referral.given_id),
            button(wording.STILL_OPEN, STILL_OPEN, referral.given_id),
        ),
    ]
    aloud = wording.answered_aloud(name, referral.answer)
    return Message(spoken(aloud), marked(referral.mark("given"), blocks))


def said_below(referral: Referral, what: str, said: str) -> Message:
    return Message(spoken(said), marked(referral.mark(what), [section(said)]))
