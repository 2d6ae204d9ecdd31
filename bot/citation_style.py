"""How a sentence of a reply says what it cites: by numbers of pages, or by ids of passages.

`[src:ID]`, `[src:A,B]` and `[inference]` are those of an article on accountable retrieval. An id
is the beginning of the passage's own, as the audit store keeps it, so it leads to the passage.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from audit.record.claims import ClaimKind
from bot import pages
from bot.pages import Page

SHORTEST_ID = 8
"""Hexadecimal digits: of the passages that one reply cites no two share them in practice."""
LONGEST_ID = 24


class CitationStyle(StrEnum):
    """Every door marks the sentences of one reply in the same style."""

    NUMBERS = "numbers"
    SRC = "src"

    def source(self, page: Page, passage_id: str) -> Page:
        """What is marked alike: all that is cited of a page, or of a passage."""
        return page if self is CitationStyle.NUMBERS else (passage_id, None)

    def names(self, sources: Iterable[Page]) -> dict[Page, str]:
        """What each is called in this reply, in the order in which it is first cited."""
        numbers = pages.numbered(sources)
        if self is CitationStyle.NUMBERS:
            return {source: str(number) for source, number in numbers.items()}
        lengths = range(SHORTEST_ID, LONGEST_ID)
        apart = (n for n in lengths if len({name[:n] for name, _ in numbers}) == len(numbers))
        length = next(apart, LONGEST_ID)
        return {source: source[0][:length] for source in numbers}

    @property
    def around(self) -> tuple[str, str, str]:
        """What stands before, between and behind names of sources."""
        return ("[", "][", "]") if self is CitationStyle.NUMBERS else ("[src:", ",", "]")

    def marks(self, names: Sequence[str]) -> str:
        """Such as `[1][3]` or `[src:3f9a1c2b,77aa01b2]`; empty for none."""
        before, between, behind = self.around
        return f"{before}{between.join(names)}{behind}" if names else ""

    def closing(self, kind: ClaimKind) -> str:
        """What stands behind the marks of a sentence of this kind, a space before it, if any."""
        concluded = self is CitationStyle.SRC and kind is ClaimKind.INFERENCE
        return " [inference]" if concluded else ""
