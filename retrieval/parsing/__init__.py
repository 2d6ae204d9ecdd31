"""Each format has one module; all yield the same fragments, located in their source.

The modules are imported when a file of their format is met: whoever has no PDF never
loads PDFium.
"""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import PurePath
from shutil import which
from types import MappingProxyType

from retrieval.errors import UnreadableDocument
from retrieval.parsing.recognition import OFF, Recognition
from retrieval.ports import Parser
from retrieval.types import Stated

_OLD_OFFICE = (".doc", ".xls", ".ppt")
PARSERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys((".md", ".markdown", ".mdx", ".md.erb"), "retrieval.parsing.markdown"),
        ".txt": "retrieval.parsing.plain",
        **dict.fromkeys((".html", ".htm"), "retrieval.parsing.html"),
        ".pdf": "retrieval.parsing.pdf.parser",
        ".docx": "retrieval.parsing.docx.parser",
        ".xlsx": "retrieval.parsing.xlsx.parser",
        ".pptx": "retrieval.parsing.pptx.parser",
        ".epub": "retrieval.parsing.epub",
        **dict.fromkeys((".csv", ".tsv"), "retrieval.parsing.delimited"),
        **dict.fromkeys((".odt", ".ods", ".odp"), "retrieval.parsing.odf.parser"),
        ".ipynb": "retrieval.parsing.notebook",
        ".eml": "retrieval.parsing.message",
        ".rtf": "retrieval.parsing.rtf",
        ".rst": "retrieval.parsing.restructured",
        **dict.fromkeys((".adoc", ".asciidoc"), "retrieval.parsing.asciidoc"),
        **dict.fromkeys(_OLD_OFFICE, "retrieval.parsing.legacy"),
    }
)
"""Suffix to the module whose `parse` is the format's parser."""

_PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys((".adoc", ".asciidoc"), "asciidoctor"),
        **dict.fromkeys(_OLD_OFFICE, "soffice"),
    }
)
"""Suffix to the program that must be installed to read such a file."""

_EXPORTED_FROM = frozenset(
    {".odt", ".ods", ".odp", ".rtf", ".rst", ".adoc", ".asciidoc", ".ipynb", *_OLD_OFFICE}
)
_WITH_MACROS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys((".docm", ".dotm"), ".docx"),
        **dict.fromkeys((".xlsm", ".xltm"), ".xlsx"),
        **dict.fromkeys((".pptm", ".ppsm", ".potm"), ".pptx"),
    }
)
"""Suffix of what may hold macros, and of what the same is without them."""

PARSING = "23"
"""Changes whenever the same file would be read in another way, so that it is read anew."""


def suffixes() -> tuple[str, ...]:
    """The kinds of files that are read, in lower case and with their dot."""
    return tuple(PARSERS)


def is_read(file: str) -> bool:
    """Whether a file's name is of a kind that is read."""
    return suffix_of(file) in PARSERS


def is_export_source(file: str) -> bool:
    """Whether people write in such a file, and hand out what they export of it."""
    return suffix_of(file) in _EXPORTED_FROM


def suffix_of(file: str) -> str:
    """What says of which kind a file is, in lower case; of a template what it makes."""
    suffixes_of = [each.lower() for each in PurePath(file).suffixes[-2:]]
    both = "".join(suffixes_of)
    return both if both in PARSERS else "".join(suffixes_of[-1:])


def missing_program(file: str) -> str:
    """The program that a file of this name is read with, where it is not installed; else empty."""
    program = _PROGRAMS.get(suffix_of(file), "")
    return program if program and which(program) is None else ""


def may_be_pictures(file: str) -> bool:
    """Whether a file's name is of a kind whose pages may be pictures of text."""
    return suffix_of(file) == ".pdf"


def is_page(file: str) -> bool:
    """Whether a file's name is of a kind that is a page of the web."""
    return PARSERS.get(suffix_of(file)) == PARSERS[".html"]


def refused(file: str) -> str:
    """Why a file of this name is not read, where people would expect that it is; empty else."""
    suffix = suffix_of(file)
    if suffix not in _WITH_MACROS:
        return ""
    return (
        f"is of a kind that may hold macros ({suffix}), which is not read; save it as "
        f"{_WITH_MACROS[suffix]}, which has none"
    )


def parser_for(file: str, recognition: Recognition = OFF) -> Parser:
    """The parser for a file's name; raise `UnreadableDocument` for an unknown kind."""
    suffix = suffix_of(file)
    if why := refused(file):
        raise UnreadableDocument(why)
    if suffix not in PARSERS:
        raise UnreadableDocument(
            f"is of a kind that is not read ({suffix or 'no suffix'}); "
            f"convert it to one of {', '.join(PARSERS)}"
        )
    module = import_module(PARSERS[suffix])
    parse: Parser = module.parse
    return partial(module.parse, recognition=recognition) if may_be_pictures(file) else parse


def front_matter_of(file: str, content: bytes) -> list[Stated]:
    """What a document states of itself, without reading its text; nothing in most formats.

    Raise `UnreadableDocument` where its parser would for the same reason.
    """
    if PARSERS[suffix_of(file)] != PARSERS[".md"]:
        return []
    from retrieval.parsing.decoding import decode
    from retrieval.parsing.embedded_metadata import split_front_matter, stated_in_front_matter

    return stated_in_front_matter(split_front_matter(decode(content))[0])
