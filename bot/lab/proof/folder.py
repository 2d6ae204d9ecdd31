"""Proof on a folder that passages stand where they say, by other means than the parsers'."""

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.lab.proof.places import Check, by_chapter, place_checker, slides_of
from retrieval.documents.cells import CellRange, range_of
from retrieval.errors import UnreadableDocument
from retrieval.ingest.chunking import PARAGRAPHS, Chunking, cut
from retrieval.ingest.indexed_library import ProgressReport
from retrieval.ingest.reading import in_english
from retrieval.ingest.sources import Problem, Source, listing_of
from retrieval.metadata.access import EVERYBODY
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.ontology import Ontology
from retrieval.parsing import is_read, parser_for
from retrieval.parsing.elements import VOID
from retrieval.parsing.html import HtmlReader
from retrieval.parsing.office import as_transitional
from retrieval.parsing.placed import PlacedText
from retrieval.parsing.recognition import unread_in_words
from retrieval.types import Box, Document, HiddenText, ParsedDocument, Passage, Place, Sentence

_RAW = re.compile(r"(?P<raw>\{%-?\s*raw\s*-?%\})|\{\{-?\s*(?:(?P<double>\")|(?P<single>'))")
_RAW_ENDS = {
    "raw": re.compile(r"\{%-?\s*endraw\s*-?%\}"),
    "double": re.compile(r"\"\s*-?\}\}"),
    "single": re.compile(r"'\s*-?\}\}"),
}
"""Here a page shows template tags to people, as a page about templates does."""
LEFTOVERS = ("<!--", "-->", "{%", "%}")


Notice = Callable[[str, Passage], Iterable[str]]
"""What is to be said of a passage of a file."""
Parse = Callable[[str, bytes], ParsedDocument]
"""Reads a file by its name and bytes; raises `UnreadableDocument`."""


@dataclass(slots=True)
class FolderProof:
    left_out: list[Problem]
    """Files that cannot be read: they are in no passage, so they are no fault."""
    documents: int = 0
    passages: int = 0
    sentences: int = 0
    faults: list[Problem] = field(default_factory=list)
    hidden: list[tuple[str, tuple[HiddenText, ...]]] = field(default_factory=list)
    """Files that hold hidden text, and that text."""
    unread: list[Problem] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def prove(
    folder: Path,
    ontology: Ontology,
    progress: ProgressReport,
    parse: Parse = lambda file, content: parser_for(file)(content),
    chunking: Chunking = PARAGRAPHS,
    notice: Notice = lambda _file, _passage: (),
) -> FolderProof:
    """Check every document below a folder. Raise `FileNotFoundError`."""
    root = folder.resolve(strict=True)
    listing = listing_of(Source(root.name, root, root))
    proof = FolderProof(listing.unlisted)
    files = [file for file in listing.files if is_read(file)]
    metadata = FolderMetadata(root, ontology, EVERYBODY, listing.files, listing.metadata_files)
    for done, file in enumerate(files, start=1):
        progress(done, len(files), file)
        content = (root / file).read_bytes()
        try:
            parsed = parse(file, content)
            found = cut(_described(parsed, file, metadata), parsed, chunking)
        except UnreadableDocument as error:
            proof.left_out.append(Problem(file, str(error)))
            continue
        proof.documents += 1
        proof.passages += len(found)
        proof.notices += [said for passage in found for said in notice(file, passage)]
        proof.sentences += sum(len(passage.sentences) for passage in found)
        if parsed.unread:
            proof.unread.append(Problem(file, unread_in_words(parsed.unread)))
        if not in_english(found):
            proof.foreign.append(file)
        if parsed.hidden:
            proof.hidden.append((file, parsed.hidden))
        stands = place_checker(content, file, parsed.hidden)
        proof.faults += [Problem(file, reason) for reason in _faults(content, file, found, stands)]
    proof.notices = list(dict.fromkeys(proof.notices))
    return proof


def _described(parsed: ParsedDocument, file: str, metadata: FolderMetadata) -> Document:
    described = metadata.resolve(parsed.stated, file)
    title = described.title or parsed.title
    return Document(file, file, "1", datetime.now(UTC), title, described)


def _faults(content: bytes, file: str, passages: list[Passage], stands: Check) -> Iterator[str]:
    is_unseen = unseen_checker(content, file)
    source = content.decode("utf-8-sig", errors="replace")
    shown_raw = Spans([(start, end, "") for start, end in enclosed(source, _RAW, _RAW_ENDS)])
    for passage in passages:
        for number, sentence in enumerate(passage.sentences):
            quote = passage.quote(number, number)
            if not stands(sentence, quote):
                yield f"{_where(sentence)}: the quote is not there: {quote[:80]!r}"
            leftover = any(mark in sentence.text for mark in LEFTOVERS)
            if leftover and not shown_raw.at(sentence):
                yield f"{_where(sentence)}: markup is read as text: {sentence.text[:80]!r}"
            if is_unseen(sentence):
                yield f"{_where(sentence)}: hidden text is read: {sentence.text[:80]!r}"


