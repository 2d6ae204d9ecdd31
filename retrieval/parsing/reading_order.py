"""A document as its readers see it: headings and running lines among what passages are made of."""

from collections.abc import Iterator, Sequence

from retrieval.types import Fragment, FragmentKind, PlacedHeading


def in_reading_order(
    fragments: Sequence[Fragment],
    headings: Sequence[PlacedHeading],
    left_out: Sequence[Fragment],
) -> tuple[Fragment, ...]:
    """All that a `ParsedDocument` shows, each of its kind, as it stands in the source.

    A heading is a fragment under its own section's path.
    """
    placed = [*_as_fragments(headings), *left_out, *fragments]
    return tuple(sorted(placed, key=_start))


def _start(fragment: Fragment) -> int:
    return fragment.sentences[0].char_start


def _as_fragments(headings: Sequence[PlacedHeading]) -> Iterator[Fragment]:
    for heading in headings:
        yield Fragment(FragmentKind.HEADING, heading.section_path, (heading.sentence,))
