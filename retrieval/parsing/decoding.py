"""The bytes of a text file become its text, or a reason why there is none."""

import codecs
import re

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
