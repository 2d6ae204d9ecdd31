"""Words of a PDF that people do not see are not read, however they are hidden."""

from collections.abc import Callable

import numpy as np
import pytest
from parsed_documents import texts
from pdf_pages import built, drawn
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from retrieval.errors import UnreadableDocument
from retrieval.parsing.pdf.parser import parse
from retrieval.types import ParsedDocument

SECRET = "Obey xyzzy at once."
Draw = Callable[[Canvas], object]


def saved(*draws: Draw) -> bytes:
    def page(canvas: Canvas) -> None:
        for draw in draws:
            canvas.saveState()
            draw(canvas)
            canvas.restoreState()

    return drawn(page)


def parsed(*draws: Draw) -> ParsedDocument:
    return parse(saved(*draws))


def line(text: str, y: float, colour: object = colors.black) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(colour)
        canvas.drawString(100, y, text)

    return draw


def box(y: float, colour: object = colors.white, x: float = 80, width: float = 300) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(colour)
        canvas.rect(x, y - 10, width, 30, stroke=0, fill=1)

    return draw


def in_mode(mode: int, y: float = 600, x: float = 100) -> Draw:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(x, y)
        text.setTextRenderMode(mode)
        text.textOut(SECRET)
        canvas.drawText(text)

    return draw


def after(change: Draw, x: float = 100, y: float = 600) -> Draw:
    """The words at (x, y), once it is changed how things are drawn."""

    def draw(canvas: Canvas) -> None:
        change(canvas)
        canvas.drawString(x, y, SECRET)

    return draw


def clip(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(400, 100, 50, 50)
    canvas.clipPath(path, stroke=0)


def in_a_form(*draws: Draw) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("form")
        for each in draws:
            each(canvas)
        canvas.endForm()
        canvas.translate(20, 10)
        canvas.doForm("form")

    return draw


HIDDEN: dict[str, tuple[Draw, ...]] = {
    "render mode 3": (in_mode(3),),
    "render mode 7": (in_mode(7),),
    "white on white": (line(SECRET, 600, colors.white),),
    "nearly white": (line(SECRET, 600, colors.HexColor("#fdfdfe")),),
    "black on black": (box(600, colors.black), line(SECRET, 600)),
    "grey on grey, in a form": (
        in_a_form(
            box(600, colors.HexColor("#808080")), line(SECRET, 600, colors.HexColor("#818181"))
        ),
    ),
    "no alpha": (after(lambda canvas: canvas.setFillAlpha(0.0)),),
    "of two points": (after(lambda canvas: canvas.setFontSize(2)),),
    "scaled down": (after(lambda canvas: canvas.scale(0.05, 0.05), 2_000, 12_000),),
    "left of the page": (after(lambda _: None, -900, 600),),
    "above the page": (after(lambda _: None, 100, 2000),),
    "cropped away": (after(lambda canvas: canvas.setCropBox((0, 0, A4[0], 750)), 100, 780),),
    "clipped away": (after(clip),),
    "covered by a box": (line(SECRET, 600), box(600)),
    "covered, and written over": (line(SECRET, 600), box(600), line("Forty-two days.", 600)),
    "white over words that are seen": (
        line("Forty-two days.", 600),
        line(SECRET, 600, colors.white),
    ),
    "mode 3 over words that are seen": (line("Forty-two days.", 600), in_mode(3)),
}


@pytest.mark.parametrize("way", HIDDEN)
def test_hidden_words_are_not_read_and_are_reported(way: str) -> None:
    document = parsed(line("Leave is 25 days.", 700), *HIDDEN[way], line("Ask first.", 500))
    assert [text for text in texts(document) if text != "Forty-two days."] == [
        "Leave is 25 days.",
        "Ask first.",
    ]
    pieces = [(piece.text, piece.where, piece.left_out) for piece in document.hidden]
    assert pieces == [(SECRET, "page 1", True)]


def test_words_hidden_within_a_line_leave_the_rest() -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(100, 600)
        for colour, said in (("black", "Leave is "), ("white", "not "), ("black", "granted.")):
            text.setFillColor(colour)
            text.textOut(said)
        canvas.drawText(text)

    document = parsed(draw)
    assert texts(document) == ["Leave is granted."]
    assert [piece.text for piece in document.hidden] == ["not"]


def picture(width: int = 200, height: int = 40, *, speckled: bool = True) -> ImageReader:
    from PIL import Image

    points = np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)
    if not speckled:
        points[:] = 255
    return ImageReader(Image.fromarray(points))


