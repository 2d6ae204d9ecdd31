"""Lines of documents without pages as pictures; nobody but the eye can read them back."""

import io
from collections.abc import Iterator
from itertools import groupby

import pytest
from PIL import Image

from retrieval.errors import NoPicture
from retrieval.rendering.drawing import MARKER, OUTLINE, WIDTH, DrawnLine, DrawnPicture
from retrieval.rendering.renderer import PageRenderer

pytestmark = pytest.mark.slow  # it starts processes

BEFORE = DrawnLine("7", "Leave is earned in every pay period.", is_cited=False)
CITED = DrawnLine(
    "8–11", "Employees earn £1,300 – and “thirteen days” – each year; see § 12.", is_cited=True
)
AFTER = DrawnLine("12", "Ask the office.", is_cited=False)
LONG = "Leave is earned in every pay period and lapses at the end of the year. "


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    with PageRenderer() as renderer:
        yield renderer


def image_of(picture: DrawnPicture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    assert image.size == (picture.width, picture.height)
    return image


def bands(picture: DrawnPicture) -> list[str]:
    """Down the picture, whether there is ink on white ("ink"), on the marker ("cited"), or none."""
    image = image_of(picture)
    kinds = []
    for y in range(image.height):
        row = image.crop((0, y, image.width, y + 1)).getcolors(image.width) or []
        colours = {colour for _, colour in row}
        if MARKER in colours or OUTLINE in colours:
            kinds.append("cited")
        else:
            kinds.append("ink" if colours != {(255, 255, 255)} else "")
    return [kind for kind, _ in groupby(kinds)]


def test_only_the_cited_line_is_highlighted(renderer: PageRenderer) -> None:
    picture = renderer.lines([BEFORE, CITED, AFTER])
    assert picture.width == WIDTH
    found = bands(picture)
    assert found.count("cited") == 1
    assert found.index("cited") not in (0, len(found) - 1)
    assert "ink" in found[: found.index("cited")]
    assert "ink" in found[found.index("cited") :]


def test_the_number_stands_at_the_left_outside_of_what_is_cited(renderer: PageRenderer) -> None:
    image = image_of(renderer.lines([CITED]))
    left = image.crop((0, 0, 95, image.height)).getcolors(95 * image.height) or []
    assert len(left) > 1
    assert MARKER not in {colour for _, colour in left}
    unnumbered = renderer.lines([DrawnLine("", CITED.text, is_cited=True)])
    edge = image_of(unnumbered).crop((0, 0, 95, unnumbered.height))
    assert MARKER in {colour for _, colour in edge.getcolors(95 * unnumbered.height) or []}


def test_long_lines_around_are_cut_and_what_is_cited_is_not(renderer: PageRenderer) -> None:
    alone = renderer.lines([CITED])
    between = renderer.lines(
        [DrawnLine("1", LONG * 9, is_cited=False), CITED, DrawnLine("9", LONG * 9, is_cited=False)]
    )
    assert between.height - alone.height < 7 * 60
    cited_alone = renderer.lines([DrawnLine("1", LONG * 9, is_cited=True)])
    assert cited_alone.height > 12 * 50


@pytest.mark.parametrize(
    "text", ["Ausnahme für ≤ 3 Tage", "年次有給休暇", "خمسة أيام", "A 🙂 day", "x\ue000"]
)
def test_what_the_font_cannot_draw_is_not_drawn(renderer: PageRenderer, text: str) -> None:
    with pytest.raises(NoPicture, match="no shape for U\\+"):
        renderer.lines([DrawnLine("1", text, is_cited=True)])
    with pytest.raises(NoPicture):
        renderer.lines([DrawnLine("1", text, is_cited=False), CITED])


def test_accents_in_parts_are_drawn_and_what_is_unseen_is_left_out(renderer: PageRenderer) -> None:
    composed = renderer.lines([DrawnLine("1", "Café für alle", is_cited=True)])
    assert (
        renderer.lines([DrawnLine("1", "Cafe\u0301 fu\u0308r alle", is_cited=True)]).png
        == composed.png
    )
    reversing = renderer.lines([DrawnLine("1", "Caf\u202eé f\u200bür\u00ad alle", is_cited=True)])
    assert reversing.png == composed.png


def test_what_is_too_long_to_look_at_is_no_picture(renderer: PageRenderer) -> None:
    for text in (LONG * 60, "x" * 30_000):
        with pytest.raises(NoPicture, match="too"):
            renderer.lines([DrawnLine("1", text, is_cited=True)])
    with pytest.raises(NoPicture):
        renderer.lines([])


def test_a_word_wider_than_the_picture_is_broken(renderer: PageRenderer) -> None:
    picture = renderer.lines([DrawnLine("1", "w" * 200, is_cited=True)])
    image = image_of(picture)
    assert image.crop((WIDTH - 8, 0, WIDTH, image.height)).getcolors() == [
        (8 * image.height, (255, 255, 255))
    ]
