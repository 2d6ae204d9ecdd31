"""The bytes of a text file become its text, or a reason why there is none.

Programs on Windows save values in Windows-1252 and say so nowhere, and what guesses by statistics
(charset-normalizer was tried) finds several encodings as likely as each other in a short file. So
it is told by what letters make up words: read so they must be those of one language, by how often
it has them, rather than what they would be in any other encoding.
"""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from math import inf, log2
from unicodedata import normalize

from retrieval.errors import UnreadableDocument

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']""")
_META_WITHIN = 4096
"""Bytes of an HTML file in which its charset is looked for; browsers look at 1024."""
_NO_CHARSETS = frozenset(
    {"utf-7", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined"}
)
"""Codecs of Python that no browser knows as the encoding of a page."""


def require_content(content: bytes) -> None:
    """Raise `UnreadableDocument` for an empty file."""
    if not content.strip():
        raise UnreadableDocument("is empty; add text to it, or remove it")


def decode(content: bytes, charset: str = "utf-8") -> str:
    """The text of a file, line ends as they stand, without a byte order mark.

    A byte order mark wins over `charset`. Raise `UnreadableDocument` for what is empty,
    binary or in another encoding.
    """
    for mark, marked in _MARKS:
        if content.startswith(mark):
            content, charset = content[len(mark) :], marked
            break
    require_content(content)
    try:
        text = content.decode(charset)
    except (UnicodeError, LookupError) as error:
        perhaps = ", perhaps in Windows-1252" if charset == "utf-8" else ""
        raise UnreadableDocument(f"is not text in {charset}{perhaps}; save it as UTF-8") from error
    if "\0" in text:
        raise UnreadableDocument("holds binary data, not text; give it the suffix of its kind")
    if not text.strip():
        raise UnreadableDocument("holds nothing but white space; add text to it, or remove it")
    return text


def html_charset(content: bytes) -> str:
    """What an HTML file says of its encoding; as browsers do, Latin-1 means Windows-1252."""
    return _known(_META_CHARSET.search(content[:_META_WITHIN]))


def xml_charset(content: bytes) -> str:
    """What a file of XML declares of its encoding; UTF-8 where it does not."""
    return _known(_XML_ENCODING.match(content[:_META_WITHIN]))


def _known(found: re.Match[bytes] | None) -> str:
    """Raise `UnreadableDocument` for a charset that no browser reads."""
    if found is None:
        return "utf-8"
    stated = found[1].decode("ascii")
    try:
        name = codecs.lookup(stated).name
    except LookupError as error:
        raise UnreadableDocument(
            f"states an unknown encoding ({stated}); save it as UTF-8"
        ) from error
    if name in _NO_CHARSETS:
        raise UnreadableDocument(
            f"states an encoding that no browser reads ({stated}); save it as UTF-8"
        )
    return "cp1252" if name in {"iso8859-1", "ascii"} else name


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
