"""Whether quotes stand in a file where passages say, by other means than the parsers'."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile

from lxml import etree

from bot.lab.proof.composed import COMPOSED, bare, composed_checker
from retrieval.parsing.decoding import windows_1252
from retrieval.parsing.office import as_transitional
from retrieval.types import HiddenText, Sentence

Check = Callable[[Sentence, str], bool]
_NO_DIGIT = re.compile(r"[^\d.\-]")
_BRACKETED = re.compile(r"\(.*\d.*\)")
_PERCENT, _SHARE = Decimal(100), Decimal("0.01")


def cells_checker(content: bytes, hidden: Sequence[HiddenText] = ()) -> Check:
    """Whether a sentence's cells hold what it says of them, on a sheet that may hide words."""
    from retrieval.parsing.xlsx.sheets import opened

    workbook = opened(content, whole=True)

    def stands(sentence: Sentence, quote: str) -> bool:
        name = sentence.page_label.removeprefix("sheet ")
        if sentence.page is None or not sentence.cells or not quote.strip():
            return False
        sheet = workbook[workbook.sheetnames[sentence.page - 1]]
        goes_on = any(each.left_out and each.where.startswith(f"sheet {name},") for each in hidden)
        return " ".join(sheet.title.split()) == name and all(
            _says(sheet[cell.reference].value, sentence.text[cell.start : cell.end], goes_on)
            for cell in sentence.cells
        )

    return stands


def _says(value: object, text: str, goes_on: bool) -> bool:
    match value:
        case None:
            return False
        case bool():
            return text.casefold() == str(value).casefold()
        case int() | float():
            return _is_number(Decimal(repr(value)), text)
        case datetime() | date():
            return text.startswith(value.isoformat()[:10])
        case time():
            return text == value.isoformat()[: len(text)]
        case timedelta():
            return text.replace("-", "")[:1].isdecimal()
        case _:
            held, wanted = bare(str(value)), bare(text)
            return wanted in held or (goes_on and _goes_through(held, wanted))


def _goes_through(text: str, wanted: str) -> bool:
    """Whether all characters stand in a text, in their order, whatever stands between them."""
    rest = iter(text)
    return all(each in rest for each in wanted)


def _is_number(value: Decimal, text: str) -> bool:
    """Whether a text is a number, rounded as far as it is written."""
    is_negative = bool(_BRACKETED.search(text)) and "-" not in text
    try:
        said = Decimal(_NO_DIGIT.sub("", text) or "nothing")
    except InvalidOperation:
        return False
    said = -said if is_negative else said
    step = Decimal(1).scaleb(int(said.as_tuple().exponent))
    scales = (Decimal(1), _PERCENT, _SHARE / 10, _SHARE**3)
    return any(abs(value * scale - said) <= step * Decimal("0.51") for scale in scales)


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


def _chapters_checker(content: bytes) -> Check:
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
    """Whether a sentence is hidden in its chapter, or in none that is read in order."""
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


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PARAGRAPH, _BOX = f"{_WORD}p", f"{_WORD}txbxContent"
_TEXTS = (f"{_WORD}t", f"{_MATH}t")
_TAKEN_OUT = (f"{_WORD}del", f"{_WORD}moveFrom", _FALLBACK)
_HYPHEN, _SYMBOL = f"{_WORD}noBreakHyphen", f"{_WORD}sym"
_SIGNS = re.compile(r"[\W_]")
"""What an equation on one line has more than its letters and digits."""


def _paragraphs_checker(content: bytes, hidden: Sequence[HiddenText]) -> Check:
    """Whether a quote stands at a sentence's paragraph, or between it and the next one."""
    places, tells = _places(content), _telling(content, hidden)

    def stands(sentence: Sentence, quote: str) -> bool:
        number = sentence.paragraph
        if number is None or number >= len(places) or not quote.strip():
            return False
        letters = _SIGNS.sub("", quote)
        is_equation = bool(letters) and letters in _SIGNS.sub("", places[number])
        return is_equation or tells(places[number], quote, f"paragraph {number}")

    return stands


def _telling(content: bytes, hidden: Sequence[HiddenText]) -> Callable[[str, str, str], bool]:
    """Whether a place whose text is so, or a drawing of the file, tells a quote."""
    drawn = _drawn(content)
    with_hidden = {piece.where for piece in hidden if piece.left_out}

    def tells(text: str, quote: str, where: str) -> bool:
        wanted = bare(quote)
        is_drawn = all(each in drawn for each in quote.split())
        goes_on = where in with_hidden and _goes_through(text, wanted)
        return wanted in text or is_drawn or goes_on

    return tells


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
            bare(_said(each))
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


_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDE = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


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


def _slides_checker(content: bytes, hidden: Sequence[HiddenText]) -> Check:
    """Whether a quote stands on a sentence's slide; one with hidden text may go on behind it."""
    texts = [
        bare("".join(each.text or "" for each in slide.iter(f"{_DRAWING}t")))
        for slide in slides_of(content)
    ]
    tells = _telling(content, hidden)

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.page is None or sentence.page_label != f"slide {sentence.page}":
            return False
        if {box.page for box in sentence.boxes} - {sentence.page} or not quote.strip():
            return False
        return tells(texts[sentence.page - 1], quote, sentence.page_label)

    return stands


