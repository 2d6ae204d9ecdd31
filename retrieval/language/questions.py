"""What the form of a question tells: that it asks, how many things, and what it goes on from.

What else a line does is for `meanings` to tell. Whatever is in doubt stays as it was asked.
"""

import re
from collections.abc import Sequence
from itertools import dropwhile

from retrieval.language.words import SUBJECTLESS, words_of

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


_WHICH = r"how|what|whats|what's|when|where|which|who|whom|whose|why"
_ASKS = rf"(?:{_WHICH}|can|could|do|does|did|is|are|was|will|would|should|must|may)"
_BRIEF = r"(?:(?:by|until|from|since) when|how (?:much|long|many|often))"
"""Asks something in two words, of what was named before: "..., how much and by when"."""
_BULLET = r"(?:[•◦▪‣*\u2013-]|\d{1,2}[.)])\s+"
"""Before an item of a list, whose lines were joined."""
_BOUNDARY = re.compile(
    rf"(?P<item>(?:^|\s){_BULLET})(?={_ASKS}\b)"
    rf"|(?<=[?!.])\s+(?={_ASKS}\b)"
    rf"|[,;]?\s+(?:(?:and|also|plus|but)\s+(?:also\s+)?(?={_ASKS}\b|{_BRIEF}\b)"
    rf"|or\s+(?=(?:{_WHICH})\b))"
    rf"|(?P<comma>[,;]\s+)(?=(?:{_WHICH})\b)"
    rf"|(?P<lead>:\s+)(?=(?:{_ASKS}|{_BRIEF})\b)",
    re.IGNORECASE,
)
"""What follows "or" is mostly the other answer to the same question: "or do I sign up again".
What a colon ends says what is asked about: "parking: who may, and what does it cost?"."""
_ITEM = re.compile(rf"^\s*{_BULLET}")
_BEGINS_ASKING = re.compile(rf"{_ASKS}\b", re.IGNORECASE)
_HAS_A_VERB = re.compile(
    r"(?:who|what)\b|.*\b(?:is|are|was|were|do|does|did|can|could|will|would|should|must|may"
    r"|has|have|what's|where's|when's)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:if|when|while|once|unless)\b(?! (?:is|are|do|does|can|will)\b)", re.IGNORECASE
)
"""What is asked after it holds in that case: "what if I lose my card, how do I get in"."""
_RELATIVE = re.compile(r"(?:who|which|whose) (?:is|isn't|are|was|were|has|have)\b", re.IGNORECASE)
"""After a comma it may go on about what was named: "my partner, who is ill, ..."."""
_DIFFERENCE = r"(?:(?:what(?:['\u2019]?s| is| are)|is there) )?(?:the |an? |any )?diff(?:erences?)?"
_AND = r" (?:and|or|vs\.?|versus) "
_COMPARES = re.compile(
    rf"{_DIFFERENCE} between (?P<between>.+?{_AND}.+)"
    rf"|(?P<before>.+?{_AND}.+?)[,:;\u2013-]? {_DIFFERENCE}"
    r"|how (?:do|does|is|are) (?P<one>.+?) (?:differ|different) (?:from|to|than) (?P<other>.+)",
    re.IGNORECASE,
)
FEWEST_WORDS = 3
"""A shorter piece ("and why?") asks nothing by itself."""


def parts_of(question: str) -> tuple[str, ...]:
    """The question's parts in order; a question that asks one thing is its only part.

    Cut where a new sentence or a conjunction begins with a word that asks, and between two
    questions that a comma joins. A piece that is too short to be searched stays with what
    stands before it, and a situation that is told first stays with what it asks.
    """
    starts, ends, before = [0], [], 0
    asks = bool(_BEGINS_ASKING.match(question.lstrip()))
    boundaries = list(_BOUNDARY.finditer(question))
    is_list = sum(bool(each["item"]) for each in boundaries) > 1
    for boundary in boundaries:
        if boundary["item"] and not is_list:  # a dash between two clauses
            continue
        clause, following = question[before : boundary.start()], question[boundary.end() :]
        before = boundary.end()
        if boundary["lead"] or (boundary["item"] and not asks):
            asks = True  # of what is told first: "Two things: - who may, - what does it cost"
            continue
        is_comma, after = bool(boundary["comma"]), following.partition(",")[0]
        if is_comma and not _asks_by_itself(after):
            continue
        joined = not is_comma or (opens_a_question(clause) and not _DEPENDS.search(clause))
        if asks and joined and _asks_enough(following):
            ends.append(boundary.start())
            starts.append(boundary.end())
        asks = True
    pieces = zip(starts, [*ends, len(question)], strict=True)
    return tuple(_ITEM.sub("", question[start:end]).strip(" ,;") for start, end in pieces)


