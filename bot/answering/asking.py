"""Whether somebody asks something, by the form of their words: of English, with or without "?".

Where nobody spoke to the bot it answers only what asks, so of two mistakes the worse is to take
a remark for a question. Each clause is looked at by itself, and one that asks is enough: "I lost
the receipt, what now".
"""

import re
from collections.abc import Sequence

from bot.answering.asking_words import (
    AUXILIARIES,
    BE,
    DO,
    GOES_ON,
    HAVE,
    LEAD_INS,
    MEASURES,
    MODALS,
    NO_SUBJECT,
    OPINIONS,
    PERSONS,
    PREPOSITIONS,
    REMARKS,
    SPELT,
    SUBJECTS,
    TO_PEOPLE,
    VERB_FORMS,
    VERBS,
)

Words = Sequence[str]
"""In lower case and without contractions."""

LONGEST_CONTINUATION = 7
"""Words without a verb that ask on: "and for people on a temporary contract"."""

_SENTENCE_ENDS = re.compile(r"(?<=[?.!;…])[\"')\]]*\s+|\n+")
_OR = "|".join(sorted(AUXILIARIES | {"what", "who", "which", "where", "when", "why", "how"}))
_CLAUSE_ENDS = re.compile(
    r"[,:;()]|\s[-\u2013\u2014]+\s|\s(?=(?:and|but|so|then|because|cause)\s)"
    rf"|\s(?=or\s(?:{_OR}))",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*%?")
_CONTRACTIONS = tuple(
    (re.compile(rf"{short}\b"), full)
    for short, full in (
        (r"\bcan't", "can not"),
        (r"\bwon't", "will not"),
        (r"n't", " not"),
        (r"(?<=\b(?:it|he))'s", " is"),
        (r"(?<=\b(?:who|how|why|she))'s", " is"),
        (r"(?<=\b(?:what|when|that))'s", " is"),
        (r"(?<=\b(?:where|there))'s", " is"),
        (r"'m", " am"),
        (r"'re", " are"),
        (r"'ll", " will"),
        (r"'ve", " have"),
        (r"'d", " would"),
    )
)
_TO_SOMEBODY = re.compile(r"([A-Z][a-z]+),? (?:can|could|will|would|are|do|did|have) you\b|@\w")
_REQUESTS = re.compile(
    r"tell (?:me|us) (?!about it$|that\b)"
    r"|(?:show|give|send|remind) (?:me|us)\b|point (?:me|us) to\b"
    r"|(?:explain|list|summari[sz]e|describe|define|elaborate|clarify|specify|translate|rephrase)\b"
    r"|(?:(?:i|we|will|would|do|also) )*(?:need|want|like) (?:the\b|more\b|details|an? (?:link|example"
    r"|list|source|contact|form|template|copy)\b|to (?:know|find out|understand)\b)"
    r"|(?:(?:i|we|am|are) )*(?:looking for|asking (?:for|about)|curious)\b"
    r"|(?:(?:i|we|am|are|was) )*wonder(?:ing)? (?:if|whether|how|what|who|which|where|when|why)\b"
    r"|(?:i am )?(?:not|un) ?(?:quite |really )?(?:sure|clear|certain) (?:if|whether|how|what|who"
    r"|which|where|when|why|about|to me|i)\b|(?:i am |it is )?(?:unclear|confused)\b"
    r"|(?:i )?(?:do|can) not (?:quite |really )?(?:understand|follow|get (?:it|the|what|how|why|that))\b"
    r"|i mean[t]? (?!(?:i|we|he|she|they|you|it|that|well|what|to|yes|no|if|obviously)\b)\w"
    r"|i was (?:asking|talking|thinking) (?:about|of)\b"
    r"|(?:(?:one|another|next|last|quick|a|more|other|follow-?up) )+(?:question|thing)\b"
    r"|(?:my|the) question (?:is|was)\b"
    r"|any (?!(?:way|more|time|day|time)\b)\w|any(?:thing|one|body|where) (?:about|else|for|like|special)"
    r"|(?:something|somebody|someone) (?:for|about|like|similar|else)\b"
    r"|more (?:about|on|info|information|details?)\b"
    r"|(?:the |an? )?(?:(?:exact|contact|email|phone|room|form) )?(?:link|source|docs?|details?|examples?|address"
    r"|e-?mail|phone|number|contact|conditions|requirements|date|deadline|name|template)"
    r"(?: (?:please|for|to|of|about|on)\b|$)"
)
"""What wants to be told something without the form of a question, at the start of a clause."""


_AMONG_PEOPLE = re.compile(
    r"(?:guys|folks)\b|.* guys$|what do you think\b|how are you\b|why thank"
    r"|(?:any|some)(?:one|body) (?:here|up|in|coming)\b"
    r"|who (?:is )?(?:(?:in|up|joining|coming)(?: for\b|$)|wants|cares|knew|knows|would have)\b"
    r"|(?:can|could|will|would) (?:some|any)(?:one|body) (?:else )?(?:please )?(?:check|confirm|cover|do|fix"
    r"|have|help|join|look|pin|post|see|send|share|take|tell|update)\b"
)


def asks(text: str) -> bool:
    """Whether any of it asks; of plain words, without markup, code and links."""
    return any(_sentence_asks(each) for each in _SENTENCE_ENDS.split(text) if each.strip())


def _sentence_asks(sentence: str) -> bool:
    named = _TO_SOMEBODY.match(sentence.strip())
    if named and (named[1] or "").lower() not in LEAD_INS:
        return False
    clauses = [_words(each) for each in _CLAUSE_ENDS.split(sentence)]
    said = [each for each in map(_without_lead_in, clauses) if each]
    if not said or any(map(_to_people, said)):
        return False
    marked = "?" in sentence
    return marked or any(map(_clause_asks, said)) or _continues(clauses, said)


def _words(clause: str) -> Words:
    text = clause.lower().replace("\u2019", "'")
    for short, full in _CONTRACTIONS:
        text = short.sub(full, text)
    spelt = (SPELT.get(word, word) for word in _WORD.findall(text))
    return " ".join(spelt).split()


def _without_lead_in(words: Words) -> Words:
    start = next((n for n, word in enumerate(words) if word not in LEAD_INS), len(words))
    return words[start:]


def _clause_asks(words: Words) -> bool:
    return (
        _asks_by_word(words)
        or _asks_by_order(words)
        or _asks_within(words)
        or bool(_REQUESTS.match(" ".join(words)))
    )


def _to_people(words: Words) -> bool:
    """Turns to people, or to nobody: "who's coming", "who cares"."""
    if words[0] in AUXILIARIES and words[1:2] == ["you"]:
        return bool(TO_PEOPLE & set(words[2:3]))
    return bool(_AMONG_PEOPLE.match(" ".join(words)))


def _asks_by_word(words: Words) -> bool:
    """A question word, but not where it begins a clause of a statement: "when I asked them"."""
    start = 1 if words[0] in PREPOSITIONS else 0
    start = 2 if words[:2] == ["up", "to"] else start
    first, *rest = words[start:] or [""]
    after = rest[0] if rest else ""
    match first:
        case "who" | "whom" | "whose":
            return after not in PERSONS
        case "why":
            return True
        case "what":
            return after not in SUBJECTS
        case "which":
            return after not in _AFTER_A_RELATIVE
        case "when" | "where":
            return after in AUXILIARIES | {"", "exactly", "else", "to"}
        case "how":
            measured = after in MEASURES | AUXILIARIES | {""}
            soon = any(word in AUXILIARIES for word in rest[1:3])
            return measured or (soon and after not in OPINIONS | SUBJECTS)
    return False


def _asks_by_order(words: Words) -> bool:
    """An auxiliary before its subject: "does it expire", not "does not matter"."""
    first, rest = words[0], words[1:]
    negated = rest[:1] == ["not"]
    rest = rest[1:] if negated else rest
    if not rest:
        return False
    subject, more = rest[0], rest[1:]
    noun = bool(more) and not negated and not subject.endswith("ly")
    if first in BE:
        is_verb = subject.endswith("ed") or (subject.endswith("ing") and first in {"was", "were"})
        remark = negated and more and more[-1] in OPINIONS
        return (subject in SUBJECTS and not remark) or (
            noun and subject not in NO_SUBJECT and not is_verb
        )
    if first == "does":
        return subject in SUBJECTS or (noun and subject not in VERBS)
    if first in DO:
        if subject in {"it", "this", "that"}:
            return first == "did" and bool(more) and more[0] not in _AFTER_DID_IT
        if subject in PERSONS | {"there", "people", "everyone", "anyone", "anybody"}:
            return True
        return noun and len(more) > 1 and subject not in VERBS and more[0] != "same" or (
            noun and subject not in VERBS | SUBJECTS
        )
    if first in HAVE:
        return subject in PERSONS | {"there", "people", "these", "those", "anyone", "anybody"} or (
            first == "has" and subject in SUBJECTS
        )
    if first in MODALS:
        return subject in SUBJECTS or (
            noun and subject not in VERBS and first in {"can", "could", "will", "would", "should"}
        )
    return False


_AFTER_DID_IT = frozenset(
    "already too yesterday now last again before today for with on in at as just first once twice".split()
)
_AFTER_A_RELATIVE = PERSONS | BE | MODALS | frozenset("the my makes means meant made explains helps works sounds seems looks case".split())
_NO_QUESTION_AFTER = PERSONS | frozenset(
    "so nor neither than as to not all that ever whatever people there".split()
) | AUXILIARIES


def _asks_within(words: Words) -> bool:
    """The same where nothing marks off what stands before: "I have two jobs does that count"."""
    for before, first, second in zip(words, words[1:], words[2:], strict=False):
        if first in {"what", "how"} and second in {"about", "if", "now", "then"}:
            return True
        if before in _NO_QUESTION_AFTER:
            continue
        if first in {"do", "did"} and second in PERSONS - {"it", "you"}:
            return True
        if first in {"does", "can", "could", "should", "would", "must"} and second in PERSONS:
            return True
        if first == "does" and second in {"that", "this"}:
            return True
    return False


def _continues(clauses: Sequence[Words], said: Sequence[Words]) -> bool:
    """A few words without a verb that change one thing of what was asked before."""
    if len(said) > 1:
        return _corrects(*said[:2])
    words, all_words = said[0], [word for clause in clauses for word in clause]
    lead = all_words[: len(all_words) - len(words)]
    start = next((n for n, word in enumerate(words) if word not in GOES_ON), len(words))
    goes_on = start > 0 or bool(GOES_ON & set(lead[-1:]))
    rest = words[start:]
    if not rest or rest == ["not"]:
        return False
    if rest[0] == "if":
        return len(rest) > 2 and rest[1] not in {"so", "not", "only"}
    as_well = rest[-1] == "too" or rest[-2:] == ["as", "well"]
    if as_well and rest[0] in VERBS | {"me"}:
        return False
    rest = rest[: -1 if rest[-1] == "too" else -2] if as_well else rest
    either = "or" in rest[1:-1] and rest[-1] not in {"so", "whatever", "less", "later", "two"}
    return _is_fragment(rest) and (goes_on or as_well or either or (rest[0] in PREPOSITIONS and len(rest) > 1))


def _corrects(not_that: Words, that: Words) -> bool:
    """Not for me, for my assistant."""
    return not_that[0] == "not" and that[0] in SUBJECTS | PREPOSITIONS and _is_fragment(that)


def _is_fragment(words: Words) -> bool:
    verb = VERB_FORMS & set(words) or (words and words[0].endswith("ed"))
    return 0 < len(words) <= LONGEST_CONTINUATION and not verb and not REMARKS & set(words)
