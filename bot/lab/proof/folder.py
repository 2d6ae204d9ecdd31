"""Proof on a folder that passages stand where they say, and what hidden text was left out.

Re-derives each place from the file by other means than the parsers': lines of the raw
file, a page's text by coordinates-free extraction, a paragraph by number. So a mistake in
a parser's bookkeeping cannot hide behind itself.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.lab.proof.hidden_text import Spans, enclosed, unseen_checker
from bot.lab.proof.places import Check, place_checker
from retrieval.documents.cells import range_of
from retrieval.errors import UnreadableDocument
from retrieval.ingest.chunking import PARAGRAPHS, Chunking, cut
from retrieval.ingest.indexed_library import ProgressReport
from retrieval.ingest.reading import in_english
from retrieval.ingest.sources import Problem, Source, listing_of
from retrieval.metadata.access import EVERYBODY
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.ontology import Ontology
from retrieval.parsing import is_read, parser_for
from retrieval.parsing.recognition import unread_in_words
from retrieval.types import Document, HiddenText, ParsedDocument, Passage, Place, Sentence

_RAW = re.compile(
    r"(?P<raw>\{%-?\s*raw\s*-?%\})|\{\{-?\s*(?:(?P<double>\")|(?P<single>'))",
)
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
    """Files of which some pages were not read."""
    foreign: list[str] = field(default_factory=list)
    """Files that are not in English."""
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
