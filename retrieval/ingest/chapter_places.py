"""Whether quotes stand in a book's chapters, and are seen, by the XML of its archive alone."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from posixpath import dirname, join, normpath
from urllib.parse import unquote
from zipfile import ZipFile

from lxml import etree

from retrieval.types import Sentence

_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
_ENCODING = re.compile(rb"\A\s*<\?xml[^>]*encoding=[\"']([\w-]+)")
_OPF = "{http://www.idpf.org/2007/opf}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"


def chapters_of(content: bytes) -> dict[int, str]:
    """Of each chapter in reading order its number in the spine, from 1, and its markup."""
    with ZipFile(io.BytesIO(content)) as archive:
        container = etree.fromstring(archive.read("META-INF/container.xml"), _PARSER)
        root = next(container.iter(f"{_CONTAINER}rootfile")).get("full-path", "")
        package = etree.fromstring(archive.read(root), _PARSER)
        items = {each.get("id"): each for each in package.iter(f"{_OPF}item")}
        found: dict[int, str] = {}
        for number, reference in enumerate(package.iter(f"{_OPF}itemref"), start=1):
            item = items[reference.get("idref")]
            is_nav = "nav" in (item.get("properties") or "").split()
            if is_nav or reference.get("linear") == "no" or "html" not in item.get("media-type"):
                continue
            name = normpath(join(dirname(root), unquote(item.get("href", ""))))
            if (raw := archive.read(name)).strip():
                found[number] = _decoded(raw)
        return found


def _decoded(raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16")
    stated = _ENCODING.match(raw)
    return raw.decode(stated[1].decode() if stated else "utf-8-sig", errors="replace")


def chapters_checker(content: bytes) -> Callable[[Sentence, str], bool]:
    """Whether a quote stands on the lines of its chapter's file."""
    lines = {number: text.split("\n") for number, text in chapters_of(content).items()}

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.page not in lines or sentence.page_label != f"chapter {sentence.page}":
            return False
        if sentence.line_start is None or sentence.line_end is None or not quote.strip():
            return False
        chapter = lines[sentence.page]
        return quote in "\n".join(chapter[sentence.line_start - 1 : sentence.line_end])

    return stands


def by_chapter(
    content: bytes, check_of: Callable[[str], Callable[[Sentence], bool]]
) -> Callable[[Sentence], bool]:
    """Whether a sentence is hidden in its chapter, by a check of the chapter's markup alone.

    What is of no chapter that is read in order is hidden.
    """
    checks: dict[int, tuple[int, Callable[[Sentence], bool]]] = {}
    offset = 0
    for number, text in chapters_of(content).items():
        checks[number] = offset, check_of(text)
        offset += len(text) + 1

    def is_unseen(sentence: Sentence) -> bool:
        if sentence.page not in checks:
            return True
        begins, check = checks[sentence.page]
        start, end = sentence.char_start - begins, sentence.char_end - begins
        return check(replace(sentence, char_start=start, char_end=end))

    return is_unseen
