"""A way of cutting: fragments in, runs of whole sentences out.

Whichever way it is, a passage is made of whole sentences, since a sentence is what a reply copies
and cites: a piece of one may say the opposite of it. So each keeps its place in the source.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from retrieval.types import Fragment, Sentence

CHUNKING = "4"
"""Changes whenever the same file would be cut in another way, so that it is cut anew."""

Piece = tuple[tuple[str, ...], Sequence[Sentence]]
"""The headings above it, outermost first, and at least one sentence; all of one page."""


class Chunking(Protocol):
    """Cuts one document."""

    @property
    def name(self) -> str:
        """Of the way and all that it depends on; a document is cut anew where it changes."""
        ...

    def __call__(self, fragments: Sequence[Fragment], /) -> Iterator[Piece]:
        """Pieces in reading order, each sentence in at least one; none for no fragments.

        A sentence knows in its piece whether it is of a list, which goes on, or began before.
        """
        ...
