"""A number with the mark of a note raised behind it is no other number, in any kind of file."""

import io
from collections.abc import Callable

import odfdo
import pytest
import word_files
import workbooks
from decks import add_table, deck, saved, slide
from docx import Document
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from parsed_documents import texts
from pdf_pages import drawn
from reportlab.pdfgen.canvas import Canvas

from retrieval.parsing import parser_for

ROW = "Staff: Office; Days: 30¹"


def word() -> bytes:
    made = Document()
    raised = made.styles.add_style("Mark", 2)
    raised.font.superscript = True
    table = word_files.add_table(made, ["Staff", "Days"], ["Office", "30"])
    table.cell(1, 1).paragraphs[0].add_run("1", raised)
    said = made.add_paragraph("25")
    marks = said.add_run("2,", raised)
    marks.add_text("10")
    for text, mark in ((" days in 40 m", "2"), (", 10", "-3"), (" g, says the board", "4")):
        said.add_run(text)
        said.add_run(mark).font.superscript = True
    said.add_run(" of CO")
    said.add_run("2").font.subscript = True
    said.add_run(".")
    return word_files.saved(made)


def slides() -> bytes:
    made = deck()
    table = add_table(slide(made, "Leave"), ["Staff", "Days"], ["Office", "30"])
    mark = table.cell(1, 1).text_frame.paragraphs[0].add_run()
    mark.text = "1"
    mark.font._element.set("baseline", "30000")  # noqa: SLF001  # python-pptx has no name for it
    return saved(made)


def workbook() -> bytes:
    mark = TextBlock(InlineFont(vertAlign="superscript"), "1")
    rows = [["Staff", "Days"], ["Office", CellRichText("30", mark)]]
    return workbooks.saved(workbooks.workbook({"Leave": rows}))


def open_document(kind: str, position: str) -> bytes:
    made = odfdo.Document(kind)
    made.body.clear()
    style = odfdo.Style("text", name="Mark")
    style.set_properties({"style:text-position": position}, area="text")
    made.insert_style(style, automatic=True)
    table = odfdo.Table("Leave", width=2, height=2)
    for at, value in enumerate(("Staff", "Days", "Office")):
        table.set_value((at % 2, at // 2), value)
    days = odfdo.Paragraph("30")
    days.append(odfdo.Span("1", style="Mark"))
    cell = odfdo.Cell()
    cell.append(days)
    table.set_cell((1, 1), cell)
    made.body.append(table)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


RICH = (
    rb"{\rtf1 \trowd\cellx1\cellx2\intbl Staff\cell Days\cell\row "
    rb"\trowd\cellx1\cellx2\intbl Office\cell 30{\super 1}\cell\row \pard "
    rb"7\super 2\nosupersub days 8\super 1\plain 9}"
)
PAGE = (
    b"<table><tr><th>Staff<th>Days<tr><td>Office<td>30"
    b"<span style='font-size: 60%; vertical-align: super'><a href='#n'>1</a></span></table>"
)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("leave.docx", word),
        ("leave.pptx", slides),
        ("leave.xlsx", workbook),
        ("leave.odt", lambda: open_document("text", "super 58%")),
        ("leave.odt", lambda: open_document("text", "33% 58%")),
        ("leave.ods", lambda: open_document("spreadsheet", "super 58%")),
        ("leave.rtf", lambda: RICH),
        ("leave.html", lambda: PAGE),
    ],
)
def test_a_mark_behind_a_number_in_a_cell_is_no_digit_of_it(
    file: str, content: Callable[[], bytes]
) -> None:
    assert ROW in texts(parser_for(file)(content()))


def test_in_word_what_is_raised_belongs_to_no_number_and_names_stay_as_people_type_them() -> None:
    said = texts(parser_for("a.docx")(word()))
    assert said[-1] == "25²,¹⁰ days in 40 m², 10⁻³ g, says the board4 of CO2."


def test_a_reset_of_styles_leaves_raised_digits_raised_and_a_cell_is_none() -> None:
    reset = "<style>sub,sup{vertical-align:baseline} td{vertical-align:super}</style>"
    table = "<table><tr><th>Staff<th>Days<tr><td>Office<td>30<sup>1</sup><tr><td>IT<td>2</table>"
    assert texts(parser_for("a.html")(f"{reset}{table}".encode()))[:2] == [
        ROW,
        "Staff: IT; Days: 2",
    ]


