"""Text of a slide that lies under other shapes: what nobody sees is not read, all else is."""

import io
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from decks import deck, saved, slide, text_box
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.group import GroupShape
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


Change = Callable[[Slide, Shape], object]
"""Of a slide and the shape that covers a text box on it."""


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


def covered_by(*covers: Mapping[str, Any]) -> Callable[[Slide], object]:
    """A text box under shapes."""

    def write(on: Slide) -> None:
        text_box(on, SECRET)
        for each in covers:
            cover(on, **each)

    return write


def under(change: Change = lambda *_: None) -> Callable[[Slide], object]:
    """A text box under a shape that is changed."""

    def write(on: Slide) -> None:
        text_box(on, SECRET)
        change(on, cover(on))

    return write


def texts(document: ParsedDocument) -> list[str]:
    return [" ".join(s.text for s in each.sentences) for each in document.fragments]


def read(write: Callable[[Slide], object]) -> ParsedDocument:
    made = deck()
    on = slide(made)
    text_box(on, "You have 25 days.", y=400)
    write(on)
    return parse(saved(made))


def styled(on: Slide) -> Shape:
    """A rectangle that PowerPoint draws and nobody changed: its style fills it."""
    text_box(on, SECRET)
    return on.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(20), Pt(60), Pt(340), Pt(80))


def in_a_group(on: Slide) -> None:
    box = on.shapes.add_group_shape().shapes.add_textbox(Pt(72), Pt(72), Pt(200), Pt(40))
    box.text_frame.text = SECRET
    cover(on)


def a_table(on: Slide) -> None:
    table = on.shapes.add_table(1, 2, Pt(72), Pt(72), Pt(200), Pt(30)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Obey xyzzy", "at once."
    cover(on, height=200)


def without_a_size(on: Slide) -> None:
    text_box(on, SECRET, width=0).height = 0
    cover(on, 0, 0, 720, 390)


COVERED: dict[str, Callable[[Slide], object]] = {
    "under a rectangle": under(),
    "under one that its style fills": styled,
    "under colours that change": under(lambda _, shape: shape.fill.gradient()),
    "in a group": in_a_group,
    "a table": a_table,
    "without a size": without_a_size,
}


@pytest.mark.parametrize("case", COVERED)
def test_what_lies_wholly_under_other_shapes_is_not_read_and_is_listed(case: str) -> None:
    document = read(COVERED[case])
    assert texts(document) == ["You have 25 days."]
    assert "xyzzy" not in document.source
    (hidden,) = document.hidden
    assert hidden.text == SECRET
    assert (hidden.way, hidden.where, hidden.left_out) == ("covered", "slide 1", True)


def over_the_cover(on: Slide) -> None:
    cover(on)
    text_box(on, SECRET)


def thinned(shape: Shape, colour: str) -> None:
    shape.element.find(colour).append(parse_xml(ALPHA))


def in_group(on: Slide) -> tuple[GroupShape, Shape]:
    """A group over a text box, and the shape in it."""
    text_box(on, SECRET)
    group = on.shapes.add_group_shape()
    inner = group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(20), Pt(60), Pt(340), Pt(80))
    inner.fill.solid()
    inner.fill.fore_color.rgb = RED
    return group, inner


def under_a_picture(on: Slide) -> None:
    text_box(on, SECRET)
    clear = io.BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(clear, "PNG")
    on.shapes.add_picture(clear, Pt(20), Pt(60), Pt(340), Pt(80))


SOFT = f'<a:effectLst {NAMES}><a:softEdge rad="635000"/></a:effectLst>'
SEEN: dict[str, Callable[[Slide], object]] = {
    "over it": over_the_cover,
    "half of it": covered_by({"width": 150}),
    "two that hold half each": covered_by({"width": 140}, {"x": 150, "width": 210}),
    "glass": under(lambda _, shape: thinned(shape, ".//{*}srgbClr")),
    "glass by its style": lambda on: thinned(styled(on), ".//{*}fillRef/{*}schemeClr"),
    "a frame": under(lambda _, shape: shape.fill.background()),
    "a round one": covered_by({"kind": MSO_SHAPE.OVAL}),
    "soft edges": under(lambda _, shape: shape.element.spPr.append(parse_xml(SOFT))),
    "turned": under(lambda _, shape: setattr(shape, "rotation", 30)),
    "in a turned group": lambda on: setattr(in_group(on)[0], "rotation", 90),
    "hidden": under(lambda _, shape: shape.element.find(".//{*}cNvPr").set("hidden", "1")),
    "a picture": under_a_picture,
}


@pytest.mark.parametrize("case", SEEN)
def test_what_may_be_seen_is_read(case: str) -> None:
    document = read(SEEN[case])
    assert texts(document) == [SECRET, "You have 25 days."]
    assert document.hidden == ()


def animated(on: Slide, shape: BaseShape) -> None:
    """As an answer that a click uncovers."""
    on.element.append(parse_xml(f'<p:timing {NAMES}><p:spTgt spid="{shape.shape_id}"/></p:timing>'))


def whose_group_goes_away(on: Slide) -> None:
    group, inner = in_group(on)
    assert inner.shape_id != group.shape_id
    animated(on, group)


def that_goes_away_itself(on: Slide) -> None:
    animated(on, text_box(on, SECRET))
    cover(on)


def reaches_out(on: Slide, *, wraps: bool) -> None:
    text_box(on, SECRET, width=60).text_frame.word_wrap = wraps
    cover(on, x=70, y=70, width=64, height=44)


def more_than_the_cover_is_high(on: Slide) -> None:
    text_box(on, f"{SECRET} " * 60).text_frame.word_wrap = True
    cover(on, 0, 0, 720, 380)


IN_PART: dict[str, Callable[[Slide], object]] = {
    "a cover that goes away": under(animated),
    "a cover whose group goes away": whose_group_goes_away,
    "text that goes away itself": that_goes_away_itself,
    "out of its box": partial(reaches_out, wraps=True),
    "in one line out of its box": partial(reaches_out, wraps=False),
    "more than a large shape covers": more_than_the_cover_is_high,
}


@pytest.mark.parametrize("case", IN_PART)
def test_what_is_covered_but_for_a_time_or_a_part_is_read_and_reported(case: str) -> None:
    document = read(IN_PART[case])
    assert " ".join(texts(document)).replace(f"{SECRET} ", "") == "You have 25 days."
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
