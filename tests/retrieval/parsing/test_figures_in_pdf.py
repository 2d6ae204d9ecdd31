"""A picture on a page of a PDF and its caption are one figure, with the places of both."""

from collections.abc import Callable

import pytest
from opened_sources import assert_places_yield_their_text
from parsed_documents import kinds, read, sentences, texts
from pdf_pages import drawn_pages, write
from PIL import Image
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from bot.lab.proof.folder import unseen_checker
from bot.lab.proof.places import place_checker
from retrieval.parsing.pdf import drawing
from retrieval.parsing.pdf.parser import parse
from retrieval.types import Box, FragmentKind, ParsedDocument

CAPTION, FIGURE, PARAGRAPH = FragmentKind.CAPTION, FragmentKind.FIGURE, FragmentKind.PARAGRAPH
WIDTH, HEIGHT = A4
PROSE = (
    "Whoever is employed for a year takes thirty days of leave, of which",
    "five may be taken along into the next year if the head of unit agrees.",
)
PHOTOGRAPH = ImageReader(Image.linear_gradient("L").convert("RGB"))
WORDS = "Figure 2: Days of leave by year."


def photograph(canvas: Canvas, box: tuple[float, float, float, float]) -> None:
    """From left, top, right, bottom, in points from the page's top left corner."""
    left, top, right, bottom = box
    canvas.drawImage(PHOTOGRAPH, left, HEIGHT - bottom, right - left, bottom - top)


def page_of(*draw: Callable[[Canvas], object]) -> bytes:
    """With prose at its top."""

    def page(canvas: Canvas) -> None:
        write(canvas, PROSE, 80)
        for each in draw:
            each(canvas)

    return drawn_pages(page)


def parsed(*draw: Callable[[Canvas], object]) -> ParsedDocument:
    return parse(page_of(*draw))


def figures(document: ParsedDocument) -> list[tuple[str, Box | None]]:
    found = [each for each in document.fragments if each.kind is FIGURE]
    assert all(s.picture == each.sentences[0].picture for each in found for s in each.sentences)
    return [(read(each), each.sentences[0].picture) for each in found]


def near(*edges: float) -> object:
    return pytest.approx(edges, abs=1.5)


def edges(box: Box | None) -> tuple[float, ...]:
    assert box is not None
    return box.x0, box.y0, box.x1, box.y1


def captioned(canvas: Canvas, box: tuple[float, float, float, float], top: float) -> None:
    photograph(canvas, box)
    write(canvas, [WORDS, "Those of part-time staff are fewer."], top)


@pytest.mark.parametrize(
    ("box", "top"), [((72, 200, 300, 400), 418), ((72, 440, 300, 600), 410)], ids=["above", "below"]
)
def test_a_photograph_beside_its_caption_is_a_figure(
    box: tuple[float, float, float, float], top: float
) -> None:
    content = page_of(lambda canvas: captioned(canvas, box, top))
    document = parse(content)
    ((words, picture),) = figures(document)
    assert words == f"{WORDS} Those of part-time staff are fewer."
    assert edges(picture) == near(*box)
    assert kinds(document)[0][0] is PARAGRAPH
    figure = document.fragments[-1]
    assert [len(sentence.boxes) for sentence in figure.sentences] == [1, 1]
    assert_places_yield_their_text("figure.pdf", content)
    stands, is_unseen = place_checker(content, "figure.pdf", ()), unseen_checker(content, "a.pdf")
    for each in figure.sentences:
        assert stands(each, document.source[each.char_start : each.char_end])
        assert not is_unseen(each)


