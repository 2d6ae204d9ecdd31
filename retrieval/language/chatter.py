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

_ALL = r"(?: (?:there|all|team|everyone|everybody|folks|guys|vouch|bot))*"
_GREETINGS = (
    rf"(?:hi+|hello|hey+|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings){_ALL}"
    r"(?: again)?",
    r"(?:i )?hope (?:you|everyone|everybody|this|it)(?: (?:is|are|all)|['\u2019](?:re|s))?(?: all)?"
    r"(?: doing)? (?:well|good|great|fine|ok(?:ay)?)",
    r"(?:i )?hope this (?:\w+ )?finds you(?: all)? well",
    r"dear (?:all|team|everyone|everybody|colleagues|vouch|bot|sir or madam)",
)
_FILLERS = (
    r"ok(?:ay)?(?! (?:to|if|for|with)\b)|u[mh]+|erm?|hm+|oh|ah+|alright|btw|anyway|lol|(?:ha){2,}",
    r"excuse me|sorry|please|pl[sz]",
)
_APOLOGIES = (
    r"sorry (?:to bother(?: you)?(?: all)?|for (?:the|another|this|my) (?:\w+ )?question"
    r"|if this(?: \w+){1,9})",
    r"(?:i am |i['\u2019]m )?not sure (?:if|whether) this is the right (?:place|channel)"
    r"(?: to ask)?(?: this)?,?(?: but)?",
    r"(?:this (?:is|may be|might be) )?(?:probably )?an? (?:silly|stupid|dumb|basic) question,?"
    r"(?: but)?|(?:silly|stupid|dumb) question,?(?: but)?",
    r"asking for a friend|(?:i am |i['\u2019]m )?new here(?: and a bit lost)?,?(?: so)?",
)
_ANNOUNCEMENTS = (
    r"(?:just )?(?:a |one |another |one more )?quick (?:question|one|q)(?: for you)?",
    r"(?:just )?(?:one|another|one more) (?:question|thing)|one more(?=[,:])",
    r"(?:i have|i['\u2019]ve got|i['\u2019]ve) (?:a|one|another|one more) (?:\w+ )?question",
    r"just (?:wondering|curious)",
)
_THANKS = (
    r"(?:many |so many )?thanks?(?: you)?(?: (?:so|very) much| a lot| a million| again| in advance"
    r"| all| everyone| for (?:your|the|any) help| vouch| bot)*",
    r"thx|tia|ty|cheers|(?:any )?help (?:is|would be)(?: much| greatly)? appreciated",
    r"have a (?:nice|good|great|lovely) (?:day|one|weekend|week|evening)|please help(?: me)?",
)
_CLOSINGS = (
    r"(?:with )?(?:kind(?:est)?|best|warm(?:est)?) (?:regards|wishes)"
    r"|yours (?:sincerely|faithfully)",
)
"""Only as a sentence of its own: a letter may be what is asked about."""
_REPLIES = (
    r"that helps(?: a lot)?|i see|got it|(?:that )?makes sense|understood|nice|great|perfect|cool",
)
"""To an answer before; only before something else."""
_ASKED_AFTER = (
    r"(?=(?:how|what|which|when|where|who|whom|whose|why|if|whether|is|are|can|do|does)\b)"
)
_CARRIERS = (
    r"(?:can|could|would|will) (?:you|some(?:one|body)|any(?:one|body))(?: here)?"
    r"(?: please| kindly| maybe| possibly)? (?:tell|remind|explain(?: to)?|let) (?:me|us)"
    r"(?: know)?(?: please)?",
    r"(?:do you|does any(?:one|body)(?: here)?)(?: happen to)? know|any idea|please tell me",
    r"(?:i am|i['\u2019]m|i was|i['\u2019]ve been)(?: just| only)? wondering|i wonder",
    r"i(?:(?:['\u2019]d| would) (?:like|love)|(?: just| only)? (?:want|need|wanted)) to"
    r" (?:know|ask)",
)
"""They go before a question and count only there: "tell me about parking" stays whole."""


def _any(*phrases: tuple[str, ...]) -> str:
    return "|".join(f"(?:{each})" for group in phrases for each in group)


_NAME = r"(?-i:[A-Z][a-z]+)"
_END = rf"(?:{_BETWEEN}+|$)"
_LEADS = re.compile(
    rf"(?:(?:{_any(_GREETINGS, _APOLOGIES, _FILLERS, _ANNOUNCEMENTS)})(?![\w'-]){_END}"
    rf"|(?:{_any(_THANKS, _CLOSINGS, _REPLIES)})(?:,? {_NAME}[.!]*$|[,.!:;…]+\s*|$)"
    rf"|(?:{_any(_CARRIERS)}),?:? {_ASKED_AFTER})+",
    re.IGNORECASE,
)
_TRAILS = re.compile(
    rf"(?:(?<!\bsay)(?<!\bof){_BETWEEN}+(?:(?:{_any(_THANKS)})(?:,? {_NAME}(?=[.!?]*$))?"
    rf"|{_any(_APOLOGIES)}|please|pl[sz]|sorry|lol|(?:ha){{2,}}"
    r"|if you (?:do not|don['\u2019]t) mind|just (?:wondering|curious)))+[\s.!?]*$",
    re.IGNORECASE,
)
_LONGEST_TRAIL = 200
"""Characters in which a trail is looked for, so that a long text is read in no time."""


def without_chatter(text: str) -> str:
    """What is asked in it; as it was typed, white space folded, where nothing else is left."""
    bare = _MARKED.sub(r"\2", _EMOJI.sub(" ", text))
    plain = _LOOSE_MARK.sub(r"\1", bare)
    said = (_asked(" ".join(each.split())) for each in _SENTENCE_ENDS.split(plain))
    return " ".join(filter(None, said)) or " ".join(text.split())


def _asked(sentence: str) -> str:
    """A sentence without what leads to it and trails it; empty where that is all of it."""
    begun = sentence[found.end() :] if (found := _LEADS.match(sentence)) else sentence
    cut = max(0, len(begun) - _LONGEST_TRAIL)
    end = begun[cut:] if cut else f" {begun}"
    left = f"{begun[:cut]}{_TRAILS.sub('', end)}".strip()
    if not re.search(r"\w", left):
        return ""
    mark = sentence[-1] if sentence[-1] in ".?!" and left[-1] not in ".?!" else ""
    return f"{left}{mark}"
