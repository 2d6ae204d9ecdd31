"""Every sentence that a person reads, in one place: plain, short and kind."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from bot.wording.log_proofs import proven, unread

_WORD = re.compile(r"\w+")
EMPTY_LIBRARY = (
    "Nothing has been ingested yet, so there is nothing to answer from. "
    "Run `vouch ingest FOLDER --for everyone` with your documents first."
)
NOT_AUDITED = (
    "I have an answer but could not write it to the audit store, so I may not show it. "
    "Please ask again in a moment; the operator finds the reason in the log."
)
NOTHING_NEAR = (
    "I found nothing about this in the documents {readers} may read. Other words may help."
)
NO_DOCUMENT = "I found no document on this that {readers} may read."
NO_FILE_READ = "I could not read what came with your question, and looked nowhere else."
NEAR_BUT_NO_ANSWER = "I am not sure that this answers your question."
OUT_OF_DATE = "What I found on this is out of date: {expired}. Nothing that holds today answers it."
CONTRADICTED = "The documents contradict each other on this, and nothing says which of them holds."
GAVE_WAY = "What I drafted gives way to another document."
ENGLISH_ONLY = (
    "My models know English only, so I looked for this by its words alone: I can quote what comes "
    "close, and be sure of nothing."
)
FOREIGN = "What may answer this is not in English, the only language that I know."
UNSURE = "I am not sure enough of this to call it an answer."
NOT_BORNE_OUT = "What I drafted is not borne out by its sources, so I don't show it."
ASK_OTHERWISE = "Ask more narrowly, or in other words."
ASK_WHICH_HOLDS = "Ask whoever keeps these documents which holds."
ASK_WHAT_HOLDS = "Ask whoever keeps these documents what holds today."
INDEX_MADE_ANEW = (
    "This version of Vouch reads documents with a better model, so the index is made anew. Until "
    "that is done, who asks is told to wait, and is answered then."
)
NOBODY_KNOWN = (
    "There is no people.yaml in the home yet, so everybody is a guest, who reads what is for "
    "everyone, and nobody may use /audit. docs/slack.md shows one."
)
EMPTY_QUESTION = "Please ask a question, in a few words."
NO_RECORDS = "No record fits."
LINKED = "Linked there"
ALSO_IN = "Also in:"
"""Before a document that says the same as the one that was answered from."""
UNDERSTOOD = "Understood as"
CONCLUDED = "Concluded from the above, not stated in a document"
BECAUSE = "Because"
UNSUPPORTED_MARK = "(not borne out by its source) "
FALLBACK_WRITER = (
    "The chosen writer could not be reached, so these are the documents' own sentences."
)
MORE_IN_PRIVATE = (
    "You may read more than everyone in this channel may, so something that may help was left out "
    "of my answer here. I can answer you alone, in a direct message."
)
OWN_RULE_IN_PRIVATE = (
    "Another rule may hold for you: your own unit has one on this, which not everyone in this "
    "channel may read, so it was left out of my answer here. I can answer you alone, in a direct "
    "message."
)
UNDERSTOOD_BY_RULES = (
    "The language model could not be reached, so your question was understood by simple rules."
)
RANKED_WITHOUT_LANGUAGE_MODEL = (
    "The language model could not be reached, so a smaller one alone judged which passages answer."
)
IN_ONE_STEP = "The language model could not be reached, so nothing was looked up in two steps."


def sources_open_at(address: str) -> str:
    """Said at the start, where pages are served."""
    return f"What answers cite opens at {address}"


def more_links(number: int) -> str:
    return f"and {number} more, in the sources"


def why_not(
    *,
    came_close: bool,
    drafted: bool,
    borne_out: bool,
    prevailing: Sequence[str] = (),
    expired: Sequence[str] = (),
    owners: Sequence[str] = (),
    readers: str = "you",
    in_english: bool = True,
    reasons: Sequence[str] = (),
) -> str:
    """Why there is no answer, in one line; `expired`: documents that answered once."""
    if FILES_UNREAD in reasons:
        return NO_FILE_READ
    if NO_SUCH_DOCUMENT in reasons and not expired:
        return NO_DOCUMENT.format(readers=readers)
    if drafted and prevailing:
        unsettled = "neither" in prevailing
        return _asking(CONTRADICTED, ASK_WHICH_HOLDS, owners) if unsettled else GAVE_WAY
    if drafted:
        why = UNSURE if borne_out else NOT_BORNE_OUT
        return why if came_close else f"{why} {ASK_OTHERWISE}"
    if expired:
        return _asking(OUT_OF_DATE.format(expired="; ".join(expired)), ASK_WHAT_HOLDS, owners)
    if came_close:
        foreign = in_english and NOT_IN_ENGLISH in reasons
        return FOREIGN if foreign else NEAR_BUT_NO_ANSWER
    return NOTHING_NEAR.format(readers=readers)


def _asking(why: str, whom: str, owners: Sequence[str]) -> str:
    return why if owners else f"{why} {whom}"


def abstention(why: str, closest: Sequence[str]) -> str:
    """What came closest, in its own words, and why it is no answer; or that nothing came near."""
    if not closest:
        return f"{BADGES['unknown']}. {why}"
    return "\n".join((f"{BADGES['closest']}:", *closest, why))


def quotation_source(title: str, where: str) -> str:
    return f"{title}, {where}" if title.strip() else where


def overridden(*, alone: bool) -> str:
    whose = "your own unit" if alone else "the reader's own unit"
    return f"overridden: the rule of {whose}, above, holds in its place"


def expired(title: str, until: date | None) -> str:
    if until == date.min:
        return f"{title} (no longer holds)"
    return f"{title} (valid until {until.isoformat()})" if until else title


def as_of(day: date, valid_from: date | None) -> str:
    """It is answered so; `valid_from`: a rule's that holds then, and not yet today."""
    begins = f": another rule holds from {valid_from.isoformat()} on" if valid_from else ""
    return f"You ask about {day.isoformat()}, so I answer as of that day{begins}."


