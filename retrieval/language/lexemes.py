"""Text as an engine without English of its own ranks it by words.

LanceDB does the same for itself: letters without accents and case, and stems. No word is left out;
BM25 weighs frequent ones down, and "IT" is a department.
"""

import unicodedata

from Stemmer import Stemmer

from retrieval.language.words import words_of

LONGEST = 40
"""Characters of a word; what is longer, LanceDB leaves out as well."""


def lexemes(text: str) -> str:
    """The stems of a text's words, in order, with a space between them; may be empty."""
    plain = "".join(
        each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each)
    )
    words = [word for word in words_of(plain) if len(word) <= LONGEST]
    return " ".join(Stemmer("english").stemWords(words))
