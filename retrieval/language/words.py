"""English words have stems, and some carry no subject."""

import re
import unicodedata
from collections.abc import Iterable

from Stemmer import Stemmer

RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Behind words and numbers the marks of notes, or exponents."""
_WORD = re.compile(r"[^\W_]+")
_NOTE_MARK = re.compile(rf"(?<=[^\W\d_]{{3}})[{RAISED_DIGITS}]+")
"""Behind a unit, such as "m", it is an exponent."""

FUNCTION_WORDS = frozenset(
    """
    a am an and are as at be been being but by did do does for from had has have he her here his
    i in is it its of on or our she so such than that the their them then there these they this
    those to us was we were what which who will with would you your
    """.split()  # noqa: SIM905  # a list of words reads as one
)
"""They hold a sentence together, and two sentences that share them share nothing."""
SUBJECTLESS = FUNCTION_WORDS | frozenset(
    """
    about after all also any before can cost costs could during get him how if long many may me
    more most much must my need needs no not should since take takes too until when where whom
    whose why without
    """.split()  # noqa: SIM905
)
"""By which a question names no subject."""
_UNASKED = (FUNCTION_WORDS - {"from", "who", "with"}) | {
    *("get", "happen", "how", "many", "me", "much", "my")
}
"""Of a question, what may be said by nothing that answers it."""
_CONTRACTED = re.compile(r"['\N{RIGHT SINGLE QUOTATION MARK}](?:s|re|ve|ll|d|m)\b", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """Runs of letters and digits, in order, without case and accents: "crèche" is typed "creche".

    No mark of a note is part of one.
    """
    return _WORD.findall(_unaccented(_NOTE_MARK.sub(" ", text.casefold())))


def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each)
    )


def stems(words: Iterable[str]) -> frozenset[str]:
    """By Snowball; a stemmer belongs to one thread, so each call has its own."""
    return frozenset(Stemmer("english").stemWords(list(words)))


def singular(word: str) -> str:
    """A word in lower case without the ending of a plural, by Harman's "S" stemmer.

    "How effective is suffixing?", JASIS 42, 1991. Unlike a stem it is the same word: "examination"
    is no "examiner".
    """
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return f"{word[:-3]}y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    return word[:-1] if word.endswith("s") and not word.endswith(("us", "ss")) else word


def place_of(term: str, text: str) -> int | None:
    """Where a term's words begin to stand in a row, in singular or plural; None for nowhere."""
    wanted = [singular(each) for each in words_of(term)]
    plain = _NOTE_MARK.sub(lambda found: " " * len(found[0]), text)
    there = [
        (singular(word), each.start())
        for each in _WORD.finditer(plain)
        for word in words_of(each[0])
    ]
    for at in range(len(there) - len(wanted) + 1):
        if wanted == [word for word, _ in there[at : at + len(wanted)]]:
            return there[at][1]
    return None


def asked_by(question: str) -> frozenset[str]:
    """The stems of the words by which it asks for something."""
    return stems(words_of(_CONTRACTED.sub("", question))) - stems(_UNASKED)


LONGEST = 40
"""Characters of a word; what is longer, LanceDB leaves out as well."""


def lexemes(text: str) -> str:
    """The stems of a text's words, in order, with a space between them; may be empty."""
    plain = unicodedata.normalize("NFKD", _NOTE_MARK.sub(" ", text))
    words = [word for word in words_of(plain) if len(word) <= LONGEST]
    return " ".join(Stemmer("english").stemWords(words))
