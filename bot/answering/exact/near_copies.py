"""A claim that nearly copies a sentence must not differ from it in what decides.

The words which deny, bound, bind or restrict are compared with those of the nearest sentence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.answering.exact.writing import NUMBERED
from retrieval.language.sentences import sentence_spans
from retrieval.language.table_rows import cells_of
from retrieval.language.words import FUNCTION_WORDS, stems

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


NEAR_COPY = 0.7
"""Share, 0 to 1, of the claim's content words in a sentence, from which on it is taken for a near
copy. Not measured by itself (what the comparison catches with it stands on the models' card);
chosen so that what was reworded is left to the model."""

_EACH = r"(?:an?|per|each|every)(?: working| business)?"
_NOT = r"(?:not|no|never|cannot|\w+n['’]t)"
_NOT_SO = rf"{_NOT} +(?!only\b)(?:(?:be|been|being|longer|yet|\w+ly) +)?"
_FORBIDDEN = r"forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|disallow(?:s|ed)?|impossible"
_TABLE: Mapping[str, Mapping[str, str]] = {
    "how far": {
        "at least": rf"at least|minimum|{_NOT} (?:be )?(?:less|fewer) than|or more|more than"
        r"|(?:over|above)(?= \W?\d)|exceeds?|exceeding",
        "at most": rf"at most|maximum|up to|{_NOT} (?:be )?(?:more than|(?:over|above)(?= \W?\d)"
        r"|exceed(?:s|ing)?)|or (?:less|fewer)|(?:less|fewer) than|(?:under|below)(?= \W?\d)"
        r"|within",
        "exactly": r"exactly|precisely",
    },
    "when": {
        "before": rf"before|prior to|in advance|beforehand|ahead of|at the latest(?! (?!by\b)\w)"
        rf"|{_NOT} (?:be )?later than",
        "after": r"after|afterwards|following|later|once (?=\w+ (?:\w+ )?(?:is|are|has|have)\b)",
        "until": r"until|till",
        "when": r"when|as soon as",
    },
    "condition": {
        "only if": r"only (?:if|when|after|with|on|for|during)",
        "even if": r"regardless of|irrespective of|even (?:if|after|when)|whether or not",
        "unless": r"unless|except(?:ing)?(?: for| when)?|excluding|other than|apart from|but not"
        r"|with the exception",
        "if": r"(?<!as )if|where|whenever|in case|as long as|so long as|provided|subject to"
        r"|depending on",
        "instead": r"instead of|rather than|in place of",
        "besides": r"including|as well as|in addition to|along with",
        "without": r"without",
    },
    "how often": {
        "always": r"always|every time|at all times",
        "usually": r"usually|generally|typically|normally|often|frequently",
        "sometimes": r"sometimes|occasionally|at times",
        "rarely": r"rarely|seldom|hardly ever|scarcely",
        "once": r"once (?=an?\b|per|every|each)|one time",
        "twice": r"twice|two times|double",
        "thrice": r"three times|triple|thrice",
        "daily": rf"daily|{_EACH} day",
        "weekly": rf"weekly|{_EACH} week",
        "monthly": rf"monthly|{_EACH} month",
        "quarterly": rf"quarterly|{_EACH} quarter",
        "yearly": rf"yearly|annual(?:ly)?|{_EACH} year",
        "hourly": rf"hourly|{_EACH} hour",
        "decade": rf"{_EACH} decade",
    },
    "how binding, denied": {
        "not forbidden": rf"{_NOT_SO}(?:{_FORBIDDEN})",
        "need not": r"(?:do|does|did)(?: not|n['’]t) (?:have|need) to|needs? not|needn['’]t"
        rf"|no need to|{_NOT_SO}(?:required|obliged|necessary|compulsory|mandatory)",
        "must not": r"(?:(?:must|may|can)(?: not| never|n['’]t)|cannot)(?! only)"
        rf"|{_NOT_SO}(?:allowed|permitted|possible)|{_FORBIDDEN}",
    },
    "negation": {
        "not": rf"(?!{NUMBERED})(?:not(?! only)|cannot|\w+n['’]t|never|no longer|no|none|nobody"
        r"|nothing|neither|nor)",
    },
    "how much": {
        "all": r"all|every|each|everyone|everybody|everything|entire|whole|both",
        "any": r"any|anyone|anybody|anything",
        "some": r"some|several|a few|certain|part of",
        "most": r"most|mostly|majority",
        "many": r"many|much|lots",
        "few": r"few|hardly|little",
        "only": r"only|just(?! (?:after|before|about|as|like)\b)|solely|exclusively",
        "half": r"half",
    },
    "how binding": {
        "must": r"must|have to|has to|had to|needs? to|required|requires?|mandatory|obliged"
        r"|necessary|compulsory",
        "may": r"may|can|could|might|allowed|permitted|able to|optional|voluntary|free to|possible",
        "should": r"should|ought to|recommended|encouraged|advised|expected",
    },
}
"""By kind, in this order: "no more than" is a bound and no negation, once it is taken out."""
_MARKS = [
    (kind.split(",")[0], (*values,), re.compile(rf"\b(?:({')|('.join(values.values())}))\b", re.I))
    for kind, values in _TABLE.items()
]
_NEGATION = ("negation", "not")
_DENIED = {("how binding", "must not"), ("how binding", "need not")}
_NO_ONE = re.compile(
    r"(?:(?<=^)|(?<=[.,;:!?] ))"
    r"(?:(?:nobody|none) |(?:no|none of(?: the)?) "
    r"((?:\w+ of (?:the )?)?(?:(?!(?:who|that|which)\b)\w+ ){1,2}?))"
    r"(may|can|(?:is|are|was|were)(?= (?:allowed|permitted|possible|required|necessary|obliged"
    rf"|compulsory|mandatory|{_FORBIDDEN})\b))\b(?! not\b)",
    re.IGNORECASE,
)
"""The subject of what it denies, as in "No guest may" and "No permit is required". Not "No guest
must", which some read as "need not"; nor "no" in any other place: "Who has no badge may wait"."""
_CONDITION = {("condition", "if")}
_RESTRICTING = {
    _NEGATION,
    ("how much", "only"),
    *_CONDITION,
    *(("condition", value) for value in ("only if", "unless", "without")),
}
"""What takes away from a rule: neither added nor left out."""
TAKES_AWAY = re.compile(
    r"(?:Unless|Except|Exceptions?|The (?:only )?exceptions?|Excluded|Not included"
    r"|This (?:does|do) not|These do not|It does not|Only|However|But|Otherwise"
    r"|(?:This|That|It|They|The (?:idea|motion|proposal|request))"
    r" (?:was|were|ha(?:s|ve) been) (?:not (?:accepted|adopted|agreed|approved|granted)"
    r"|declined|deferred|dismissed|dropped|postponed|refused|rejected|turned down|voted down"
    r"|withdrawn))\b"
)
"""How a sentence begins that takes away from the one before it. What was not decided so stands in
minutes: of 84,395 sentences of handbooks none begins in that way."""
_POINTS_AHEAD = re.compile(r"\b(?:following|follows|below|these|this|steps?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Alignment:
    sentence: str
    alike: float
    """Share of the claim's content words that it has, 0 to 1."""
    covered: float
    """Share of its own content words that the claim has."""


def differences(claim: str, sentences: Sequence[str]) -> list[str]:
    """What decides and stands on one side only; empty where the claim is no near copy."""
    nearest = _nearly_copied(claim, sentences)
    if nearest is None:
        return []
    own, theirs = marks(claim) - _CONDITION, marks(nearest.sentence) - _CONDITION
    around = _marks_around(nearest, claim, sentences)
    kinds = {kind for kind, _ in around}
    added = {mark for mark in own - around if mark in _RESTRICTING or mark[0] in kinds}
    whole = nearest.covered >= NEAR_COPY and not cells_of(nearest.sentence)
    dropped = (theirs - own) & _RESTRICTING if whole else set()
    return [
        *(f"it adds “{value}”" for _, value in sorted(added)),
        *(f"it leaves out “{value}”" for _, value in sorted(dropped)),
        *(f"it leaves out “{each}”" for each in lost_reservations(claim, nearest.sentence)),
    ]


def _marks_around(nearest: Alignment, claim: str, sentences: Sequence[str]) -> set[tuple[str, str]]:
    """Those of the nearest one's list item, and of whatever else the claim nearly repeats."""
    item = next(each for each in sentences if nearest.sentence in each)
    several = (each for sentence in sentences for each in pieces(sentence))
    repeated = (each for each in several if _repeats(claim, each))
    return marks(item).union(*map(marks, repeated))


def _repeats(claim: str, sentence: str) -> bool:
    alignment = align(claim, [sentence])
    return alignment is not None and alignment.covered >= NEAR_COPY


def omitted_condition(claim: str, sentences: Sequence[str]) -> list[str]:
    """A condition of what the claim nearly copies, which it may tell in other words."""
    nearest = _nearly_copied(claim, sentences)
    if nearest is None or nearest.covered < NEAR_COPY or cells_of(nearest.sentence):
        return []
    left = (marks(nearest.sentence) - marks(claim)) & _CONDITION
    return [f"it leaves out “{value}”" for _, value in left]


def _nearly_copied(claim: str, sentences: Sequence[str]) -> Alignment | None:
    """Of an item of a list, which may be several sentences, the nearest one."""
    nearest = align(claim, [each for sentence in sentences for each in pieces(sentence)])
    return nearest if nearest and nearest.alike >= NEAR_COPY else None


def cut_short(claim: str, sentences: Sequence[str]) -> list[str]:
    """What restricts a sentence of which the claim is a piece, word for word, without it."""
    piece = _folded(claim)
    return [
        f"it leaves out “{value}”"
        for sentence in sentences
        for said in _with_what_takes_away(pieces(sentence))
        if piece and piece in _folded(said)
        for _, value in sorted((marks(said) - marks(claim)) & _RESTRICTING)
    ]


@lru_cache(maxsize=2048)
def pieces(sentence: str) -> tuple[str, ...]:
    """The sentences of an item of a list, which is one sentence for those who cite it."""
    return tuple(sentence[start:end] for start, end in sentence_spans(sentence)) or (sentence,)


def _with_what_takes_away(several: Sequence[str]) -> list[str]:
    """Each by itself, but what takes away from a neighbour is one with it."""
    joined: list[str] = []
    for each in several:
        leads = bool(joined) and restricts(joined[-1]) and points_ahead(joined[-1])
        if joined and (leads or TAKES_AWAY.match(each)):
            joined[-1] = f"{joined[-1]} {each}"
        else:
            joined.append(each)
    return joined


def _folded(text: str) -> str:
    return " ".join(text.split()).rstrip(".!").casefold()


def align(claim: str, sentences: Sequence[str]) -> Alignment | None:
    """The sentence that has most of the claim's content words."""
    own = content(claim)
    found = [(sentence, content(sentence)) for sentence in sentences]
    rated = [
        Alignment(sentence, len(own & words) / len(own), len(own & words) / len(words))
        for sentence, words in found
        if own and words
    ]
    return max(rated, key=lambda each: (each.alike, each.covered), default=None)


@lru_cache(maxsize=2048)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry the subject; kept for a while, as `amounts.measures`."""
    words = re.findall(r"[\w'’]+", _marked(text)[1].casefold())
    return stems(word for word in words if word not in FUNCTION_WORDS)


def says_something(text: str) -> bool:
    """Whether it has more than one word that carries anything: "25" is borne out by any source."""
    return len(content(text)) > 1 or not text.isascii()


def denies(text: str) -> bool:
    return _NEGATION in marks(text)


def restricts(text: str) -> bool:
    return bool(marks(text) & _RESTRICTING)


def points_ahead(text: str) -> bool:
    """Whether it leads to what comes after it, as "Do not do the following." does."""
    return bool(_POINTS_AHEAD.search(text))


def marks(text: str) -> set[tuple[str, str]]:
    """What in it denies, bounds, binds or restricts: kind and value."""
    found = _marked(text)[0]
    return found | ({_NEGATION} if found & _DENIED else set())


def _marked(text: str) -> tuple[set[tuple[str, str]], str]:
    found, text = set(), _NO_ONE.sub(r"\1\2 not", text)
    for kind, values, pattern in _MARKS:
        told = (zip(values, each.groups(), strict=True) for each in pattern.finditer(text))
        found |= {(kind, value) for groups in told for value, group in groups if group}
        text = pattern.sub(" ", text)
    return found, text
