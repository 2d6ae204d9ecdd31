"""A question is put in plain words before it is searched, for one reader at a time."""

from dataclasses import dataclass

from retrieval.language.spelling import SpellingProposals, beyond_doubt, replaced
from retrieval.ports import PassageIndex
from retrieval.types import Scope

MOST_LOOKED_UP = 8
"""Unknown words of a question that are looked up, so that a pasted list of codes costs little."""


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Corrects words that neither English nor anything that the reader may read knows.

    A correction is an English word that stands in what the scope may read: the index is asked
    under that scope, so nothing comes from documents that are kept from the reader. A word that
    is known stays, whatever is meant: "except" is never "accept". What is in doubt stays, too.
    """

    index: PassageIndex
    spelling: SpellingProposals

    def __call__(self, text: str, scope: Scope) -> str:
        """The text to search for; raise `IndexUnavailable` or `IndexMismatch`."""
        unknown = [
            word
            for word in self.spelling.may_be_misspelt(text)[:MOST_LOOKED_UP]
            if not self._is_known(word, scope)
        ]
        corrections = {word: self._correction(word, scope) for word in unknown}
        return replaced(text, {word: meant for word, meant in corrections.items() if meant})

    def _correction(self, word: str, scope: Scope) -> str:
        proposals = self.spelling.proposals(word)
        return beyond_doubt(
            {each: count for each, count in proposals.items() if self._is_known(each, scope)}
        )

    def _is_known(self, word: str, scope: Scope) -> bool:
        """Whether the reader may read a passage with this word, or a form of it."""
        return bool(self.index.lexical(word, scope, 1))
