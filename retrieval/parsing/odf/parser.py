"""OpenDocument files are opened with odfdo, and read as what they show.

A sentence of a text is cited by the number of its paragraph, headings, items and cells counted; of
a presentation by its slide. Sheets are read as those of a workbook are.
"""

from collections.abc import Iterator
from io import BytesIO
from zipfile import ZipFile

from odfdo import Document, Element

from retrieval.errors import UnreadableDocument
from retrieval.parsing.embedded_metadata import stated_beside
from retrieval.parsing.odf.sheets import SheetReader
from retrieval.parsing.odf.styles import Styles, elements_in, said
from retrieval.parsing.odf.text import TextReader, text_of
from retrieval.parsing.office import (
    BROKEN,
    OfficeFormat,
    require_sound,
    stated_in_property,
    without_text,
)
from retrieval.parsing.spreadsheet import Place
from retrieval.parsing.transcript import Transcript
from retrieval.types import ParsedDocument, Stated

_OPEN_DOCUMENT = OfficeFormat("LibreOffice", "an OpenDocument file", ".odt, .ods or .odp")
_MANIFEST = "META-INF/manifest.xml"
_LISTS_OF_MACROS = ("script-lb.xml", "script-lc.xml", "dialog-lb.xml", "dialog-lc.xml")
"""LibreOffice writes them where there is no macro, too."""


def parse(content: bytes) -> ParsedDocument:
    """Read a text, a workbook or a presentation.

    Raise `UnreadableDocument` for what is damaged, encrypted, too large, empty or has macros.
    """
    require_sound(content, _OPEN_DOCUMENT)
    try:
        _require_readable(content)
        document = Document(BytesIO(content))
        parsed = _read(document)
    except BROKEN as error:
        raise UnreadableDocument(_OPEN_DOCUMENT.damaged) from error
    if not (parsed.fragments or parsed.headings):
        raise without_text(hidden=bool(parsed.hidden))
    return parsed


def _require_readable(content: bytes) -> None:
    with ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
        if b"encryption-data" in archive.read(_MANIFEST):
            raise UnreadableDocument("is protected by a password; save it without a password")
        held = [name for name in names if name.startswith(("Basic/", "Scripts/"))]
        if any(not name.endswith(("/", *_LISTS_OF_MACROS)) for name in held):
            raise UnreadableDocument("holds macros; save it without them")


def _read(document: Document) -> ParsedDocument:
    styles = Styles(document)
    stated = [*_stated(document), *_beside(document)]
    titles = (str(each.value) for each in stated if each.key == "title")
    title = " ".join(next(titles, "").split())
    match document.get_type().removesuffix("-template"):
        case "spreadsheet":
            return SheetReader(styles).read(document.body, title, stated)
        case "presentation":
            return _slides(document.body, styles).document(title, stated)
        case _:
            transcript = Transcript()
            TextReader(styles, transcript).read(document.body)
            return transcript.document(title, stated)


def _slides(body: Element, styles: Styles) -> Transcript:
    transcript = Transcript()
    slides = [each for each in body.children if each.tag == "draw:page"]
    for number, slide in enumerate(slides, start=1):
        transcript.begin_page(Place(number, f"slide {number}"))
        style = said(slide, "draw:style-name")
        shown = styles.states("drawing-page", style, "presentation:visibility") != "hidden"
        transcript.open("div", {} if shown else {"style": "display: none"})
        TextReader(styles, transcript).read_slide(slide)
        transcript.close("div")
    return transcript


def _stated(document: Document) -> Iterator[Stated]:
    for each in elements_in(document, "meta.xml", "descendant::office:meta/*"):
        key = said(each, "meta:name") or each.tag.rpartition(":")[2]
        yield from stated_in_property(key, text_of(each).strip())


def _beside(document: Document) -> Iterator[Stated]:
    for page in elements_in(document, "styles.xml", "descendant::style:master-page"):
        lines = [
            text_of(each)
            for part in page.children
            if part.tag.startswith(("style:header", "style:footer"))
            for each in part.get_elements("descendant::text:p")
        ]
        yield from stated_beside(lines, "its running heads")
