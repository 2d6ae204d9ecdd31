"""The page of a citation says all of it in HTML, and whatever a document says is text there."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from cited_shelf import ANA, CS, CitedShelf, seen
from docx import Document
from pdf_pages import drawn_pages, write
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from audit.record import AuditRecord
from audit.values import CellRecord, ClaimRecord, Status
from bot.web.citations import LONGEST_QUOTE
from bot.web.document_text import CitedSpan, part
from bot.web.pages import HEADERS, STYLE, CitationPages, citation_page
from bot.wording import web as wording
from retrieval.types import Box

HOSTILE = """# Rules <script>alert(1)</script>

Pay & rest "quoted" `<img src=x onerror=alert(1)>` for \u202eevil\u202c all.

- one <b>item</b> here
- two

| Name | Fee |
|------|-----|
| <svg onload=alert(1)> | 5 euros |
"""


class Tags(HTMLParser):
    """What a browser would make of it: elements in order, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def names(self) -> set[str]:
        return {name for name, _ in self.found}


def page(shelf: CitedShelf, record: AuditRecord, ref: str = "1-1", at: str = "") -> str:
    return citation_page(seen(shelf.citations.find(record.audit_id, ref, ANA, at)), "a-token")


def marked_in(html: str) -> list[str]:
    """What is marked as cited, without what is only read aloud."""
    return re.findall("<mark>(.*?)</mark>", bare(html), re.DOTALL)


def bare(html: str) -> str:
    return re.sub('<span class="aloud">.*?</span>', "", html)


def test_what_a_document_says_is_text_and_nothing_acts(shelf: CitedShelf) -> None:
    document = shelf.put("rules.md", HOSTILE, title='<script>alert("t")</script>')
    record = shelf.answer(
        shelf.cite(document, "quoted", link="javascript:alert(1)"),
        text="<iframe src=//evil.example>",
    )
    html = page(shelf, record)
    read = Tags(html)
    assert read.names().isdisjoint({"script", "img", "svg", "iframe", "b", "object"})
    assert not [name for _, found in read.found for name in found if name.startswith("on")]
    assert "javascript:" not in html
    assert "\u202e" not in html
    assert "<iframe src=//evil.example>" in read.text


def test_a_quote_that_stands_alone_is_text_too_and_no_page_long(shelf: CitedShelf) -> None:
    document = shelf.put("rules.md", HOSTILE)
    acting = "<script>alert(1)</script>\u202eback\x1b[31m\x00wards\u200b "
    for quote in (acting, acting * 10_000):
        record = shelf.answer(shelf.cite(document, "quoted", quote=quote))
        html = page(shelf, record)
        assert wording.NOT_KEPT.split(".")[0] in html
        [shown] = marked_in(html)
        assert shown.startswith("&lt;script&gt;alert(1)&lt;/script&gt;back[31mwards")
        assert {"script"}.isdisjoint(Tags(html).names())
        assert not set("\u202e\x1b\x00\u200b") & set(html)
        assert len(shown) < 10_000
        assert shown.endswith("…") == (len(quote) > LONGEST_QUOTE)


def test_links_lead_to_the_page_itself_and_to_the_documents_own_address_alone(
    shelf: CitedShelf,
) -> None:
    document = shelf.put("rules.md", HOSTILE)
    link = "https://intranet.example.org/rules"
    record = shelf.answer(shelf.cite(document, "quoted", link=link))
    targets = [
        found[name]
        for _, found in Tags(page(shelf, record)).found
        for name in ("href", "src", "action")
        if name in found
    ]
    assert set(targets) == {"data:,", "#cited", link, "/sign-out"}