def test_each_of_two_figures_has_its_own_picture() -> None:
    document = parsed(
        lambda canvas: photograph(canvas, (72, 200, 300, 300)),
        lambda canvas: write(canvas, ["Figure 1: Days of leave."], 314),
        lambda canvas: photograph(canvas, (72, 330, 300, 430)),
        lambda canvas: write(canvas, ["Figure 2: Days of work."], 444),
    )
    assert [(words, edges(picture)) for words, picture in figures(document)] == [
        ("Figure 1: Days of leave.", near(72, 200, 300, 300)),
        ("Figure 2: Days of work.", near(72, 330, 300, 430)),
    ]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_the_picture_is_boxed_as_a_turned_page_is_shown(rotation: int) -> None:
    lies = rotation != 180
    corner = {90: (WIDTH, 0), 180: (WIDTH, HEIGHT), 270: (0, HEIGHT)}[rotation]

    def draw(canvas: Canvas) -> None:
        if lies:  # reportlab turns the page's sheet too
            canvas.setPageSize((HEIGHT, WIDTH))
        canvas.setPageRotation(rotation)
        canvas.translate(*corner)
        canvas.rotate(rotation)
        canvas.translate(0, WIDTH - HEIGHT if lies else 0)
        captioned(canvas, (72, 200, 300, 400), 418)

    ((_, picture),) = figures(parse(drawn_pages(draw)))
    assert edges(picture) == near(72, 200, 300, 400)


def table(canvas: Canvas) -> None:
    drawn = Table(
        [["Grade", "Days"], ["One", "13"], ["Two", "20"]],
        style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)],
    )
    drawn.wrapOn(canvas, 300, 300)
    drawn.drawOn(canvas, 72, HEIGHT - 400)


def chart(canvas: Canvas) -> None:
    """Axes, bars and labels within 100 to 300 across and 200 to 400 down."""
    canvas.line(100, HEIGHT - 200, 100, HEIGHT - 400)
    canvas.line(100, HEIGHT - 400, 300, HEIGHT - 400)
    canvas.setFillColor(colors.steelblue)
    for number, days in enumerate((120, 150, 180)):
        canvas.rect(120 + 60 * number, HEIGHT - 400, 30, days, stroke=0, fill=1)
    canvas.setFillColor(colors.black)
    for number, label in enumerate(("2023", "2024", "2025")):
        write(canvas, [label], 412, left=122 + 60 * number)
    write(canvas, ["Year of leave"], 426, left=170)
    write(canvas, [WORDS], 448)


def beside_each_other(canvas: Canvas) -> None:
    for left, right in ((72, 160), (180, 268)):
        photograph(canvas, (left, 300, right, 400))
    write(canvas, [f"{WORDS} Left: 2024, right: 2025."], 418)


def framed(canvas: Canvas) -> None:
    canvas.rect(60, HEIGHT - 430, 300, 240)
    captioned(canvas, (72, 200, 300, 400), 412)


def beyond_the_page(canvas: Canvas) -> None:
    captioned(canvas, (-100, 200, 300, 400), 418)


def clipped(canvas: Canvas) -> None:
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(100, HEIGHT - 400, 100, 100)
    canvas.clipPath(path, stroke=0)
    photograph(canvas, (72, 200, 300, 600))
    canvas.restoreState()
    write(canvas, [WORDS], 418)


def of_many_strokes(canvas: Canvas) -> None:
    for number in range(4_000):
        x, y = 72 + number % 200, HEIGHT - 400 + number // 20
        canvas.line(x, y, x + 3, y + 3)
    write(canvas, [WORDS], 418)


@pytest.mark.parametrize(
    ("draw", "box"),
    [
        (chart, (100, 200, 300, 400)),
        (beside_each_other, (72, 300, 268, 400)),
        (framed, (72, 200, 300, 400)),
        (beyond_the_page, (0, 200, 300, 400)),
        (clipped, (100, 300, 200, 400)),
        (of_many_strokes, (72, 198, 274, 400)),
    ],
)
def test_one_picture_is_boxed_as_far_as_it_is_seen(
    draw: Callable[[Canvas], None], box: tuple[float, ...]
) -> None:
    document = parsed(draw)
    ((words, picture),) = figures(document)
    assert words.startswith(WORDS)
    assert edges(picture) == near(*box)
    assert draw is not chart or "2024" in " ".join(texts(document))


