"""A document as one sequence of sentences, for ways that cut it where paragraphs do not end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.ingest.chunking.kinds import of_kind
from retrieval.ingest.chunking.lists import ended, has_items, lead_after
from retrieval.types import Fragment, Sentence


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence stands in a fragment, and so under headings and perhaps in a list."""

    sentence: Sentence
    fragment: int
    """Its number among the document's, from 0."""
    section: tuple[str, ...]
    lead: str
    """The lines of its section that lead to it, if it is of a list."""


def sequence(fragments: Sequence[Fragment]) -> list[Placed]:
    """All sentences of a document in reading order."""
    found: list[Placed] = []
    lead = ""
    for number, fragment in enumerate(fragments):
        if found and fragment.section_path != found[-1].section:
            lead = ""
        for sentence in fragment.sentences:
            placed = of_kind(sentence, fragment.kind)
            found.append(Placed(placed, number, fragment.section_path, lead))
            lead = lead_after(lead, placed)
    return found


def runs(placed: Sequence[Placed], *, of_one_section: bool) -> Iterator[range]:
    """The longest ranges of sentences on one page, and under one heading if that is asked.

    A place names one page, so no passage stands on two.
    """
    start = 0
    for at in range(1, len(placed) + 1):
        if at < len(placed):
            before, here = placed[at - 1], placed[at]
            same_page = before.sentence.page == here.sentence.page
            if same_page and (before.section == here.section or not of_one_section):
                continue
        yield range(start, at)
        start = at


def sentences_of(
    placed: Sequence[Placed], run: range, fragments: Sequence[Fragment]
) -> list[Sentence]:
    """The sentences of one passage, which tell what of a list is not in it."""
    found = [each.sentence for each in placed[run.start : run.stop]]
    first = placed[run.start]
    if first.sentence.in_list:
        found[0] = replace(found[0], list_lead=first.lead)
    if run.stop == len(placed):
        return found
    following, last = placed[run.stop], placed[run.stop - 1]
    below = fragments[following.fragment : following.fragment + 2]
    return ended(found, following.section == last.section and has_items(below))
