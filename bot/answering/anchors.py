"""A writer names sentences by anchors, "2.3" for passage 2's third, in tags that no prose has.

What is there to steer whatever reads documents gets none, and is neither copied nor quoted.
"""

from collections.abc import Iterable, Mapping, Sequence

from bot.wording.untrusted_text import printable
from retrieval.language.steering import Sign, sign_in, signs_in
from retrieval.types import Passage


def kept_out(passage: Passage) -> Mapping[int, Sign]:
    """Its sentences that are neither shown nor copied, cited or quoted; by index, each with why."""
    return signs_in(tuple(each.text for each in passage.sentences))


def is_for_people(passage: Passage, first: int, last: int) -> bool:
    """Whether no sentence of the run is kept out; the indices are inclusive."""
    return kept_out(passage).keys().isdisjoint(range(first, last + 1))


def for_people(passage: Passage) -> tuple[str, ...]:
    """Its sentences without those that are kept out."""
    left_out = kept_out(passage)
    return tuple(each.text for n, each in enumerate(passage.sentences) if n not in left_out)


def heading_for_people(passage: Passage) -> str:
    """Empty where it shows a sign itself."""
    return "" if sign_in(passage.heading) else passage.heading


def anchor(passage_number: int, sentence_number: int) -> str:
    """Both count from 1."""
    return f"{passage_number}.{sentence_number}"


def consecutive(numbers: Iterable[int]) -> list[range]:
    """Runs of consecutive ones; they rise without repeats."""
    runs: list[range] = []
    for number in numbers:
        if runs and number == runs[-1].stop:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return runs


def anchored_text(passage_number: int, passage: Passage) -> str:
    """The passage as a writer sees it, every sentence led by its anchor.

    Tags that a document itself contains are defused, so that none can be mistaken for
    an anchor; sentences that are kept out are left out.
    """
    left_out = kept_out(passage)
    return " ".join(
        f"<c>{anchor(passage_number, number)}</c> {defused(sentence.text)}"
        for number, sentence in enumerate(passage.sentences, start=1)
        if number - 1 not in left_out
    )


def defused(text: str) -> str:
    """What can be seen of it without angle brackets, so that nothing can pass for a tag."""
    return printable(text).replace("<", "‹").replace(">", "›")


def resolve(text: str, passages: Sequence[Passage]) -> tuple[Passage, int] | None:
    """The passage and the sentence's index from 0; None where no such anchor was given."""
    passage_number, _, sentence_number = text.partition(".")
    if not (_is_number(passage_number) and _is_number(sentence_number)):
        return None
    place, index = int(passage_number) - 1, int(sentence_number) - 1
    if not 0 <= place < len(passages):
        return None
    passage = passages[place]
    if not 0 <= index < len(passage.sentences):
        return None
    return None if index in kept_out(passage) else (passage, index)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6