def test_a_mark_before_a_sentence_is_of_that_sentence() -> None:
    page = b"<p>He left.<sup>1</sup> <sup>2</sup> She is in.</p>"
    assert texts(parser_for("a.html")(page)) == ["He left.¹", "² She is in."]


def test_lowered_digits_of_a_slide_are_lowered() -> None:
    made = deck()
    paragraph = slide(made, "Sums", "10").placeholders[1].text_frame.paragraphs[0]
    lowered = paragraph.add_run()
    lowered.text = "2"
    lowered.font._element.set("baseline", "-25000")  # noqa: SLF001  # python-pptx has no name for it
    assert "10₂" in texts(parser_for("a.pptx")(saved(made)))


@pytest.mark.parametrize("position", ["0% 100%", " "])
def test_digits_on_the_line_of_an_open_document_stay_there(position: str) -> None:
    assert "Staff: Office; Days: 301" in texts(parser_for("a.odt")(open_document("text", position)))


def test_rich_text_goes_back_to_the_line() -> None:
    assert texts(parser_for("a.rtf")(RICH))[-1] == "7²days 8¹9"


def page(*pieces: tuple[str, float, float]) -> bytes:
    """Pieces of a line with the size of each, in points, and how far it is raised."""

    def draw(canvas: Canvas) -> None:
        line = canvas.beginText(72, 700)
        for text, size, rise in pieces:
            line.setFont("Helvetica", size)
            line.setRise(rise)
            line.textOut(text)
        canvas.drawText(line)

    return drawn(draw)


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([("It is 30", 10, 0), ("2", 6, 4), (" days.", 10, 0)], "It is 30² days."),
        ([("So says the board", 10, 0), ("12", 7, 3.5), (".", 10, 0)], "So says the board¹²."),
        ([("1", 6, 4), (" From May on.", 10, 0)], "¹ From May on."),
        ([("He is in.", 10, 0), ("1", 6, 4), (" She left.", 10, 0)], "He is in.¹|She left."),
        ([("It is 10", 10, 0), ("-3", 8, 4), (" m.", 10, 0)], "It is 10⁻³ m."),
        ([("On the 1", 10, 0), ("st", 7, 4), (" of May.", 10, 0)], "On the 1st of May."),
        ([("It is 30", 10, 0), ("2", 7, 0), (" days.", 10, 0)], "It is 302 days."),
        ([("Take CO", 10, 0), ("2", 7, -2), (" out.", 10, 0)], "Take CO2 out."),
        ([("twenty", 10, 0), ("-", 8, 4), ("two", 10, 0)], "twenty-two"),
        ([("5", 20, 0), ("30 days of leave", 10, 8)], "5|30 days of leave"),
        ([("Room ", 20, 0), ("12", 10, 8)], "Room 12"),
        ([("A", 30, 0), ("24 was a good year.", 10, 14)], "24 was a good year."),
    ],
)
def test_small_digits_above_the_line_of_a_pdf_are_set_apart_from_those_on_it(
    pieces: list[tuple[str, float, float]], read: str
) -> None:
    assert "|".join(texts(parser_for("a.pdf")(page(*pieces)))) == read


def test_a_note_below_a_printed_table_is_told_with_the_value_that_its_mark_stands_behind() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.grid([72, 172, 272], [700, 680, 660, 640])
        texts = (
            ("Staff", "Days"),
            ("Office", "30¹"),
            ("Field", "28"),
            ("¹From the second year on.",),
        )
        for row, cells in enumerate(texts):
            for column, text in enumerate(cells):
                line = canvas.beginText(76 + 100 * column, 686 - 20 * row)
                for piece in text.partition("¹"):
                    line.setFont("Helvetica", 6 if piece == "¹" else 10)
                    line.setRise(4 if piece == "¹" else 0)
                    line.textOut(piece.replace("¹", "1"))
                canvas.drawText(line)

    said = texts(parser_for("a.pdf")(drawn(draw)))
    assert f"{ROW} (¹ From the second year on)" in said
    assert "Staff: Field; Days: 28" in said
