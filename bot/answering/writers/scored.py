"""What could be copied, and how well it answers."""

from dataclasses import dataclass, replace

from bot.answering.anchors import is_for_people
from bot.answering.corroboration import repeats
from bot.answering.surroundings import is_question
from bot.answering.writers.answer_spans import (
    AnswerSpan,
    Part,
    goes_on,
    text_of_parts,
    whole_span,
)
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Scored:
    """A span that could be copied answers so probably, and its passage answers so probably."""

    passage: Passage
    span: AnswerSpan
    answers: float
    passage_answers: float
    goes_on: tuple[Part, ...] = ()
    """What ends the list in other passages, where it is one that was cut."""

    @property
    def worth(self) -> float:
        """Among others. A sentence seldom says all by itself, so its passage counts as well."""
        return (self.answers + self.passage_answers) / 2

    @property
    def text(self) -> str:
        return text_of_parts(self.parts)

    @property
    def parts(self) -> tuple[Part, ...]:
        return ((self.passage, self.span), *self.goes_on)

    def is_part_of(self, other: "Scored") -> bool:
        (first, last), (start, end) = self.span, other.span
        within = self.passage is other.passage and start <= first and last <= end
        return within and self.span != other.span

    def says_what(self, other: "Scored") -> bool:
        """Whether it is a part of the other, or repeats it."""
        if any(_overlap(one, another) for one in self.parts for another in other.parts):
            return True
        elsewhere = self.passage is not other.passage and repeats(self.text, other.text)
        return self.text == other.text or elsewhere

    def with_next(self) -> "Scored | None":
        """A sentence with the next one of its paragraph; None for no sentence, or the last one."""
        passage, (first, last) = self.passage, self.span
        here = passage.sentences[first]
        if first != last or self.goes_on or here.is_item or here.cells:
            return None
        is_more = goes_on(passage, last + 1) and not is_question(passage.sentences[last + 1].text)
        if not is_more or not is_for_people(passage, *whole_span(passage, (first, last + 1))):
            return None
        return replace(self, span=(first, last + 1))


def _overlap(one: Part, other: Part) -> bool:
    (passage, (first, last)), (another, (start, end)) = one, other
    return passage.passage_id == another.passage_id and first <= end and start <= last
