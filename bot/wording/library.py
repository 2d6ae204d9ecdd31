"""What is said of the library itself: which documents there are, whose, and since when."""

from collections.abc import Sequence
from datetime import date

from bot.wording.untrusted_text import in_one_line, shortened

NOT_STATED = "not stated"
ABOUT = "About"
BEGINNING = "Beginning"
"""Above what two documents are compared by."""
NOT_BORNE_OUT = (
    "A summary was written, and too little of it was borne out: this is the document's outline."
)
ALONE = "you"
IN_CHANNEL = "everyone here"
_LONGEST = 160
"""Characters of a title, an owner or a topic."""
_QUOTED = 300
"""Characters of a sentence."""
_BEFORE = 80
"""Characters of it that are shown before what it is shown for."""


def listed(number: int, *, shown: int, topic: str, readers: str, complete: bool = True) -> str:
    at_least = "" if complete else "at least "
    on = f" for “{_short(topic)}”" if topic else ""
    found = f"I found {at_least}{_documents(number)}{on} that {readers} may read"
    first = "the best" if topic else "the newest"
    return f"{found}; {first} {shown}:" if shown < number else _ended(found, shown)


def changed(number: int, *, shown: int, topic: str, readers: str, when: str) -> str:
    on = f" for “{_short(topic)}”" if topic else ""
    if not when:
        return f"The latest of the documents{on} that {readers} may read:"
    if number == 0:
        return f"None of the documents{on} that {readers} may read is new or changed {when}."
    found = f"{_documents(number)}{on} that {readers} may read: new or changed {when}"
    return f"{found}; the latest {shown}:" if shown < number else f"{found}:"


def mentioned(
    number: int, *, shown: int, terms: Sequence[str], kind: str, readers: str, complete: bool
) -> str:
    """How many documents, or those of a kind alone, have some terms in their text."""
    at_least = "" if complete else "at least "
    mention = "mentions" if number == 1 else "mention"
    on = f" for “{_short(kind)}”" if kind else ""
    each = " and ".join(f"“{_short(term)}”" for term in terms)
    found = f"{at_least}{_documents(number)}{on} that {readers} may read {mention} {each}"
    found = found[0].upper() + found[1:]
    return f"{found}; the first {shown}:" if shown < number else _ended(found, shown)


def mention(title: str, file: str, quotes: Sequence[str], passages: int) -> str:
    """A document in one line by what it says; `passages`: in how many the terms stand."""
    named = f"{_short(title)} ({_short(file)})" if file else _short(title)
    often = "" if passages == 1 else f" (in {passages} places)"
    return f"{named}: {' '.join(f'“{each}”' for each in quotes)}{often}"


def excerpt(sentence: str, at: int) -> str:
    """A sentence, of a long one what stands around a place."""
    begins = sentence.rfind(" ", 0, at - _BEFORE) + 1 if at > _QUOTED // 2 else 0
    return ("…" if begins else "") + _short(sentence[begins:], _QUOTED)


def beginning(number: int, *, shown: int, topic: str, readers: str, when: str) -> str:
    if number == 0:
        return _none_of(topic, readers, f"takes effect {when}" if when else "", "from")
    return _dated(number, shown, topic, readers, f"taking effect {when}".strip())


def ending(number: int, *, shown: int, topic: str, readers: str, when: str) -> str:
    if number == 0:
        return _none_of(topic, readers, f"ends {when}" if when else "", "until")
    return _dated(number, shown, topic, readers, f"ending {when}" if when else "with a last day")


def _none_of(topic: str, readers: str, what: str, way: str) -> str:
    """`what`: empty where no document states such a day."""
    on = f" for “{_short(topic)}”" if topic else ""
    none = f"None of the documents{on} that {readers} may read"
    return f"{none} {what}, as far as they say." if what else f"{none} says {way} when it holds."


def _dated(number: int, shown: int, topic: str, readers: str, what: str) -> str:
    on = f" for “{_short(topic)}”" if topic else ""
    found = f"{_documents(number)}{on} that {readers} may read: {what}"
    return f"{found}; {shown} of them:" if shown < number else f"{found}:"


