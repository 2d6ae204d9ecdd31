"""Whether quotes stand on the slides of a presentation, by the XML of its archive alone."""

import io
import re
from collections.abc import Callable, Sequence
from posixpath import join, normpath
from typing import Any
from zipfile import ZipFile

from lxml import etree

from retrieval.types import HiddenText, Sentence

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDE = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")


def slides_of(content: bytes) -> list[Any]:
    """The slides of a presentation, in the order in which they are shown."""
    with ZipFile(io.BytesIO(content)) as archive:
        relations = _root(archive, "ppt/_rels/presentation.xml.rels")
        parts = {each.get("Id"): each.get("Target", "") for each in relations}
        listed = _root(archive, "ppt/presentation.xml").iter(f"{_SLIDE}sldId")
        names = [normpath(join("ppt", parts[each.get(_RELATION)])) for each in listed]
        return [_root(archive, name.lstrip("/")) for name in names]


def _root(archive: ZipFile, part: str) -> Any:
    return etree.fromstring(archive.read(part), _PARSER)


def slides_checker(content: bytes, hidden: Sequence[HiddenText]) -> Callable[[Sentence, str], bool]:
    """Whether a quote stands on a sentence's slide; one with hidden text may go on behind it."""
    texts = [_text(slide) for slide in slides_of(content)]
    with_hidden = {piece.where for piece in hidden if piece.left_out}

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.page is None or sentence.page_label != f"slide {sentence.page}":
            return False
        if {box.page for box in sentence.boxes} - {sentence.page} or not quote.strip():
            return False
        text, wanted = texts[sentence.page - 1], "".join(quote.split())
        if wanted in text:
            return True
        rest = iter(text)
        return sentence.page_label in with_hidden and all(each in rest for each in wanted)

    return stands


def _text(slide: Any) -> str:
    words = (each.text or "" for each in slide.iter(f"{_DRAWING}t"))
    return "".join(_UNSEEN.sub("", "".join(words)).split())
