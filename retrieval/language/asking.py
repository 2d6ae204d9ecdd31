"""Whether a line asks something, or says anything at all, by the words that it begins with.

What else a line does is for `meanings` to tell.
"""

import re
from collections.abc import Sequence
from itertools import dropwhile

_WORD = re.compile(r"[^\W_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


QUESTION_WORDS = _words("how what when where which who whom whose why")
_MODALS = _words("can could may might must shall should will would")
AUXILIARIES = _MODALS | _words("am are did do does had has have is was were")
DETERMINERS = _words("a an her his my our the their your")
_PERSONS = _words("he i it she they we you")
_PREPOSITIONS = _words(
    "about after at before between by during for from in of on per to until with"
)
_LEAD_INS = _words(
    """
    actually again ah ahh alright also and anyway awesome because btw but cheers cool er erm fine
    good got great ha haha hello hey hi hm hmm interesting just k lol lovely mhm nice no nope noted
    now oh ok okay okey or perfect please pls plus plz quick really right see so sorry still super
    sure thank thanks then thx ty uh um understood wait well wow yeah yep yes yup
    """
)
"""Before what somebody has to say."""


def says_something(text: str) -> bool:
    """Whether more is said than yes, no, thanks or a single letter."""
    said = dropwhile(_LEAD_INS.__contains__, _WORD.findall(text.lower()))
    return any(len(word) > 1 for word in said)


def opens_a_question(clause: str) -> bool:
    """Whether it begins as a question of its own does: "what does it cost", not "what I need"."""
    return _asks(_WORD.findall(clause.lower()))


def asks(text: str) -> bool:
    """Whether it has a question mark, or a sentence of it begins as a question."""
    sentences = (_WORD.findall(each) for each in re.split(r"[.!;\n]", text.lower()))
    said = (list(dropwhile(_LEAD_INS.__contains__, each)) for each in sentences)
    return "?" in text or any(_asks(each) and not _is_promise(each) for each in said)


def _is_promise(words: Sequence[str]) -> bool:
    """Such as "will ask them", "should be enough"."""
    first, second, *_ = [*words, "", ""]
    return first in _MODALS and second not in _PERSONS | DETERMINERS


def _asks(words: Sequence[str]) -> bool:
    first, second, *_ = [*dropwhile(_PREPOSITIONS.__contains__, words), "", ""]
    if first in AUXILIARIES:
        return second not in ("", "not")
    return first in QUESTION_WORDS and second not in _PERSONS | DETERMINERS
