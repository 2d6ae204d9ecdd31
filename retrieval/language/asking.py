"""Whether somebody asks something is told by the form of their English, with or without "?".

Where nobody spoke to the bot it answers only what asks, so of two mistakes the worse is to take
a remark for a question. Each clause is looked at by itself, and one that asks is enough: "I lost
the receipt, what now". How often this is right is measured in `tests/bot/slack/heard`.
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
    GOES_ON,
    GOES_ON_WHERE,
    HAVE,
    LEAD_INS,
    MEASURES,
    MODALS,
    NO_INVERSION_AFTER,
    NO_SUBJECT,
    NOT_BOTH,
    OPINIONS,
    PERSONS,
    PREPOSITIONS,
    QUESTION_WORDS,
    RELATES,
    REMARKS,
    SPELT,
    SUBJECTS,
    TO_PEOPLE,
    VERB_FORMS,
    VERBS,
    WHERE,
)

Words = Sequence[str]
"""In lower case and without contractions."""

LONGEST_CONTINUATION = 7
"""Words without a verb that ask on: "and for people on a temporary contract"."""

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

_TO_SOMEBODY = re.compile(
    r"@\w|(?P<name>[A-Z][a-z]+),? (?:can|could|will|would|are|do|did|have) you\b"
)
_TO_EVERYBODY = re.compile(
    r"(?:guys|folks)\b|.* guys$|what do you think\b|how are you\b|why (?:thank|am i not)"
    r"|what would (?:i|we) do without\b|(?:any|some)(?:one|body) (?:here|up|in|coming)\b"
    r"|(?:are we|is (?:any|every)(?:one|body)(?: else)?) (?:still |all )?(?:on|here|there|in|up)\b"
    r"|who (?:is )?(?:(?:in|up|joining|coming)(?: for\b|$)|bringing|wants|cares|knew|knows"
    r"|would have)\b"
    r"|(?:can|could|will|would) (?:some|any)(?:one|body) (?:else )?(?:please )?"
    r"(?:check|confirm|cover|do|fix|have|help|join|look|pin|post|see|send|share|take|tell|update)\b"
)
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
    if not said:
        return [word for each in clauses for word in each] in (["and"], ["and", "then"])
    if _names_somebody(sentence) or any(map(_turns_to_people, said)):
        return False
    marked = bool(_QUESTION_MARK.search(sentence))
    return marked or any(map(_clause_asks, said)) or _goes_on(clauses, said)


def _words(clause: str) -> list[str]:
    """A few contractions and hasty spellings are written out."""
    text = clause.lower().replace("\u2019", "'")
    text = _CONTRACTED.sub(lambda found: CONTRACTIONS[found[0]], text)
    text = _WITHOUT_APOSTROPHE.sub(r"\1 not", text)
    return " ".join(SPELT.get(word, word) for word in _WORD.findall(text)).split()


def _without_lead_in(words: Words) -> list[str]:
    return list(dropwhile(LEAD_INS.__contains__, words))


def _names_somebody(sentence: str) -> bool:
    named = _TO_SOMEBODY.match(sentence.strip())
    return named is not None and (named["name"] or "").lower() not in LEAD_INS


def _turns_to_people(words: Words) -> bool:
    """Or to nobody: "who's coming", "who cares"."""
    if words[0] in AUXILIARIES and words[1:2] == ["you"]:
        return bool(TO_PEOPLE & set(words[2:3]))
    return bool(_TO_EVERYBODY.match(" ".join(words)))


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


def _goes_on(clauses: Sequence[Words], said: Sequence[Words]) -> bool:
    """A few words without a verb that change one thing of what was asked before."""
    if len(said) > 1:
        return _corrects(*said[:2])
    clause = next(each for each in clauses if _without_lead_in(each))
    lead = clause[: len(clause) - len(said[0])]
    words = list(dropwhile(GOES_ON.__contains__, said[0]))
    led = len(words) < len(said[0]) or bool(GOES_ON & set(lead[-1:]))
    if words[:1] == ["if"]:
        return clause is clauses[-1] and _is_mere_condition(words)
    if said[0][0] in GOES_ON_WHERE and not WHERE & set(words[:2]):
        return False
    return _changes_one_thing(words, led=led, bare=not lead)


def _is_mere_condition(words: Words) -> bool:
    """Without the clause that it is a condition of: "if it works it works"."""
    subjects = [word for word in words[:-1] if word in PERSONS]
    return len(words) > 2 and words[1] not in {"so", "not", "only"} and len(subjects) < 2


def _changes_one_thing(words: Words, *, led: bool, bare: bool) -> bool:
    """`led`: after "and" and the like; `bare`: after nothing at all in its clause."""
    too = 1 if words[-1:] == ["too"] else 2 if words[-2:] == ["as", "well"] else 0
    thing = words[: len(words) - too]
    if not _is_short_thing(thing):
        return False
    if too:
        return thing[0] not in VERBS | {"me"}
    either = "or" in thing[1:-1] and thing[-1] not in NOT_BOTH
    return led or either or (bare and _says_for_which_case(thing))


def _says_for_which_case(thing: Words) -> bool:
    """On weekends; prices for students."""
    if thing[0] in WHERE:
        return len(thing) > 1
    acts = VERBS & {thing[0], thing[0].removesuffix("s"), thing[0].removesuffix("ing")}
    return "for" in thing[1:3] and not acts and thing[-1] not in {"me", "us", "for"}


def _corrects(not_that: Words, that: Words) -> bool:
    """Not for me, for my assistant."""
    return not_that[0] == "not" and that[0] in SUBJECTS | WHERE and _is_short_thing(that)


def _is_short_thing(words: Words) -> bool:
    if not 0 < len(words) <= LONGEST_CONTINUATION or words[0].endswith("ed") or words == ["not"]:
        return False
    return not (VERB_FORMS | REMARKS) & set(words)
