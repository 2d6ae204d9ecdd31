"""Whether quotes stand at the paragraphs of a Word document, by its XML alone."""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from retrieval.types import HiddenText, Sentence

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PARAGRAPH, _BOX = f"{_WORD}p", f"{_WORD}txbxContent"
_TEXTS = (f"{_WORD}t", f"{_MATH}t")
_TAKEN_OUT = (f"{_WORD}del", f"{_WORD}moveFrom", _FALLBACK)
_HYPHEN, _SYMBOL = f"{_WORD}noBreakHyphen", f"{_WORD}sym"
_UNSEEN = re.compile("[\\s\u00ad\u200b\u2060\ufeff]")
_SIGNS = re.compile(r"[\W_]")
"""What an equation on one line has more than its letters and digits."""


def paragraphs_checker(
    content: bytes, hidden: Sequence[HiddenText]
) -> Callable[[Sentence, str], bool]:
    """Whether a quote stands at a sentence's paragraph, or between it and the next one.

    One with hidden text may go on behind it.
    """
    places = _places(content)
    with_hidden = {piece.where for piece in hidden if piece.left_out}

    def stands(sentence: Sentence, quote: str) -> bool:
        number = sentence.paragraph
        if number is None or number >= len(places) or not quote.strip():
            return False
        text, wanted = places[number], _UNSEEN.sub("", quote)
        bare = _SIGNS.sub("", wanted)
        if wanted in text or (bare and bare in _SIGNS.sub("", text)):
            return True
        rest = iter(text)
        return f"paragraph {number}" in with_hidden and all(each in rest for each in wanted)

    return stands


def _places(content: bytes) -> list[str]:
    """All text by the number of its paragraph; what stands before the first goes by that."""
    import docx

    document = docx.Document(io.BytesIO(content))
    notes = dict(_notes(document.part))
    places = [""]
    for child in document.element.body:
        if child.tag == _PARAGRAPH:
            places.append("")
        places[-1] += "".join(_texts(child, notes))
    first = "".join(places[:2])
    return ["", first, *places[2:]]


def _notes(part: Any) -> Iterator[tuple[tuple[str, str], Any]]:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml.parser import parse_xml

    for kind, relation in (
        ("footnote", RELATIONSHIP_TYPE.FOOTNOTES),
        ("endnote", RELATIONSHIP_TYPE.ENDNOTES),
    ):
        for related in part.rels.values():
            if related.reltype == relation:
                for note in parse_xml(related.target_part.blob):
                    yield (f"{_WORD}{kind}Reference", note.get(f"{_WORD}id")), note


def _texts(element: Any, notes: Mapping[tuple[str, str], Any]) -> Iterator[str]:
    """Of the paragraphs of an element, each with the boxes and notes that hang on it behind it."""
    for paragraph in element.iter(_PARAGRAPH):
        yield "".join(
            _UNSEEN.sub("", _said(each))
            for each in paragraph.iter(*_TEXTS, _HYPHEN, _SYMBOL)
            if _is_its_own(each, paragraph)
        )
    for reference in element.iter(f"{_WORD}footnoteReference", f"{_WORD}endnoteReference"):
        note = notes.get((reference.tag, reference.get(f"{_WORD}id")))
        if note is not None:
            yield from _texts(note, {})


def _said(element: Any) -> str:
    from retrieval.parsing.docx.text import sign

    if element.tag == _SYMBOL:
        return sign(element)
    return "-" if element.tag == _HYPHEN else element.text or ""


def _is_its_own(text: Any, paragraph: Any) -> bool:
    for above in text.iterancestors():
        if above is paragraph:
            return not any(each.tag in _TAKEN_OUT for each in paragraph.iterancestors())
        if above.tag == _BOX or above.tag in _TAKEN_OUT:
            return False
    return False
