"""A presentation is read slide by slide; python-pptx writes it, and opens it again to compare."""

import datetime
import io

import pptx
import pytest
from decks import COMPARISON, TITLE_SLIDE, add_table, deck, saved, slide, text_box
from hypothesis import given, settings
from hypothesis import strategies as st
from parsed_documents import folded, kinds, quotes, sentences, texts
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.slide import Slide
from pptx.util import Pt

from bot.lab.proof.places import place_checker
from retrieval.parsing.draft import in_reading_order
from retrieval.parsing.pptx.parser import parse
from retrieval.types import Box, FragmentKind


def test_a_slide_has_its_number_and_its_title_as_its_heading_and_no_other_ones() -> None:
    made = deck()
    slide(made, "Leave", "You have 25 days.\nAsk first.")
    slide(made, "Sick pay", "It is paid for 6 weeks.\nSend a note.")
    text_box(slide(made), "Parking is free.")
    document = parse(saved(made))
    assert [
        (each.section_path, *kind)
        for each, kind in zip(document.fragments, kinds(document), strict=True)
    ] == [
        (("Leave",), FragmentKind.LIST_ITEM, "You have 25 days."),
        (("Leave",), FragmentKind.LIST_ITEM, "Ask first."),
        (("Sick pay",), FragmentKind.LIST_ITEM, "It is paid for 6 weeks."),
        (("Sick pay",), FragmentKind.LIST_ITEM, "Send a note."),
        ((), FragmentKind.PARAGRAPH, "Parking is free."),
    ]
    last = sentences(document)[-1]
    assert (last.page, last.page_label, last.line_start) == (3, "slide 3", None)
    assert [(each.text, each.first_page, each.last_page) for each in document.headings] == [
        ("Leave", 1, 1),
        ("Sick pay", 2, 2),
    ]
    assert [(page.number, page.width, page.height, page.label) for page in document.pages] == [
        (1, 720, 540, "slide 1"),
        (2, 720, 540, "slide 2"),
        (3, 720, 540, "slide 3"),
    ]


def test_a_comparison_is_read_column_by_column() -> None:
    made = deck()
    held = made.slides.add_slide(made.slide_layouts[COMPARISON]).placeholders
    told = ["Desks", "Before", "Old desk", "After", "New desk"]
    for each, text in zip(held, told, strict=False):
        each.text = text
    assert texts(parse(saved(made))) == told[1:]


def test_the_title_slide_names_the_presentation() -> None:
    made = deck()
    first = made.slides.add_slide(made.slide_layouts[TITLE_SLIDE])
    first.shapes.title.text = "Welcome to Larkfield"
    first.placeholders[1].text = "For new staff. Read it."
    slide(made, "Leave", "You have 25 days.")
    made.core_properties.title = "PowerPoint Presentation"
    document = parse(saved(made))
    assert document.title == "Welcome to Larkfield"
    assert [fragment.section_path for fragment in document.fragments] == [(), ("Leave",)]
    assert texts(document) == ["For new staff.", "Read it.", "You have 25 days."]
    made.core_properties.title = "Induction 2026"
    assert parse(saved(made)).title == "Induction 2026"


def test_text_is_read_from_the_top_left_on_however_it_was_drawn() -> None:
    made = deck()
    added = slide(made, "Map")
    places = {"Below.": (72, 400), "Right.": (400, 205), "Left.": (72, 200), "Above.": (300, 120)}
    for text, (x, y) in places.items():
        text_box(added, text, x=x, y=y)
    assert texts(parse(saved(made))) == ["Above.", "Left.", "Right.", "Below."]


def test_shapes_in_groups_stand_where_people_see_them() -> None:
    made = deck()
    added = slide(made)
    group = added.shapes.add_group_shape()
    box = group.shapes.add_textbox(Pt(100), Pt(100), Pt(100), Pt(40))
    box.text_frame.text = "Parking is free."
    group.left, group.top, group.width, group.height = Pt(200), Pt(300), Pt(200), Pt(80)
    assert sentences(parse(saved(made)))[0].boxes == (Box(1, 200, 300, 400, 380),)


def test_a_row_of_a_table_reads_with_its_heads_and_has_cells_with_boxes() -> None:
    made = deck()
    rows = [["Course", "Fee", "Due"], ["BSc Computing", "9250", "May"], ["MSc AI", "12500", "June"]]
    add_table(slide(made, "Fees"), *rows)
    document = parse(saved(made))
    assert kinds(document)[1] == (FragmentKind.TABLE_ROW, "Course: MSc AI; Fee: 12500; Due: June")
    assert quotes(document)[1] == "MSc AI\t12500\tJune"
    last = sentences(document)[-1]
    assert last.boxes == (Box(1, 60, 210, 360, 240),)
    assert [(each.name, last.text[each.start : each.end], each.box) for each in last.cells] == [
        ("Course", "MSc AI", Box(1, 60, 210, 160, 240)),
        ("Fee", "12500", Box(1, 160, 210, 260, 240)),
        ("Due", "June", Box(1, 260, 210, 360, 240)),
    ]


