"""A claim is read with the sentences that it cites, and with what is needed to understand them.

What a heading, the line above a list or a question alone bear out is not borne out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.answering.anchors import heading_for_people, is_for_people
from bot.answering.exact.amounts import SECTION
from bot.answering.surroundings import is_question, read_before, with_its_lead
from bot.answering.values import Run

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


_SECTION_NUMBER = re.compile(r"(: | - )(\d+(?:\.\d+)*\.? )")
"""Of a heading: "6 Coursework" says nothing of six."""


@dataclass(frozen=True, slots=True)
class Premise:
    text: str
    sentences: tuple[str, ...]
    """Those of the text, its heading first, and items of lists with what leads to them."""

    def on(self, claim: str) -> Self:
        """As it bears on the claim: without what it only reports, unless the claim does so too."""
        if tells_what_to_say(claim) or reports(claim):
            return self
        text = self.text
        for sentence in self.sentences:
            text = text.replace(sentence, without_reported(sentence))
        return type(self)(text, tuple(without_reported(each) for each in self.sentences))


@dataclass(frozen=True, slots=True)
class Premises:
    """A citation is read with its surroundings, alone, or with the others of its claim."""

    premise: Premise
    """With what is needed to understand it."""
    aside: Premise
    """That alone."""
    bare: Premise
    """What says something, alone."""

    @classmethod
    def run(cls, run: Run) -> "Premises":
        """Without what is kept out: it is no evidence beside what is cited, either."""
        passage, first, last = run.passage, run.first, run.last
        cited = [each.text for each in run.sentences]
        told = [text for n, text in enumerate(cited, first) if is_for_people(passage, n, n)]
        heading, before = heading_for_people(passage), read_before(passage, first)
        says = [text for text in told if not is_question(text)]
        asks = [text for text in told if is_question(text)]
        led = [with_its_lead(passage, index) for index in range(first, last + 1)]
        items = tuple(each for each in led if each not in cited)
        read = _premise(heading, (*before, *told))
        return cls(
            replace(read, sentences=(*read.sentences[:1], *items, *read.sentences[1:])),
            _premise(heading, (*before, *asks)),
            _premise("", says),
        )

    @classmethod
    def together(cls, several: Sequence["Premises"]) -> "Premises":
        return cls(
            _joined([each.premise for each in several]),
            _joined([each.aside for each in several]),
            _joined([each.bare for each in several]),
        )


def _premise(heading: str, sentences: Sequence[str]) -> Premise:
    text = "\n".join(each for each in (heading, " ".join(sentences)) if each)
    numbered = _SECTION_NUMBER.sub(rf"\1{SECTION} \2", heading)
    return Premise(text, tuple(each for each in (numbered, *sentences) if each))


def _joined(premises: Sequence[Premise]) -> Premise:
    texts = dict.fromkeys(each.text for each in premises)
    sentences = (sentence for each in premises for sentence in each.sentences)
    return Premise("\n".join(texts), tuple(dict.fromkeys(sentences)))