def _drawn(content: bytes) -> set[str]:
    """The words and numbers of charts and diagrams, and of what describes pictures."""
    found: set[str] = set()
    with ZipFile(io.BytesIO(content)) as archive:
        for part in archive.namelist():
            said: list[str] = []
            if part.startswith(_WITH_PICTURES):
                said = _root(archive, part).xpath("//@descr")
            elif _DRAWN_PART.fullmatch(part):
                values = _root(archive, part).iter("{*}v", f"{_DRAWING}t")
                said = [each.text or "" for each in values]
            for word in " ".join(said).split():
                found |= _told(word)
    return found


_WITH_PICTURES = ("ppt/slides/slide", "word/document")
_DRAWN_PART = re.compile(r"(?:ppt|word)/(?:charts/chart|diagrams/data)[^/]*\.xml")


def _told(word: str) -> set[str]:
    """What a chart may show of a number: itself, a percentage or a day."""
    from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

    try:
        value = float(word)
    except ValueError:
        return {word}
    found = {f"{value:.15g}", f"{value * 100:.15g}%"}
    if 1 <= value < _LAST_DAY:
        days = (from_excel(value, epoch) for epoch in (WINDOWS_EPOCH, MAC_EPOCH))
        found.update(part for day in days for part in day.isoformat(" ", "minutes").split())
    return found


_LAST_DAY = 2_900_000
"""In Excel's count, shortly before the year 9999."""


def place_checker(content: bytes, file: str, hidden: Sequence[HiddenText]) -> Check:
    """Whether a quote stands at its place, behind `hidden` text; on scans, whether any does."""
    match Path(file).suffix.lower():
        case ".pdf":
            return _pdf_checker(content, hidden)
        case ".docx":
            return _paragraphs_checker(as_transitional(content), hidden)
        case ".xlsx":
            return cells_checker(content, hidden)
        case ".pptx":
            return _slides_checker(as_transitional(content), hidden)
        case ".epub":
            return _chapters_checker(content)
        case suffix if suffix in COMPOSED:
            return composed_checker(content, suffix)
        case suffix:
            return _lines_checker(content, may_be_western=suffix == ".csv")


def _lines_checker(content: bytes, *, may_be_western: bool) -> Check:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        western = windows_1252(content) if may_be_western else None
        text = western or content.decode("utf-8-sig", errors="replace")
    lines = re.split(r"\r\n|\r|\n", text)

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.line_start is None or sentence.line_end is None:
            return False
        place = "\n".join(lines[sentence.line_start - 1 : sentence.line_end])
        wanted = re.sub(r"\r\n|\r", "\n", quote)
        return bool(quote.strip()) and wanted in place

    return stands


def _pdf_checker(content: bytes, hidden: Sequence[HiddenText]) -> Check:
    import pypdfium2

    from retrieval.parsing.pdf.characters import page_with_values, page_without_values

    pages, unfilled, values = list[str](), list[str](), list[list[str]]()
    with pypdfium2.PdfDocument(content) as pdf:
        for number in range(len(pdf)):
            _, own = page_without_values(pdf, number)
            text = page_with_values(pdf, number).get_textpage()
            filled_in = text.get_text_range(own) if own else ""
            pages.append(_unbroken(text.get_text_range()))
            unfilled.append(_unbroken(text.get_text_range(0, own)) if own else pages[-1])
            values.append(sorted(map(_unbroken, filled_in.split()), key=len, reverse=True))
    seen = list(pages)
    for piece in hidden:
        page = int(piece.where.removeprefix("page ")) - 1
        if piece.left_out:
            seen[page] = seen[page].replace(_unbroken(piece.text), "", 1)

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.page is None or not sentence.boxes:
            return False
        pictures = [sentence.picture] if sentence.picture else []
        held = sorted({box.page for box in (*sentence.boxes, *pictures)})
        label = f"pages {sentence.page}-{held[-1]}" if len(held) > 1 else ""
        if held[0] != sentence.page or len(held) > 2 or sentence.page_label != label:
            return False
        if sentence.recognised is not None:
            return held[-1] <= len(pages)
        lines = [_unbroken(line) for line in quote.splitlines()]
        return all(
            any(
                line in pages[page]
                or line in seen[page]
                or _is_filled_in(line, unfilled[page], values[page])
                for page in (number - 1 for number in held)
            )
            for line in lines
        )

    return stands


def _is_filled_in(line: str, page: str, values: Iterable[str]) -> bool:
    """Whether a line stands on a page without words that were filled in, each taken once."""
    for value in values:
        if line in page:
            break
        before, _, after = line.rpartition(value)
        line = before + after
    return line in page


def _unbroken(line: str) -> str:
    return "".join(line.split()).replace("\ufffe", "").replace("\u00ad", "")
