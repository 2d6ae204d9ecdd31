"""What people say around a question is not what they ask.

"Hi all :wave: could someone tell me *how late* I may hand in coursework? Thanks!" asks for its
middle. Whatever is in doubt stays: a word too many costs a search little, a lost one all.
"""

import re

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