def _asks_enough(following: str) -> bool:
    return len(following.split()) >= FEWEST_WORDS or bool(
        re.match(_BRIEF, following, re.IGNORECASE)
    )


def _asks_by_itself(clause: str) -> bool:
    """Whether what stands after a comma opens a question with a verb of its own."""
    brief = re.match(_BRIEF, clause, re.IGNORECASE)
    has_a_verb = _HAS_A_VERB.match(clause) and not _RELATIVE.match(clause)
    return bool(brief or has_a_verb) and opens_a_question(clause)


def things_compared(question: str) -> tuple[str, ...]:
    """The two things of which the difference is asked; none where that is not asked.

    What tells of both says seldom that they differ, so it is found by their names. A word that
    both share stands with both: "database backups" and "file share backups". Of what is written as
    a name none is shared: "Gmail and Google Groups".
    """
    found = _COMPARES.fullmatch(question.strip(" ?!."))
    if not found:
        return ()
    if found["one"]:
        return found["one"], found["other"]
    both = found["between"] or found["before"]
    one, other = re.split(_AND, both, maxsplit=1, flags=re.IGNORECASE)
    *before, shared = other.split()
    shares = before and len(one.split()) <= len(before) and shared.casefold() not in one.casefold()
    shares = shares and shared.islower()
    return (f"{one} {shared}" if shares else one), other


_ANAPHORIC = re.compile(
    r"(?:(?:This|That|These|Those|Such|They|He|She|Its|Their|Both|Neither"
    r"|The (?:same|latter|former))\b(?! (?:is|are) (?:how|why|what|where)\b)"
    r"|It\b(?! (?:is|was|may be|can be|takes?|costs?|depends)\b.*\b(?:to|that|whether)\b)"
    r"|(?:However|But|Otherwise|Instead|Then|Also|Therefore|Thus|Hence|So|And|Or)\b"
    r"|(?:In|For) (?:this|that|these|those|such|both|either|all (?:these|other)) "
    r"|If (?:so|not|this|that|they|these|those)\b)"
)
MOST_BEFORE = 2
"""Sentences that are brought in for what is referred to."""
_PRONOUN = re.compile(r"(?:It|They|This|That|These|Those|He|She|Both|Its|Their)\b")
_CONTINUES = re.compile(r"(and|also|but|or|so|then|what about|how about)\b", re.IGNORECASE)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|must|may|should|has|have)"
_REFERS = re.compile(
    rf"\b{_AUXILIARY} (?:it|they|he|she|that|this|these|those)\b"  # who is it, when does it
    r"|\b(?:it|them|him|her|that|this|those|these|ones?|there)\s*(?:[?.!,]|$)"  # who pays for it
    r"|\b(?:for|of|about|with|to|on|in|by|from) (?:it|them|him|her|that|those|these)\b"
    r"|\b(?:they|them|he|she|him|her|its|these|those|that way)\b"
    r"|^same\b|\bthe same\b(?= (?:appl|go|hold|for|true|rule)|\s*(?:[?.!,]|$))"
    r"|\bthis (?!week|month|year|term|semester|summer|winter|spring|autumn|fall)\w",
    re.IGNORECASE,
)
_PLEONASTIC = re.compile(
    r"\bit (?:costs?|takes?)\b.*?\bto\b"  # does it take long to ...
    rf"|\b{_AUXILIARY} it (?:possible|allowed|permitted|ok|okay|necessary|required|compulsory|"
    r"mandatory|enough|true|too late)(?: \w+){2,}"
    rf"|\b{_AUXILIARY} (?:this|that) (?:week|month|year|term|semester)\b"
    r"|\bit (?:(?:going to )?be )?(?:rain|snow|sunny|cloudy|windy|cold|hot|warm)\w*"
    r"|\bwhat (?:time|day|date|month|year) is it(?= now| today|\s*(?:[?.!,]|$))",
    re.IGNORECASE,
)
"""The "it" of "is it possible to ..." stands for what follows, that of the weather for nothing."""
_ASKS_ON = rf"\b(?:how|what|where|why|who|which|{_AUXILIARY} (?:i|we|you|the|an?|my|our|some))\b"
_CLAUSE_BEGINS = re.compile(
    rf"[,.;:!?()]|\b(?:if|when|because|since|and|but|so|while|after|before|that)\b|{_ASKS_ON}",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:an?|my|our|your|his|her|every|each|any|some|another) \w", re.IGNORECASE)