def test_headings_are_in_order_and_the_cited_words_are_marked_aloud(shelf: CitedShelf) -> None:
    document = shelf.put("rules.md", "# Rules\n\n## Pay\n\n### Extra\n\nIt is paid. It is late.\n")
    html = page(shelf, shelf.answer(shelf.cite(document, "It is late")))
    levels = [int(name[1]) for name, _ in Tags(html).found if re.fullmatch(r"h\d", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    [marked] = re.findall(r"<mark>(.*?)</mark>", html)
    said = f"{wording.CITED_BEGINS}It is late.{wording.CITED_ENDS}"
    assert re.sub("<.*?>", "", marked) == said


def test_the_claim_stands_beside_its_verdict_in_words(shelf: CitedShelf) -> None:
    cited = shelf.cite(shelf.put("rules.md", HOSTILE), "quoted")
    doubtful = ClaimRecord(
        text="It is so.", status=Status.UNSUPPORTED, score=0.2, citations=(cited,)
    )
    record = shelf.answer(
        claims=(
            ClaimRecord(text="Yes.", status=Status.VERIFIED, score=0.999, citations=(cited,)),
            doubtful,
        )
    )
    verified, unsupported = page(shelf, record, "1-1"), page(shelf, record, "2-1")
    assert "The source says so." in verified
    assert "over 99%" in verified
    assert "The source does not say so." in unsupported
    assert "20%" in unsupported


def test_a_list_is_a_list_with_the_numbers_of_its_lines(shelf: CitedShelf) -> None:
    document = shelf.put("steps.md", "# Steps\n\nDo this:\n\n1. Sign.\n2. Send.\n")
    html = page(shelf, shelf.answer(shelf.cite(document, "Send")))
    assert re.search(
        r'<li class="cited"[^>]*><span class="number" aria-hidden="true">6</span>', html
    )
    assert "2.</span>" in html


def test_of_a_long_document_the_rest_is_a_link_away(shelf: CitedShelf) -> None:
    text = "# Long\n\n" + "\n\n".join(f"Sentence number {n} of many." for n in range(3_000))
    record = shelf.answer(shelf.cite(shelf.put("long.md", text), "number 1500 "))
    html = page(shelf, record)
    assert len(html) < 200_000
    later = re.search(r'rel="next" href="\?at=(\d+)#document"', html)
    assert later
    onwards = page(shelf, record, at=later[1])
    assert wording.BACK_TO_CITED in onwards
    assert "<mark>" not in onwards


def test_every_answer_is_sent_with_headers_that_let_nothing_in_or_out(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("rules.md", HOSTILE), "quoted"), channel=CS)
    sent = CitationPages(shelf.citations).page(record.audit_id, "1-1", ANA, {}, "a-token")
    assert sent is not None
    assert {name.lower() for name in HEADERS} <= set(sent.headers)
    policy = sent.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "script-src" not in policy
    assert f"<style>{STYLE}</style>".encode() in bytes(sent.body)
    assert sent.headers["x-content-type-options"] == "nosniff"
    assert CitationPages(shelf.citations).page(record.audit_id, "9-1", ANA, {}, "") is None


TABLE = """# Fees

| Course | Fee | Due |
|--------|-----|-----|
| Maths | 50 euros | May |
| Physics | 70 euros | |
| Art | | June |
"""


@pytest.mark.parametrize(
    ("words", "cells", "marked"),
    [
        ("Physics", (CellRecord(name="Fee", value="70 euros", sentence=0),), ["70 euros"]),
        ("Maths", (), ["Maths", "50 euros", "May"]),
        (
            "Maths",
            (CellRecord(name="Fee", value="99 euros", sentence=7),),
            ["Maths", "50 euros", "May"],
        ),
    ],
    ids=["a cell", "the row", "a cell that the row has not"],
)
def test_rows_are_a_table_again_and_what_is_cited_of_one_is_marked(
    shelf: CitedShelf, words: str, cells: tuple[CellRecord, ...], marked: list[str]
) -> None:
    record = shelf.answer(shelf.cite(shelf.put("fees.md", TABLE), words, cells=cells))
    html = page(shelf, record)
    heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', html)[:4]
    assert heads == [wording.ROW, "Course", "Fee", "Due"]
    assert marked_in(html) == marked
    assert "99 euros" not in html


def test_a_cell_below_a_row_that_is_read_in_parts_is_marked_in_its_own_row(
    shelf: CitedShelf,
) -> None:
    prose = " ".join(f"Rule {number} is {'long ' * 20}enough." for number in range(3))
    long, short = f"| Maths | {prose} |", "| Art | Late. |"
    document = shelf.put("rules.md", f"| Course | Rule |\n|---|---|\n{long}\n{short}\n")
    cell = CellRecord(name="Rule", value="Late.", sentence=1)
    cited = shelf.cite(document, "Rule 0", cells=(cell,), quote=f"{long}\n{short}")
    assert marked_in(page(shelf, shelf.answer(cited))) == ["Maths", prose, "Late."]


def test_program_text_stands_as_it_is_written(shelf: CitedShelf) -> None:
    text = "# Code\n\n```\nif leave:\n    take(it)\n```\n"
    record = shelf.answer(shelf.cite(shelf.put("code.md", text), "take(it)"))
    html = bare(page(shelf, record))
    assert "if leave:\n<mark>    take(it)</mark></code>" in html


HIDDEN_IN_CODE = """<h1>Code</h1><p>Run this:</p>
<pre><code>run <b>me</b> <span hidden>XYZZY</span> <!-- PLUGH --> now &lt;here&gt;</code></pre>
"""


def test_code_of_a_pdf_keeps_its_indentation(shelf: CitedShelf) -> None:
    def draw(canvas: Canvas) -> None:
        write(canvas, ["Whoever takes leave asks first, and then waits for an answer."], 80)
        write(canvas, ["if leave:", "    take(it)"], 100, "Courier")

    record = shelf.answer(shelf.cite(shelf.put("code.pdf", drawn_pages(draw)), "take(it)"))
    html = bare(page(shelf, record))
    assert "<pre><code>if leave:\n<mark>    take(it)</mark></code>" in html


def test_a_figure_is_marked_in_the_text_and_its_picture_on_the_page(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        write(canvas, ["Whoever takes leave asks first, and then waits for an answer."], 80)
        canvas.line(72, A4[1] - 200, 300, A4[1] - 100)
        write(canvas, ["Figure 1: Days of leave by year."], 218)

    marked: list[Box] = []

    def noted(_: bytes, page: int, boxes: Sequence[Box]) -> bytes:
        marked.extend(boxes)
        return bytes(page)

    shelf = CitedShelf(tmp_path, noted)
    record = shelf.answer(shelf.cite(shelf.put("leave.pdf", drawn_pages(draw)), "Days of"))
    html = bare(page(shelf, record))
    assert '<p dir="auto" class="figure"><mark>Figure 1: Days of leave by year.</mark>' in html
    shelf.citations.picture(record.audit_id, "1-1", "1", ANA)
    words, picture = marked
    assert (words.page, picture.page) == (1, 1)
    assert (picture.x0, picture.y0) == pytest.approx((72, 100), abs=2)
    assert (picture.x1, picture.y1) == pytest.approx((300, 200), abs=2)
    assert words.y0 > picture.y1


@pytest.mark.parametrize("file", ["code.html", "code.md"])
def test_what_is_hidden_within_program_text_stays_hidden(shelf: CitedShelf, file: str) -> None:
    record = shelf.answer(shelf.cite(shelf.put(file, HIDDEN_IN_CODE), "Run this"))
    html = page(shelf, record)
    assert "XYZZY" not in html
    assert "PLUGH" not in html
    assert "run me now &lt;here&gt;</code>" in html


def docx() -> bytes:
    document = Document()
    document.add_heading("Rules", 1)
    document.add_heading("Pay", 2)
    document.add_paragraph("It is paid monthly.")
    document.add_paragraph("First of all.", style="List Number")
    table = document.add_table(2, 2)
    for cell, text in zip(table.columns[0].cells, ("Grade", "Two"), strict=True):
        cell.text = text
    for cell, text in zip(table.columns[1].cells, ("Days", "20"), strict=True):
        cell.text = text
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("file", "content", "words", "place"),
    [
        ("rules.txt", "RULES\n\nIt is paid monthly.\n", "paid monthly", "line 3"),
        (
            "rules.html",
            "<h1>Rules</h1><p>It is <b>paid</b> monthly.<script>alert(1)</script></p>",
            "paid monthly",
            "line 1",
        ),
        ("rules.docx", docx, "paid monthly", "paragraph 3"),
        ("rules.docx", docx, "Grade: Two", "table 1, row 2"),
    ],
)
def test_every_kind_of_document_is_a_readable_page(
    shelf: CitedShelf, file: str, content: Any, words: str, place: str
) -> None:
    document = shelf.put(file, content if isinstance(content, str) else content())
    html = page(shelf, shelf.answer(shelf.cite(document, words)))
    assert words in marked_in(html)[0] or marked_in(html) == ["Two", "20"]
    assert place in html
    assert "alert" not in html


def test_what_was_read_from_a_picture_without_certainty_is_told(shelf: CitedShelf) -> None:
    """The library is real; that a word was recognised is set here, not by Tesseract."""
    document = shelf.put("rules.md", "# Rules\n\nIt is paid monthly. It is late.\n")
    record = shelf.answer(shelf.cite(document, "It is late"))
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert wording.RECOGNISED not in citation_page(view)
    kept = shelf.library.parsed(document.document_id, document.version)
    assert kept
    unsure = [
        replace(each, sentences=tuple(replace(s, recognised=0.4) for s in each.sentences))
        for each in kept.fragments
    ]
    body = part(replace(kept, fragments=tuple(unsure)), CitedSpan(0, 0), None)
    html = citation_page(replace(view, body=body))
    assert wording.RECOGNISED in html
    assert html.count(wording.DOUBTFUL) == 1


def test_a_table_whose_columns_change_with_every_row_is_read_row_by_row(shelf: CitedShelf) -> None:
    tables = "".join(
        f"| a{n} | b{n} |\n|---|---|\n| {n} one | {n} two |\n\n<!-- -->\n\n" for n in range(60)
    )
    record = shelf.answer(shelf.cite(shelf.put("wide.md", f"# Wide\n\n{tables}"), "30 one"))
    html = page(shelf, record)
    assert html.count("<td") < 60
    assert "a30: 30 one" in html


def workbook(*rows: list[str], bold: bool) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Fees"
    for row in rows:
        sheet.append(row)
    for cell in sheet[1]:
        cell.font = openpyxl.styles.Font(bold=bold)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def slides() -> bytes:
    show = pptx.Presentation()
    for title, words in (("Welcome", "It begins."), ("Leave", "Parental leave is 14 weeks.")):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = words
    file = io.BytesIO()
    show.save(file)
    return file.getvalue()


@pytest.mark.parametrize(("bold", "heads"), [(True, ["Course", "Fee"]), (False, ["A", "B"])])
def test_a_sheet_is_a_table_with_the_numbers_of_its_rows_and_names_or_letters_of_columns(
    shelf: CitedShelf, bold: bool, heads: list[str]
) -> None:
    rows = (["Course", "Fee"], ["Maths", "50 euros"], ["Physics", "70 euros"])
    document = shelf.put("fees.xlsx", workbook(*rows, bold=bold))
    name = "Fee" if bold else ""
    cell = CellRecord(name=name, value="70 euros", reference="B3", sentence=0)
    html = page(shelf, shelf.answer(shelf.cite(document, "Physics", cells=(cell,))))
    assert "sheet Fees" in html
    assert '<th scope="row">3</th>' in html
    assert re.findall(r'<th scope="col"[^>]*>(.*?)</th>', html)[:3] == [wording.ROW, *heads]
    assert marked_in(html) == ["70 euros"]


def test_slides_are_told_apart_by_their_numbers(shelf: CitedShelf) -> None:
    document = shelf.put("talk.pptx", slides())
    html = page(shelf, shelf.answer(shelf.cite(document, "14 weeks")))
    labels = re.findall(r'<p class="label"[^>]*>\s*(.*?)\s*</p>', html, re.DOTALL)
    assert labels == ["slide 1", "slide 2"]
    assert "<mark>" in html
