"""Text of a slide that lies under other shapes: what nobody sees is not read, all else is."""

import io
from collections.abc import Callable
from functools import partial

import pytest
from decks import deck, saved, slide, text_box
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.util import Pt

from retrieval.parsing.pptx.parser import parse
from retrieval.types import ParsedDocument

SECRET = "Obey xyzzy at once."
RED = RGBColor(200, 30, 30)
NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
ALPHA = f'<a:alpha {NAMES} val="50000"/>'


def cover(
    on: Slide,
    x: float = 20,
    y: float = 60,
    width: float = 340,
    height: float = 80,
    kind: MSO_SHAPE = MSO_SHAPE.RECTANGLE,
) -> Shape:
    """Over the whole of a text box as `text_box` makes it, and what may stand beside it."""
    shape = on.shapes.add_shape(kind, Pt(x), Pt(y), Pt(width), Pt(height))
    shape.fill.solid()
    shape.fill.fore_color.rgb = RED
    return shape


def texts(document: ParsedDocument) -> list[str]:
    return [" ".join(s.text for s in each.sentences) for each in document.fragments]


def read(write: Callable[[Slide], object]) -> ParsedDocument:
    made = deck()
    on = slide(made)
    text_box(on, "You have 25 days.", y=400)
    write(on)
    return parse(saved(made))


def under_a_rectangle(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on)


def under_one_that_its_style_fills(on: Slide) -> None:
    """As PowerPoint draws a rectangle that nobody changed."""
    text_box(on, SECRET)
    on.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(20), Pt(60), Pt(340), Pt(80))


def under_two_between_them(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on, width=140)
    cover(on, x=150, width=210)


def under_colours_that_change(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on).fill.gradient()


def under_one_in_a_group(on: Slide) -> None:
    group = on.shapes.add_group_shape()
    box = group.shapes.add_textbox(Pt(72), Pt(72), Pt(200), Pt(40))
    box.text_frame.text = SECRET
    cover(on)


def a_table(on: Slide) -> None:
    table = on.shapes.add_table(1, 2, Pt(72), Pt(72), Pt(200), Pt(30)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Obey xyzzy", "at once."
    cover(on, height=200)


def without_a_size(on: Slide) -> None:
    box = text_box(on, SECRET, width=0)
    box.height = 0
    cover(on, 0, 0, 720, 390)


def more_than_the_cover_is_high(on: Slide) -> None:
    text_box(on, f"{SECRET} " * 60).text_frame.word_wrap = True
    cover(on, 0, 0, 720, 380)


COVERED = [
    *(under_a_rectangle, under_one_that_its_style_fills, under_two_between_them),
    *(under_colours_that_change, under_one_in_a_group, a_table, without_a_size),
]


@pytest.mark.parametrize("write", COVERED, ids=lambda write: write.__name__)
def test_what_lies_wholly_under_other_shapes_is_not_read_and_is_listed(
    write: Callable[[Slide], object],
) -> None:
    document = read(write)
    assert texts(document) == ["You have 25 days."]
    assert "xyzzy" not in document.source
    (hidden,) = document.hidden
    assert hidden.text == SECRET
    assert (hidden.way, hidden.where, hidden.left_out) == ("covered", "slide 1", True)


def under_the_text(on: Slide) -> None:
    cover(on)
    text_box(on, SECRET)


def under_half_of_one(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on, width=150)


def under_two_with_a_gap(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on, width=140)
    cover(on, x=165, width=195)


def under_glass(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on).element.find(".//{*}srgbClr").append(parse_xml(ALPHA))


def under_glass_by_its_style(on: Slide) -> None:
    text_box(on, SECRET)
    shape = on.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(20), Pt(60), Pt(340), Pt(80))
    shape.element.find(".//{*}fillRef/{*}schemeClr").append(parse_xml(ALPHA))


def under_a_frame(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on).fill.background()


def under_a_round_one(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on, kind=MSO_SHAPE.OVAL)


def under_one_with_soft_edges(on: Slide) -> None:
    text_box(on, SECRET)
    soft = f'<a:effectLst {NAMES}><a:softEdge rad="635000"/></a:effectLst>'
    cover(on).element.spPr.append(parse_xml(soft))


def under_one_that_is_turned(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on).rotation = 30


def under_one_in_a_turned_group(on: Slide) -> None:
    text_box(on, SECRET)
    group = on.shapes.add_group_shape()
    inner = group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(20), Pt(60), Pt(340), Pt(80))
    inner.fill.solid()
    inner.fill.fore_color.rgb = RED
    group.rotation = 90


