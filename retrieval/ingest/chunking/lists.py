"""A list that is cut says so: half of the steps is no answer, and an item may need its lead."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.parsing.limits import LONGEST_LEAD
from retrieval.types import Fragment, FragmentKind, Sentence


def has_items(following: Sequence[Fragment]) -> bool:
    """Whether a list goes on with it: at once, or after one more paragraph of its last item."""
    first, *others = following
    if first.kind is FragmentKind.LIST_ITEM:
        return True
    more = first.kind.is_prose and not first.sentences[-1].text.endswith(":")
    return more and any(
        other.kind is FragmentKind.LIST_ITEM and other.section_path == first.section_path
        for other in others
    )


def ended(passage: Sequence[Sentence], list_follows: bool) -> list[Sentence]:
    """The sentences of a passage, of which the last one says whether its list goes on."""
    *others, last = passage
    goes_on = list_follows and any(sentence.in_list for sentence in passage)
    return [*others, replace(last, list_goes_on=goes_on)]


def lead_after(lead: str, sentence: Sentence) -> str:
    """What leads to the next item: the line above it, and those that end in a colon.

    `lead` is what led to the sentence itself. A line that opened a list holds until another one
    does: what stands between may be a further paragraph of an item.
    """
    if sentence.text.endswith(":"):
        return _latest(f"{lead} {sentence.text}".strip() if sentence.in_list else sentence.text)
    if sentence.in_list:
        return lead
    return _latest(f"{lead[: lead.rfind(':') + 1]} {sentence.text}".strip())


def _latest(lead: str) -> str:
    """The last lines of what leads to a list, as far as every passage of it can carry them."""
    return lead if len(lead) <= LONGEST_LEAD else lead[-LONGEST_LEAD:].partition(" ")[2]
