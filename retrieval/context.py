"""What is read beside a hit, to understand it by: its neighbours, or the section it stands in."""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from retrieval.documents.port import LibraryReader
from retrieval.types import Hit, Passage, Stream

NEIGHBOURS = 2
"""On each side of a hit."""
SECTION_WORDS = 1_500
"""Of a section at most, with the hit: about the 2,000 tokens of published parent retrieval."""
FOLLOWING = 2
"""Passages in which the end of a list is sought that was cut: some 300 words more."""
_REACH = 40
"""Passages on each side among which the rest of a section is sought."""

Around = Callable[[Sequence[Hit], LibraryReader], tuple[Passage, ...]]
"""Passages around hits, once each, none of them a hit itself; empty where there are none."""


def neighbours_of(hits: Sequence[Hit], library: LibraryReader) -> tuple[Passage, ...]:
    """Passages around the academic hits: a proof seldom fits one paragraph."""
    academic = (hit for hit in hits if hit.passage.document.metadata.stream is Stream.ACADEMIC)
    around = (library.neighbours(hit.passage, NEIGHBOURS) for hit in academic)
    return _once([passage for each in around for passage in each], hits)


def sections_of(hits: Sequence[Hit], library: LibraryReader) -> tuple[Passage, ...]:
    """What else the section of each hit says, as parent retrieval has it.

    A small passage is found more surely than a long one, and is understood within its section.
    """
    return _once([each for hit in hits for each in _section(hit.passage, library)], hits)


def nothing_around(_hits: Sequence[Hit], _library: LibraryReader) -> tuple[Passage, ...]:
    """The hits are read alone."""
    return ()


def ends_of_lists(hits: Sequence[Hit], library: LibraryReader) -> dict[str, tuple[Passage, ...]]:
    """By passage id of a hit that ends within a list, the passages up to the end of that list.

    None where it is not ended by the next `FOLLOWING`, where they are of another version, or
    repeat what stands in the one before, as passages do that overlap.
    """
    cut = (hit.passage for hit in hits if hit.passage.sentences[-1].list_goes_on)
    return {each.passage_id: after for each in cut if (after := _end_of_list(each, library))}


def _end_of_list(passage: Passage, library: LibraryReader) -> tuple[Passage, ...]:
    found = [passage]
    for each in library.neighbours(passage, FOLLOWING):
        if each.ordinal < passage.ordinal:
            continue
        before = found[-1]
        of_one = each.document.version == passage.document.version
        repeats = each.sentences[0].char_start < before.sentences[-1].char_end
        if not of_one or repeats or each.section_path != passage.section_path:
            return ()
        found.append(each)
        if not each.sentences[-1].list_goes_on:
            return tuple(found[1:])
    return ()


def _once(around: Sequence[Passage], hits: Sequence[Hit]) -> tuple[Passage, ...]:
    hit_ids = {hit.passage.passage_id for hit in hits}
    unique = {passage.passage_id: passage for passage in around}
    return tuple(p for passage_id, p in unique.items() if passage_id not in hit_ids)


def _section(passage: Passage, library: LibraryReader) -> list[Passage]:
    """The rest of its section, and what is below that, in reading order; the nearest as it fits."""
    around = library.neighbours(passage, _REACH)
    before = [each for each in reversed(around) if each.ordinal < passage.ordinal]
    after = [each for each in around if each.ordinal > passage.ordinal]

    def is_inside(other: Passage) -> bool:
        path = passage.section_path
        return other.section_path[: len(path)] == path if path else not other.section_path

    inside = [*takewhile(is_inside, before), *takewhile(is_inside, after)]
    nearest = sorted(inside, key=lambda each: abs(each.ordinal - passage.ordinal))
    return sorted(_fitting(passage, nearest), key=lambda each: each.ordinal)


def _fitting(passage: Passage, nearest: Sequence[Passage]) -> Iterator[Passage]:
    words = len(passage.text.split())
    for each in nearest:
        words += len(each.text.split())
        if words > SECTION_WORDS:
            return
        yield each