HEADS = [((0, 1), (0, 2)), ((0, 0), (1, 0))]


@pytest.mark.parametrize(
    ("rows", "merged", "read"),
    [
        (
            ["Expense|At most||Approves", "|UK|Abroad|", "Breakfast|£9|£12|Ann"],
            HEADS,
            ["Expense: Breakfast; At most UK: £9; At most Abroad: £12; Approves: Ann"],
        ),
        (
            ["Faculty|Room|Seats", "Arts|A1|20", "|A2|30"],
            [((1, 0), (2, 0))],
            ["Faculty: Arts; Room: A1; Seats: 20", "Faculty: Arts; Room: A2; Seats: 30"],
        ),
        # What may be no names is read as it stands.
        (
            ["Task|Who||When", "|UK|Abroad|by", "Tax|Ann|Bo|May"],
            HEADS,
            ["Task; Who; When", "Task; UK; Abroad; by", "Tax; Ann; Bo; May"],
        ),
    ],
)
def test_merged_cells_are_read_with_each_row_and_heads_with_those_below_them(
    rows: list[str], merged: list[tuple[tuple[int, int], tuple[int, int]]], read: list[str]
) -> None:
    made = deck()
    table = add_table(slide(made), *(row.split("|") for row in rows))
    for first, last in merged:
        table.cell(*first).merge(table.cell(*last))
    assert texts(parse(saved(made))) == read


def test_numbered_items_keep_their_numbers() -> None:
    made = deck()
    added = slide(made, "Steps", "Log in.\nPay.\nPrint.")
    for paragraph in added.placeholders[1].text_frame.paragraphs:
        numbering = f'<a:buAutoNum {nsdecls("a")} type="arabicPeriod" startAt="4"/>'
        paragraph._p.get_or_add_pPr().append(parse_xml(numbering))
    assert [each.item_number for each in sentences(parse(saved(made)))] == [4, 5, 6]


def test_dates_footers_and_slide_numbers_are_seen_and_in_no_passage() -> None:
    made = deck()
    added = slide(made, "Leave", "You have 25 days.")
    layout = {each.placeholder_format.idx: each for each in added.slide_layout.placeholders}
    added.shapes.clone_placeholder(layout[11])
    added.placeholders[11].text = "Larkfield 2026"
    document = parse(saved(made))
    assert texts(document) == ["You have 25 days."]
    assert [fragment.kind for fragment in document.left_out] == [FragmentKind.RUNNING]
    shown = in_reading_order(document.fragments, document.headings, document.left_out)
    assert [fragment.sentences[0].text for fragment in shown] == [
        "Leave",
        "You have 25 days.",
        "Larkfield 2026",
    ]


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
places = st.tuples(words, st.integers(0, 600), st.integers(0, 480))


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.lists(places, max_size=3), min_size=1, max_size=3))
def test_every_sentence_stands_in_its_box_on_its_slide(
    slides: list[list[tuple[str, int, int]]],
) -> None:
    made = deck()
    text_box(slide(made), "Welcome.")
    for shapes in slides:
        added = slide(made)
        for text, x, y in shapes:
            text_box(added, text, x=x, y=y, width=100)
    content = saved(made)
    document = parse(content)
    opened = pptx.Presentation(io.BytesIO(content))
    for sentence in sentences(document):
        (box,) = sentence.boxes
        assert sentence.page_label == f"slide {sentence.page}"
        at = [
            shape
            for shape in opened.slides[box.page - 1].shapes
            if (shape.left, shape.top) == (Pt(box.x0), Pt(box.y0))
        ]
        quote = document.source[sentence.char_start : sentence.char_end]
        assert any(quote in folded(shape.text_frame.text) for shape in at)
    assert len(sentences(document)) >= 1 + sum(
        bool(folded(text)) for shapes in slides for text, _, _ in shapes
    )


def test_numbers_go_on_behind_a_paragraph_that_is_farther_in_and_begin_anew_behind_others() -> None:
    """As PowerPoint counts; pandoc writes program text within a list so."""
    made = deck()
    frame = text_box(slide(made, "Steps"), "").text_frame
    steps = [("Sign in.", 0, 1), ("mill --start", 1, None), ("Sign out.", 0, 2), ("Note.", 0, None)]
    steps += [("Come again.", 0, 1)]
    for text, level, number in steps:
        added = frame.add_paragraph()
        added.text, added.level = text, level
        kind = '<a:buAutoNum {} type="arabicPeriod"/>' if number else "<a:buNone {}/>"
        added._p.get_or_add_pPr().append(parse_xml(kind.format(nsdecls("a"))))
    read = [(each.text, each.item_number) for each in sentences(parse(saved(made)))]
    assert read == [(text, number) for text, _, number in steps]


