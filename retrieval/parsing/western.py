"""Files of values that programs on Windows save in Windows-1252, where that can be told surely.

Nothing in such a file says so, and what guesses by statistics (charset-normalizer was tried) finds
several encodings as likely as each other in a short one. So it is told by what letters make up
words: read so they must be those of one language, by how often it has them, rather than what they
would be in any other encoding.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import inf, log2
from unicodedata import normalize

_WORD = re.compile(r"[^\W\d_]+")
_WESTERN = (
    *("äüöß", "éèàêçôùîâûœëïæ", "óáéíñúü", "ãçáíéóêõúâàô", "èàùéòì", "åøæéò", "äöåé", "éëïèóöüá"),
    "óàéíèçòúïü",
)
"""Letters, the most frequent ones first, of German, French, Spanish, Portuguese, Italian, Danish
and Norwegian, Swedish and Finnish, Dutch, Catalan."""
_CENTRAL = (
    *("łęążśćóńź", "íáěéřžýčšůúňťďó", "áéíýťľčžúšôňďóäĺŕ", "áéíóöőüúű", "ăîşţâ"),
    "čšžćđ",
)
"""Polish, Czech, Slovak, Hungarian, Romanian, Croatian and its neighbours."""
_OTHERS = {
    **dict.fromkeys(("cp1250", "iso8859-2"), _CENTRAL),
    **dict.fromkeys(("cp850", "mac_roman"), _WESTERN),
    "cp1254": ("ışüçğöâî",),
    "cp1257": ("šėųįžąčūę", "äõüöšž", "āīšēņūļžķģč"),
    "cp1258": ("đôưáàêóíạảấộếệìùâúơãýớợầểờịữ",),
}
"""Turkish; Lithuanian, Estonian, Latvian; Vietnamese."""
_FOREIGN = 6.0
"""The cost in bits of a letter that a language has not, or of one amid a word in another case."""
_SIGN = 3.0
"""That of a sign beside a letter."""
_CLUSTER = 3.0
"""That of what is hard to pronounce."""
_SURE = 0.5
"""How much more any other encoding must cost. Chosen on messages of programs in 34 languages."""
_ENOUGH = 100_000
"""Bytes of lines with letters beyond ASCII: more tell nothing else, and take seconds."""
_SIGNS = frozenset("€£§°–—…•©®™«»‹›“”„‚‘’´·±²³½¼¾×¿¡ºª\u00a0")
_CLUSTERS = re.compile(
    r"[^\W\d_aeiouyæøœı]{4,}|\b[^\W\d_aeiouyæøœı]{3}|[^\W\d_aeiouyæøœı]{3}\b|[aeiouæøœı]{3}"
)
_NEVER_PAIRED = re.compile(r"ă[eo]|ő[eo]|[aeo]ė")
_WITHIN_WORDS = re.compile(r"(?<=[^\W\d_])[^\w\x00-\x7f’´·\u00a0]+(?=[^\W\d_])")
_SIGN_BESIDE = re.compile(r"(?<=[^\W\d_])[^\w\x00-\x7f]|[^\w\x00-\x7f](?=[^\W\d_])")


def windows_1252(content: bytes) -> str | None:
    """The text; None where it is not surely in that encoding."""
    if content.isascii():
        return None
    try:
        text = content.decode("cp1252")
    except UnicodeError:
        return None
    if _is_odd(text):
        return None
    telling = b"\n".join(line for line in content.splitlines() if not line.isascii())[:_ENOUGH]
    western = telling.decode("cp1252")
    cost = _cost(western, _WESTERN) + _SURE
    for encoding, languages in _OTHERS.items():
        read = normalize("NFC", telling.decode(encoding, errors="replace"))
        if read != western and _cost(read, languages) < cost:
            return None
    return text


def _is_odd(text: str) -> bool:
    """Whether it has what no text has that is read as it was written."""
    signs = {each for each in set(text) - _SIGNS if not each.isascii() and not each.isalpha()}
    words = {word for word in _WORD.findall(text) if not word.isascii()}
    within = _WITHIN_WORDS.search(text)
    return "\0" in text or bool(signs or within) or not all(map(_has_ascii, words))


def _has_ascii(word: str) -> bool:
    """Words in another script would be made of such letters throughout; "à" is a word."""
    return len(word) == 1 or any(map(str.isascii, word))


def _cost(text: str, languages: Sequence[str]) -> float:
    """In bits, of its letters in the language of which they are most likely."""
    if _is_odd(text):
        return inf
    letters = {e: n for e, n in Counter(text).items() if e.isalnum() and not e.isascii()}
    words = Counter(word for word in _WORD.findall(text) if not word.isascii())
    of_letters = min(
        sum(n * _cost_of(each.lower(), alphabet) for each, n in letters.items())
        for alphabet in languages
    )
    of_words = sum(n * _cost_of_word(word) for word, n in words.items())
    paired = _CLUSTER * len(_NEVER_PAIRED.findall(text))
    return of_letters + of_words + paired + _SIGN * len(_SIGN_BESIDE.findall(text))


def _cost_of(letter: str, alphabet: str) -> float:
    return log2(alphabet.index(letter) + 2) if letter in alphabet else _FOREIGN


def _cost_of_word(word: str) -> float:
    """For capitals within it, and for letters that nobody could pronounce beside each other."""
    is_odd = not (word.isupper() or word[1:].islower() or len(word) == 1)
    plain = re.sub(r"[\u0300-\u036f]", "", normalize("NFD", word.lower()))
    return _FOREIGN * is_odd + _CLUSTER * len(_CLUSTERS.findall(plain))