def upcoming(day: date, valid_from: date) -> str:
    """Another rule will hold on the day that was asked about, beside today."""
    return (
        f"You ask about {day.isoformat()}, when another rule holds: "
        f"from {valid_from.isoformat()} on. I looked at what holds today."
    )


def upcoming_offer(day: date) -> str:
    return f"Ask again with --on {day.isoformat()}, and I answer as of that day."


def minute(moment: datetime | str) -> str:
    aware = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return f"{aware.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def times(milliseconds: Mapping[str, float]) -> str:
    return ", ".join(f"{stage}: {spent:.0f} ms" for stage, spent in milliseconds.items())


def tokens(by_stage: Mapping[str, Mapping[str, int]], in_all: Mapping[str, int]) -> str:
    """What a language model read and wrote; empty where none was asked."""
    counted = {**by_stage, "total": in_all}.items()
    said = [f"{stage}: {read_and_written(each)}" for stage, each in counted if any(each.values())]
    return f"{', '.join(said)} = {sum(in_all.values())}" if said else ""


def broken_anchor(anchor: str) -> str:
    return f"cites {anchor}, and there is no such place"


def read_and_written(tokens: Mapping[str, int]) -> str:
    return f"{tokens['prompt']} + {tokens['completion']}"


def disagreement(differs: Sequence[str]) -> str:
    return f"Sources disagree ({'; '.join(differs)}):"


def document_kind(subtype: str, level: str) -> str:
    """What a document says that it is, such as "Policy, department"; empty where it does not."""
    named = " ".join(subtype.split())
    return ", ".join(filter(None, (named[:1].upper() + named[1:], level))) if named else ""


def source_line(title: str, level: str, effective: date | None) -> str:
    since = f"from {effective.isoformat()}" if effective else ""
    return ", ".join(each for each in (title, level, since) if each)


