"""A claim is read with the sentences that it cites, and with what is needed to understand them.

A heading, the line above a list or a question tell what a sentence is about. They are read with
it, but what they alone bear out is borne out by nothing that is cited.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.answering.exact.amounts import SECTION
from bot.answering.kept_out import heading_for_people, is_for_people
from bot.answering.reported_instructions import reports, tells_what_to_say, without_reported
from bot.answering.surroundings import is_question, read_before, with_its_lead
from retrieval.types import Passage

_SECTION_NUMBER = re.compile(r"(: | - )(\d+(?:\.\d+)*\.? )")
"""Of a heading: "6 Coursework" says nothing of six."""

Run = tuple[Passage, int, int]
"""Neighbouring sentences of a passage, from the first index to the last."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A premise is a text that a claim is read with."""

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
class Cited:
    """A citation is read with its surroundings, alone, or with the others of its claim."""

    premise: Premise
    """With what is needed to understand it."""
    aside: Premise
    """That alone."""
    bare: Premise
    """What says something, alone."""

    @classmethod
    def run(cls, run: Run) -> "Cited":
        """Without what is kept out: it is no evidence beside what is cited, either."""
        passage, first, last = run
        cited = [each.text for each in passage.sentences[first : last + 1]]
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
    def together(cls, several: Sequence["Cited"]) -> "Cited":
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