_TOLD = re.compile(
    r"\b(?:some|any|every)(?:one|body)\b|\bpeople\b"
    r"|\b(?!does|has|was|this|his|its|yes|always|thanks|hers|theirs)[a-z]{2,}[^\Wsui]s\b"
    rf"|\bthe \w+(?: \w+)? (?:{_AUXILIARY}|got|says?|[a-z]+ed)\b"
    r"|(?:^|\b(?:if|when) )(?:i|we) (?!see\b|know\b|think\b|mean\b|guess\b|understand\b)\w+ \w",
    re.IGNORECASE,
)
"""What else "they" and "it" after it may stand for. "The form" alone may be an earlier one; a
plural, "if I hand in late" and "the printer is broken" tell something new."""
_DEMONSTRATIVE = re.compile(r"\b(?:that|this|those|these|same|ones?|there)\b", re.IGNORECASE)
SHORT = 6
"""Words of a continuation that changes one thing: "and for part-timers?"."""


def is_anaphoric(sentence: str) -> bool:
    return bool(_ANAPHORIC.match(sentence))


def begins_with_pronoun(sentence: str) -> bool:
    """Whether it begins with what stands for something else: it may be about anything."""
    return bool(_PRONOUN.match(sentence))


def refers_to_what_was_asked(question: str) -> bool:
    """Whether the question's first part does; later parts refer to the first.

    Not where it says nothing ("a"), and not where it names itself what its pronouns stand for:
    "a student got 49, do we bump them up".
    """
    first = parts_of(question)[0].strip()
    if not says_something(first):
        return False
    if _continues(first) or not subjects_of(first):
        return True
    literal = _PLEONASTIC.sub(" ", first)
    pronoun = _REFERS.search(literal)
    return pronoun is not None and not _is_named_before(literal, pronoun)


def stands_alone(question: str) -> bool:
    """Whether it asks of several things that it names, and refers to no earlier question."""
    return (
        asks(question) and len(subjects_of(question)) > 1 and not refers_to_what_was_asked(question)
    )


def _continues(question: str) -> bool:
    """Whether it begins as what goes on does, and is no whole question of its own after that.

    "And for part-timers?" goes on, "And how often are lifts inspected?" does not.
    """
    led = _CONTINUES.match(question)
    if led is None:
        return False
    own = question[led.end() :].lstrip(" ,")
    is_whole = opens_a_question(own) and len(subjects_of(own)) > 1
    return not is_whole or _CONTINUES.match(own) is not None


def _is_named_before(question: str, pronoun: re.Match[str]) -> bool:
    """Whether a clause before the pronoun's own names something."""
    before = question[: pronoun.start()]
    begins = list(_CLAUSE_BEGINS.finditer(before))
    asks_on = begins and re.match(_ASKS_ON, begins[-1][0], re.IGNORECASE)
    inverted = re.match(_AUXILIARY, pronoun[0], re.IGNORECASE) and not asks_on
    told = before if inverted else before[: begins[-1].start() if begins else 0]
    if _NAMED.search(told):
        return True
    return bool(_TOLD.search(told)) and not _DEMONSTRATIVE.search(pronoun[0])


def is_short_continuation(question: str) -> bool:
    """Whether it changes one thing in what was asked before: "and for part-timers?"."""
    return _continues(question.strip()) and len(question.split()) <= SHORT


def subjects_of(question: str) -> list[str]:
    """The words that name what it is about."""
    return [word for word in words_of(question) if word not in SUBJECTLESS and len(word) > 1]


