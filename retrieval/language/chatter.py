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
_CAPITAL = r"[A-Z\u00C0-\u00D6\u00D8-\u00DE]"
_SMALL = r"[a-z\u00DF-\u00F6\u00F8-\u00FF]"
_NAME = rf"(?-i:(?:{_CAPITAL}['\u2019])?{_CAPITAL}{_SMALL}+(?:-{_CAPITAL}?{_SMALL}+)?)"
_NAMES = rf"{_NAME}(?: {_NAME}){{0,2}}"
_ASKING = r"how|what|which|when|where|who|whom|whose|why"

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
_SIGNED = (rf"(?:all (?:the|my) )?best,(?: {_NAMES}[.!]*)?$",)
_REPLIES = (
    r"that helps(?: a lot)?|i see|got it|(?:that )?makes sense|understood|nice|great|perfect|cool",
)
"""To an answer before; only before something else."""
_INTRODUCTIONS = (
    rf"my name(?: is|['\u2019]s) {_NAMES}(?:[.!]*$"
    rf"|,? and (?=(?:{_ASKING}|i|can|could|would|do|does)\b))",
)
_OF_A_NAME = re.compile(
    r"\b(?:first|last|sur|nick|user|pre)?-?name[sd]?\b|\b(?:mis)?spel[lt]\w*"
    r"|\b(?:change|correct|pronounce|write|written) it\b",
    re.IGNORECASE,
)
"""Who asks about a name says what it is; more than one of these, and it stays."""
_ASKED_AFTER = rf"(?=(?:{_ASKING}|if|whether|is|are|can|do|does)\b)"
_PEOPLE = r"(?:you|some(?:one|body)|any(?:one|body))(?: here)?"
_TELL = (
    r"(?: please| kindly| maybe| perhaps| possibly){0,2}"
    r" (?:tell|remind|explain(?: to)?|let) (?:me|us)(?: know)?(?: please)?"
)
_WHO_MAY_KNOW = (
    rf"{_PEOPLE}(?: (?:can|could|would|might){_TELL}|(?: might)?(?: happens? to)? knows?)"
)
_CARRIERS = (
    rf"(?:can|could|would|will) {_PEOPLE}{_TELL}",
    rf"(?:do|does|would) {_PEOPLE}(?: happen to)? know|any idea|please tell me",
    rf"(?:is there (?:any|a)|any) chance(?: that)? {_WHO_MAY_KNOW}",
    r"(?:(?:i am|i['\u2019]m|i was|i['\u2019]ve been)(?: just| only)? wondering|i wonder"
    r"|i(?:(?:['\u2019]d| would) (?:like|love)|(?: just| only)? (?:want|need|wanted)) to"
    rf" (?:know|ask))(?: (?:if|whether) {_WHO_MAY_KNOW})?",
)
"""They go before a question and count only there: "tell me about parking" stays whole."""


def _any(*phrases: tuple[str, ...]) -> str:
    return "|".join(f"(?:{each})" for group in phrases for each in group)


_END = rf"(?:{_BETWEEN}+|$)"


def _leads(*further: tuple[str, ...]) -> re.Pattern[str]:
    """`further`: what may stand among them too."""
    return re.compile(
        rf"(?:(?:{_any(_GREETINGS, _APOLOGIES, _FILLERS, _ANNOUNCEMENTS)})(?![\w'-]){_END}"
        rf"|(?:{_any(_THANKS, _CLOSINGS, _REPLIES)})(?:,? {_NAMES}[.!]*$|[,.!:;…]+\s*|$)"
        rf"|(?:{_any(_SIGNED, *further)})"
        rf"|(?:{_any(_CARRIERS)}),?:? {_ASKED_AFTER})+",
        re.IGNORECASE,
    )


_LEADS = _leads()
_LEADS_OF_SOMEBODY = _leads(_INTRODUCTIONS)
_TOPIC = re.compile(rf"about ((?:[\w'-]+ ){{0,3}}[\w'-]+): ?(?=(?:{_ASKING})\b)", re.IGNORECASE)
_NAME_BELOW = re.compile(rf"(?<=,)\s*\n\s*(?={_NAMES}[.!]?\s*$)")
_TRAILS = re.compile(
    rf"(?:(?<!\bsay)(?<!\bof){_BETWEEN}+(?:(?:{_any(_THANKS)})(?:,? {_NAMES}(?=[.!?]*$))?"
    rf"|{_any(_APOLOGIES)}|please|pl[sz]|sorry|lol|(?:ha){{2,}}"
    r"|if you (?:do not|don['\u2019]t) mind|just (?:wondering|curious)))+[\s.!?]*$",
    re.IGNORECASE,
)
_LONGEST_TRAIL = 200
"""Characters in which one, or a name below it, is looked for: a long text is read in no time."""


def without_chatter(text: str) -> str:
    """What is asked in it; as it was typed, white space folded, where nothing else is left."""
    bare = _MARKED.sub(r"\2", _EMOJI.sub(" ", text))
    plain = _with_name_beside(_LOOSE_MARK.sub(r"\1", bare).rstrip())
    leads = _LEADS_OF_SOMEBODY if len(_OF_A_NAME.findall(plain)) == 1 else _LEADS
    said = (_asked(" ".join(each.split()), leads) for each in _SENTENCE_ENDS.split(plain))
    return " ".join(filter(None, said)) or " ".join(text.split())


def _with_name_beside(text: str) -> str:
    """What it reads as: a name stands in a line of its own below "Best," too."""
    cut = max(0, len(text) - _LONGEST_TRAIL)
    return f"{text[:cut]}{_NAME_BELOW.sub(' ', text[cut:])}"


def _asked(sentence: str, leads: re.Pattern[str]) -> str:
    """A sentence without what leads to it and trails it; empty where that is all of it."""
    found = leads.match(sentence)
    begun = _without_topic(sentence[found.end() :]) if found else sentence
    cut = max(0, len(begun) - _LONGEST_TRAIL)
    end = begun[cut:] if cut else f" {begun}"
    left = f"{begun[:cut]}{_TRAILS.sub('', end)}".strip()
    if not re.search(r"\w", left):
        return ""
    mark = sentence[-1] if sentence[-1] in ".?!" and left[-1] not in ".?!" else ""
    return f"{left}{mark}"


def _without_topic(question: str) -> str:
    """Of "about leave: how much leave do I get" the question; a topic it does not name stays."""
    found = _TOPIC.match(question)
    if not found:
        return question
    asked = question[found.end() :]
    named = set(found[1].casefold().split()) - {"the", "a", "an", "my", "our"}
    return asked if named <= set(re.findall(r"[\w'-]+", asked.casefold())) else question
