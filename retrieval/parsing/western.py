"""Files of values that programs on Windows save in Windows-1252, where that can be told surely.

Nothing in such a file says so, and what guesses by statistics (charset-normalizer was tried) finds
several encodings as likely as each other in a short one. So it is told by what letters make up
words: they must be those of one Western language, and what they would be in Central Europe's
Windows-1250 must be those of none there.
"""

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W\d_]+")
_WESTERN = (
    "äöüß",
    "àâæçéèêëîïôœùûü",
    "áéíñóúü",
    "áâãàçéêíóôõú",
    "àèéìíòóù",
    "æøåéò",
    "åäöé",
    "ëéèïöüá",
)
"""German, French, Spanish, Portuguese, Italian, Danish and Norwegian, Swedish, Dutch."""
_CENTRAL = (
    "ąćęłńóśźż",
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "áéíóöőúüű",
    "ăâîşţ",
    "čćđšž",
)
"""Polish, Czech, Slovak, Hungarian, Romanian, Croatian and its neighbours."""
_SIGNS = frozenset("€£§°–—…•©®™«»‹›“”„‚‘’´·±²³½¼¾×¿¡\u00a0")
_WITHIN_WORDS = re.compile(r"(?<=[^\W\d_])[^\w\s'’´·/.,;:|&()+\u00a0-]+(?=[^\W\d_])")


def windows_1252(content: bytes) -> str | None:
    """The text; None where it is not surely in that encoding."""
    try:
        text, central = content.decode("cp1252"), content.decode("cp1250")
    except UnicodeError:
        return None
    others = [each for each in text if not each.isascii()]
    letters = {each for each in others if each.isalpha()}
    signs = set(others) - letters
    if not others or "\0" in text or signs - _SIGNS or _WITHIN_WORDS.search(text):
        return None
    if not all(map(_has_ascii, _WORD.findall(text))) or not _are_of_one(letters, _WESTERN):
        return None
    read_else = {other for each, other in zip(text, central, strict=True) if each in letters}
    is_alike = read_else == letters
    return text if is_alike or not _are_of_one(read_else, _CENTRAL) else None


def _has_ascii(word: str) -> bool:
    """Words in another script would be made of such letters throughout; "à" is a word."""
    return len(word) == 1 or any(map(str.isascii, word))


def _are_of_one(letters: set[str], alphabets: Sequence[str]) -> bool:
    small = {each.lower() for each in letters}
    return any(small <= set(alphabet) for alphabet in alphabets)