def _where(sentence: Sentence) -> str:
    begins = Place(
        sentence.page,
        sentence.line_start,
        paragraph=sentence.paragraph,
        page_label=sentence.page_label,
        cell_range=range_of(each.reference for each in sentence.cells if each.reference),
    )
    return begins.in_words()


_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\s*\n.*?\n\1\s*$", re.DOTALL | re.MULTILINE)
_BEGINS = re.compile(r"(?P<comment><!--)|(?P<liquid>\{%-?\s*comment\s*-?%\})", re.IGNORECASE)
_ENDS = {
    "comment": re.compile("-->"),
    "liquid": re.compile(r"\{%-?\s*endcomment\s*-?%\}", re.IGNORECASE),
}
_NEVER_SHOWN = frozenset({"script", "style", "template", "noscript"})
HIDING_STYLE = re.compile(
    r"(?<![\w-])(?:display\s*:\s*none|opacity\s*:\s*0(?![.\d])|clip-path\s*:\s*inset\(\s*50%\s*\)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{4,}px)",
    re.IGNORECASE,
)
"""In a `style` attribute: what hides an element with all that it holds."""
CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t>]*(?P=fence)|\Z)|`[^`\n]+`", re.M | re.S
)
"""In Markdown code is shown, tags and all."""
_NONE: Mapping[str, str | None] = MappingProxyType({})
TELLING_CHARACTERS = 12
"""A shorter hidden text may well stand visibly elsewhere."""
_SCALE = 2.0
"""Pixels a point; fewer on a page of which a side would have more than:"""
_LARGEST = 4000.0
_LEAST_DIFFERENCE = 6
"""Of 255, between two points of a place where something is drawn."""

Unseen = Callable[[Sentence], bool]
Span = tuple[int, int, str]
"""Where hidden text starts and ends, and its words."""


def unseen_checker(content: bytes, file: str) -> Unseen:
    """Whether a sentence is hidden from people, by the kind of file."""
    match Path(file).suffix.lower():
        case ".pdf":
            return _not_drawn(content)
        case ".docx":
            return _hides_itself(as_transitional(content))
        case ".xlsx":
            return _in_unseen_cell(content)
        case ".pptx":
            return _on_unseen_slide(as_transitional(content))
        case ".epub":
            return by_chapter(content, lambda text: _within(text, "chapter.html"))
        case ".md" | ".markdown" | ".mdx" | ".erb" | ".html" | ".htm":
            return _within(content.decode("utf-8-sig", errors="replace"), file)
        case _:
            return lambda _: False


def _within(source: str, file: str) -> Unseen:
    found = [
        *(front.span() for front in _FRONT_MATTER.finditer(source)),
        *enclosed(source, _BEGINS, _ENDS),
    ]
    never_shown = Spans([(start, end, _words_of(source[start:end])) for start, end in found])
    tags = source if file.lower().endswith((".html", ".htm")) else _without_code(source)
    hiding_themselves = Spans(list(_hidden_elements(tags)))

    def is_unseen(sentence: Sentence) -> bool:
        for start, end, text in (*never_shown.at(sentence), *hiding_themselves.at(sentence)):
            inside = start <= sentence.char_start and sentence.char_end <= end
            tells = len(text) >= TELLING_CHARACTERS and text in sentence.text
            if inside or tells:
                return True
        return False

    return is_unseen


def enclosed(
    source: str, begins: "re.Pattern[str]", ends: Mapping[str, "re.Pattern[str]"]
) -> Iterator[tuple[int, int]]:
    """From each mark to the one that ends it, by the name of the group; without an end, nothing."""
    done, endless = 0, set[str]()
    for mark in begins.finditer(source):
        kind = mark.lastgroup or ""
        if mark.start() < done or kind in endless:
            continue
        end = ends[kind].search(source, mark.end())
        if end is None:
            endless.add(kind)
        else:
            done = end.end()
            yield mark.start(), done


class Spans:
    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [start for start, _, _ in spans]
        self._ends = [end for _, end, _ in spans]

    def at(self, sentence: Sentence) -> Sequence[Span]:
        first = bisect_right(self._ends, sentence.char_start)
        return self._spans[first : bisect_left(self._starts, sentence.char_end, lo=first)]


def _words_of(markup: str) -> str:
    words = re.sub(r"<[^<>]*>|<!--|-->|\{%(?:(?!\{%|%\}).)*%\}", " ", markup)
    return " ".join(words.split())


def _without_code(source: str) -> str:
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), source)


def _hidden_elements(source: str) -> Iterator[Span]:
    finder = _HiddenElements()
    with suppress(UnreadableDocument):  # no more of it is read as markup
        HtmlReader(finder, PlacedText.verbatim(source, 0)).read()
    for start, end in finder.spans:
        yield start, end, _words_of(source[start:end])


class _HiddenElements:
    """One that is not closed hides nothing here: where it ends is for the parser to say."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self._name = ""
        self._start = self._depth = 0

    def open(self, name: str, start: int, attributes: Mapping[str, str | None] = _NONE) -> bool:
        if self._name:
            self._depth += name == self._name
        elif name in _NEVER_SHOWN or (name not in VOID and _hides(attributes)):
            self._name, self._depth, self._start = name, 1, start
        return True

    def close(self, name: str, start: int, end: int) -> None:  # noqa: ARG002
        if name == self._name:
            self._depth -= 1
            if not self._depth:
                self.spans.append((self._start, start))
                self._name = ""

    def add(self, text: PlacedText) -> None:
        """Only elements are looked for."""

    def add_image(self, alternative: PlacedText) -> None:
        """As text."""


def _hides(attributes: Mapping[str, str | None]) -> bool:
    style = attributes.get("style") or ""
    shows = "hidden" in attributes and not re.search(r"(?<![\w-])display\s*:", style)
    return shows or bool(HIDING_STYLE.search(style))


class _DrawnPages:
    """Draws the pages of a PDF; they come in order, so one is kept at a time."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._number = 0
        self._page: npt.NDArray[np.int16] = np.zeros((1, 1, 1), np.int16)
        self._scale = 1.0

    def place(self, box: Box) -> npt.NDArray[np.int16]:
        """The points in a box: rows are points, columns their colours."""
        if box.page != self._number:
            self._draw(box.page)
        left, top, right, bottom = (
            max(0, round(edge * self._scale)) for edge in (box.x0, box.y0, box.x1, box.y1)
        )
        colours = self._page.shape[2]
        return self._page[top : bottom + 1, left : right + 1].reshape(-1, colours)

    def _draw(self, number: int) -> None:
        import pypdfium2

        from retrieval.parsing.pdf.characters import page_with_values

        with pypdfium2.PdfDocument(self._content) as pdf:
            page = page_with_values(pdf, number - 1)
            self._scale = min(_SCALE, _LARGEST / max(1.0, *page.get_size()))
            self._page = page.render(scale=self._scale).to_numpy().astype(np.int16)
        self._number = number


def _not_drawn(content: bytes) -> Unseen:
    pages = _DrawnPages(content)

    def is_unseen(sentence: Sentence) -> bool:
        boxes = (*sentence.boxes, *([sentence.picture] if sentence.picture else ()))
        places = (pages.place(box) for box in boxes)
        return any(
            not place.size or int(np.ptp(place, axis=0).max()) < _LEAST_DIFFERENCE
            for place in places
        )

    return is_unseen


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def _hides_itself(content: bytes) -> Unseen:
    import docx

    hidden: dict[int, list[str]] = {}
    number = 0
    for child in docx.Document(io.BytesIO(content)).element.body:
        number += child.tag == f"{_WORD}p"
        for run in filter(_run_hides, child.iter(f"{_WORD}r")):
            words = " ".join("".join(t.text or "" for t in run.iter(f"{_WORD}t")).split())
            if len(words) >= TELLING_CHARACTERS:
                hidden.setdefault(max(1, number), []).append(words)

    def is_unseen(sentence: Sentence) -> bool:
        return any(words in sentence.text for words in hidden.get(sentence.paragraph or 0, ()))

    return is_unseen


def _run_hides(run: Any) -> bool:
    """By its own mark or size; what styles and colours do, the parser alone knows."""
    hiding = {"vanish": ("1", "true", "on", None), "sz": ("0", "1", "2")}
    return any(
        stated.get(f"{_WORD}val") in values
        for name, values in hiding.items()
        for stated in run.iterfind(f"{_WORD}rPr/{_WORD}{name}")
    )


def _in_unseen_cell(content: bytes) -> Unseen:
    """By sheets, rows and columns that are marked as hidden; of colours the parser alone knows."""
    from retrieval.parsing.xlsx.sheets import opened

    workbook = opened(content, whole=True)

    @cache
    def hidden_columns(page: int) -> set[int]:
        return {
            number
            for each in workbook.worksheets[page - 1].column_dimensions.values()
            if each.hidden
            for number in range(each.min, each.max + 1)
        }

    def is_unseen(sentence: Sentence) -> bool:
        sheet = workbook.worksheets[(sentence.page or 1) - 1]
        columns = hidden_columns(sentence.page or 1)
        ranges = [CellRange.of(cell.reference) for cell in sentence.cells]
        return sheet.sheet_state != "visible" or any(
            sheet.row_dimensions[each.first_row].hidden or each.first_column in columns
            for each in ranges
        )

    return is_unseen


def _on_unseen_slide(content: bytes) -> Unseen:
    """By the marks of slides; of shapes and colours the parser alone knows."""
    shown = [slide.get("show", "1") not in ("0", "false") for slide in slides_of(content)]
    return lambda sentence: not shown[(sentence.page or 1) - 1]
