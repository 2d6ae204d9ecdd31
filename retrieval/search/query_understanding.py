"""What a question asks for: in the documents' words, rightly spelt, and of current courses.

Who may read what does not change by it: completed courses stay readable, and nothing comes from
documents that are kept from the reader.
"""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import as_file, files
from string import ascii_lowercase

from retrieval.documents.port import LibraryReader
from retrieval.language.glossary import Glossary, has_words
from retrieval.language.words import stems
from retrieval.metadata.access import permits
from retrieval.ports import PassageIndex
from retrieval.types import Scope

FEWEST_LETTERS = 5
"""Shorter words have too many neighbours: "form" and "from", "dont" and "font"."""
MORE_FREQUENT = 20
"""So many times as frequent as the next one a proposal is beyond doubt."""
_LETTERS = f"{ascii_lowercase}'"
_LIST = "frequency_dictionary_en_82_765.txt"
_MISSPELT = re.compile(rf"(?<![\w@#./:'’-])[a-z]{{{FEWEST_LETTERS},}}(?![\w@/:'’-]|\.\w)")
"""Words in small letters alone: capitals, digits and marks belong to names and codes."""
_WITHOUT_APOSTROPHE = frozenset(
    """
    whats whens wheres theres thats youre theyre weve theyve youve doesnt didnt isnt arent wasnt
    werent wouldnt couldnt shouldnt hasnt havent hadnt mustnt neednt gonna wanna gotta kinda
    """.split()  # noqa: SIM905
)
"""No mistake to mend, and one letter from another word: "wasnt" is no "want"."""


class SpellingProposals:
    """SymSpell's 82,765 English words; what is one change away (Damerau) is proposed."""

    def may_be_misspelt(self, text: str) -> list[str]:
        """The words of a text that are no English, each once, in order."""
        words = dict.fromkeys(_MISSPELT.findall(text))
        return [word for word in words if not self.is_english(word)]

    def is_english(self, word: str) -> bool:
        """Tell whether a word in lower case is on the list, or no mistake to mend."""
        return word in _WITHOUT_APOSTROPHE or word in self._frequencies

    def proposals(self, word: str) -> dict[str, int]:
        """Words one change away, with their frequencies, the most frequent first.

        First and last letter are never the ones that change: a typist seldom misses those, and
        "canva" is no "canvas".
        """
        known = self._frequencies
        kept = [each for each in _one_change_away(word) if each in known]
        return {each: known[each] for each in sorted(kept, key=lambda each: (-known[each], each))}

    @cached_property
    def _frequencies(self) -> dict[str, int]:
        with as_file(files("symspellpy") / _LIST) as path:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        return {word: int(count) for word, count in (line.split() for line in lines)}


def beyond_doubt(proposals: dict[str, int]) -> str:
    """The one that is meant; empty where it may be another, the most frequent first.

    Forms of one word are no other; where one ends as another one ends ("paid", "unpaid"), they
    may be opposites, however frequent the one.
    """
    if not proposals:
        return ""
    best, *others = proposals
    for other in others:
        opposite = best.endswith(other) or other.endswith(best)
        if opposite or (
            stems([best]) != stems([other]) and proposals[best] < MORE_FREQUENT * proposals[other]
        ):
            return ""
    return best


def replaced(text: str, corrections: dict[str, str]) -> str:
    """The text with words in place of those that they correct."""
    return _MISSPELT.sub(lambda found: corrections.get(found[0], found[0]), text)


def _one_change_away(word: str) -> set[str]:
    """First and last letter stay."""
    inner = range(1, len(word) - 1)
    fewer = {word[:at] + word[at + 1 :] for at in inner}
    exchanged = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner[:-1]}
    more = {word[:at] + each + word[at:] for at in range(1, len(word)) for each in _LETTERS}
    other = {word[:at] + each + word[at + 1 :] for at in inner for each in _LETTERS}
    return fewer | exchanged | more | other


_COURSES = r"(?:courses?|modules?|class(?:es)?|subjects?|lectures?|seminars?)"
_TERM = r"(?:semester|term|trimester|quarter)"
_NOW = rf"(?:now|currently|at the moment|right now|this {_TERM})"
_NAMED = re.compile(
    rf"\b(?:my|our) (?:current|present|ongoing) {_COURSES}\b"
    rf"|\b(?:my|our) {_COURSES} {_NOW}\b"
    rf"|\bthis {_TERM}'?s {_COURSES}\b"
    rf"|\b{_COURSES} (?:that |which )?(?:i'?m|i am|we'?re|we are) (?:currently |now )?"
    r"(?:taking|attending|doing|enrolled in|enrolled on|signed up for)\b"
    rf"|\b{_COURSES} (?:that |which )?i (?:currently|now) (?:take|attend|do)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:not|except|besides|beside|apart from|other than|instead of|outside(?: of)?|unlike"
    r"|compared (?:to|with)) (?:in |of |for |with |from )?(?:the |any of )?(?:my|our|this|those) "
    rf"|\b(?:previous|past|earlier|former|completed|finished|passed|last {_TERM})\b",
    re.IGNORECASE,
)
"""Then what is over is asked for as well, or alone."""


def asks_of_current(question: str) -> bool:
    """Whether it names the courses that somebody takes now, and nothing that is over."""
    text = " ".join(question.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    return bool(_NAMED.search(text)) and not _OTHERS.search(text)


def narrowed(query: str, scope: Scope) -> Scope:
    """Without completed courses where the question names the current ones, if any is current."""
    current = {facet: values for facet, values in scope.current.items() if values}
    if not current or not asks_of_current(query):
        return scope
    held = {
        facet: values & current[facet] if facet in current else values
        for facet, values in scope.facets.items()
    }
    return replace(scope, facets=held)


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
