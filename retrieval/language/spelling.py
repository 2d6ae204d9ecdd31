"""Which word a misspelt one was meant to be, by a list of how frequent English words are.

It proposes only; whether a word may be used for a reader is for who asks to say. What may be a
name, a number or a code proposes nothing.
"""

import re
from functools import cached_property
from importlib.resources import as_file, files
from string import ascii_lowercase

from retrieval.language.words import stems

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
    """SymSpell's list of 82,765 English words, with what each is one change away from.

    One change is a letter too many, too few, another one, or two exchanged (Damerau).
    """

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