_EMOJI = re.compile(
    r"(?<!\w):[a-z0-9_+'-]+:(?!\w)"  # as Slack delivers them
    r"|[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B50\u2B55\uFE0F\u200D\u20E3]+"
    r"|(?<!\S)[:;=]['-]?[()DPp/|]+(?!\w)",
)
_MARKED = re.compile(r"(?<![\w*_~`])([*_~]{1,3}|`{1,3})(?=\S)(.{1,200}?)(?<=\S)\1(?![\w*_~`])")
"""Bold, italic, struck through or code, in Slack's markup and in Markdown."""
_LOOSE_MARK = re.compile(r"(?<=\w) +([?!,;])")
_SENTENCE_ENDS = re.compile(r"(?<=[?!;…])\s*(?=\s|$)|(?<=[^\W\d_]{2}[.)])\s+|\n+")
_BETWEEN = r"[\s,.!:;…\u2013\u2014-]"
_NAME = r"(?-i:,? [A-Z][\w'\u2019-]+)"
_GREETING = (
    r"(?:hi+|hello|hey+|hiya|dear|good (?:morning|afternoon|evening|day))"
    r"(?: (?:there|all|team|everyone|everybody|colleagues|folks|guys|vouch|bot|again"
    r"|sir or madam))*"
    r"|(?:i )?hope (?:you|everyone|this|it)[\w\u2019']*(?: [\w\u2019']+){0,5} well"
)
_FILLER = (
    r"ok(?:ay)?(?! (?:to|if|for|with)\b)|u[mh]+|erm?|hm+|oh|ah+|alright|btw|anyway|lol|(?:ha){2,}"
    r"|excuse me|sorry(?! (?:if|for|about)\b)(?: to bother(?: you)?(?: all)?)?|please|pl[sz]"
    r"|(?:just )?(?:(?:a|one|another) )?quick (?:question|one|q)"
    r"|(?:just )?(?:one|another|one more) (?:question|thing)|just (?:wondering|curious)"
)
_APOLOGY = (
    r"sorry (?:for (?:the|another|this|my) (?:\w+ )?question|if this(?: \w+){1,9})"
    r"|(?:silly|stupid|dumb) question,?(?: but)?|asking for a friend|(?:(?:i am|i['\u2019]m) )?"
    r"(?:not sure (?:if|whether) this is the right (?:place|channel),?(?: but)?"
    r"|new here(?: and a bit lost)?,?(?: so)?)"
)
_THANKS = (
    r"(?:many )?thanks?(?: you)?(?: (?:so|very) much| a lot| again| in advance| all"
    r"| for (?:your|the|any) help| vouch| bot)*|thx|tia|ty|cheers"
)
_REPLY = (
    r"that helps(?: a lot)?|i see|got it|(?:that )?makes sense|understood|nice|great|perfect|cool"
    r"|(?:with )?(?:kind(?:est)?|best|warm(?:est)?) (?:regards|wishes)"
)
"""Only as a sentence of its own, or before something else: a letter may be asked about."""
_PEOPLE = r"(?:you|some(?:one|body)|any(?:one|body))(?: here)?"
_TELL = r"(?: please| kindly| possibly)* (?:tell|remind|explain(?: to)?|let) (?:me|us)(?: know)?"
_CARRIER = (
    rf"(?:can|could|would|will) {_PEOPLE}{_TELL}|(?:do|does|would) {_PEOPLE}(?: happen to)? know"
    r"|any idea|please tell me|(?:i am|i['\u2019]m|i was) (?:just )?wondering|i wonder"
    r"|i(?:['\u2019]d| would) (?:like|love) to (?:know|ask)|i(?: just)? (?:want|need|wanted) to"
    r" (?:know|ask)"
)
"""They go before a question and count only there: "tell me about parking" stays whole."""
_ASKED_AFTER = (
    r"(?=(?:how|what|which|when|where|who|whom|whose|why|if|whether|is|are|can|do|does)\b)"
)
_LEADS = re.compile(
    rf"(?:(?:{_GREETING}|{_APOLOGY}|{_FILLER})(?![\w'-])(?:{_BETWEEN}+|$)"
    rf"|(?:{_THANKS}|{_REPLY})(?:{_NAME}[.!]*$|[,.!:;…]+\s*|$)|(?:{_CARRIER}),?:? {_ASKED_AFTER})+",
    re.IGNORECASE,
)
_TRAILS = re.compile(
    rf"(?:(?<!\bsay)(?<!\bof){_BETWEEN}+(?:(?:{_THANKS})(?:{_NAME}(?=[.!?]*$))?"
    r"|please|pl[sz]|sorry|lol|(?:ha){2,}|just (?:wondering|curious)))+[\s.!?]*$",
    re.IGNORECASE,
)
_LONGEST_TRAIL = 200
"""Characters in which one is looked for: a long text is read in no time."""


def without_chatter(text: str) -> str:
    """What is asked in it; as it was typed, white space folded, where nothing else is left."""
    plain = _LOOSE_MARK.sub(r"\1", _MARKED.sub(r"\2", _EMOJI.sub(" ", text))).rstrip()
    said = (_asked(" ".join(each.split())) for each in _SENTENCE_ENDS.split(plain))
    return " ".join(filter(None, said)) or " ".join(text.split())


def _asked(sentence: str) -> str:
    """A sentence without what leads to it and trails it; empty where that is all of it."""
    found = _LEADS.match(sentence)
    begun = sentence[found.end() :] if found else sentence
    cut = max(0, len(begun) - _LONGEST_TRAIL)
    end = begun[cut:] if cut else f" {begun}"
    left = f"{begun[:cut]}{_TRAILS.sub('', end)}".strip()
    if not re.search(r"\w", left):
        return ""
    mark = sentence[-1] if sentence[-1] in ".?!" and left[-1] not in ".?!" else ""
    return f"{left}{mark}"
