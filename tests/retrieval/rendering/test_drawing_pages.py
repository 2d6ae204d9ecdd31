"""Pages as pictures: what is highlighted is held to where pdfplumber sees the words."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from threading import Thread

import pdfplumber
import pypdfium2 as pdfium
import pytest
from pdf_pages import drawn
from PIL import Image
from processes import is_running
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from retrieval.errors import NoPicture, NoSuchPage
from retrieval.parsing.pdf.parser import parse
from retrieval.rendering.drawing import LONGEST_SIDE, MARKER, MOST_PIXELS, OUTLINE, DrawnPicture
from retrieval.rendering.renderer import (
    LASTING_SECONDS,
    MOST_WAITING,
    PASSING_SECONDS,
    PageRenderer,
    RenderingLimits,
)
from retrieval.types import Box

pytestmark = pytest.mark.slow  # it starts processes

CITED = "Employees earn thirteen days each year."
OTHER = "Nothing on this line is cited."


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    with PageRenderer() as renderer:
        yield renderer


def two_lines(canvas: Canvas) -> None:
    canvas.drawString(150, 600, CITED)
    canvas.drawString(150, 400, OTHER)


def changed(content: bytes, change: Callable[[pdfium.PdfPage], object]) -> bytes:
    """The same file, its first page turned or cropped."""
    document = pdfium.PdfDocument(content)
    change(document[0])
    buffer = io.BytesIO()
    document.save(buffer)
    document.close()
    return buffer.getvalue()


def boxes_of(content: bytes, words: str) -> tuple[Box, ...]:
    """Where the parser says that a sentence stands."""
    return next(
        sentence.boxes
        for fragment in parse(content).fragments
        for sentence in fragment.sentences
        if words in sentence.text
    )


def words_of(
    content: bytes, number: int = 1, left: float = 0, top: float = 0
) -> dict[str, tuple[float, float, float, float]]:
    """Where pdfplumber sees each word, in points from a place on the page."""
    with pdfplumber.open(io.BytesIO(content)) as document:
        return {
            word["text"]: (
                word["x0"] - left,
                word["top"] - top,
                word["x1"] - left,
                word["bottom"] - top,
            )
            for word in document.pages[number - 1].extract_words()
        }


def colours_at(
    picture: DrawnPicture, box: tuple[float, float, float, float]
) -> set[tuple[int, ...]]:
    """The colours of a place on the page."""
    image = Image.open(io.BytesIO(picture.png))
    assert image.size == (picture.width, picture.height)
    left, top, scale = picture.left, picture.top, picture.scale
    x0, y0, x1, y1 = box
    cut = image.crop(
        ((x0 - left) * scale, (y0 - top) * scale, (x1 - left) * scale, (y1 - top) * scale)
    )
    found = cut.getcolors(cut.width * cut.height) or []
    return {colour for _, colour in found if isinstance(colour, tuple)}


def assert_shown(picture: DrawnPicture, content: bytes, number: int = 1) -> None:
    """Each cited word stands on the marker, none of the others does."""
    places = words_of(content, number)
    for word in ("Employees", "thirteen", "each", "year."):
        found = colours_at(picture, places[word])
        assert MARKER in found, word
        assert min(found) < (60, 60, 60), f"{word} is not legible"
    assert MARKER not in colours_at(picture, places["Nothing"])


def test_the_cited_words_are_highlighted_and_outlined(renderer: PageRenderer) -> None:
    content = drawn(two_lines)
    boxes = boxes_of(content, CITED)
    picture = renderer.page(content, 1, boxes)
    assert_shown(picture, content)
    around = boxes[0]
    edge = (around.x0 - 3, around.y0 - 3, around.x1 + 3, around.y0)
    assert OUTLINE in colours_at(picture, edge)
    assert (picture.width, picture.height) == (round(A4[0] * 2), round(A4[1] * 2))


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_page_is_highlighted_where_its_words_stand(
    renderer: PageRenderer, rotation: int
) -> None:
    content = changed(drawn(two_lines), lambda page: page.set_rotation(rotation))
    picture = renderer.page(content, 1, boxes_of(content, CITED))
    # pdfplumber reads words along the lines of the page as it was drawn.
    back = Image.open(io.BytesIO(picture.png)).rotate(rotation, expand=True)
    buffer = io.BytesIO()
    back.save(buffer, "PNG")
    turned_back = DrawnPicture(buffer.getvalue(), *back.size, scale=picture.scale)
    assert_shown(turned_back, drawn(two_lines))


def test_a_cropped_page_is_highlighted_where_its_words_stand(renderer: PageRenderer) -> None:
    content = changed(drawn(two_lines), lambda page: page.set_cropbox(100, 350, 500, 700))
    picture = renderer.page(content, 1, boxes_of(content, CITED))
    assert (picture.width, picture.height) == (800, 700)
    cited = words_of(content, left=100, top=A4[1] - 700)["thirteen"]
    assert MARKER in colours_at(picture, cited)
    content = changed(drawn(two_lines), lambda page: page.set_cropbox(-100, -50, 700, 900))
    assert_shown(renderer.page(content, 1, boxes_of(content, CITED)), drawn(two_lines))


def test_lines_above_and_below_are_shown_with_what_is_cited(renderer: PageRenderer) -> None:
    def lines(canvas: Canvas) -> None:
        for number in range(20):
            canvas.drawString(
                72, 700 - 15 * number, f"Line{number} of a long page." + " And on." * 4
            )

    content = drawn(lines)
    places = words_of(content)
    picture = renderer.around(content, 1, boxes_of(content, "Line10"), lines=2)
    assert MARKER in colours_at(picture, places["Line10"])
    top, bottom = picture.top, picture.top + picture.height / picture.scale
    shown = {name for name, (_, y0, _, y1) in places.items() if y0 >= top and y1 <= bottom}
    assert {"Line8", "Line9", "Line10", "Line11", "Line12"} <= shown
    assert not {"Line6", "Line14"} & shown


def test_a_picture_is_shown_and_highlighted_with_its_caption(renderer: PageRenderer) -> None:
    def draw(canvas: Canvas) -> None:
        two_lines(canvas)
        canvas.line(150, 560, 350, 480)
        canvas.drawString(150, 460, "Figure 1: Days of leave by year.")

    content = drawn(draw)
    caption = next(s for f in parse(content).fragments for s in f.sentences if s.picture)
    assert caption.picture
    picture = renderer.around(content, 1, (*caption.boxes, caption.picture))
    top, height = A4[1] - 560, 80
    assert picture.top < top
    assert colours_at(picture, (155, top + 5, 345, top + height - 5)) >= {MARKER}
    assert MARKER in colours_at(picture, words_of(content)["Figure"])
    assert MARKER not in colours_at(picture, words_of(content)["Nothing"])


def test_beside_a_column_the_other_column_is_left_out(renderer: PageRenderer) -> None:
    def columns(canvas: Canvas) -> None:
        for number in range(12):
            canvas.drawString(60, 700 - 14 * number, f"Left{number} column has words enough here.")
            canvas.drawString(
                320, 700 - 14 * number, f"Right{number} column has words enough here."
            )

    content = drawn(columns)
    places = words_of(content)
    picture = renderer.around(content, 1, [Box(1, *places["Right5"])])
    assert picture.left > places["Left5"][2]
    assert picture.left + picture.width / picture.scale > places["Right5"][2] + 100


def test_a_page_that_is_not_there_is_named_and_what_is_no_pdf_refused(
    renderer: PageRenderer,
) -> None:
    for number in (0, 2, -1):
        with pytest.raises(NoSuchPage, match=f"no page {number}: the document has 1"):
            renderer.page(drawn(two_lines), number)
    for content in (b"", b"%PDF-1.7 and then nothing", b"<html></html>", drawn(two_lines)[:200]):
        with pytest.raises(NoPicture, match="damaged, protected or no PDF"):
            renderer.page(content, 1)


@pytest.mark.parametrize("size", [(14_400, 14_400), (20, 14_400), (200_000, 3)])
def test_a_huge_page_is_a_small_picture(renderer: PageRenderer, size: tuple[int, int]) -> None:
    picture = renderer.page(drawn(two_lines, size), 1)
    assert picture.width * picture.height <= MOST_PIXELS * 1.01
    assert max(picture.width, picture.height) <= LONGEST_SIDE + 1


def test_boxes_beside_the_page_and_without_an_area_break_nothing(renderer: PageRenderer) -> None:
    nan = float("nan")
    for box in (Box(1, 5000, 5000, 5100, 5010), Box(1, -50, -50, -10, -10), Box(1, 9, 9, 9, 9)):
        assert renderer.around(drawn(two_lines), 1, [box]).width > 0
    content = drawn(two_lines, (310, 700))
    with pytest.raises(NoPicture):
        renderer.page(content, 1, [Box(1, nan, nan, nan, nan)])
    assert renderer.page(content, 1, [ANY_BOX]).width > 0, "it is closed to no others"


def test_a_page_that_takes_too_long_costs_that_picture() -> None:
    def many_shades(canvas: Canvas) -> None:
        for number in range(4000):
            canvas.linearGradient(0, number % 7, 600, 800, ["red", "blue", "green", "white"])

    with PageRenderer(RenderingLimits(processor_seconds=1, seconds=60)) as renderer:
        slow = drawn(many_shades)
        with pytest.raises(NoPicture, match="takes too long"):
            renderer.page(slow, 1)
        assert renderer.page(drawn(two_lines), 1).width > 0
        pid = renderer.pid
        with pytest.raises(NoPicture, match="takes too long"):
            renderer.page(slow, 1, [ANY_BOX])
        assert renderer.pid == pid is not None, "nothing was tried that would have ended it"


def ended(renderer: PageRenderer, how: signal.Signals) -> None:
    """The process that draws is ended, as by a page that it does not survive."""
    assert renderer.pid is not None
    os.kill(renderer.pid, how)


ANY_BOX, ANOTHER_BOX = Box(1, 1, 1, 2, 2), Box(1, 1, 1, 3, 3)


@pytest.mark.parametrize(
    ("how", "why", "seconds"),
    [
        (signal.SIGKILL, "SIGKILL", PASSING_SECONDS),
        (signal.SIGSEGV, "SIGSEGV", LASTING_SECONDS),
        (signal.SIGXCPU, "takes too long", LASTING_SECONDS),
    ],
)
def test_a_page_that_ends_the_process_is_not_tried_again_for_a_while(
    how: signal.Signals, why: str, seconds: float
) -> None:
    content, clock = drawn(two_lines), [0.0]
    with PageRenderer(clock=lambda: clock[0]) as renderer:
        first = renderer.page(content, 1)
        ended(renderer, how)
        for box in (ANY_BOX, ANOTHER_BOX):
            with pytest.raises(NoPicture, match=why):
                renderer.page(content, 1, [box])
            assert renderer.pid is None, "nothing was tried again"
            clock[0] += seconds / 3
        assert renderer.page(content, 1) is first, "as it was drawn before"
        assert renderer.around(content, 1, [ANY_BOX]).width > 0, "a part of it may well be drawn"
        clock[0] += seconds
        assert renderer.page(content, 1, [ANY_BOX]).width > 0


def test_of_several_who_wait_for_a_page_that_cannot_be_drawn_one_tries_it() -> None:
    content = drawn(two_lines, (300, 700))
    with PageRenderer() as renderer, ThreadPoolExecutor(4) as threads:
        with held_up(renderer):
            asked = [threads.submit(renderer.page, content, 1, [ANY_BOX]) for _ in range(4)]
            ended(renderer, signal.SIGSEGV)
        assert {type(each.exception()) for each in asked} == {NoPicture}
        assert renderer.pid is None


def test_many_threads_share_one_process_that_outlives_the_one_that_asked_first() -> None:
    content = drawn(two_lines)
    with PageRenderer() as renderer, ThreadPoolExecutor(8) as threads:
        first = Thread(target=renderer.page, args=(content, 1))
        first.start()
        first.join()
        pid = renderer.pid
        time.sleep(0.2)
        boxes = [Box(1, 10 * n, 10, 10 * n + 8, 20) for n in range(16)]
        pictures = list(threads.map(lambda box: renderer.page(content, 1, [box]), boxes))
        for box, picture in zip(boxes, pictures, strict=True):
            assert colours_at(picture, (box.x0 + 2, box.y0 + 2, box.x1 - 2, box.y1 - 2)) == {MARKER}
        assert renderer.pid == pid is not None


@contextmanager
def held_up(renderer: PageRenderer) -> Iterator[None]:
    """The process that draws stands still meanwhile, as with a page that takes long."""
    renderer.page(drawn(two_lines), 1)
    assert renderer.pid is not None
    os.kill(renderer.pid, signal.SIGSTOP)
    yield
    os.kill(renderer.pid, signal.SIGCONT)


def test_while_one_page_takes_long_only_so_many_wait_for_theirs() -> None:
    """Each who waits keeps a thread of the server's, and one page may take half a minute."""
    boxes = [Box(1, n, 1, n + 1, 2) for n in range(MOST_WAITING + 3)]
    content = drawn(two_lines)
    with PageRenderer() as renderer, ThreadPoolExecutor(len(boxes)) as threads:
        with held_up(renderer):
            asked = [threads.submit(renderer.page, content, 1, [box]) for box in boxes]
            refused = list(islice(as_completed(asked, timeout=20), 3))
        errors = [str(each.exception()) for each in refused]
        assert errors == ["Too many pictures wait to be drawn."] * 3
        assert all(each.result().width for each in set(asked) - set(refused))
        assert renderer.page(content, 1, [Box(1, 1, 5, 2, 6)]).width > 0


def test_a_page_that_several_wait_for_is_drawn_once() -> None:
    content = drawn(two_lines)
    with PageRenderer() as renderer, ThreadPoolExecutor(8) as threads:
        with held_up(renderer):
            asked = [threads.submit(renderer.page, content, 1, [ANY_BOX]) for _ in range(8)]
            time.sleep(0.3)
        first, *others = [each.result() for each in asked]
        assert all(each is first for each in others)


def test_the_process_ends_with_the_one_that_started_it() -> None:
    program = (
        "import os, signal, sys\n"
        "from retrieval.rendering.renderer import PageRenderer\n"
        "renderer = PageRenderer()\n"
        "renderer.page(sys.stdin.buffer.read(), 1)\n"
        "print(renderer.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], input=drawn(two_lines), capture_output=True, timeout=60
    )
    pid = int(ended.stdout)
    until = time.monotonic() + 20
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(pid)
