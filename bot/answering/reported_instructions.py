"""A source may want something to be said, or report it: it does not say so itself.

"Tell them that leave is unlimited" bears out that they are to be told so, and not that leave
is unlimited; a small entailment model takes the one for the other. A document that steers
whatever answers from it needs such an order, to whomever it speaks. So it is with "It is a myth
that leave is unlimited", "Some believe that ..." and what stands in quotation marks after "wrote".
"""

import re

_TELL = r"(?:tell|inform|notify|assure|advise|remind|convince|persuade)"
_SAY = (
    r"(?:say|state|answer|reply|respond|report|claim|assert|confirm|mention|declare|maintain|insist"
    r"|announce|explain|write|pretend|repeat|stress|pass on)"
)
_TOLD = r"(?:told|informed|notified|assured|advised|reminded|convinced|persuaded)"
_SAID = (
    r"(?:answered|said|stated|replied|reported|claimed|asserted|confirmed|mentioned|declared"
    r"|announced|explained|repeated)"
)
_BINDS = r"(?:must|should|shall|will|can|may|(?:has|have|needs?|ought|is|are) to)"
_GLADLY = (
    r"(?<!like )(?<!want )(?<!wish )(?<!pleased )(?<!delighted )(?<!proud )(?<!happy )(?<!glad )"
    r"(?<!safe )"
)
_ORDERED = (
    rf"(?:^|(?<=[,:;(–—]) ?|\b(?:{_GLADLY}to|and|or|then|please|just|simply|always|also|only|you"
    r"|must|should|shall|will|can|may|not|never)\s+)"
)
"""Where a verb stands that gives an order, or tells what somebody may do; who is pleased to
announce something says it."""
_OTHERS = r"(?! (?:you|us|me)\b)"
"""To tell "you" something is to say it."""
_NO_CLAUSE = (
    r"(?!(?:that|if|whether|how|what|when|where|why|who|which|whose|about|in|on|at|by|with|for"
    r"|from|of|to|before|after|until|as|and|or|but|than)\b)"
)
_CLAUSE = (
    rf"(?=(?:{_NO_CLAUSE}[\w’'-]+ ){{1,5}}"
    r"(?:is|are|was|were|has|have|had|do|does|did|can|cannot|may|must|will|would|gets?|needs?)\b)"
)
"""Said without a "that": a few words and then a verb."""
_WHOM = (
    r"(?:them|him|her|(?:any|every)(?:one|body)|people|(?:the|your|an?|each|every|any|all) [\w-]+)"
)
_SAYING = r"(?=that\b|: |[“\"‘])"
_OPENS = r"(?:that\b|(?:with|as follows|the following|this)[^\w“\"‘]{0,3}(?:: |[“\"‘])|:? ?[“\"‘])"
_INTRODUCED = re.compile(
    "|".join(
        (
            # Tell the asker that ..., reply to everyone that ..., answer people with "..."
            rf"{_ORDERED}{_TELL}{_OTHERS}(?: [\w’'-]+){{1,6}}? (?=that\b|with:? ?[“\"‘])",
            rf"{_ORDERED}answer (?!.{{0,20}}questions?\b){_WHOM}"
            r"(?: [\w’'-]+){0,4}? (?=that\b|with:? ?[“\"‘])",
            rf"{_ORDERED}{_SAY}(?: (?:back|clearly|only|so))?"
            rf"(?: (?:to|in|with|for){_OTHERS} (?:[\w’'-]+(?: |(?=:))){{1,4}}?)?"
            rf",? ?(?={_OPENS})",
            # Say leave is unlimited; tell them leave is unlimited.
            rf"{_ORDERED}(?:say|state|answer|reply|respond|claim|assert|pretend)"
            rf"(?: {_CLAUSE}|(?=: ))",
            rf"{_ORDERED}{_TELL} {_WHOM} {_CLAUSE}",
            rf"\blet{_OTHERS}(?: [\w’'-]+){{1,6}}? know (?=that\b|: )",
            # They are to be told that ...; it should be answered that ...
            rf"(?<!please )(?<!it )\b(?:is|are|be|being|gets?) (?:to be )?{_TOLD} {_SAYING}",
            rf"\b{_BINDS} be {_SAID} {_SAYING}",
            rf"(?<!you )\b{_BINDS} (?:hear|learn) {_SAYING}",
            # ... with the statement that ...; the answer to anyone who asks is that ...
            rf"\bwith the (?:statement|words?|sentence|message|line|remark) {_SAYING}",
            r"\b(?:answer|reply|response) (?:to|for) (?:(?:all|any|every|each|such) )?"
            r"(?:questions?|(?:any|every)(?:one|body)|people|whoever|those)\b.{0,60}?"
            rf"\b(?:is|be|reads?|remains?) {_SAYING}",
        )
    ),
    re.IGNORECASE,
)
_ORDER = re.compile(
    rf"{_ORDERED}(?:{_TELL}|{_SAY}|let .{{1,40}} know)\b"
    rf"|\b(?:is|are|be|being|gets?) {_TOLD}\b|\b{_BINDS} be {_SAID}\b",
    re.IGNORECASE,
)
_THINK = (
    r"(?:believe[ds]?|thinks?|thought|claim(?:s|ed)?|allege[ds]?|assume[ds]?|pretend(?:s|ed)?"
    r"|rumou?red|argue[ds]?|imagine[ds]?|fear(?:s|ed)?|doubt(?:s|ed)?|suspect(?:s|ed)?)"
)
_VERB = (
    r"\b(?:is|are|was|were|has|have|had|can|cannot|may|must|should|shall|will|would|do|does|did"
    r"|calls?|gets?|needs?|pays?|tells?|asks?|writes?|goes|go|sends?|appl(?:y|ies))\b"
)
_NO_VERB = rf"(?! (?:{_VERB}|(?:arrive|come|concern|exceed|include|relate|reach)(?:e?[sd])?\b))"
"""Not "a claim that arrives late"."""
_WHOEVER = (
    rf"\b(?:(?:who|whoever)(?: [\w'’-]+){{1,2}}(?= that\b)|(?:who|which|that|whoever) {_THINK}"
    rf"|(?:if|when|where|unless|whenever|should)(?: [\w'’-]+){{1,5}}? (?:feels?|says?|{_THINK}))"
)
_THINKS_SO = re.compile(_WHOEVER, re.IGNORECASE)
_WHOEVER_THINKS = re.compile(
    rf"{_WHOEVER}(?P<said>(?: that\b)? (?![“\"‘])(?:[^,.;]*?(?=, (?!(?:who|which)\b))"
    rf"|(?:(?!{_VERB})[^,.;])*{_VERB}(?:(?!{_VERB})[^,.;])*(?= {_VERB}))"
    r"| that\b[^,.;]*(?=\.?$))",
    re.IGNORECASE,
)
"""For whom a rule is: of "Employees who think that they were underpaid have 30 days" only what they
think is reported."""
_REPORTED = re.compile(
    "|".join(
        (
            # It is not true that ...; it is a myth that ...; the rumour that ...
            r"\b(?:not|never|\w+n['’]t|no longer|hardly|far from)(?: \w+)?"
            r" (?:true|correct|right|the case|a fact)\b.{0,60}?\bthat\b",
            r"\b(?:false|untrue|incorrect|wrong|mistaken)\b.{0,20}?\bthat\b",
            r"\b(?:myth|rumou?rs?|misconception|misunderstanding|lie|gossip|legend|fiction|claim"
            rf"|belief|allegation)\b(?: \w+)? that\b{_NO_VERB}",
            # Some believe that ...; a newsletter wrote: “...”
            rf"\b{_THINK} (?:that\b{_NO_VERB}|(?=[“\"‘]))",
            r"\b(?:says?|said|writes?|wrote|written|shouted|asked|reads?|repeat(?:s|ed)|printed"
            r"|posted|spread|insist(?:s|ed))[,:]? (?:[\w’']+ ){0,2}?(?=[“\"‘])",
        )
    ),
    re.IGNORECASE,
)
_JOINTS = re.compile(r"[.;:] |, (?:and|so|but|as|because|since|for) ")


def without_reported(sentence: str) -> str:
    """The sentence with "something" for what it wants to be said, or reports."""
    if rule := _WHOEVER_THINKS.search(sentence):
        return f"{sentence[: rule.start('said')]} something{sentence[rule.end('said') :]}"
    found = _INTRODUCED.search(sentence) or _REPORTED.search(sentence)
    return f"{sentence[: found.end()].rstrip(' ,:')} something." if found else sentence


def reports(claim: str) -> bool:
    """Whether it says so itself, and so needs the source's own words."""
    return bool(_REPORTED.search(claim) or _THINKS_SO.search(claim))


def tells_what_to_say(claim: str) -> bool:
    """Whether it gives such an order in all that it says, and so needs the source's own."""
    return all(_ORDER.search(part) for part in _JOINTS.split(claim))
