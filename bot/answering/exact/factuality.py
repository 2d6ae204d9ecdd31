"""What its source only plans, or says of another time, a claim must not tell as a fact.

"The kitchen plans to open on Sundays" shares every word with "The kitchen opens on Sundays", and
"Formerly visitors paid" with "Visitors pay". Only a claim that nearly copies its source is
compared so, and only by the source's main clause: who "plans to leave" may be whom a rule is for.
"""

import re
from collections.abc import Sequence

from retrieval.language.words import stems

_WORD = re.compile(r"[\w'’]+")
_PLANNED = stems(
    """
    aim attempt cease consider debate decline deliberate discuss envisage explore hope intend mull
    negotiate plan pledge prepare promise propose refuse seek stop suggest think threaten try want
    weigh wish
    """.split()  # noqa: SIM905  # a list of words reads as one
)
_OPEN = stems(
    """
    ask assess check clarify decide evaluate examine investigate look review study vote
    """.split()  # noqa: SIM905
)
"""So do these, of what is still going on, or of a question: "will decide whether"."""
_OBJECT = frozenset({"against", "that", "to", "whether"})
"""What follows such a verb, with up to two words between: "asked the Dean whether"."""
_ASKED = re.compile(
    r"\b(?:(?:has|have|had|was|were) (?:been )?(?:asked|invited|urged)"
    r"|(?:is|are|was|were) (?:expected|hoped|likely|supposed)) to\b|\bmight\b",
    re.IGNORECASE,
)
_MAYBE = frozenset({"could", "might", "perhaps", "possible", "possibly"})
_BOUND = frozenset(
    """
    asked can expected invited likely may must should supposed will would
    """.split()  # noqa: SIM905
)
"""In these words it may be told what is only asked or expected of somebody."""
_FORMER = re.compile(
    r"\b(?:formerly|previously|in the past|at (?:one|that) time|originally|historically"
    r"|(?<!be )(?<!been )(?<!is )(?<!are )(?<!was )(?<!were )(?<!often )used to(?! \w+ing\b)"
    r"|(?:until|before|prior to|up to) (?:\w+ )?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_PAST = frozenset({"was", "were", "had", "did"})
_PRESENT = frozenset(
    "am are can cannot do does has have is may must shall should will".split()  # noqa: SIM905
)
_SUBORDINATE = frozenset(
    """
    after anyone because before everyone if once since that those unless until when where which
    who whoever whom whose why
    """.split()  # noqa: SIM905
)
CLAUSE = 5
"""Words before a verb among which one says that it is not the main clause's."""


def lost_reservations(claim: str, sentence: str) -> list[str]:
    """What the claim leaves out of a sentence that it nearly copies."""
    own, theirs = _words(claim), _words(sentence)
    planned, asked = _planned(theirs), _ASKED.search(sentence)
    if asked and not planned and not _BOUND & {*own}:
        planned = [asked[0]]
    former = _FORMER.search(sentence)
    past = _main(theirs, _PAST) and not _main(theirs, _PRESENT)
    present = _main(own, _PRESENT) and not _PAST & {*own}
    return [
        *(each for each in planned[:1] if not _leaves_open(claim, own)),
        *([former[0]] if former and not _FORMER.search(claim) else []),
        *(["was"] if past and present and not former else []),
    ]


def _leaves_open(claim: str, words: Sequence[str]) -> bool:
    return bool(stems(words) & (_PLANNED | _OPEN) or _MAYBE & {*words} or _ASKED.search(claim))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _planned(words: Sequence[str]) -> list[str]:
    """Verbs of the main clause by which nothing is done yet, with what they are about."""
    return [
        word
        for at, word in enumerate(words)
        if not _is_subordinate(words, at) and _is_about_what_is_open(words, at)
    ]


def _is_about_what_is_open(words: Sequence[str], at: int) -> bool:
    following, stem = words[at + 1 : at + 4], stems([words[at]])
    running = words[at].endswith("ing") and at > 0 and words[at - 1] in _BE
    if stem & _OPEN:
        return running or "whether" in words[at + 1 : at + 1 + CLAUSE]
    about = _OBJECT & {*following} or any(each.endswith("ing") for each in following)
    return bool(stem & _PLANNED and words[at] != "considered" and (running or about))


def _main(words: Sequence[str], verbs: frozenset[str]) -> bool:
    return any(word in verbs and not _is_subordinate(words, at) for at, word in enumerate(words))


def _is_subordinate(words: Sequence[str], at: int) -> bool:
    return bool(_SUBORDINATE & {*words[max(at - CLAUSE, 0) : at]})


_BE = frozenset({"am", "are", "be", "been", "is", "was", "were"})
