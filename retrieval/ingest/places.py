"""Whether quotes stand in a file where passages say, by other means than the parsers'."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from retrieval.ingest.cell_places import cells_checker
from retrieval.ingest.chapter_places import chapters_checker
from retrieval.ingest.paragraph_places import paragraphs_checker
from retrieval.ingest.slide_places import slides_checker
from retrieval.types import HiddenText, Sentence

Check = Callable[[Sentence, str], bool]


def place_checker(content: bytes, file: str, hidden: Sequence[HiddenText]) -> Check:
    """Whether a quote stands at a sentence's place, by the kind of file.

    `hidden` is what was left out of a PDF or of a Word document, whose quotes go on behind it.
    What text recognition read stands in no file as text: of it the page of its boxes is checked,
    and `unseen_checker` that something is drawn there.
    """
    suffix = Path(file).suffix.lower()
    if suffix == ".pdf":
        return _pdf_checker(content, hidden)
    if suffix == ".docx":
        return paragraphs_checker(content, hidden)
    if suffix == ".xlsx":
        return cells_checker(content, hidden)
    if suffix == ".pptx":
        return slides_checker(content, hidden)
    if suffix == ".epub":
        return chapters_checker(content)
    lines = re.split(r"\r\n|\r|\n", content.decode("utf-8-sig", errors="replace"))

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.line_start is None or sentence.line_end is None:
            return False
        place = "\n".join(lines[sentence.line_start - 1 : sentence.line_end])
        wanted = re.sub(r"\r\n|\r", "\n", quote)
        return bool(quote.strip()) and wanted in place

    return stands


def _pdf_checker(content: bytes, hidden: Sequence[HiddenText]) -> Check:
    import pypdfium2

    with pypdfium2.PdfDocument(content) as pdf:
        pages = [_unbroken(page.get_textpage().get_text_range()) for page in pdf]
    seen = list(pages)
    for piece in hidden:
        page = int(piece.where.removeprefix("page ")) - 1
        if piece.left_out:
            seen[page] = seen[page].replace(_unbroken(piece.text), "", 1)

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.page is None or not sentence.boxes:
            return False
        pictures = [sentence.picture] if sentence.picture else []
        same_page = {box.page for box in (*sentence.boxes, *pictures)} == {sentence.page}
        if sentence.recognised is not None:
            return same_page and sentence.page <= len(pages)
        lines = [_unbroken(line) for line in quote.splitlines()]
        texts = pages[sentence.page - 1], seen[sentence.page - 1]
        return same_page and all(any(line in text for text in texts) for line in lines)

    return stands


def _unbroken(line: str) -> str:
    return "".join(line.split()).replace("\ufffe", "").replace("\u00ad", "")
