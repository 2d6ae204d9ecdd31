"""Contrast pairs are claims about passages: one made untrue by rule, one that stays true."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from random import Random
from types import MappingProxyType

from retrieval.training.changes.editing import Stock, stock_of
from retrieval.training.changes.falsifying import CHANGES
from retrieval.training.changes.rewording import (
    FORMS,
    invented_connection,
    is_fact,
    is_statement,
    reversed_cause,
    reworded,
    true_join,
)
from retrieval.training.data import FAMILIES, ClaimPair, TrainingData, TrainingPassage, grouped

INVENTED = "invented connection"
"""The class of what joins two facts that nobody joined."""


class Label(IntEnum):
    ENTAILED = 0
    NEUTRAL = 1
    CONTRADICTED = 2
    NOT_ENTAILED = 3
    """One of the two before it, unknown which."""


LABELS = MappingProxyType(
    {
        "number": Label.CONTRADICTED,
        "date": Label.CONTRADICTED,
        "name": Label.NOT_ENTAILED,
        "condition": Label.NOT_ENTAILED,
        "quantifier": Label.NOT_ENTAILED,
        "negation": Label.CONTRADICTED,
        INVENTED: Label.NEUTRAL,
    }
)
READ_CHARACTERS = 900
"""How far into a premise claims look: what lies further may be cut off at 256 tokens."""
_MARKER = re.compile(r"^(?:[-*•+>]|\d+[.)])\s+")
"""Of a list item: no writer puts it into a claim."""
SHORTEST, LONGEST = 5, 45
"""Words in a sentence that is changed."""


@dataclass(frozen=True, slots=True)
class ContrastPair:
    """A contrast pair is two claims about one premise."""

    altered: ClaimPair
    true: ClaimPair


@dataclass(frozen=True)
class Alterations:
    """They make contrast pairs over some passages, with the names of each one's own file."""

    data: TrainingData
    passages: Sequence[TrainingPassage]
    disguised: float
    """Share of altered sentences that are also reworded, or joined with a true one."""
    forms: Sequence[str] = FORMS
    """Of invented connections."""

    def contrast_pair(
        self, passage: TrainingPassage, kind: str, dice: Random
    ) -> ContrastPair | None:
        """Its altered claim is of the class `kind`; None where none can be made."""
        if kind == INVENTED:
            return self._connected(passage, dice)
        premise = premise_of(passage, dice)
        if dice.random() < 0.15:
            premise = together(premise, self.beside(passage, dice).whole, dice) or premise
        sentences = self._sentences(passage, dice)
        for sentence in sentences:
            altered = CHANGES[kind](sentence, dice, self._stocks[_place(passage)])
            if altered is not None and altered not in premise:
                claim = self._disguise(altered, sentences, dice)
                true = self._truth(sentence, sentences, dice)
                return _contrast_pair(kind, premise, claim, LABELS[kind], true)
        return None

    def beside(self, passage: TrainingPassage, dice: Random) -> TrainingPassage:
        """A sibling, a neighbour in the file or, where there is none, one of the source."""
        near = [
            other
            for other in self._by_file[_place(passage)]
            if other is not passage and abs(other.position - passage.position) <= 3
        ]
        return dice.choice(near or self._by_source[passage.source])

    def _connected(self, passage: TrainingPassage, dice: Random) -> ContrastPair | None:
        """Two facts that stand apart, of one passage or of two that are read together."""
        turned = self._turned_cause(passage, dice) if dice.random() < 0.3 else None
        if turned is not None:
            return turned
        premise = premise_of(passage, dice)
        facts = [each for each in visible(passage) if is_fact(each)]
        pairs = [(a, b) for i, a in enumerate(facts) for b in facts[i + 2 :]]
        other = self.beside(passage, dice)
        both = together(passage.whole, other.whole, dice)
        if both is not None and dice.random() < 0.5:
            others = [each for each in visible(other) if is_fact(each)]
            premise, pairs = both, [(a, b) for a in facts for b in others]
        if not pairs:
            return None
        first, second = dice.choice(pairs)
        if dice.random() < 0.5:
            first, second = second, first
        false = invented_connection(first, second, dice, self.forms)
        true = true_join(first, second, dice)
        if false is None or true is None:
            return None
        return _contrast_pair(INVENTED, premise, false, Label.NEUTRAL, true)

    def _turned_cause(self, passage: TrainingPassage, dice: Random) -> ContrastPair | None:
        for sentence in visible(passage):
            turned = reversed_cause(sentence)
            if turned is not None:
                true = reworded(sentence, dice) or sentence
                return _contrast_pair(
                    INVENTED, premise_of(passage, dice), turned, Label.NEUTRAL, true
                )
        return None

    def _sentences(self, passage: TrainingPassage, dice: Random) -> list[str]:
        """In random order; often the claim that was written as true comes first."""
        sentences = visible(passage)
        dice.shuffle(sentences)
        yes = self._yes.get(passage.passage_id)
        if yes is None:
            return sentences
        return [yes, *sentences] if dice.random() < 0.5 else [*sentences, yes]

    def _disguise(self, altered: str, sentences: Sequence[str], dice: Random) -> str:
        throw = dice.random()
        if throw < self.disguised / 2:
            return reworded(altered, dice) or altered
        if throw < self.disguised:
            return true_join(altered, dice.choice(sentences), dice) or altered
        return altered

    def _truth(self, sentence: str, sentences: Sequence[str], dice: Random) -> str:
        throw = dice.random()
        if throw < 0.4:
            return sentence
        if throw < 0.8:
            return reworded(sentence, dice) or sentence
        return true_join(sentence, dice.choice(sentences), dice) or sentence

    @cached_property
    def _stocks(self) -> dict[str, Stock]:
        """By file: its own names, and the conditions of its whole source, being rarer."""
        by_source = {
            source: stock_of(each.text for each in passages).conditions
            for source, passages in self._by_source.items()
        }
        return {
            place: Stock(
                stock_of(each.text for each in passages).names, by_source[passages[0].source]
            )
            for place, passages in self._by_file.items()
        }

    @cached_property
    def _by_file(self) -> dict[str, list[TrainingPassage]]:
        return grouped((_place(each), each) for each in self.passages)

    @cached_property
    def _by_source(self) -> dict[str, list[TrainingPassage]]:
        return grouped((each.source, each) for each in self.passages)

    @cached_property
    def _yes(self) -> dict[str, str]:
        return {item.passage_id: item.yes for item in self.data.items if item.yes}


