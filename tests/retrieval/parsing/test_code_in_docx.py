"""Program text in Word documents is read line by line, as in other formats."""

import docx
import pytest
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from parsed_documents import kinds, sentences
from word_files import parsed, xml

from retrieval.types import FragmentKind

CODE, ITEM, PARAGRAPH = FragmentKind.CODE, FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH
PROSE = "Everybody who runs the mill reads these lines before they start it for the first time."


@pytest.fixture
def made() -> Document:
    """A document of which most is in another font."""
    document = docx.Document()
    document.add_paragraph(PROSE)
    return document


def add_in(document: Document, font: str, text: str, style: str = "Normal") -> None:
    document.add_paragraph(style=style).add_run(text).font.name = font


@pytest.mark.parametrize("style", ["Source Code", "HTML Preformatted", "Preformatted Text"])
def test_paragraphs_in_a_style_of_program_text_are_one_block_line_by_line(
    style: str, made: Document
) -> None:
    made.styles.add_style(style, WD_STYLE_TYPE.PARAGRAPH)
    for text in ("def book(mill):\n    return office.book(mill)", "", "book(1)"):
        made.add_paragraph(text, style=style)
    made.add_paragraph("That is all.")
    document = parsed(made)
    assert kinds(document)[1:] == [
        (CODE, "def book(mill): return office.book(mill) book(1)"),
        (PARAGRAPH, "That is all."),
    ]
    assert [(each.text, each.paragraph) for each in sentences(document)[1:4]] == [
        ("def book(mill):", 2),
        ("return office.book(mill)", 2),
        ("book(1)", 4),
    ]
    line = sentences(document)[2]
    assert document.source[line.char_start - 4 : line.char_end] == "    return office.book(mill)"


@pytest.mark.parametrize("font", ["Courier New", "Consolas", "DejaVu Sans Mono", "Source Code Pro"])
def test_a_paragraph_wholly_in_a_font_of_equally_wide_letters_is_program_text(
    font: str, made: Document
) -> None:
    add_in(made, font, "mill --start. Wait.")
    made.add_paragraph("Then say ").add_run("mill --stop").font.name = font
    assert kinds(parsed(made))[1:] == [
        (CODE, "mill --start. Wait."),
        (PARAGRAPH, "Then say mill --stop"),
    ]


def test_a_style_of_characters_or_one_that_others_are_based_on_states_the_font_as_well(
    made: Document,
) -> None:
    typed = made.styles.add_style("Typed", WD_STYLE_TYPE.CHARACTER)
    typed.font.name = "Courier New"
    base = made.styles.add_style("Terminal", WD_STYLE_TYPE.PARAGRAPH)
    base.font.name = "Consolas"
    made.styles.add_style("Shell", WD_STYLE_TYPE.PARAGRAPH).base_style = base
    made.add_paragraph().add_run("mill --start", style="Typed")
    made.add_paragraph("mill --stop", style="Shell")
    assert kinds(parsed(made))[1:] == [(CODE, "mill --start mill --stop")]


@pytest.mark.parametrize("font", ["Monotype Corsiva", "Times New Roman", "Harmony"])
def test_other_fonts_set_no_program_text(font: str, made: Document) -> None:
    add_in(made, font, "Kind regards.")
    assert kinds(parsed(made))[1:] == [(PARAGRAPH, "Kind regards.")]


def test_a_letter_that_is_typed_in_courier_throughout_is_no_program(made: Document) -> None:
    made.paragraphs[0].runs[0].font.name = "Courier New"
    add_in(made, "Courier New", "We are closed on Monday. Call us.")
    document = parsed(made)
    assert [kind for kind, _ in kinds(document)] == [PARAGRAPH, PARAGRAPH]
    closed, call = sentences(document)[1:]
    assert (closed.text, call.text) == ("We are closed on Monday.", "Call us.")


def test_headings_and_numbered_steps_in_such_a_font_stay_what_they_are(made: Document) -> None:
    add_in(made, "Consolas", "mill", "Heading 1")
    add_in(made, "Consolas", "mill --start", "List Number")
    document = parsed(made)
    assert [heading.sentence.text for heading in document.headings] == ["mill"]
    assert kinds(document)[1:] == [(ITEM, "mill --start")]


def test_a_heading_and_other_text_part_blocks(made: Document) -> None:
    for command in ("mill --start", "mill --stop"):
        made.add_heading("Commands", 1)
        add_in(made, "Consolas", command)
    made.add_paragraph("Then")
    add_in(made, "Consolas", "mill --clean")
    assert kinds(parsed(made))[1:] == [
        (CODE, "mill --start"),
        (CODE, "mill --stop"),
        (PARAGRAPH, "Then"),
        (CODE, "mill --clean"),
    ]


def test_what_goes_on_below_an_item_without_a_bullet_of_its_own_is_no_item(made: Document) -> None:
    """As pandoc writes the second paragraph of an item, and program text in it."""
    numbering = made.part.numbering_part.element
    level = '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl>'
    numbering.insert(0, xml(f'<w:abstractNum w:abstractNumId="990">{level}</w:abstractNum>'))
    numbering.append(xml('<w:num w:numId="1000"><w:abstractNumId w:val="990"/></w:num>'))
    made.add_paragraph("Start the mill:", style="List Number")
    for font in ("Consolas", "Arial"):
        add_in(made, font, "mill --start")
        properties = made.paragraphs[-1].paragraph_format.element.get_or_add_pPr()
        properties.append(xml('<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1000"/></w:numPr>'))
    assert kinds(parsed(made))[1:] == [
        (ITEM, "Start the mill:"),
        (CODE, "mill --start"),
        (PARAGRAPH, "mill --start"),
    ]
