"""Cutting a document at its paragraphs.

After Vadlapati, "Index-RAG" (2026): a passage is a paragraph, so that a citation names
what a person would point at. Short neighbours of one section are merged, because a
heading with one line beneath it says too little to be found; long ones are split at
sentences. List items and table rows are one sentence each, and so never split. No cut parts
a sentence from the one that it leans on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.ingest.chunking.kinds import of_kind
from retrieval.ingest.chunking.lists import ended, has_items, lead_after
from retrieval.ingest.chunking.port import CHUNKING, Piece
from retrieval.language.anaphora import MOST_BEFORE, is_anaphoric
from retrieval.types import Fragment, FragmentKind, Sentence

ENOUGH_WORDS = 60
"""A passage this long takes no further paragraph."""
MOST_WORDS = 160
"""With its heading about 256 word pieces: all that the bundled models read."""


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """It implements `Chunking`."""

    enough: int = ENOUGH_WORDS
    """Words from which on a passage takes no further paragraph."""
    most: int = MOST_WORDS
    """Words of a passage, unless one sentence has more."""

    @property
    def name(self) -> str:
        """That of the default is what libraries know that were cut when there was no other."""
        bounds = (self.enough, self.most)
        return (
            CHUNKING if bounds == (ENOUGH_WORDS, MOST_WORDS) else f"{CHUNKING} paragraphs {bounds}"
        )

    def __call__(self, fragments: Sequence[Fragment]) -> Iterator[Piece]:
        """Runs of sentences under one heading, and for a PDF on one page."""
        current: list[Sentence] = []
        section: tuple[str, ...] = ()
        words = 0
        lead = ""
        for number, fragment in enumerate(fragments):
            in_list = fragment.kind is FragmentKind.LIST_ITEM
            goes_on = fragment.section_path == section and has_items(fragments[number : number + 2])
            if fragment.section_path != section:
                lead = ""
            if current and (
                fragment.section_path != section
                or fragment.sentences[0].page != current[-1].page
                or self._is_full(words, current[-1], fragment)
            ):
                yield section, ended(current, goes_on)
                current, words = [], 0
            section = fragment.section_path
            for sentence in fragment.sentences:
                length = words_of([sentence])
                if current and words + length > self.most:
                    leant_on = self._leant_on(current, sentence)
                    yield section, ended(current[: len(current) - len(leant_on)], goes_on)
                    current, words = leant_on, words_of(leant_on)
                above = lead if in_list and not current else ""
                current.append(replace(of_kind(sentence, fragment.kind), list_lead=above))
                words += length
                lead = lead_after(lead, current[-1])
        if current:
            yield section, current

    def _is_full(self, words: int, last: Sentence, following: Fragment) -> bool:
        """Whether a fragment starts a passage of its own; a list stays with what leads to it."""
        starts_anew = following.kind.is_prose and not last.text.endswith(":")
        leans = is_anaphoric(following.sentences[0].text)
        return starts_anew and words >= self.enough and not leans

    def _leant_on(self, passage: Sequence[Sentence], following: Sentence) -> list[Sentence]:
        """The last sentences of a full passage, which the next takes along; most of it stays."""
        found: list[Sentence] = []
        for sentence in reversed(passage[-MOST_BEFORE:]):
            if sentence.in_list or not is_anaphoric((found or [following])[0].text):
                break
            found.insert(0, sentence)
        fits = words_of([*found, following]) <= self.most
        return found if fits and 2 * words_of(found) < words_of(passage) else []


PARAGRAPHS = Paragraphs()
"""As documents are cut where nobody says otherwise."""


def words_of(sentences: Sequence[Sentence]) -> int:
    """How many there are."""
    return sum(len(sentence.text.split()) for sentence in sentences)