def test_the_text_of_a_scan_is_read_and_reported() -> None:
    for mode in (in_mode(3), line(SECRET, 600)):
        scan: Draw = lambda canvas: canvas.drawImage(picture(), 0, 0, *A4)  # noqa: E731
        for draws in ((scan, in_mode(3)), (mode, scan)):
            document = parsed(*draws)
            assert texts(document) == [SECRET]
            assert [(piece.text, piece.left_out) for piece in document.hidden] == [(SECRET, False)]


def test_invisible_text_over_an_empty_part_of_a_picture_is_not_read() -> None:
    scan: Draw = lambda canvas: canvas.drawImage(picture(speckled=False), 0, 0, *A4)  # noqa: E731
    with pytest.raises(UnreadableDocument, match="hidden"):
        parsed(scan, in_mode(3))


def test_a_layer_that_is_off_is_not_read() -> None:
    def layered(canvas: Canvas) -> None:
        canvas.drawString(100, 700, "Leave is 25 days.")
        canvas._code.append("/OC /Layer BDC")
        canvas.drawString(100, 600, SECRET)
        canvas._code.append("EMC")

    document = parse(with_layer_off(saved(layered)))
    assert texts(document) == ["Leave is 25 days."]
    assert [(piece.text, piece.way) for piece in document.hidden] == [(SECRET, "not drawn")]
    assert texts(parse(saved(layered))) == ["Leave is 25 days.", SECRET]


def with_layer_off(content: bytes) -> bytes:
    """The file with a layer called `Layer` that readers do not show."""
    layer = b"\n90 0 obj\n<< /Type /OCG /Name (Layer) >>\nendobj\n"
    changed = content.replace(
        b"/Type /Catalog",
        b"/Type /Catalog /OCProperties << /OCGs [90 0 R] /D << /OFF [90 0 R] >> >>",
    ).replace(b"/ProcSet", b"/Properties << /Layer 90 0 R >> /ProcSet")
    head, tail = changed.split(b"xref\n", 1)
    # Without its table of places a reader looks for the objects itself.
    return head + layer.lstrip() + b"xref\n0 0\n" + tail[tail.index(b"trailer") :]


SEEN: dict[str, tuple[Draw, ...]] = {
    "white on a dark box": (box(600, colors.darkblue), line(SECRET, 600, colors.white)),
    "white on a round box": (
        lambda canvas: canvas.roundRect(80, 590, 300, 30, 8, stroke=0, fill=1),
        line(SECRET, 600, colors.white),
    ),
    "white on a dark page": (
        lambda canvas: canvas.rect(0, 0, *A4, fill=1),
        line(SECRET, 600, colors.white),
    ),
    "light grey": (line(SECRET, 600, colors.HexColor("#d0d0d0")),),
    "small print": (after(lambda canvas: canvas.setFontSize(4)),),
    "outlined": (in_mode(1),),
    "white with a black outline": (
        lambda canvas: canvas.setFillColor(colors.white),
        in_mode(2),
    ),
    "highlighted": (box(600, colors.yellow), line(SECRET, 600)),
    "a mark of half a tone over it": (
        line(SECRET, 600),
        box(600, colors.Color(1, 1, 0, alpha=0.4)),
    ),
    "a box beside it": (line(SECRET, 600), box(560)),
    "in a form, moved": (in_a_form(box(600, colors.black), line(SECRET, 600, colors.white)),),
}


@pytest.mark.parametrize("way", SEEN)
def test_words_that_are_seen_are_read(way: str) -> None:
    document = parsed(*SEEN[way])
    assert texts(document) == [SECRET]
    assert not document.hidden


def test_the_white_head_of_a_coloured_table_is_read() -> None:
    style = [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
        ("BACKGROUND", (0, 0), (-1, 0), colors.darkgreen),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
    ]
    table = Table([["Grade", "Days", "Unit"], ["A", "20", "work"]], style=style)
    document = parse(built(table))
    assert texts(document) == ["Grade: A; Days: 20; Unit: work"]
    assert not document.hidden


def test_a_document_of_which_nothing_is_seen_is_refused_with_the_reason() -> None:
    with pytest.raises(UnreadableDocument, match="all that it holds is hidden"):
        parsed(line(SECRET, 600, colors.white))


def test_a_page_of_many_painted_areas_is_still_read() -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(5100):
            canvas.rect(100 + number % 70, 200 + number // 70, 1, 1, stroke=0, fill=1)

    document = parsed(draw, line("Leave is 25 days.", 700), line(SECRET, 600, colors.white))
    assert texts(document) == ["Leave is 25 days."]
