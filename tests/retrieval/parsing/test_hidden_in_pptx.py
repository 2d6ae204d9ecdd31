"""What people do not see of a presentation is not read, and is listed."""

import io
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from decks import deck, saved, slide, text_box
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import texts
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.text.text import _Run
from pptx.util import Pt
from stating import whose

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing.pptx.parser import parse
from retrieval.types import ParsedDocument

SECRET = "Obey xyzzy at once."
WHITE = RGBColor(255, 255, 255)


DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
FILL = "<a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill>"
SHADES = "".join(f"<a:gs pos='{at}'><a:srgbClr val='FFFFFF'/></a:gs>" for at in (0, 100_000))
Write = Callable[[Presentation, Slide], object]


def words(change: Callable[[_Run], object]) -> Write:
    """A text box whose words are changed."""
    return lambda _, on: change(text_box(on, SECRET).text_frame.paragraphs[0].runs[0])


def listed_style(said: str, inner: str = "") -> Write:
    """A text box whose own list of styles says how its words look."""
    style = f"<a:lvl1pPr {DRAWING}><a:defRPr {said}>{inner}</a:defRPr></a:lvl1pPr>"

    def write(_: Presentation, on: Slide) -> None:
        body = text_box(on, SECRET).text_frame._txBody
        body.find(f"{{{body.nsmap['a']}}}lstStyle").append(parse_xml(style))

    return write


def text_box_on_the_notes(_: Presentation, on: Slide) -> None:
    """As LibreOffice writes notes that follow no style of its own."""
    on.notes_slide.shapes._spTree.append(text_box(on, SECRET)._element)


def comment(_: Presentation, on: Slide) -> None:
    space = "http://schemas.openxmlformats.org/presentationml/2006/main"
    written = f'<p:cmLst xmlns:p="{space}"><p:cm><p:text>{SECRET}</p:text></p:cm></p:cmLst>'
    kind = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
    part = Part(PackURI("/ppt/comments/comment1.xml"), kind, on.part.package, written.encode())
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
    on.part.relate_to(part, relation)


def toned_white(run: _Run) -> None:
    run.font.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1
    run.font.color.brightness = -0.001


def coloured(colour: RGBColor) -> Write:
    return words(lambda run: setattr(run.font.color, "rgb", colour))


def on_a_dark_slide(made: Presentation, on: Slide) -> None:
    on.background.fill.solid()
    on.background.fill.fore_color.rgb = RGBColor(1, 2, 3)
    coloured(RGBColor(0, 0, 0))(made, on)


def styled_shape(on: Slide, text: str = SECRET) -> Shape:
    """As PowerPoint draws one: its style fills it, and makes its words white."""
    shape = on.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(60), Pt(350), Pt(300), Pt(40))
    shape.text_frame.text = text
    return shape


def as_its_shape(_: Presentation, on: Slide) -> None:
    shape = styled_shape(on)
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor(16, 32, 48)
    shape.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(16, 32, 48)


def in_every_shade(run: _Run) -> None:
    fill = f"<a:gradFill {DRAWING}><a:gsLst>{SHADES}</a:gsLst></a:gradFill>"
    run._r.get_or_add_rPr().append(parse_xml(fill))


def under_a_merged_cell(_: Presentation, on: Slide) -> None:
    table = on.shapes.add_table(1, 2, Pt(60), Pt(350), Pt(300), Pt(30)).table
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(0, 1).text = SECRET


WAYS: dict[str, dict[str, Write]] = {
    "marked as hidden": {
        "slide": lambda made, _: slide(made, "Old", SECRET)._element.set("show", "0"),
        "shape": lambda _, on: text_box(on, SECRET)._element.nvSpPr.cNvPr.set("hidden", "1"),
    },
    "off the page": {
        "beside": lambda _, on: text_box(on, SECRET, x=900),
        "above": lambda _, on: text_box(on, SECRET, y=-60),
    },
    "speaker notes": {
        "notes": lambda _, on: setattr(on.notes_slide.notes_text_frame, "text", SECRET),
        "text box": text_box_on_the_notes,
    },
    "a comment": {"comment": comment},
    "too small to see": {
        "1 point": words(lambda run: setattr(run.font, "size", Pt(1))),
        "2 points": words(lambda run: setattr(run.font, "size", Pt(2))),
        "by its shape's list of styles": listed_style('sz="100"'),
    },
    "in the colour of what is behind it": {
        "white": coloured(WHITE),
        "as the background": words(
            lambda run: setattr(run.font.color, "theme_color", MSO_THEME_COLOR.BACKGROUND_1)
        ),
        "toned white": words(toned_white),
        "on a dark slide": on_a_dark_slide,
        "as its shape": as_its_shape,
        "by its shape's list of styles": listed_style('sz="1800"', FILL),
        "by its shape's style": lambda _, on: styled_shape(on).fill.background(),
        "in every shade": words(in_every_shade),
    },
    "covered": {"merged cell": under_a_merged_cell},
    "struck out": {"words": words(lambda run: run._r.get_or_add_rPr().set("strike", "sngStrike"))},
    "transparent": {"words": words(lambda run: run.font.fill.background())},
}


