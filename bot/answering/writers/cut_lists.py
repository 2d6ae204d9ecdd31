"""A list that was cut in two is copied whole, each of its sentences cited at its own place.

Half of the steps is no answer: of a passage that ends within a list the list was never copied.
What goes on with it comes with the evidence, checked for the reader as every hit is.
"""

from collections.abc import Sequence

from bot.answering.kept_out import is_for_people
from bot.answering.surroundings import is_lead
from bot.answering.writers.answer_spans import AnswerSpan, last_item, text_of, whole_span
from retrieval.types import Passage

Part = tuple[Passage, AnswerSpan]
"""Some neighbouring sentences of one passage."""


def cut_list(passage: Passage, following: Sequence[Passage]) -> tuple[Part, ...]:
    """The list that a passage ends within, from the line that leads to it to its last item.

    First what stands in the passage itself. Empty where no list begins in it that goes on, where
    what follows does not end the list, or where something in it is not for people.
    """
    first = _lead(passage)
    if first is None or not following or following[-1].sentences[-1].list_goes_on:
        return ()
    *between, last = following
    parts: list[Part] = [(passage, (first, len(passage.sentences) - 1))]
    parts += [(each, (0, len(each.sentences) - 1)) for each in between]
    parts.append((last, whole_span(last, (0, last_item(last, 0)))))
    return tuple(parts) if all(is_for_people(each, *span) for each, span in parts) else ()


def text_of_parts(parts: Sequence[Part]) -> str:
    return " ".join(text_of(passage, span) for passage, span in parts)


def _lead(passage: Passage) -> int | None:
    """Where the line stands that opened the list with which the passage ends; None without one."""
    sentences = passage.sentences
    if not sentences[-1].list_goes_on:
        return None
    for index in range(len(sentences) - 2, -1, -1):
        if is_lead(sentences[index].text) and not sentences[index].in_list:
            return index if sentences[index + 1].in_list else None
    return None
