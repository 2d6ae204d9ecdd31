"""Whether quotes stand, word for word, in files whose text is made of several pieces."""

import email
import io
import json
import re
from collections.abc import Callable
from email import policy
from zipfile import ZipFile

from lxml import etree

from retrieval.types import Sentence

COMPOSED = frozenset({".odt", ".ods", ".odp", ".rtf", ".eml", ".ipynb", ".doc", ".xls", ".ppt"})
_NAMES = "Attachments: "
_UNSEEN = re.compile("[\\s\u00ad\u200b\u2060\ufeff]")
_WORD = re.compile(r"\w+")
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)


def composed_checker(content: bytes, suffix: str) -> Callable[[Sentence, str], bool]:
    match suffix:
        case ".ipynb":
            return _in_cells(content)
        case ".eml":
            return _in_message(content)
        case ".rtf":
            return _in_text(_text_of_rtf(content))
        case ".odt" | ".ods" | ".odp":
            return _in_text(_text_of_open_document(content))
        case _:  # what LibreOffice makes of it is all that can be looked at
            return lambda _, quote: bool(quote.strip())


def _in_text(text: str) -> Callable[[Sentence, str], bool]:
    """Word for word; notes and hidden cells may stand between them."""
    held = bare(text)

    def stands(_: Sentence, quote: str) -> bool:
        at = 0
        for word in _WORD.findall(quote):
            found = held.find(word, at)
            if found < 0:
                return False
            at = found + len(word)
        return bool(quote.strip())

    return stands


def bare(text: str) -> str:
    """Without white space, and signs that are not drawn."""
    return _UNSEEN.sub("", text)


def _in_cells(content: bytes) -> Callable[[Sentence, str], bool]:
    cells = ["", *(bare("".join(_strings(each))) for each in json.loads(content)["cells"])]

    def stands(sentence: Sentence, quote: str) -> bool:
        number = sentence.page or 0
        return number < len(cells) and bool(quote.strip()) and bare(quote) in cells[number]

    return stands


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    held = list(value.values()) if isinstance(value, dict) else value
    return [each for one in held for each in _strings(one)] if isinstance(held, list) else []


def _in_message(content: bytes) -> Callable[[Sentence, str], bool]:
    message = email.message_from_bytes(content, policy=policy.default)
    texts = [f"{name}: {value}" for part in message.walk() for name, value in part.items()]
    others = False
    for part in message.walk():
        if part.get_content_maintype() == "text":
            texts.append(str(part.get_content()))
        elif not part.is_multipart():
            others = True
    held = bare("".join(texts))

    def stands(sentence: Sentence, quote: str) -> bool:
        attached = others and sentence.page_label.startswith("attachment ")
        if sentence.page_label.endswith("headers") and quote.startswith(_NAMES):
            names = quote.removeprefix(_NAMES).split(", ")  # of a message its subject, and .eml
            return all(bare(name.removesuffix(".eml")) in held for name in names)
        return bool(quote.strip()) and (attached or bare(quote) in held)

    return stands


def _text_of_rtf(content: bytes) -> str:
    """With its notes, which striprtf leaves out."""
    from striprtf.striprtf import rtf_to_text

    source = content.decode("latin-1").replace("\\footnote", "")
    return str(rtf_to_text(source, errors="replace"))


def _text_of_open_document(content: bytes) -> str:
    """Notes and boxes stand within a paragraph, and are read behind it."""
    with ZipFile(io.BytesIO(content)) as archive:
        return "".join(map(str, etree.fromstring(archive.read("content.xml"), _PARSER).itertext()))
