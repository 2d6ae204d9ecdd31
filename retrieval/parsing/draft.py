"""A draft is a document in the making: its headings, and fragments under them.

Which heading is the title is known only at the end, so a fragment remembers headings
until then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from retrieval.parsing.limits import (
    DEEPEST_HEADING,
    LONGEST_HEADING,
    MOST_CHARACTERS,
    require_at_most,
)
from retrieval.types import Fragment, FragmentKind, HiddenText, ParsedDocument, Sentence

_NOTHING: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Heading:
    """It is a heading as people read it; level 1 is the outermost."""

    level: int
    text: str


class Draft:
    """It takes headings and blocks in reading order."""

    def __init__(self) -> None:
        self._headings: list[Heading] = []
        self._path: tuple[Heading, ...] = ()
        self._fragments: list[tuple[FragmentKind, tuple[Heading, ...], tuple[Sentence, ...]]] = []
        self._characters = 0

    @property
    def is_empty(self) -> bool:
        return not self._headings and not self._fragments

    def heading(self, level: int, text: str) -> None:
        """Open a section, closing those of the same level and below; no text, no section."""
        if text:
            heading = Heading(min(level, DEEPEST_HEADING), text)
            self._headings.append(heading)
            self._path = (*(above for above in self._path if above.level < heading.level), heading)

    def item(self, number: int | None, sentences: Sequence[Sentence]) -> None:
        """Add an item of a list under the current headings; `number` is what stands before it."""
        numbered = [
            replace(each, item_number=None if n else number) for n, each in enumerate(sentences)
        ]
        self.fragment(FragmentKind.LIST_ITEM, numbered)

    def fragment(self, kind: FragmentKind, sentences: Sequence[Sentence]) -> None:
        """Add a block under the current headings; one without sentences is no block.

        Raise `UnreadableDocument` where the document reads as more text than is read.
        """
        if sentences:
            self._characters += sum(len(sentence.text) for sentence in sentences)
            require_at_most(self._characters, MOST_CHARACTERS, "characters of text")
            self._fragments.append((kind, self._path, tuple(sentences)))

    def document(
        self,
        source: str,
        *,
        stated_title: str = "",
        other_title: str = "",
        front_matter: Mapping[str, object] = _NOTHING,
        hidden: tuple[HiddenText, ...] = (),
    ) -> ParsedDocument:
        """The finished document.

        Its title is the stated one, else the first top-level heading, else the other
        one. A top-level heading that is the title, or the only one there is, is not
        repeated in section paths. A title too long to be one is shortened, visibly.
        """
        top = [heading for heading in self._headings if heading.level == 1]
        title = stated_title or (top[0].text if top else other_title)

        def is_title(heading: Heading) -> bool:
            alike = heading.text.casefold() == title.casefold()
            return heading.level == 1 and (alike or (len(top) == 1 and not stated_title))

        return ParsedDocument(
            title=title if len(title) <= LONGEST_HEADING else f"{title[:LONGEST_HEADING]}…",
            source=source,
            fragments=tuple(
                Fragment(
                    kind,
                    tuple(heading.text for heading in path if not is_title(heading)),
                    sentences,
                )
                for kind, path, sentences in self._fragments
            ),
            front_matter=dict(front_matter),
            hidden=hidden,
        )
