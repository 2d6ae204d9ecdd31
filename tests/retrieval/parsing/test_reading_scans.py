from functools import cache
from io import BytesIO

import numpy as np
import pypdfium2 as pdfium
import pytest
from matplotlib.textpath import TextPath
from parsed_documents import kinds, sentences, texts
from pdf_pages import built, drawn, styled
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak
from scanned import scanned, with_tesseract, without_tesseract
from stating import whose

from bot.lab.proof.folder import unseen_checker
from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing import recognition
from retrieval.parsing.pdf import parser, scans
from retrieval.parsing.recognition import OFF, Recognition, unread_in_words
from retrieval.types import ParsedDocument, UnreadPage

pytestmark = with_tesseract
ON = Recognition()
STAFF = "Staff of Larkfield earn 25 days of leave; none may carry over more than 5."
FILLER = "Leave is earned in every pay period and lapses at the end of the leave year. "


def parse(content: bytes, recognition: Recognition = ON) -> ParsedDocument:
    return parser.parse(content, recognition)


def handbook() -> bytes:
    return built(
        styled("Leave handbook", "Title"),
        styled("Annual leave", "Heading1"),
        styled(FILLER * 4),
        styled(STAFF),
        styled("Sick leave", "Heading1"),
        styled("Call us before nine in the morning. " + FILLER * 2),
    )


@cache
def upright() -> ParsedDocument:
    """The handbook, scanned as it should be."""
    return parse(scanned(handbook()))


def test_a_scanned_page_is_read_with_headings_paragraphs_lines_and_boxes() -> None:
    typed, read = parse(handbook()), upright()
    assert read.title == "Leave handbook"
    assert kinds(read) == kinds(typed)
    assert [each.section_path for each in read.fragments] == [
        each.section_path for each in typed.fragments
    ]
    assert read.unread == ()
    for one, other in zip(sentences(typed), sentences(read), strict=True):
        assert (one.page, one.line_start, one.line_end) == (
            other.page,
            other.line_start,
            other.line_end,
        )
        assert one.recognised is None
        assert other.recognised is not None
        assert 0.5 < other.recognised <= 1
        assert read.source[other.char_start : other.char_end].split() == other.text.split()
        for box, found in zip(one.boxes, other.boxes, strict=True):
            for edge in ("x0", "y0", "x1", "y1"):
                assert getattr(found, edge) == pytest.approx(getattr(box, edge), abs=5)


@pytest.mark.exhaustive
def test_columns_of_a_scan_are_read_one_after_the_other() -> None:
    def columns(canvas: Canvas) -> None:
        for left, word in ((60, "first"), (320, "second")):
            text = canvas.beginText(left, 750)
            text.setFont("Times-Roman", 11)
            for line in range(30):
                text.textLine(f"In the {word} column the line {line + 10} says this.")
            canvas.drawText(text)

    said = " ".join(texts(parse(scanned(drawn(columns)))))
    assert said.count("first") == said.count("second") == 30
    assert said.rindex("first") < said.index("second")


@pytest.mark.parametrize(
    "quarters", [1, *(pytest.param(more, marks=pytest.mark.exhaustive) for more in (2, 3))]
)
def test_a_sheet_that_lay_turned_in_the_scanner_is_read_and_boxed_as_it_is_shown(
    quarters: int,
) -> None:
    content = scanned(handbook(), quarters=quarters)
    read, as_it_lay = parse(content), upright()
    assert kinds(read) == kinds(as_it_lay)
    is_unseen = unseen_checker(content, "scan.pdf")
    assert len(read.headings) == 3
    assert not any(is_unseen(heading.sentence) for heading in read.headings)
    width, height = (A4[1], A4[0]) if quarters % 2 else A4
    for one, other in zip(sentences(as_it_lay), sentences(read), strict=True):
        assert not is_unseen(other)
        for before, box in zip(one.boxes, other.boxes, strict=True):
            assert 0 <= box.x0 < box.x1 <= width
            assert 0 <= box.y0 < box.y1 <= height
            expected = {
                1: (A4[1] - before.y1, before.x0, A4[1] - before.y0, before.x1),
                2: (A4[0] - before.x1, A4[1] - before.y1, A4[0] - before.x0, A4[1] - before.y0),
                3: (before.y0, A4[0] - before.x1, before.y1, A4[0] - before.x0),
            }[quarters]
            assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx(expected, abs=5)


def test_of_a_document_in_part_scanned_each_page_is_read_in_its_way() -> None:
    with_scan = mixed(drawn(lambda canvas: canvas.drawString(72, 700, STAFF)))
    read = parse(with_scan)
    typed, seen = sentences(read)
    assert (typed.page, typed.recognised) == (1, None)
    assert (seen.page, seen.text) == (2, STAFF)
    assert seen.recognised is not None


def mixed(second: bytes) -> bytes:
    """A page of text, and one that is scanned."""
    first = built(styled("You earn leave from the first day on."))
    with (
        pdfium.PdfDocument(first) as document,
        pdfium.PdfDocument(scanned(second)) as other,
    ):
        document.import_pages(other)
        buffer = BytesIO()
        document.save(buffer)
    return buffer.getvalue()


def test_where_tesseract_is_missing_the_pages_that_nobody_read_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = mixed(built(*[each for _ in range(3) for each in (styled(STAFF), PageBreak())]))
    without_tesseract(monkeypatch)
    read = parse(content)
    assert texts(read) == ["You earn leave from the first day on."]
    assert unread_in_words(read.unread) == (
        "pages 2-4 were not read: Tesseract is not installed; install Debian's tesseract-ocr"
    )