def _place(passage: TrainingPassage) -> str:
    """Its file in its source: many sources have a README.md."""
    return f"{passage.source}/{passage.file}"


def visible(passage: TrainingPassage) -> list[str]:
    """The sentences that can be changed, of those that the model surely reads."""
    whole = passage.whole
    sentences = [_MARKER.sub("", sentence) for sentence in passage.sentences]
    return [
        sentence
        for sentence in sentences
        if SHORTEST <= len(sentence.split()) <= LONGEST
        and not sentence.endswith(("?", ":"))
        and is_statement(sentence)
        and 0 <= whole.find(sentence) <= READ_CHARACTERS - len(sentence)
    ]


def premise_of(passage: TrainingPassage, dice: Random) -> str:
    """Mostly with the heading; only headings tell the passages of a family apart."""
    bare = passage.source != FAMILIES and dice.random() < 0.1
    return passage.text if bare else passage.whole


def together(first: str, second: str, dice: Random) -> str | None:
    """Two passages as one premise, as all citations of a claim are read; None if too long."""
    if first == second or len(first) + len(second) > READ_CHARACTERS:
        return None
    return "\n".join(dice.sample([first, second], 2))


def _contrast_pair(kind: str, premise: str, altered: str, label: int, true: str) -> ContrastPair:
    return ContrastPair(
        ClaimPair(kind, premise, altered, label), ClaimPair("true", premise, true, Label.ENTAILED)
    )