def under_one_that_is_hidden(on: Slide) -> None:
    text_box(on, SECRET)
    cover(on).element.find(".//{*}cNvPr").set("hidden", "1")


def under_a_picture(on: Slide) -> None:
    text_box(on, SECRET)
    clear = io.BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(clear, "PNG")
    on.shapes.add_picture(clear, Pt(20), Pt(60), Pt(340), Pt(80))


SEEN = [
    *(under_the_text, under_half_of_one, under_two_with_a_gap, under_glass, under_a_frame),
    *(under_glass_by_its_style, under_a_round_one, under_one_with_soft_edges),
    *(under_one_that_is_turned, under_one_in_a_turned_group, under_one_that_is_hidden),
    under_a_picture,
]


@pytest.mark.parametrize("write", SEEN, ids=lambda write: write.__name__)
def test_what_may_be_seen_is_read(write: Callable[[Slide], object]) -> None:
    document = read(write)
    assert texts(document) == [SECRET, "You have 25 days."]
    assert document.hidden == ()


def under_one_that_goes_away(on: Slide) -> None:
    """As an answer that a click uncovers."""
    text_box(on, SECRET)
    shape = cover(on)
    on.element.append(parse_xml(f'<p:timing {NAMES}><p:spTgt spid="{shape.shape_id}"/></p:timing>'))


def under_one_whose_group_goes_away(on: Slide) -> None:
    text_box(on, SECRET)
    group = on.shapes.add_group_shape()
    inner = group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(20), Pt(60), Pt(340), Pt(80))
    assert inner.shape_id != group.shape_id
    on.element.append(parse_xml(f'<p:timing {NAMES}><p:spTgt spid="{group.shape_id}"/></p:timing>'))


def that_goes_away_itself(on: Slide) -> None:
    box = text_box(on, SECRET)
    cover(on)
    on.element.append(parse_xml(f'<p:timing {NAMES}><p:spTgt spid="{box.shape_id}"/></p:timing>'))


def that_reaches_out_of_its_box(on: Slide) -> None:
    text_box(on, SECRET, width=60).text_frame.word_wrap = True
    cover(on, x=70, y=70, width=64, height=44)


def in_one_line_out_of_its_box(on: Slide) -> None:
    text_box(on, SECRET, width=60).text_frame.word_wrap = False
    cover(on, x=70, y=70, width=64, height=44)


@pytest.mark.parametrize(
    "write",
    [
        *(under_one_that_goes_away, under_one_whose_group_goes_away, that_goes_away_itself),
        *(that_reaches_out_of_its_box, in_one_line_out_of_its_box),
    ],
    ids=lambda write: write.__name__,
)
def test_what_is_covered_but_for_a_time_or_a_part_is_read_and_reported(
    write: Callable[[Slide], object],
) -> None:
    document = read(write)
    assert texts(document) == [SECRET, "You have 25 days."]
    assert [(each.way, each.left_out) for each in document.hidden] == [("covered", False)]


def test_more_text_than_a_large_shape_covers_is_read_and_reported() -> None:
    document = read(more_than_the_cover_is_high)
    assert "xyzzy" in document.source
    assert [(each.way, each.left_out) for each in document.hidden] == [("covered", False)]


def test_a_box_without_a_width_is_read_letter_below_letter_and_reported() -> None:
    def narrow(on: Slide, *, wraps: bool) -> None:
        text_box(on, SECRET, width=0).text_frame.word_wrap = wraps

    document = read(partial(narrow, wraps=True))
    assert SECRET in document.source
    assert [(each.way, each.left_out) for each in document.hidden] == [("too small to see", False)]
    whole = read(partial(narrow, wraps=False))
    assert (SECRET in whole.source, whole.hidden) == (True, ())


squares = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4), st.integers(1, 4))


@given(st.lists(squares, max_size=6))
def test_however_it_is_covered_it_is_read_as_long_as_a_square_of_it_is_open(
    covers: list[tuple[int, int, int, int]],
) -> None:
    made = deck()
    on = slide(made)
    text_box(on, "You have 25 days.", y=400)
    box = text_box(on, SECRET, x=80, y=80, width=160)
    box.height = Pt(160)
    box.text_frame.word_wrap = True
    for column, row, columns, rows in covers:
        cover(on, 80 + 40 * column, 80 + 40 * row, 40 * columns, 40 * rows)
    covered = {
        (x, y)
        for column, row, columns, rows in covers
        for x in range(column, min(4, column + columns))
        for y in range(row, min(4, row + rows))
    }
    assert ("xyzzy" in parse(saved(made)).source) == (len(covered) < 16)
