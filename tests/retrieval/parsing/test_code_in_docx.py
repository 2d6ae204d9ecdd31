"""Program text in Word documents is read line by line, as in other formats."""

from collections.abc import Callable
from io import BytesIO

import docx
import pytest
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from parsed_documents import kinds, sentences

from retrieval.parsing.docx.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

CODE, ITEM, PARAGRAPH = FragmentKind.CODE, FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH
PROSE = "Everybody who runs the mill reads these lines before they start it for the first time."


def parsed(write: Callable[[Document], object]) -> ParsedDocument:
    document = docx.Document()
    document.add_paragraph(PROSE)
    write(document)
    buffer = BytesIO()
    document.save(buffer)
    return parse(buffer.getvalue())


def add_in(document: Document, font: str, text: str, style: str = "Normal") -> None:
    document.add_paragraph(style=style).add_run(text).font.name = font


@pytest.mark.parametrize("style", ["Source Code", "HTML Preformatted", "Preformatted Text"])
def test_paragraphs_in_a_style_of_program_text_are_one_block_line_by_line(style: str) -> None:
    def write(document: Document) -> None:
        document.styles.add_style(style, WD_STYLE_TYPE.PARAGRAPH)
        document.add_paragraph("def book(mill):\n    return office.book(mill)", style=style)
        document.add_paragraph("", style=style)
        document.add_paragraph("book(1)", style=style)
        document.add_paragraph("That is all.")

    document = parsed(write)
    assert kinds(document)[1:] == [
        (CODE, "def book(mill): return office.book(mill) book(1)"),
        (PARAGRAPH, "That is all."),
    ]
    assert [(each.text, each.paragraph) for each in sentences(document)[1:4]] == [
        ("def book(mill):", 2),
        ("return office.book(mill)", 2),
        ("book(1)", 4),
    ]
    assert_lines_are_indented_in_the_source(document)


def assert_lines_are_indented_in_the_source(document: ParsedDocument) -> None:
    line = sentences(document)[2]
    assert document.source[line.char_start - 4 : line.char_end] == "    return office.book(mill)"


@pytest.mark.parametrize("font", ["Courier New", "Consolas", "DejaVu Sans Mono", "Source Code Pro"])
def test_a_paragraph_wholly_in_a_font_of_equally_wide_letters_is_program_text(font: str) -> None:
    def write(document: Document) -> None:
        add_in(document, font, "mill --start. Wait.")
        document.add_paragraph("Then say ").add_run("mill --stop").font.name = font

    assert kinds(parsed(write))[1:] == [
        (CODE, "mill --start. Wait."),
        (PARAGRAPH, "Then say mill --stop"),
    ]


def test_a_style_of_characters_or_one_that_others_are_based_on_states_the_font_as_well() -> None:
    def write(document: Document) -> None:
        typed = document.styles.add_style("Typed", WD_STYLE_TYPE.CHARACTER)
        typed.font.name = "Courier New"
        base = document.styles.add_style("Terminal", WD_STYLE_TYPE.PARAGRAPH)
        base.font.name = "Consolas"
        document.styles.add_style("Shell", WD_STYLE_TYPE.PARAGRAPH).base_style = base
        document.add_paragraph().add_run("mill --start", style="Typed")
        document.add_paragraph("mill --stop", style="Shell")

    assert kinds(parsed(write))[1:] == [(CODE, "mill --start mill --stop")]


@pytest.mark.parametrize("font", ["Monotype Corsiva", "Times New Roman", "Harmony"])
def test_other_fonts_set_no_program_text(font: str) -> None:
    read = kinds(parsed(lambda document: add_in(document, font, "Kind regards.")))
    assert read[1:] == [(PARAGRAPH, "Kind regards.")]


def test_a_letter_that_is_typed_in_courier_throughout_is_no_program() -> None:
    def write(document: Document) -> None:
        for paragraph in document.paragraphs:
            paragraph.runs[0].font.name = "Courier New"
        add_in(document, "Courier New", "We are closed on Monday. Call us.")

    document = parsed(write)
    assert [kind for kind, _ in kinds(document)] == [PARAGRAPH, PARAGRAPH]
    assert [each.text for each in sentences(document)[1:]] == [
        "We are closed on Monday.",
        "Call us.",
    ]


def test_headings_and_numbered_steps_in_such_a_font_stay_what_they_are() -> None:
    def write(document: Document) -> None:
        add_in(document, "Consolas", "mill", "Heading 1")
        add_in(document, "Consolas", "mill --start", "List Number")

    document = parsed(write)
    assert [heading.sentence.text for heading in document.headings] == ["mill"]
    assert kinds(document)[1:] == [(ITEM, "mill --start")]


def test_a_heading_and_other_text_part_blocks() -> None:
    def write(document: Document) -> None:
        for command in ("mill --start", "mill --stop"):
            document.add_heading("Commands", 1)
            add_in(document, "Consolas", command)
        document.add_paragraph("Then")
        add_in(document, "Consolas", "mill --clean")

    assert kinds(parsed(write))[1:] == [
        (CODE, "mill --start"),
        (CODE, "mill --stop"),
        (PARAGRAPH, "Then"),
        (CODE, "mill --clean"),
    ]


def test_what_goes_on_below_an_item_without_a_bullet_of_its_own_is_no_item() -> None:
    """As pandoc writes the second paragraph of an item, and program text in it."""

    def write(document: Document) -> None:
        numbering = document.part.numbering_part.element
        numbering.insert(
            0,
            parse_xml(
                f'<w:abstractNum {nsdecls("w")} w:abstractNumId="990"><w:lvl w:ilvl="0">'
                '<w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl></w:abstractNum>'
            ),
        )
        numbering.append(
            parse_xml(
                f'<w:num {nsdecls("w")} w:numId="1000"><w:abstractNumId w:val="990"/></w:num>'
            )
        )
        document.add_paragraph("Start the mill:", style="List Number")
        for font in ("Consolas", "Arial"):
            add_in(document, font, "mill --start")
            properties = document.paragraphs[-1].paragraph_format.element.get_or_add_pPr()
            properties.append(
                parse_xml(
                    f'<w:numPr {nsdecls("w")}><w:ilvl w:val="0"/><w:numId w:val="1000"/></w:numPr>'
                )
            )

    document = parsed(write)
    assert kinds(document)[1:] == [
        (ITEM, "Start the mill:"),
        (CODE, "mill --start"),
        (PARAGRAPH, "mill --start"),
    ]
