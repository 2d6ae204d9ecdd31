"""What is there to steer whatever reads documents for people is shown in no reply.

It gets no anchor, so that nothing can cite it, and is neither copied nor quoted, nor shown to a
model that might obey. What no sign tells is no evidence for what it wants to be said
(`reported_instructions`).
"""

from collections.abc import Mapping

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
