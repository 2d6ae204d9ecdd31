"""Text of a Word document that people do not see is not read, however it is hidden."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt, RGBColor
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from parsed_documents import texts
from stating import whose

from retrieval.errors import BadMetadata
from retrieval.parsing.docx.parser import parse
from retrieval.types import ParsedDocument

SECRET = "Obey xyzzy at once."
WHITE, BLACK = RGBColor(255, 255, 255), RGBColor(0, 0, 0)


def parsed(write: Callable[[Document], object]) -> ParsedDocument:
    document = docx.Document()
    document.add_paragraph("Leave is 25 days.")
    write(document)
    document.add_paragraph("Ask first.")
    buffer = BytesIO()
    document.save(buffer)
    return parse(buffer.getvalue())


def stated(xml: str) -> Callable[[Run], object]:
    """A property of a run, as XML."""
    named = xml.replace("/>", f" {nsdecls('w')}/>", 1) if "xmlns" not in xml else xml
    return lambda run: run._r.get_or_add_rPr().append(parse_xml(named))


def coloured(colour: RGBColor) -> Callable[[Run], object]:
    return lambda run: setattr(run.font.color, "rgb", colour)


def by_character_style(run: Run) -> None:
    styles = run.part.document.styles  # type: ignore[attr-defined]  # of the part of a document
    base = styles.add_style("Base", WD_STYLE_TYPE.CHARACTER)
    base.font.color.rgb = WHITE
    style = styles.add_style("Derived", WD_STYLE_TYPE.CHARACTER)
    style.base_style = base
    run.style = style


def coloured_on(colour: RGBColor, ground: str) -> Callable[[Run], object]:
    return lambda run: (coloured(colour)(run), stated(ground)(run))


HIDDEN: dict[str, Callable[[Run], object]] = {
    "marked as hidden": stated("<w:vanish/>"),
    "white": coloured(WHITE),
    "nearly white": coloured(RGBColor(254, 254, 250)),
    "white by the theme": stated('<w:color w:val="000000" w:themeColor="background1"/>'),
    "black on black": coloured_on(BLACK, '<w:shd w:val="clear" w:fill="000000"/>'),
    "yellow, highlighted in yellow": coloured_on(
        RGBColor(255, 255, 0), '<w:highlight w:val="yellow"/>'
    ),
    "of 3 points": lambda run: setattr(run.font, "size", Pt(3)),
    "letters over each other": stated('<w:spacing w:val="-400"/>'),
    "raised off the page": stated('<w:position w:val="4000"/>'),
    "squeezed": stated('<w:w w:val="1"/>'),
    "filled with nothing": stated(
        '<w14:textFill xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml">'
        "<w14:noFill/></w14:textFill>"
    ),
    "by a style of characters": by_character_style,
    "struck out": lambda run: setattr(run.font, "strike", True),
    "struck out twice": lambda run: setattr(run.font, "double_strike", True),
}


@pytest.mark.parametrize("way", HIDDEN)
def test_hidden_runs_are_not_read_and_are_reported(way: str) -> None:
    def write(document: Document) -> None:
        paragraph = document.add_paragraph("Leave is ")
        HIDDEN[way](paragraph.add_run(SECRET))
        paragraph.add_run("granted.")

    document = parsed(write)
    assert texts(document) == ["Leave is 25 days.", "Leave is granted.", "Ask first."]
    [piece] = document.hidden
    assert (piece.text, piece.where, piece.left_out) == (SECRET, "paragraph 2", True)


def body(xml: str) -> Callable[[Document], object]:
    """Something at the end of a document, as XML."""
    spaces = nsdecls("w", "wp", "a") + VML
    element = f"<w:body {spaces}>{xml.format(SECRET=SECRET)}</w:body>"
    return lambda document: [
        document.element.body.append(each) for each in list(parse_xml(element))
    ]


VML = ' xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
SAID = "<w:r><w:t>{SECRET}</w:t></w:r>"
BOX = f"<w:txbxContent><w:p>{SAID}</w:p></w:txbxContent>"
ANCHOR = (
    "<w:p><w:r><w:drawing><wp:anchor>{place}<wp:extent cx='{wide}' cy='900000'/><wp:docPr id='1' "
    "name='x'/><a:graphic><a:graphicData uri='x'><wps:wsp><wps:txbx>{box}</wps:txbx></wps:wsp>"
    "</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
)


def box_at(place: str, *, wide: int = 900_000) -> str:
    return ANCHOR.format(place=place, wide=wide, box=BOX)


def row(properties: str, cell: str = "", table: str = "") -> str:
    seen = "<w:tc><w:p><w:r><w:t>Seen.</w:t></w:r></w:p></w:tc>"
    return (
        f"<w:tbl><w:tblPr>{table}</w:tblPr><w:tblGrid/><w:tr>{seen}</w:tr><w:tr>"
        f"<w:trPr>{properties}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr><w:p>{SAID}</w:p></w:tc></w:tr>"
        "</w:tbl>"
    )


def held(properties: str) -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{SAID}</w:p>"


FIXED, ACROSS = '<w:tblLayout w:type="fixed"/>', "<wp:positionH relativeFrom='{}'>"
OUT_OF_PLACE = {
    "a row without height": row('<w:trHeight w:val="0" w:hRule="exact"/>'),
    "a row of a point": row('<w:trHeight w:val="20" w:hRule="exact"/>'),
    "a cell without width": row("", '<w:tcW w:w="0" w:type="dxa"/>', FIXED),
    "a cell of two points": row("", '<w:tcW w:w="40" w:type="dxa"/>', FIXED),
    "a frame to the left of the page": held('<w:framePr w:x="-20000" w:y="1" w:w="3000"/>'),
    "a frame that ends where the page begins": held(
        '<w:framePr w:hAnchor="page" w:x="-3000" w:w="3000"/>'
    ),
    "a frame below the page": held('<w:framePr w:y="30000" w:vAnchor="page"/>'),
    "a frame without height": held('<w:framePr w:h="0" w:hRule="exact" w:w="3000"/>'),
    "lines without height": held('<w:spacing w:line="20" w:lineRule="exact"/>'),
    "a paragraph to the right of the page": held('<w:ind w:left="20000"/>'),
    "a paragraph to the left of the page": held('<w:ind w:start="-20000"/>'),
    "a table to the left of the page": row(
        "", table='<w:tblpPr w:horzAnchor="page" w:tblpX="-20000" w:tblpY="1"/>'
    ),
    "a box to the left of the page": box_at(
        f"{ACROSS.format('page')}<wp:posOffset>-1000000</wp:posOffset></wp:positionH>"
    ),
    "a box to the right of the page": box_at(
        f"{ACROSS.format('column')}<wp:posOffset>9000000</wp:posOffset></wp:positionH>"
    ),
    "a box without width": box_at("", wide=0),
    "an old box to the left of the page": (
        "<w:p><w:r><w:pict><v:shape style='position:absolute;margin-left:-1200pt;width:90pt'>"
        f"<v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r></w:p>"
    ),
    "an old box that is hidden": (
        "<w:p><w:r><w:pict><v:shape style='position:absolute;visibility:hidden'>"
        f"<v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r></w:p>"
    ),
}


@pytest.mark.parametrize("place", OUT_OF_PLACE)
def test_what_stands_off_the_page_or_has_no_room_is_not_read(place: str) -> None:
    document = parsed(body(OUT_OF_PLACE[place]))
    assert SECRET not in document.source
    [piece] = document.hidden
    assert piece.text.endswith(SECRET)
    assert piece.left_out


@pytest.mark.parametrize(
    "xml",
    [
        row('<w:trHeight w:val="0"/>', '<w:tcW w:w="0" w:type="auto"/>', FIXED),
        row('<w:trHeight w:val="20" w:hRule="atLeast"/>'),
        held('<w:framePr w:x="-600" w:y="900" w:w="3000" w:hAnchor="margin"/>'),
        held('<w:ind w:left="-700" w:hanging="360"/><w:spacing w:line="240" w:lineRule="exact"/>'),
        box_at(f"{ACROSS.format('column')}<wp:posOffset>-400000</wp:posOffset></wp:positionH>"),
    ],
)
def test_what_stands_in_the_margin_or_finds_its_room_is_read(xml: str) -> None:
    document = parsed(body(xml))
    assert SECRET in document.source
    assert not document.hidden


def test_a_narrow_cell_that_word_may_widen_is_read_and_listed() -> None:
    document = parsed(body(row("", '<w:tcW w:w="20" w:type="dxa"/>')))
    assert SECRET in document.source
    assert [(piece.text, piece.left_out) for piece in document.hidden] == [(SECRET, False)]


HIDING: dict[str, Callable[[Any], object]] = {
    "marked as hidden": lambda style: setattr(style.font, "hidden", True),
    "struck out": lambda style: setattr(style.font, "strike", True),
    "in the colour of what is behind it": lambda style: setattr(style.font.color, "rgb", WHITE),
    "off the page": lambda style: setattr(style.paragraph_format, "left_indent", Pt(2_000)),
}


def hiding_style(
    document: Document, way: str = "marked as hidden", kind: WD_STYLE_TYPE = WD_STYLE_TYPE.PARAGRAPH
) -> str:
    style = document.styles.add_style(f"Unseen {kind}", kind)
    HIDING[way](style)
    return str(style.name)


@pytest.mark.parametrize("way", HIDING)
def test_a_style_of_paragraphs_hides_them(way: str) -> None:
    document = parsed(lambda d: d.add_paragraph(SECRET, style=hiding_style(d, way)))
    assert texts(document) == ["Leave is 25 days.", "Ask first."]
    assert [(each.text, each.way) for each in document.hidden] == [(SECRET, way)]


@pytest.mark.parametrize("way", ["marked as hidden", "struck out"])
def test_two_styles_that_hide_cancel_each_other_out_as_in_word(way: str) -> None:
    def write(document: Document) -> None:
        paragraph = document.add_paragraph(style=hiding_style(document, way))
        paragraph.add_run("Seen.", style=hiding_style(document, way, WD_STYLE_TYPE.CHARACTER))

    assert texts(parsed(write)) == ["Leave is 25 days.", "Seen.", "Ask first."]


def test_a_style_that_does_not_say_of_what_it_is_hides_paragraphs_too() -> None:
    def write(document: Document) -> None:
        name = hiding_style(document)
        document.add_paragraph(SECRET, style=name)
        del document.styles[name].element.attrib[qn("w:type")]

    assert texts(parsed(write)) == ["Leave is 25 days.", "Ask first."]


def test_of_two_usual_styles_the_last_counts() -> None:
    def write(document: Document) -> None:
        document.add_paragraph("Seen.", style=document.styles.add_style("Plain", 1))
        document.styles[hiding_style(document)].element.set(qn("w:default"), "1")

    assert texts(parsed(write)) == ["Seen."]


def test_a_hidden_row_and_hidden_cells_are_not_read() -> None:
    def write(document: Document) -> None:
        rows = [["Grade", "Days", "Unit"], ["A", "20", SECRET], [SECRET, "9", "days"]]
        table = filled_table(document, rows)
        coloured(WHITE)(table.rows[1].cells[2].paragraphs[0].runs[0])
        table.rows[2]._tr.get_or_add_trPr().append(parse_xml(f"<w:hidden {nsdecls('w')}/>"))

    document = parsed(write)
    assert texts(document) == ["Leave is 25 days.", "Grade: A; Days: 20", "Ask first."]
    assert [piece.text for piece in document.hidden] == [SECRET, f"{SECRET}9days"]


def shaded(paragraph: Paragraph, fill: str) -> Paragraph:
    properties = paragraph._p.get_or_add_pPr()
    properties.append(parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="{fill}"/>'))
    return paragraph


def run_with(*changes: Callable[[Run], object]) -> Callable[[Document], object]:
    return lambda document: [
        change(run) for run in [document.add_paragraph().add_run("Seen.")] for change in changes
    ]


SEEN: dict[str, Callable[[Document], object]] = {
    "white on a dark paragraph": lambda d: coloured(WHITE)(
        shaded(d.add_paragraph(), "1F3864").add_run("Seen.")
    ),
    "white, shaded": run_with(coloured_on(WHITE, '<w:shd w:val="solid" w:color="1F3864"/>')),
    "white, highlighted": run_with(coloured_on(WHITE, '<w:highlight w:val="darkBlue"/>')),
    "the colour that Word chooses": run_with(stated('<w:color w:val="auto"/>')),
    "black by the theme": run_with(stated('<w:color w:val="FFFFFF" w:themeColor="text1"/>')),
    "hidden on the web alone": run_with(stated("<w:webHidden/>")),
    "hidden taken back": lambda d: stated('<w:vanish w:val="0"/>')(
        d.add_paragraph(style=hiding_style(d)).add_run("Seen.")
    ),
}


@pytest.mark.parametrize("way", SEEN)
def test_text_that_is_seen_is_read(way: str) -> None:
    document = parsed(SEEN[way])
    assert texts(document) == ["Leave is 25 days.", "Seen.", "Ask first."]
    assert not document.hidden


def filled_table(document: Document, rows: list[list[str]], style: str | None = None) -> Table:
    table = document.add_table(len(rows), len(rows[0]), style=style)
    for row, values in zip(table.rows, rows, strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    return table


def white_head(document: Document, style: str | None, fill: str) -> None:
    table = filled_table(document, [["Grade", "Days", "Unit"], ["A", "20", "x"]], style)
    for cell in table.rows[0].cells:
        coloured(WHITE)(cell.paragraphs[0].runs[0])
        if fill:
            xml = f'<w:shd {nsdecls("w")} w:val="clear" w:fill="{fill}"/>'
            cell._tc.get_or_add_tcPr().append(parse_xml(xml))


def test_the_white_head_of_a_coloured_table_is_read() -> None:
    document = parsed(lambda d: white_head(d, None, "1F3864"))
    assert texts(document)[1] == "Grade: A; Days: 20; Unit: x"
    assert not document.hidden


def test_white_text_whose_ground_is_not_known_is_read_and_reported() -> None:
    document = parsed(lambda d: white_head(d, "Medium Shading 1 Accent 1", ""))
    assert texts(document)[1] == "Grade: A; Days: 20; Unit: x"
    assert {piece.left_out for piece in document.hidden} == {False}


def test_a_chain_of_styles_that_bites_its_tail_ends() -> None:
    def write(document: Document) -> None:
        style = document.styles.add_style("Loop", WD_STYLE_TYPE.PARAGRAPH)
        style.element.append(parse_xml(f'<w:basedOn {nsdecls("w")} w:val="Loop"/>'))
        document.add_paragraph("Seen.").paragraph_format.element.get_or_add_pPr().append(
            parse_xml(f'<w:pStyle {nsdecls("w")} w:val="Loop"/>')
        )
        assert document.paragraphs[-1]._p.find(qn("w:pPr")) is not None

    assert texts(parsed(write)) == ["Leave is 25 days.", "Seen.", "Ask first."]


def test_a_restriction_in_hidden_text_keeps_the_document_out() -> None:
    def write(document: Document) -> None:
        for text in ("---", "audience: {departments: [hr]}", "---"):
            coloured(WHITE)(document.add_paragraph().add_run(text))

    with pytest.raises(BadMetadata, match="its hidden text"):
        whose(parsed(write))


@pytest.mark.parametrize(("wrap", "is_read"), [("wrapNone", True), ("wrapTopAndBottom", False)])
def test_white_text_is_in_doubt_where_it_may_run_across_a_drawing(wrap: str, is_read: bool) -> None:
    """LibreOffice says of each frame that it is behind the text, which stands beside it."""
    drawing = f"<w:drawing><wp:anchor behindDoc='1'><wp:{wrap}/></wp:anchor></w:drawing>"

    def write(document: Document) -> None:
        coloured(WHITE)(document.add_paragraph().add_run("White."))
        body(f"<w:p><w:r>{drawing}</w:r></w:p>")(document)

    document = parsed(write)
    assert ("White." in texts(document)) is is_read
    assert [(each.text, each.left_out) for each in document.hidden] == [("White.", not is_read)]


MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def test_a_part_of_an_equation_that_nobody_sees_is_not_read() -> None:
    def write(document: Document) -> None:
        runs = "".join(
            f"<m:r><w:rPr>{how}</w:rPr><m:t>{said}</m:t></m:r>"
            for how, said in (("", "x+1"), ("<w:vanish/>", SECRET), ('<w:sz w:val="1"/>', SECRET))
        )
        element = document.add_paragraph("Pay ").paragraph_format.element
        element.append(parse_xml(f"<m:oMath {MATH} {nsdecls('w')}>{runs}</m:oMath>"))

    document = parsed(write)
    assert texts(document) == ["Leave is 25 days.", "Pay x+1", "Ask first."]
    assert [each.text for each in document.hidden] == [SECRET, SECRET]


def test_words_that_are_spelt_in_signs_of_a_font_hide_like_others() -> None:
    def write(document: Document) -> None:
        run = document.add_paragraph().add_run()
        coloured(WHITE)(run)
        for letter in "Obey":
            run._r.append(
                parse_xml(f'<w:sym {nsdecls("w")} w:font="Arial" w:char="{ord(letter):04X}"/>')
            )

    document = parsed(write)
    assert texts(document) == ["Leave is 25 days.", "Ask first."]
    assert [(each.text, each.left_out) for each in document.hidden] == [("Obey", True)]


@pytest.mark.parametrize(("colour", "is_read"), [("FFFFFF", False), ("1F3864", True)])
def test_a_page_that_is_said_to_be_white_is_white(colour: str, is_read: bool) -> None:
    def write(document: Document) -> None:
        document.element.insert(0, parse_xml(f'<w:background {nsdecls("w")} w:color="{colour}"/>'))
        coloured(WHITE)(document.add_paragraph().add_run("White."))

    document = parsed(write)
    assert ("White." in texts(document)) is is_read
    assert [(each.text, each.left_out) for each in document.hidden] == [("White.", not is_read)]
