"""A question is put in the documents' words before it is searched, for one reader at a time."""

from dataclasses import dataclass, field

from retrieval.documents.port import LibraryReader
from retrieval.filters import permits
from retrieval.language.glossary import Glossary, has_words
from retrieval.language.spelling import SpellingProposals, beyond_doubt, replaced
from retrieval.ports import PassageIndex
from retrieval.types import Scope

MOST_LOOKED_UP = 8
"""Unknown words of a question that are looked up, so that a pasted list of codes costs little."""

MOST_READ = 10
"""Passages in which a term is looked for: those that BM25 ranks first have all of its words."""


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Corrects words that neither English nor anything that the reader may read knows.

    A correction is an English word that stands in what the scope may read: the index is asked
    under that scope, so nothing comes from documents that are kept from the reader. A word that
    is known stays, whatever is meant: "except" is never "accept". What is in doubt stays, too.
    Where the glossary has a term for what somebody says, the term is put behind it, in brackets;
    only a term that stands in what the scope may read.
    """

    library: LibraryReader
    index: PassageIndex
    spelling: SpellingProposals
    glossary: Glossary = field(default_factory=Glossary)

    def __call__(self, text: str, scope: Scope) -> str:
        """The text to search for; raise what index and library raise."""
        return self._with_terms(self._corrected(text, scope), scope)

    def _corrected(self, text: str, scope: Scope) -> str:
        unknown = [
            word
            for word in self.spelling.may_be_misspelt(text)[:MOST_LOOKED_UP]
            if not self._is_known(word, scope)
        ]
        corrections = {word: self._correction(word, scope) for word in unknown}
        return replaced(text, {word: meant for word, meant in corrections.items() if meant})

    def _with_terms(self, text: str, scope: Scope) -> str:
        """From the back, so that no place moves before it is used."""
        for end, term in sorted(
            self.glossary.meant_in(text, self.spelling.is_english), reverse=True
        ):
            if self._is_written(term, scope):
                text = f"{text[:end]} ({term}){text[end:]}"
        return text

    def _is_written(self, term: str, scope: Scope) -> bool:
        """Whether a passage that the reader may read has the term, word for word."""
        found = self.index.lexical(term, scope, MOST_READ)
        passages = self.library.passages([match.passage_id for match in found]).values()
        return any(
            has_words(term, f"{passage.heading} {passage.text}")
            for passage in passages
            if permits(passage.document.metadata.access, scope)
        )

    def _correction(self, word: str, scope: Scope) -> str:
        proposals = self.spelling.proposals(word)
        return beyond_doubt(
            {each: count for each, count in proposals.items() if self._is_known(each, scope)}
        )

    def _is_known(self, word: str, scope: Scope) -> bool:
        """Whether the reader may read a passage with this word, or a form of it."""
        return bool(self.index.lexical(word, scope, 1))