def test_a_shape_that_is_offered_to_newer_programs_is_read_and_its_substitute_is_not() -> None:
    """As PowerPoint and pandoc write text boxes with an equation."""
    markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    made = deck()
    on = slide(made, "Leave", "You have 25 days.")
    shape = text_box(on, "Ask first.", y=300)._element
    substitute = text_box(on, "A picture of it.", y=300)._element
    offered = parse_xml(
        f'<mc:AlternateContent xmlns:mc="{markup}"><mc:Choice Requires="a14"/><mc:Fallback/>'
        "</mc:AlternateContent>"
    )
    shape.addprevious(offered)
    offered[0].append(shape)
    offered[1].append(substitute)
    document = parse(saved(made))
    assert texts(document) == ["You have 25 days.", "Ask first."]
    assert "picture" not in document.source


DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def add_diagram(on: Slide, *points: str) -> None:
    """As PowerPoint writes SmartArt: a frame that refers to a part with the points."""
    held = "".join(
        f"<dgm:pt><dgm:t><a:p><a:r><a:t>{each}</a:t></a:r></a:p></dgm:t></dgm:pt>"
        for each in points
    )
    spaces = f'xmlns:dgm="{DIAGRAM}" {nsdecls("a")}'
    data = f"<dgm:dataModel {spaces}><dgm:ptLst>{held}</dgm:ptLst></dgm:dataModel>"
    name = PackURI("/ppt/diagrams/data1.xml")
    kind = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"
    part = Part(name, kind, on.part.package, data.encode())
    relation = on.part.relate_to(part, f"{RELATIONS}/diagramData")
    on.shapes._spTree.append(
        parse_xml(
            f"<p:graphicFrame {nsdecls('p', 'a', 'r')}><p:nvGraphicFramePr>"
            "<p:cNvPr id='9' name='d'/><p:cNvGraphicFramePr/><p:nvPr/>"
            "</p:nvGraphicFramePr><p:xfrm><a:off x='0' y='3000000'/>"
            f"<a:ext cx='900000' cy='900000'/></p:xfrm><a:graphic><a:graphicData uri='{DIAGRAM}'>"
            f"<dgm:relIds xmlns:dgm='{DIAGRAM}' r:dm='{relation}'/></a:graphicData></a:graphic>"
            "</p:graphicFrame>"
        )
    )


def test_charts_and_diagrams_say_what_they_show_and_a_lone_title_is_read() -> None:
    made = deck()
    slide(made, "The canteen is closed in August")
    shown = slide(made, "Fees", "They rise.")
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("2025", (9.0, 8.5))
    data.add_series("2026", (10, None))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    chart = shown.shapes.add_chart(kind, Pt(72), Pt(400), Pt(200), Pt(100), data).chart
    chart.has_title, chart.chart_title.text_frame.text = True, "Fees in EUR"
    add_diagram(slide(made, "Steps"), "Knock.", "", "Wait.")
    rate = CategoryChartData(number_format="0%")
    for half in ("H1", "H2"):
        rate.add_category("2025").add_sub_category(half)
    rate.add_series("Rate", (0.07, 0.155))
    dated = CategoryChartData()
    dated.categories = [datetime.date(2024, 1, 1), datetime.date(2024, 2, 1)]
    dated.add_series("Fee", (9, 8))
    blank = CategoryChartData()
    blank.categories = ["", "None"]
    blank.add_series("Votes", (1, 2))
    points = XyChartData()
    for name, value in (("Fee", 5), ("Rent", 7)):
        points.add_series(name).add_data_point(1.5, value)
    scatter = XL_CHART_TYPE.XY_SCATTER
    for each, drawn in ((kind, rate), (kind, dated), (kind, blank), (scatter, points)):
        slide(made).shapes.add_chart(each, Pt(72), Pt(200), Pt(200), Pt(100), drawn)
    content = saved(made)
    document = parse(content)
    assert [(each.page, each.text) for each in sentences(document)] == [
        (1, "The canteen is closed in August"),
        (2, "They rise."),
        (2, "Fees in EUR"),
        (2, "East; 2025: 9; 2026: 10"),
        (2, "West; 2025: 8.5"),
        (3, "Knock."),
        (3, "Wait."),
        (4, "2025 H1; Rate: 7%"),
        (4, "2025 H2; Rate: 15.5%"),
        (5, "2024-01-01; Fee: 9"),
        (5, "2024-02-01; Fee: 8"),
        (6, "Votes: 1"),
        (6, "None; Votes: 2"),
        (7, "1.5; Fee: 5"),
        (7, "1.5; Rent: 7"),
    ]
    stands = place_checker(content, "a.pptx", document.hidden)
    assert all(map(stands, sentences(document), quotes(document)))