_OTHERWISE = {
    "own unit": "The reader's own unit has the rule above; others say otherwise:",
    "newer": "What stands above is newer; an older document says otherwise:",
}
"""Above what gives way to an answer, by why the answer prevails."""
_WHICH_HOLDS = {
    "own unit": "The first holds here: it is the rule of the reader's own unit.",
    "newer": "The first holds here: it is the newer one.",
    "neither": "Nothing says which of them holds.",
}
"""By why one of them prevails."""
_OTHERWISE_ALONE = _OTHERWISE | {
    "own unit": "Your own unit has the rule above; others say otherwise:"
}
_WHICH_HOLDS_ALONE = _WHICH_HOLDS | {
    "own unit": "The first holds here: it is the rule of your own unit."
}


def otherwise(why: str, *, alone: bool) -> str:
    """Said above what gives way to an answer; `alone`: nobody but the asker reads it."""
    return (_OTHERWISE_ALONE if alone else _OTHERWISE)[why]


def which_holds(prevails: str, *, alone: bool) -> str:
    return (_WHICH_HOLDS_ALONE if alone else _WHICH_HOLDS)[prevails]


def ask_whom(owners: Sequence[str]) -> str:
    return f"You could ask {' or '.join(owners)}." if owners else ""


def answered_parts(parts: Sequence[str]) -> str:
    return f"Answered: {'; '.join(parts)}"


def missing_parts(parts: Sequence[str]) -> str:
    return f"I have no answer to: {'; '.join(parts)}"


def unsure_parts(parts: Sequence[str]) -> str:
    return f"I'm not sure of this, but the sources may say: {'; '.join(parts)}"


BADGES = {
    "answered": "Answered from your documents",
    "probably": "Probably",
    "in part": "Answered in part",
    "closest": "Not sure: the closest I found",
    "unknown": "I don't know",
}
"""What a reply is worth, at a glance; of what is unknown, whether anything came near."""
AGAIN = {
    "closest": "Not sure of this either: the closest I found",
    "unknown": "I don't know this either",
}
"""The same of what is refused once more in a thread."""


def shown_as(badge: str, *, quoted: bool) -> str:
    """By which of `BADGES` people know it; `quoted`: something is quoted in place of an answer."""
    return "closest" if badge == "unknown" and quoted else badge


NOT_SURE = "I'm not sure that this is right and all there is: please check the sources."


IN_BRACKETS = (
    "What is unknown in brackets, the page itself fills in or leaves out: its source may show it."
)


def caveats(
    badge: str,
    answered: Sequence[str],
    missing: Sequence[str],
    unsure: Sequence[str],
    reasons: Sequence[str],
) -> list[str]:
    """What stands below an answer that is not whole, or not sure; `unsure` are `missing`, too."""
    doubt = [IN_BRACKETS] if DOUBTFUL in reasons else []
    if badge != "in part":
        return [NOT_SURE, *doubt] if badge == "probably" else []
    said = {
        answered_parts: answered,
        unsure_parts: unsure,
        missing_parts: [each for each in missing if each not in unsure],
    }
    return [*(name(parts) for name, parts in said.items() if parts), *doubt]


def because(reasoning: str) -> str:
    said = " ".join(reasoning.split())
    return f"{BECAUSE}: {said}" if said else ""


def understood(asked: str, looked_for: str) -> str:
    said = iter(_WORD.findall(asked))
    only_left_out = all(word in said for word in _WORD.findall(looked_for))
    return "" if only_left_out else " ".join(looked_for.split())


ENDS_A_TALK = frozenset({"quit", "exit"})
"""At a terminal, as other programs have it; no document is asked for either."""


def talk_begins(name: str | None) -> str:
    return f"Ask away, as {name or 'a guest'}. `quit` or Ctrl-D ends."


