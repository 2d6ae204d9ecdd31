"""Finds each gold quote of `questions.jsonl` again and writes down where it stands.

    python deploy/sample/place_quotes.py

Editing a document moves its lines. A label is made once, by its words; this keeps the
places right: lines of the file for text formats, page and lines on the page for PDF,
paragraph for DOCX. White space may differ between the label and the source; the quote is
rewritten as the source has it. A quote that is missing, or stands in two places, is an
error: word the label so that it names one place.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docx
import pypdfium2
from docx.table import Table

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.jsonl"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document in which places are counted: a file, page or paragraph."""

    text: str
    page: int | None = None
    paragraph: int | None = None
    """For a table row, that of the last body paragraph before the table."""


def parts(path: Path) -> Iterator[Part]:
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as pdf:
            for number, page in enumerate(pdf, start=1):
                text = page.get_textpage().get_text_range().replace("\r\n", "\n")
                yield Part(text, page=number)
    elif path.suffix == ".docx":
        yield from _docx_parts(path)
    else:
        yield Part(path.read_text(encoding="utf-8"))


def _docx_parts(path: Path) -> Iterator[Part]:
    paragraph = 0
    for element in docx.Document(str(path)).iter_inner_content():
        if isinstance(element, Table):
            for row in element.rows:
                text = "\t".join(cell.text for cell in row.cells)
                yield Part(text, paragraph=max(paragraph, 1))
        else:
            paragraph += 1
            yield Part(element.text, paragraph=paragraph)


def place(file: str, quote: str) -> dict[str, Any]:
    """Raise LookupError where the quote does not stand in exactly one place."""
    pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
    found = [
        (part, match)
        for part in parts(HERE / "documents" / file)
        for match in pattern.finditer(part.text)
    ]
    if len(found) != 1:
        raise LookupError(f"{file}: {len(found)} places for {quote!r}; quote words of one place")
    part, match = found[0]
    lines = [part.text.count("\n", 0, end) + 1 for end in match.span()]
    start, end = (None, None) if part.paragraph else lines
    gold = {"file": file, "line_start": start, "line_end": end, "quote": match.group()}
    counted = {"page": part.page, "paragraph": part.paragraph}
    return gold | {key: value for key, value in counted.items() if value is not None}


def main() -> None:
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    for question in questions:
        question["gold"] = [place(gold["file"], gold["quote"]) for gold in question["gold"]]
    lines = (json.dumps(question, ensure_ascii=False) + "\n" for question in questions)
    QUESTIONS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except LookupError as error:
        sys.exit(str(error))