def white_behind(canvas: Canvas) -> None:
    canvas.setFillColor(colors.white)
    canvas.rect(72, HEIGHT - 400, 300, 200, stroke=0, fill=1)
    canvas.setFillColor(colors.black)


def with_prose_below(canvas: Canvas) -> None:
    photograph(canvas, (72, 200, 300, 390))
    write(canvas, ["This is how the office looks from the street."], 402)


@pytest.mark.parametrize(
    "draw",
    [
        white_behind,
        with_prose_below,
        pytest.param(lambda _: None, id="nothing"),
        pytest.param(table, id="a table"),
        pytest.param(lambda canvas: photograph(canvas, (72, 150, 300, 300)), id="far above"),
        pytest.param(lambda canvas: photograph(canvas, (400, 200, 500, 400)), id="beside it"),
        pytest.param(lambda canvas: photograph(canvas, (0, 0, WIDTH, HEIGHT)), id="a background"),
        pytest.param(lambda canvas: photograph(canvas, (50, 200, 400, 430)), id="behind it"),
        pytest.param(lambda canvas: canvas.rect(50, HEIGHT - 450, 400, 300), id="a frame"),
        pytest.param(lambda canvas: canvas.line(72, HEIGHT - 400, 400, HEIGHT - 400), id="a rule"),
        pytest.param(lambda canvas: photograph(canvas, (72, 395, 92, 405)), id="an ornament"),
        pytest.param(lambda canvas: photograph(canvas, (-300, 200, -10, 400)), id="off the page"),
        pytest.param(lambda canvas: photograph(canvas, (72, 400, 72, 400)), id="without any size"),
        pytest.param(lambda canvas: photograph(canvas, (72, 400, 372, 400)), id="without height"),
    ],
)
def test_a_caption_without_a_picture_next_to_it_stays_a_caption(
    draw: Callable[[Canvas], object],
) -> None:
    document = parsed(draw, lambda canvas: write(canvas, [WORDS], 418))
    assert (CAPTION, WORDS) in kinds(document)
    assert figures(document) == []
    assert all(sentence.picture is None for sentence in sentences(document))


def test_a_picture_is_that_of_the_nearer_caption_alone() -> None:
    document = parsed(
        lambda canvas: write(canvas, ["Figure 1: Days of leave."], 190),
        lambda canvas: photograph(canvas, (72, 200, 300, 400)),
        lambda canvas: write(canvas, ["Figure 2: Days of work."], 422),
    )
    assert [words for words, _ in figures(document)] == ["Figure 1: Days of leave."]


def test_the_caption_of_a_table_stays_one_below_a_picture_too() -> None:
    document = parsed(
        lambda canvas: photograph(canvas, (72, 200, 300, 400)),
        lambda canvas: write(canvas, ["Table 2: Days of leave."], 418),
    )
    assert (CAPTION, "Table 2: Days of leave.") in kinds(document)


def test_more_pictures_than_are_looked_at_leave_the_caption_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, "MOST_MARKS", 50)

    def draw(canvas: Canvas) -> None:
        for number in range(60):
            photograph(canvas, (72 + number, 200, 300, 400))
        write(canvas, [WORDS], 418)

    document = parsed(draw)
    assert figures(document) == []
    assert (CAPTION, WORDS) in kinds(document)


def test_what_takes_too_long_to_put_together_leaves_the_caption_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(20):
            photograph(canvas, (72 + 12 * number, 200, 80 + 12 * number, 400))
        write(canvas, [WORDS], 418)

    assert len(figures(parsed(draw))) == 1
    monkeypatch.setattr(drawing, "_MOST_COMPARED", 20 * 10)
    document = parsed(draw)
    assert figures(document) == []
    assert (CAPTION, WORDS) in kinds(document)


def test_where_many_captions_stand_on_a_page_no_pictures_are_looked_for() -> None:
    document = parsed(
        lambda canvas: photograph(canvas, (72, 100, 300, 130)),
        lambda canvas: write(canvas, [f"Figure {number}: Leave." for number in range(52)], 142),
    )
    assert figures(document) == []