def test_a_scan_that_nobody_can_read_is_kept_out_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = scanned(handbook())
    with pytest.raises(UnreadableDocument, match=r"like a scan.* is off \(VOUCH_OCR\).*elsewhere"):
        parse(content, OFF)
    with pytest.raises(UnreadableDocument, match=r"no data for deu.*tesseract-ocr-deu"):
        parse(content, Recognition("eng+deu"))
    without_tesseract(monkeypatch)
    with pytest.raises(UnreadableDocument, match=r"like a scan.*install Debian's tesseract-ocr"):
        parse(content)


@pytest.mark.exhaustive
def test_blank_pages_and_pictures_without_words_are_no_fault() -> None:
    def pages(canvas: Canvas) -> None:
        canvas.drawString(72, 700, STAFF)
        canvas.showPage()
        canvas.showPage()
        canvas.setFillColorRGB(0.2, 0.5, 0.3)
        canvas.circle(300, 400, 120, fill=1)

    read = parse(scanned(drawn(pages)))
    assert texts(read) == [STAFF]
    assert read.unread == ()
    with pytest.raises(UnreadableDocument, match="found none in its pictures"):
        parse(scanned(drawn(lambda canvas: canvas.showPage())))


@pytest.mark.exhaustive
def test_a_scan_with_a_stamp_as_text_is_read_all_the_same() -> None:
    read = parse(scanned(handbook(), stamp="Downloaded by j.doe on 3 May"))
    assert STAFF in texts(read)
    assert any("j.doe" in each for each in texts(read))


def test_a_title_over_a_picture_of_the_whole_page_stays_as_it_is_typed() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), (230, 240, 250))), 0, 0, *A4)
        canvas.setFont("Helvetica", 30)
        canvas.drawString(72, 500, "Larkfield Handbook")

    said = parse(drawn(page))
    assert said.source == "Larkfield Handbook"
    assert all(each.recognised is None for each in sentences(said))


def test_a_page_of_text_over_a_picture_is_read_as_text() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), (230, 240, 250))), 0, 0, *A4)
        for line in range(4):
            canvas.drawString(72, 700 - 14 * line, STAFF)

    read = parse(drawn(page))
    assert [each.recognised for each in sentences(read)] == [None] * 4


def test_letters_drawn_as_areas_are_read_from_what_people_see() -> None:
    def page(canvas: Canvas) -> None:
        outline = TextPath((72, 700), "Leave lapses in May.", size=20)
        path = canvas.beginPath()
        for polygon in outline.to_polygons():
            (first, *rest) = np.asarray(polygon).tolist()
            path.moveTo(*first)
            for point in rest:
                path.lineTo(*point)
            path.close()
        canvas.drawPath(path, stroke=0, fill=1, fillMode=0)

    assert texts(parse(drawn(page))) == ["Leave lapses in May."]


def test_who_may_read_a_scan_is_asked_as_of_any_other_pdf() -> None:
    page = drawn(lambda canvas: canvas.drawString(72, 780, "audience: management"))
    with pytest.raises(BadMetadata, match="`audience: management` in its first lines"):
        whose(parse(scanned(page)))


@pytest.mark.exhaustive
def test_time_that_is_spent_leaves_the_other_pages_unread_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = scanned(built(styled(STAFF), PageBreak(), styled(STAFF)))
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(scans, "monotonic", lambda: next(clock))
    read = parse(content, Recognition(seconds=10))
    assert [each.page for each in sentences(read)] == [1]
    assert unread_in_words(read.unread).startswith(
        "page 2 was not read: pages before it took all 10 seconds; split the file, or raise"
    )


def test_a_page_that_takes_too_long_costs_that_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "PAGE_SECONDS", 0.01)
    with pytest.raises(UnreadableDocument, match="page 1 was not read: it took more than"):
        parse(scanned(handbook()))


def test_a_picture_that_is_damaged_is_said() -> None:
    content = scanned(built(styled(STAFF)))
    start = content.index(b"stream", content.index(b"/Subtype /Image"))
    black = content[: start + 30] + b"\x00" * 4000 + content[start + 4030 :]
    with pytest.raises(UnreadableDocument, match="picture is damaged"):
        parse(black)


@pytest.mark.exhaustive
def test_a_page_as_large_as_a_wall_is_drawn_smaller_and_read() -> None:
    def wall(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 400)
        canvas.drawString(500, 5000, "Leave lapses in May.")

    content = scanned(drawn(wall, (10_000, 10_000)), dpi=20)
    assert texts(parse(content)) == ["Leave lapses in May."]


def test_a_word_that_was_hard_to_read_makes_its_sentence_unsure() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "This sentence is clear to see.")
        canvas.setFillGray(0.5)
        canvas.drawString(72, 660, "Another sentence has faded in the sun.")

    clear, faded = sentences(parse(scanned(drawn(page), dpi=90, grain=22)))
    assert clear.recognised is not None
    assert faded.recognised is not None
    assert faded.recognised < 0.6 < clear.recognised


def test_pages_are_said_in_runs() -> None:
    unread = [UnreadPage(page, "no") for page in (1, 3, 4, 5)] + [UnreadPage(7, "why")]
    assert unread_in_words(unread) == ("pages 1, 3-5 were not read: no; page 7 was not read: why")


def test_tesseract_is_not_asked_for_languages_where_it_is_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_tesseract(monkeypatch)
    assert recognition.state(OFF) == "off"
    assert recognition.state(ON) == "absent"
    monkeypatch.undo()
    assert recognition.state(ON) == "eng 600"
