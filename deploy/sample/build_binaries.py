"""Builds the sample's PDF and DOCX files from the readable text in `content/`.

    python deploy/sample/build_binaries.py [FOLDER]

Binary files cannot be reviewed line by line, so the words live in `content/*.md` and the
built files are committed beside the other documents. With the same library versions, the
same content gives the same bytes (no clock, no random ids): a rebuild leaves git clean.

FOLDER is where the files go, by default `documents/` next to this script. The form of
the content is Markdown without inline markup; its front matter names the file to build.
"""

import io
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import docx
import yaml
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

HERE = Path(__file__).resolve().parent
MARGIN = 64  # points; leaves 467 points of text width on A4 (455 inside the frame's padding)
FIXED_DATE = datetime(2026, 9, 1)


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    text: str
    number: int | None
    """None for a bullet."""


@dataclass(frozen=True, slots=True)
class Grid:
    rows: tuple[tuple[str, ...], ...]
    """The first row is the header."""


Block = Heading | Text | Item | Grid


@dataclass(frozen=True, slots=True)
class Content:
    about: dict[str, Any]
    blocks: tuple[Block, ...]


def read_content(path: Path) -> Content:
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    root = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(body))
    return Content(yaml.safe_load(front), tuple(_blocks(root)))


def _blocks(root: SyntaxTreeNode) -> Iterator[Block]:
    for node in root.children:
        match node.type:
            case "heading":
                yield Heading(int(node.tag[1]), _words(node))
            case "paragraph":
                yield Text(_words(node))
            case "bullet_list":
                yield from (Item(_words(item), None) for item in node.children)
            case "ordered_list":
                yield from (Item(_words(x), n) for n, x in enumerate(node.children, start=1))
            case "table":
                lines = (line for part in node.children for line in part.children)
                yield Grid(tuple(tuple(_words(cell) for cell in line.children) for line in lines))
            case other:
                raise ValueError(f"The content has a {other}; write it as a plain block instead.")


def _words(node: SyntaxTreeNode) -> str:
    inlines = (part for part in node.walk() if part.type == "inline")
    return " ".join(" ".join(inline.content.split()) for inline in inlines)


def build_pdf(content: Content, target: Path) -> None:
    about = content.about
    document = BaseDocTemplate(
        str(target),
        pagesize=A4,
        title=about["title"],
        author="Larkmere University",
        invariant=1,
    )
    story: list[Flowable] = [Paragraph(about["title"], _style(22, bold=True, after=14))]
    for block in content.blocks:
        starts_section = isinstance(block, Heading) and block.level == 1
        if starts_section and about["sections_on_new_pages"]:
            story.append(PageBreak())
        story.extend(_flowables(block))
    # Header first and footer last in the content stream, so that extraction meets them
    # in the order in which they are read.
    page = PageTemplate(
        frames=Frame(MARGIN, MARGIN, A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN),
        onPage=partial(_draw_header, about["subject"]),
        onPageEnd=partial(_draw_footer, about["footer"]),
    )
    document.addPageTemplates(page)
    document.build(story)


def _flowables(block: Block) -> list[Flowable]:
    match block:
        case Heading(1, text):
            return [Paragraph(text, _style(16, bold=True, before=12, after=8))]
        case Heading(_, text):
            return [Paragraph(text, _style(12.5, bold=True, before=8, after=4))]
        case Text(text):
            return [Paragraph(text, _style(10.5, after=7))]
        case Item(text, number):
            marker = "\N{BULLET}" if number is None else f"{number}."
            return [Paragraph(text, _style(10.5, after=3, indent=16), bulletText=marker)]
        case Grid(rows):
            return [_table(rows), Spacer(1, 10)]


def _style(
    size: float, *, bold: bool = False, before: float = 0, after: float = 0, indent: float = 0
) -> ParagraphStyle:
    return ParagraphStyle(
        "text",
        fontName="Helvetica-Bold" if bold else "Helvetica",
        fontSize=size,
        leading=size * 1.4,
        spaceBefore=before,
        spaceAfter=after,
        leftIndent=indent,
        bulletIndent=indent / 4,
        keepWithNext=bold,
    )


def _table(rows: Sequence[Sequence[str]]) -> Table:
    return Table(
        rows,
        repeatRows=1,
        hAlign="LEFT",
        spaceBefore=4,
        style=[
            ("GRID", (0, 0), (-1, -1), 0.6, colors.black),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 8.5),
            ("FONT", (0, 1), (-1, -1), "Helvetica", 8.5),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ],
    )


def _draw_header(text: str, canvas: Canvas, _: BaseDocTemplate) -> None:
    top = A4[1] - MARGIN + 12
    canvas.setFont("Helvetica", 8)
    canvas.drawString(MARGIN, top, text)
    canvas.line(MARGIN, top - 5, A4[0] - MARGIN, top - 5)


def _draw_footer(text: str, canvas: Canvas, document: BaseDocTemplate) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawString(MARGIN, MARGIN - 12, text)
    canvas.drawRightString(A4[0] - MARGIN, MARGIN - 12, f"Page {document.page}")


def build_docx(content: Content, target: Path) -> None:
    document = docx.Document()
    properties = document.core_properties
    properties.title = content.about["title"]
    properties.author = content.about["author"]
    properties.created = properties.modified = FIXED_DATE
    document.add_heading(content.about["title"], level=0)
    for block in content.blocks:
        _add_to_docx(document, block)
    buffer = io.BytesIO()
    document.save(buffer)
    target.write_bytes(_without_clock(buffer.getvalue()))


def _add_to_docx(document: Any, block: Block) -> None:
    match block:
        case Heading(level, text):
            document.add_heading(text, level=level)
        case Text(text):
            document.add_paragraph(text)
        case Item(text, number):
            document.add_paragraph(text, style="List Bullet" if number is None else "List Number")
        case Grid(rows):
            table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
            for row in rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text


def _without_clock(archive: bytes) -> bytes:
    """The same archive with one fixed time for every member."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, date_time=FIXED_DATE.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name))
    return buffer.getvalue()


BUILDERS = {".pdf": build_pdf, ".docx": build_docx}


def build_all(folder: Path) -> list[Path]:
    targets = []
    for path in sorted((HERE / "content").glob("*.md")):
        content = read_content(path)
        target = folder / content.about["target"]
        target.parent.mkdir(parents=True, exist_ok=True)
        BUILDERS[target.suffix](content, target)
        targets.append(target)
    return targets


if __name__ == "__main__":
    for built in build_all(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "documents"):
        print(built)