def verification(found: Mapping[str, Any], *, to_signed: bool = True) -> str:
    """What a verification of the audit store means; `to_signed`: held to its checkpoints."""
    counted = f"{found['records']} records and {found['events']} later events"
    if not found["ok"]:
        bad = found["first_bad"]
        where = bad["audit_id"] or bad["sequence"]
        said = f"Not verified: {bad['what']}. {counted} hold."
        if where:
            said = f"The chain is broken at {where}: {bad['what']}. Before that, {counted} hold."
        since = proven(found["proven"], found["proven_at"]) if found["proven"] else ""
        return f"{said}\n{since}".strip()
    since = f"{unread(found['unread'])}\n" if found["unread"] else ""
    signed = f"{proven(found['proven'], found['proven_at'])}\n" if to_signed else ""
    indexes = "" if found["unread"] else ", and every index finds what the tables hold"
    return (
        f"The chain holds: {counted}, unaltered. Tables, indexes and guards are as they were made"
        f"{indexes}.\n"
        f"{since}Head: {found['head']}\n"
        f"{signed}"
        "A log alone cannot show that its end was cut off. Note the head somewhere else, "
        "and give it back with --head; or have a witness keep checkpoints, --checkpoint."
    )


def unsearched(passages: int) -> str:
    what = "A passage" if passages == 1 else f"{passages} passages"
    return f"{what} of the library could not be searched. Please tell whoever runs this bot."


def incomplete_index(passages: int) -> str:
    return (
        f"{passages} passages of the library are missing from the index. Run `vouch ingest` on any "
        "folder to mend it."
    )


FROM_ELSEWHERE = "no document answers it, and what answers was found elsewhere"
ANOTHER_DAY = "another rule holds on the day that was asked about"
"""The gate's reason, as it is recorded."""
DOUBTFUL = "what is cited has a value, or holds on a condition, that is not known"
NOT_IN_ENGLISH = "what was asked, or what may answer it, is not in English"
FILES_UNREAD = "it is about files that could not be read"
NO_SUCH_DOCUMENT = "no document that may be read is on what was asked"
STANDARD_ANSWER = "it is the standard answer to this question, which a person reviewed"
"""Likewise, with why it is the one."""
ASKED_IN_ITS_WORDS = "it was asked in the words of the standard answer's question"


def asked_alike(relevance: float, least: float) -> str:
    return f"its relevance of {relevance:.2f} is at least {least}, so it was asked for"


REVIEWED_BY_A_PERSON = "This is a standard answer: a person reviewed it, and {borne_out}."
COPIED = "each sentence is copied from its source"
CHECKED = "each sentence was checked against its source"
WEAKEST = {
    "retrieval": "the passages may be about something else than what was asked",
    "entailment": "the sources do not say it in so many words",
    "consistency": "when I tried again, I did not say the same",
}
"""What speaks most against an answer, by the confidence that is lowest."""

FROM_LIBRARY = (
    "This is what the library holds, as far as it may be read here. No answer was sought in the "
    "documents, so nothing is measured of how sure it is."
)


SUMMED_UP = (
    "A language model summed the document up. Each sentence was checked against what it cites; "
    "whether it has all that matters was not."
)


def sure(borne_out: str) -> str:
    """`borne_out`: `COPIED` or `CHECKED`, as in the others."""
    return f"I'm sure of it: the passages fit the question well, and {borne_out}."


def not_sure(weakest: str, borne_out: str) -> str:
    return f"I'm not sure of it, for {weakest}; still, {borne_out}."


def from_elsewhere(borne_out: str) -> str:
    return f"No document answers this. What is said was found elsewhere, and {borne_out}."


def another_day(borne_out: str) -> str:
    return f"Another rule holds on the day that you asked about; of today's, {borne_out}."


def doubtful(borne_out: str) -> str:
    return f"It has a value, or holds on a condition, that I do not know; still, {borne_out}."


def in_part(borne_out: str) -> str:
    return (
        "A part of the question has no answer in the documents that I could use; "
        f"of what I do say, {borne_out}."
    )
