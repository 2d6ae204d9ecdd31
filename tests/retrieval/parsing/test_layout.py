"""What a viewer shows of a document beside its passages: pages, headings, running lines."""

import docx
import pytest
from parsed_documents import kinds
from pdf_pages import built, drawn, drawn_pages, styled
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak
from word_files import parsed

from retrieval.parsing import html, markdown, plain
from retrieval.parsing.draft import in_reading_order
from retrieval.parsing.pdf import parser as pdf
from retrieval.types import FragmentKind, ParsedDocument


def handbook() -> bytes:
    return built(
        styled("Leave", "Heading1"),
        styled("Staff may take leave."),
        styled("Annual leave", "Heading2"),
        styled("It is thirty days."),
        PageBreak(),
        styled("They lapse in March."),
        styled("Figure 2: Days of leave by year"),
        PageBreak(),
        styled("Sick leave", "Heading2"),
        styled("Call the office."),
        styled("Pay", "Heading1"),
        styled("It is paid monthly."),
        running=True,
    )


def in_order(document: ParsedDocument) -> list[tuple[str, str]]:
    fragments = in_reading_order(document.fragments, document.headings, document.left_out)
    return [(each.kind.value, " ".join(s.text for s in each.sentences)) for each in fragments]


def test_the_pages_of_a_pdf_measure_as_they_are_shown() -> None:
    def turned(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.setPageSize((300, 500))  # of the page as it is turned: its sheet lies on its side
        canvas.drawString(72, 200, "Turned.")

    content = drawn_pages(lambda canvas: canvas.drawString(72, 700, "Upright."), turned)
    assert b"/MediaBox [ 0 0 500 300 ]" in content
    pages = pdf.parse(content).pages
    assert [(page.number, page.width, page.height) for page in pages] == [
        (1, pytest.approx(A4[0], abs=0.01), pytest.approx(A4[1], abs=0.01)),
        (2, 300, 500),
    ]


def test_each_section_of_a_pdf_knows_its_first_and_last_page() -> None:
    headings = pdf.parse(handbook()).headings
    assert [(h.level, h.text, h.section_path, h.first_page, h.last_page) for h in headings] == [
        (1, "Leave", (), 1, 3),
        (2, "Annual leave", ("Annual leave",), 1, 2),
        (2, "Sick leave", ("Sick leave",), 3, 3),
        (1, "Pay", ("Pay",), 3, 3),
    ]


def test_headings_of_a_pdf_are_boxed_where_they_stand() -> None:
    document = pdf.parse(handbook())
    for heading in document.headings:
        place = heading.sentence
        assert document.source[place.char_start : place.char_end] == heading.text
        (box,) = place.boxes
        assert box.page == place.page
        assert 0 < box.x1 - box.x0 < 200
        assert 10 < box.y1 - box.y0 < 40


def test_a_pdf_is_shown_in_order_with_its_running_lines_and_captions() -> None:
    document = pdf.parse(handbook())
    assert in_order(document)[:7] == [
        ("running", "Example University"),
        ("running", "Page 1"),
        ("heading", "Leave"),
        ("paragraph", "Staff may take leave."),
        ("heading", "Annual leave"),
        ("paragraph", "It is thirty days."),
        ("running", "Example University"),
    ]
    assert ("caption", "Figure 2: Days of leave by year") in in_order(document)
    assert all(box.page for f in document.left_out for s in f.sentences for box in s.boxes)
    assert not any("Example University" in text for _, text in kinds(document))


def test_a_sentence_that_begins_with_a_figure_is_no_caption() -> None:
    content = drawn(lambda canvas: canvas.drawString(72, 700, "Table 2 shows the days of leave."))
    assert [kind for kind, _ in kinds(pdf.parse(content))] == [FragmentKind.PARAGRAPH]


def test_markdown_has_headings_with_their_lines_and_code() -> None:
    document = markdown.parse(b"# Leave\n\nText.\n\n## Asking *twice*\n\n```\nvouch ask\n```\n")
    assert in_order(document) == [
        ("heading", "Leave"),
        ("paragraph", "Text."),
        ("heading", "Asking twice"),
        ("code", "vouch ask"),
    ]
    assert [(h.level, h.section_path, h.sentence.line_start) for h in document.headings] == [
        (1, (), 1),
        (2, ("Asking twice",), 5),
    ]
    place = document.headings[1].sentence
    assert document.source[place.char_start : place.char_end] == "Asking *twice*"


def test_html_has_headings_captions_and_code() -> None:
    document = html.parse(
        b"<h1>Leave</h1><figure><img src=x><figcaption>Days by year.</figcaption></figure>\n"
        b"<h2>Asking</h2><pre>vouch ask</pre>"
    )
    assert in_order(document) == [
        ("heading", "Leave"),
        ("figure", "Days by year."),
        ("heading", "Asking"),
        ("code", "vouch ask"),
    ]
    assert [h.sentence.line_start for h in document.headings] == [1, 2]


def test_a_word_document_has_title_headings_captions_and_contents() -> None:
    made = docx.Document()
    made.add_paragraph("Handbook", style="Title")
    made.styles.add_style("toc 1", 1)
    made.add_paragraph("Leave 2", style="toc 1")
    made.add_heading("Leave", 1)
    made.add_paragraph("Text.")
    made.add_paragraph("Days by year", style="Caption")
    document = parsed(made)
    assert in_order(document) == [
        ("heading", "Handbook"),
        ("contents", "Leave 2"),
        ("heading", "Leave"),
        ("paragraph", "Text."),
        ("caption", "Days by year"),
    ]
    (heading,) = document.headings
    assert heading.sentence.paragraph == 3
    assert heading.section_path == ("Leave",)


def test_plain_text_has_headings_with_their_lines() -> None:
    document = plain.parse(b"The  Leave\n==========\n\nText.\n\nASKING FOR IT\n\nMore.\n")
    assert [(h.text, h.sentence.line_start) for h in document.headings] == [
        ("The Leave", 1),
        ("ASKING FOR IT", 6),
    ]
