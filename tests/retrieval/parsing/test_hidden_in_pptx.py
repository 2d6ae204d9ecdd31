"""What people do not see of a presentation is not read, and is listed."""

from collections.abc import Callable

import pytest
from decks import deck, saved, slide, text_box
from parsed_documents import texts
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.text.text import _Run
from pptx.util import Pt
from stating import whose

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing.pptx.parser import parse

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