def between(first: str, last: str) -> str:
    return f"on {first}" if first == last else f"from {first} to {last}"


def since(first: str, *, on: bool) -> str:
    """`on`: days ahead may be among them."""
    return f"from {first} on" if on else f"since {first}"


def until(last: str) -> str:
    return f"until {last}"


def compared(names: Sequence[str], aspect: str, silent: Sequence[str], more: int = 0) -> str:
    """Two documents beside each other; `silent`: those of which it is not sure what they say.

    `more`: sections that are left out.
    """
    on = f" on “{_short(aspect)}”" if aspect else ""
    both = " and ".join(f"“{_short(each)}”" for each in names)
    if silent:
        if not aspect:
            return f"{both}: I found no difference between them."
        where = " and ".join(f"“{_short(each)}”" for each in silent)
        return f"{both}{on}: what {where} says of it, I could not tell for sure."
    how = "" if aspect else ", what only one of them says, by section"
    left_out = f" ({more} more sections are left out)" if more > 1 else ""
    left_out = " (1 more section is left out)" if more == 1 else left_out
    return f"{both}{on}{how}{left_out}:"


def and_more(text: str, more: int) -> str:
    return f"{text} (and {more} more)" if more else text


def alone(name: str, sections: Sequence[str]) -> str:
    return f"Only in “{_short(name)}”: {_short('; '.join(sections), 300)}"


def held_on(day: date) -> str:
    return f"This is as of {day.isoformat()}."


def section(headings: Sequence[str]) -> str:
    return ": ".join(headings) or BEGINNING


def rest(first: int, last: int, *, of: int) -> str:
    if last < first:
        return f"There are no others: I found {_documents(of)}."
    some = f"{first}" if first == last else f"{first} to {last}"
    return f"Documents {some} of {of}:"


def outline(title: str, sections: Sequence[str], *, shown: int, of: int) -> str:
    """What follows is no summary: how each section of a document begins."""
    begins = "the first sentence" if of <= 1 else "the first sentence of each section"
    some = f"; the first {shown} of {of} sections" if shown < of else ""
    named = f" ({_short('; '.join(sections), 400)})" if sections else ""
    return f"“{_short(title)}” in outline, {begins}{some}{named}:"


def several(number: int, *, shown: int) -> str:
    some = f", of which these are {shown}" if shown < number else ""
    return f"{number} documents may be meant{some}. Ask again with the whole title of one:"


def of_the_same_title(file: str, others: int, *, shown: int) -> str:
    some = f", of which these are {shown}" if shown < others else ""
    have = "has" if others == 1 else "have"
    return f"This is {_short(file)}. {_documents(others, 'other ')} {have} the same title{some}:"


def summary(title: str, *, shown: int, of: int) -> str:
    """What follows was written by a language model, from all passages or the first ones."""
    some = f", from its first {shown} of {of} passages" if shown < of else ""
    return f"“{_short(title)}” summed up{some}:"


def entry(
    heading: str,
    *,
    file: str,
    kind: str,
    owner: str,
    version: str,
    read_in: date,
    effective: date | None,
    until: date | None = None,
) -> str:
    """A document in one line; `file` tells one title from others, `until` is its last day."""
    new = version == "1"
    facts = (
        _short(file),
        _short(kind),
        f"owner: {_short(owner)}" if owner else "",
        f"in effect from {effective}" if effective else "",
        f"in effect until {until}" if until else "",
        f"added {read_in}" if new else f"changed {read_in}, version {version}",
    )
    return f"{_short(heading)} ({'; '.join(filter(None, facts))})"


def _documents(number: int, other: str = "") -> str:
    return f"1 {other}document" if number == 1 else f"{number:,} {other}documents"


def _ended(said: str, shown: int) -> str:
    return f"{said}:" if shown else f"{said}."


def _short(text: str, most: int = _LONGEST) -> str:
    return shortened(in_one_line(text), most)
