"""Whether somebody asks something is told by the form of their English, with or without "?".

By it a question is cut into its parts, and of what was asked before the topic is told. Whether what
somebody says is for the bot, `meanings` tells. Each clause is looked at by itself, and one that
asks is enough: "I lost the receipt, what now".
"""

import re
from collections.abc import Sequence
from itertools import dropwhile

from retrieval.language.asking_words import (
    AUXILIARIES,
    BE,
    CONTRACTIONS,
    DETERMINERS,
    DID_IT_ALREADY,
    DO,
    HAVE,
    LEAD_INS,
    MEASURES,
    MODALS,
    NO_INVERSION_AFTER,
    NO_SUBJECT,
    OPINIONS,
    PERSONS,
    PREPOSITIONS,
    QUESTION_WORDS,
    RELATES,
    SPELT,
    SUBJECTS,
    VERBS,
)

Words = Sequence[str]
"""In lower case and without contractions."""

_SENTENCE_ENDS = re.compile(r"(?<=[?.!;…？؟])[\"')\]]*\s+|\n+")
_INVERTED = "|".join(sorted(QUESTION_WORDS | AUXILIARIES))
_CLAUSE_ENDS = re.compile(
    r"[,:;()]|\s[-\u2013\u2014]+\s|\s(?=(?:and|but|so|then|because|cause)\s)"
    rf"|\s(?=or\s(?:{_INVERTED})\b)",  # but not "paid or unpaid"
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*%?")
_QUESTION_MARK = re.compile(r"[?？؟]")
_WITHOUT_APOSTROPHE = re.compile(
    r"\b(is|are|was|were|do|does|did|has|have|could|would|should|must)nt\b"
)
_CONTRACTED = re.compile("|".join(re.escape(short) for short in CONTRACTIONS))

_A_QUESTION = r"(?:if|whether|how|what|who|which|where|when|why)"
_THING = (
    r"(?:link|source|docs?|details?|examples?|address|e-?mail|phone|number|contact|conditions"
    r"|requirements|date|deadline|name|template|form)"
)
_REQUEST = re.compile(
    r"tell (?:me|us) (?!about it$|that\b)|show (?:the|all)\b|(?:show|give|send|remind) (?:me|us)\b"
    r"|point (?:me|us) to\b|list (?:all|the|your|them|of)\b"
    r"|(?:explain|summari[sz]e|describe|define|elaborate|clarify|specify|translate|rephrase)\b"
    r"|(?:(?:i|we|will|would|do|also) )*(?:need|want|like) (?:(?:the|more|details)\b"
    rf"|an? {_THING}\b|to (?:know|find out|understand)\b)"
    r"|(?:(?:i|we|am|are) )*(?:looking for|asking (?:for|about)|curious)\b"
    rf"|(?:(?:i|we|am|are|was) )*wonder(?:ing)? {_A_QUESTION}\b"
    r"|(?:i am )?(?:not (?:quite |really )?|un)(?:sure|clear|certain)"
    rf" (?:{_A_QUESTION}|about|to me|i (?:get|understand|see|follow))\b"
    r"|(?:i am |it is )?(?:unclear|confused)\b"
    r"|(?:i )?(?:do|can) not (?:quite |really )?(?:understand|follow"
    r"|get (?:it|the|that|what|how|why))\b"
    r"|i mean[t]? (?!(?:i|we|he|she|they|you|it|that|well|what|to|yes|no|if|obviously)\b)\w"
    r"|i was (?:asking|talking|thinking) (?:about|of)\b|(?:my|the) question (?:is|was)\b"
    r"|(?:(?:one|another|next|last|quick|a|more|other|follow-?up) )+(?:question|thing)\b"
    r"|any (?!(?:way|more|time|day)\b)\w"
    r"|(?:any|some)(?:thing|one|body|where) (?:about|else|for|like|special|similar)\b"
    r"|any(?:thing|one|body|where) (?:i|we) (?:can|could|should|must)\b"
    r"|more (?:about|on|info|information|details?)\b"
    rf"|(?:(?:exact|contact|email|phone|room|form) )*{_THING}(?: (?:please|for|to|of|about|on)\b|$)"
    rf"|(?:the|an?) (?:\w+ )?{_THING} (?:please|for|to|of|about|on)\b"
)
"""At the start of a clause: wants to be told something, without the form of a question."""


def asks(text: str) -> bool:
    """Whether any of it asks; `text`: plain words, without markup, code and links."""
    return any(_sentence_asks(each) for each in _SENTENCE_ENDS.split(text) if each.strip())


def opens_a_question(clause: str) -> bool:
    """Whether it begins as a question of its own does: "what does it cost", not "what I need"."""
    words = _words(clause)
    return bool(words) and (_asks_by_word(words) or _asks_by_order(words))


def says_something(text: str) -> bool:
    """Whether more is said than yes, no, thanks or a single letter."""
    return any(len(word) > 1 for word in _without_lead_in(_words(text)))


def _sentence_asks(sentence: str) -> bool:
    clauses = [_words(each) for each in _CLAUSE_ENDS.split(sentence)]
    said = [each for each in map(_without_lead_in, clauses) if each]
    return any(map(_clause_asks, said)) or (said != [] and bool(_QUESTION_MARK.search(sentence)))


def _words(clause: str) -> list[str]:
    """A few contractions and hasty spellings are written out."""
    text = clause.lower().replace("\u2019", "'")
    text = _CONTRACTED.sub(lambda found: CONTRACTIONS[found[0]], text)
    text = _WITHOUT_APOSTROPHE.sub(r"\1 not", text)
    return " ".join(SPELT.get(word, word) for word in _WORD.findall(text)).split()


def _without_lead_in(words: Words) -> list[str]:
    return list(dropwhile(LEAD_INS.__contains__, words))


def _clause_asks(words: Words) -> bool:
    return (
        _asks_by_word(words)
        or _asks_by_order(words)
        or any(map(_inverted, words, words[1:], words[2:]))
        or bool(_REQUEST.match(" ".join(words)))
    )


def _asks_by_word(words: Words) -> bool:
    """A question word, but not where it begins a clause of a statement: "when I asked them"."""
    asked = list(dropwhile(PREPOSITIONS.__contains__, words)) or [""]
    first, after = asked[0], "".join(asked[1:2])
    match first:
        case "why":
            return True
        case "who" | "whom" | "whose":
            return after not in PERSONS
        case "what":
            return after not in SUBJECTS
        case "which":
            return after not in RELATES
        case "when" | "where":
            return after in AUXILIARIES | {"", "exactly", "else", "to"}
        case "how":
            soon = any(word in AUXILIARIES for word in asked[2:4])
            other = soon and after not in OPINIONS | SUBJECTS  # how full must it be
            return other or after in MEASURES | AUXILIARIES | {""}
    return False


def _asks_by_order(words: Words) -> bool:
    """An auxiliary before its subject: "does it expire", not "does not matter"."""
    auxiliary, *rest = words
    if len(words) < 4 and set(rest[:1]) & DETERMINERS:  # is a mess
        return False
    negated = rest[:1] == ["not"]
    subject, *more = rest[negated:] or [""]
    if auxiliary in BE:
        if (negated or subject == "all") and OPINIONS & set(more[-1:] + more[:1]):
            return False
        return subject in SUBJECTS or _is_noun(auxiliary, rest)
    if auxiliary in DO:
        return _follows_do(auxiliary, subject, more) or _is_noun(auxiliary, rest)
    if auxiliary in HAVE:
        own = SUBJECTS if auxiliary == "has" else PERSONS | {"there", "people", "these", "those"}
        return subject in own
    return auxiliary in MODALS and (subject in SUBJECTS or _is_noun(auxiliary, rest))


def _follows_do(auxiliary: str, subject: str, more: Words) -> bool:
    """Whether it is the subject: not in "do it", "did that already" and "do the same"."""
    if auxiliary == "does":
        return subject in SUBJECTS
    if subject in {"it", "this", "that"}:
        return auxiliary == "did" and more[0:1] != [] and more[0] not in DID_IT_ALREADY
    if subject in PERSONS | {"there", "people", "everyone", "anyone", "anybody"}:
        return True
    return subject in SUBJECTS and len(more) > 1 and more[0] != "same"


def _is_noun(auxiliary: str, rest: Words) -> bool:
    """Whether what follows an auxiliary is its subject: "do interns get it", not "will check"."""
    word = rest[0] if len(rest) > 1 else "not"
    if word == "not" or word.endswith("ly") or word in PREPOSITIONS:
        return False
    if auxiliary in {"may", "might", "must"}:
        return False
    if auxiliary not in BE:
        return word not in VERBS | SUBJECTS
    participle = word.endswith("ed") or (word.endswith("ing") and auxiliary in {"was", "were"})
    return not participle and word not in NO_SUBJECT


def _inverted(before: str, first: str, second: str) -> bool:
    """The same where nothing marks off what stands before: "I have two jobs does that count"."""
    if second == "else" and first in QUESTION_WORDS:
        return True
    if first in {"what", "how"} and second in {"about", "if", "now", "then"}:
        return True
    if first in {"is", "was"} and second in QUESTION_WORDS:  # what I don't get is who signs
        return before not in {"that", "this", "it", "which", "here", "there"}
    if before in NO_INVERSION_AFTER:
        return False
    if first in {"do", "did"}:
        return second in PERSONS - {"it", "you"}
    if first == "does":
        return second in PERSONS | {"that", "this", "the", "my"}
    return first in {"can", "could", "should", "would", "must"} and second in PERSONS
