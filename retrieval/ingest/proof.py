"""Proof on a folder that passages stand where they say and that nothing hidden is read.

Re-derives each place from the file by other means than the parsers': lines of the raw
file, a page's text by coordinates-free extraction, a paragraph by number. So a mistake in
a parser's bookkeeping cannot hide behind itself.
"""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from retrieval.errors import UnreadableDocument
from retrieval.ingest.chunking import cut
from retrieval.ingest.indexed_library import ProgressReport
from retrieval.ingest.sources import Problem, Source, files_within
from retrieval.metadata import FolderMetadata
from retrieval.ontology import Ontology
from retrieval.parsing import parser_for, suffixes
from retrieval.types import Document, ParsedDocument, Passage, Sentence

HIDDEN = re.compile(
    r"\A---\s*\n.*?\n---\s*$"
    r"|<!--.*?-->"
    r"|\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}"
    r"|<(?P<tag>script|style|template|noscript)\b.*?</(?P=tag)\s*>",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
"""What a browser or a site generator never shows."""
RAW = re.compile(
    r"\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|\{\{-?\s*(?P<q>[\"']).*?(?P=q)\s*-?\}\}",
    re.DOTALL,
)
"""Here a page shows template tags to people, as a page about templates does."""
LEFTOVERS = ("<!--", "-->", "{%", "%}")
TELLING_CHARACTERS = 12
"""A shorter hidden text may well stand visibly elsewhere."""


Parse = Callable[[str, bytes], ParsedDocument]
"""Reads a file by its name and bytes; raises `UnreadableDocument`."""


def parsed_here(file: str, content: bytes) -> ParsedDocument:
    """Read in this process, which a file may then end or fill."""
    return parser_for(file)(content)


@dataclass(frozen=True, slots=True)
class Proof:
    """What was checked, and every fault."""

    documents: int
    passages: int
    sentences: int
    faults: tuple[Problem, ...]
    left_out: tuple[Problem, ...]
    """Files that cannot be read: they are in no passage, so they are no fault."""


def prove(
    folder: Path, ontology: Ontology, progress: ProgressReport, parse: Parse = parsed_here
) -> Proof:
    """Check every document below a folder. Raise `FileNotFoundError`."""
    root = folder.resolve(strict=True)
    left_out: list[Problem] = []
    faults: list[Problem] = []
    documents = passages = sentences = 0
    files = [
        f for f in files_within(Source(root, root), left_out) if f.suffix.lower() in suffixes()
    ]
    metadata = FolderMetadata(root, ontology)
    for done, path in enumerate(files, start=1):
        file = path.relative_to(root).as_posix()
        progress(done, len(files), file)
        content = path.read_bytes()
        try:
            found = _passages(parse(file, content), file, metadata)
        except UnreadableDocument as error:
            left_out.append(Problem(file, str(error)))
            continue
        documents += 1
        passages += len(found)
        sentences += sum(len(passage.sentences) for passage in found)
        faults += [Problem(file, reason) for reason in _faults(content, file, found)]
    return Proof(documents, passages, sentences, tuple(faults), tuple(left_out))


def _passages(parsed: ParsedDocument, file: str, metadata: FolderMetadata) -> list[Passage]:
    described = metadata.resolve(parsed.front_matter, file)
    return cut(Document(file, file, "1", datetime.now(UTC), described.title, described), parsed)


def _faults(content: bytes, file: str, passages: list[Passage]) -> Iterator[str]:
    stands = _checker(content, file)
    hidden = _hidden(content, file)
    shown_raw = [match.span() for match in RAW.finditer(_decoded(content))]
    for passage in passages:
        for number, sentence in enumerate(passage.sentences):
            quote = passage.quote(number, number)
            if not stands(sentence, quote):
                yield f"{_where(sentence)}: the quote is not there: {quote[:80]!r}"
            raw = any(
                sentence.char_start < end and start < sentence.char_end for start, end in shown_raw
            )
            if not raw and any(mark in sentence.text for mark in LEFTOVERS):
                yield f"{_where(sentence)}: markup is read as text: {sentence.text[:80]!r}"
            for start, end, text in hidden:
                inside = start <= sentence.char_start and sentence.char_end <= end
                touches = sentence.char_start < end and start < sentence.char_end
                if inside or (touches and _tells(text, sentence.text)):
                    yield f"{_where(sentence)}: hidden text is read: {sentence.text[:80]!r}"


def _where(sentence: Sentence) -> str:
    if sentence.page is not None:
        return f"page {sentence.page}, line {sentence.line_start}"
    if sentence.paragraph is not None:
        return f"paragraph {sentence.paragraph}"
    return f"line {sentence.line_start}"


def _tells(hidden: str, text: str) -> bool:
    return len(hidden) >= TELLING_CHARACTERS and hidden in text


def _hidden(content: bytes, file: str) -> list[tuple[int, int, str]]:
    if Path(file).suffix.lower() in (".pdf", ".docx", ".txt"):
        return []
    source = _decoded(content)
    spans = []
    for match in HIDDEN.finditer(source):
        words = re.sub(r"<[^>]*>|<!--|-->|\{%.*?%\}", " ", match.group())
        spans.append((match.start(), match.end(), _folded(words)))
    return spans


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace")


def _folded(text: str) -> str:
    return " ".join(text.split())


Check = Callable[[Sentence, str], bool]


def _checker(content: bytes, file: str) -> Check:
    """Whether a quote stands at a sentence's place, by the kind of file."""
    suffix = Path(file).suffix.lower()
    if suffix == ".pdf":
        return _pdf_checker(content)
    if suffix == ".docx":
        return _docx_checker(content)
    lines = re.split(r"\r\n|\r|\n", _decoded(content))

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.line_start is None or sentence.line_end is None:
            return False
        place = "\n".join(lines[sentence.line_start - 1 : sentence.line_end])
        wanted = re.sub(r"\r\n|\r", "\n", quote)
        return bool(quote.strip()) and wanted in place

    return stands


def _pdf_checker(content: bytes) -> Check:
    import pypdfium2

    with pypdfium2.PdfDocument(content) as pdf:
        pages = ["".join(page.get_textpage().get_text_range().split()) for page in pdf]

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.page is None or not sentence.boxes:
            return False
        same_page = {box.page for box in sentence.boxes} == {sentence.page}
        page = pages[sentence.page - 1].replace("\ufffe", "").replace("\u00ad", "")
        return same_page and all(_unbroken(line) in page for line in quote.splitlines())

    return stands


def _unbroken(line: str) -> str:
    return "".join(line.split()).replace("\ufffe", "").replace("\u00ad", "")


def _docx_checker(content: bytes) -> Check:
    import docx

    document = docx.Document(io.BytesIO(content))
    paragraphs = [_folded(paragraph.text) for paragraph in document.paragraphs]
    rows = {
        _folded(" ".join(dict.fromkeys(cell.text for cell in row.cells)))
        for table in document.tables
        for row in table.rows
    }

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.paragraph is None:
            return False
        return _folded(quote) in paragraphs[sentence.paragraph - 1] or _folded(quote) in rows

    return stands