@pytest.mark.parametrize(("how", "name"), [(how, name) for how in WAYS for name in WAYS[how]])
def test_what_people_do_not_see_is_not_read_and_is_listed(how: str, name: str) -> None:
    made = deck()
    WAYS[how][name](made, slide(made, "Leave", "You have 25 days."))
    document = parse(saved(made))
    assert texts(document) == ["You have 25 days."]
    assert "xyzzy" not in document.source
    (hidden,) = document.hidden
    assert SECRET in hidden.text
    where = "slide 2" if name == "slide" else "slide 1"
    assert (hidden.way, hidden.where, hidden.left_out) == (how, where, True)


def test_a_column_without_width_is_read_and_reported() -> None:
    made = deck()
    on = slide(made, "Leave", "You have 25 days.")
    table = on.shapes.add_table(1, 2, Pt(60), Pt(300), Pt(300), Pt(30)).table
    table.columns[1].width = Pt(0)
    table.cell(0, 0).text, table.cell(0, 1).text = "Days", "Ask first."
    document = parse(saved(made))
    assert "Ask first." in document.source
    assert [(each.text, each.left_out) for each in document.hidden] == [("Ask first.", False)]


@pytest.mark.parametrize(
    ("filled", "is_read"),
    [
        (lambda _: None, True),  # by its style
        (lambda shape: shape.fill.solid(), True),
        (lambda shape: shape.fill.background(), False),
    ],
)
def test_white_text_over_another_shape_is_read_and_reported_where_that_is_filled(
    filled: Callable[[Shape], object], is_read: bool
) -> None:
    made = deck()
    on = slide(made, "Leave", "You have 25 days.")
    filled(on.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(60), Pt(300), Pt(300), Pt(80)))
    run = text_box(on, "Ask first.", y=310).text_frame.paragraphs[0].runs[0]
    run.font.color.rgb = WHITE
    document = parse(saved(made))
    assert ("Ask first." in texts(document)) is is_read
    assert [hidden.left_out for hidden in document.hidden] == [not is_read]


def white_on_its_own_dark_shape(made: Presentation, on: Slide) -> None:
    as_its_shape(made, on)
    on.shapes[0].text_frame.paragraphs[0].runs[0].font.color.rgb = WHITE


def black_over_the_colour_of_its_style(_: Presentation, on: Slide) -> None:
    shape = styled_shape(on)
    shape.fill.background()
    shape.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(0, 0, 0)


def toned_grey(run: _Run) -> None:
    run.font.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1
    run.font.color.brightness = -0.5


@pytest.mark.parametrize(
    "write",
    [
        white_on_its_own_dark_shape,
        lambda _, on: styled_shape(on),
        black_over_the_colour_of_its_style,
        words(toned_grey),
    ],
    ids=["white on its shape", "white by its style", "black over its style", "toned grey"],
)
def test_text_that_is_told_from_its_ground_is_read_and_nothing_is_listed(write: Write) -> None:
    made = deck()
    write(made, slide(made))
    document = parse(saved(made))
    assert (texts(document), document.hidden) == ([SECRET], ())


def test_a_hidden_slide_keeps_its_number_and_a_presentation_of_no_other_says_so() -> None:
    made = deck()
    slide(made, "Old", "Nobody sees it.")._element.set("show", "0")
    with pytest.raises(UnreadableDocument, match=r"all that it holds is hidden; save it"):
        parse(saved(made))
    slide(made, "Leave", "You have 25 days.")
    document = parse(saved(made))
    assert document.fragments[0].sentences[0].page_label == "slide 2"
    assert [page.label for page in document.pages] == ["slide 1", "slide 2"]


def test_a_restriction_in_speaker_notes_keeps_it_from_everyone() -> None:
    made = deck()
    on = slide(made, "Leave", "You have 25 days.")
    on.notes_slide.notes_text_frame.text = "audience: hr only"
    with pytest.raises(BadMetadata, match="audience: hr only"):
        whose(parse(saved(made)))


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


def blocks(document: ParsedDocument) -> list[str]:
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
    "under two between them": covered_by({"width": 140}, {"x": 150, "width": 210}),
    "under colours that change": under(lambda _, shape: shape.fill.gradient()),
    "in a group": in_a_group,
    "a table": a_table,
    "without a size": without_a_size,
}


@pytest.mark.parametrize("case", COVERED)
def test_what_lies_wholly_under_other_shapes_is_not_read_and_is_listed(case: str) -> None:
    document = read(COVERED[case])
    assert blocks(document) == ["You have 25 days."]
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
    "two with a gap": covered_by({"width": 140}, {"x": 165, "width": 195}),
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
    assert blocks(document) == [SECRET, "You have 25 days."]
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
    assert " ".join(blocks(document)).replace(f"{SECRET} ", "") == "You have 25 days."
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
