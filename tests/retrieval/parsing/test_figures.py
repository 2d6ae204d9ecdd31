"""A picture and the words that stand for it are one figure, in each format that says so."""

import io

import docx
import pytest
from books import book
from decks import deck, saved, slide, text_box
from docx.document import Document as Word
from parsed_documents import kinds, sentences
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Pt
from word_files import parsed

from retrieval.parsing import epub, html, markdown
from retrieval.parsing.pptx import parser as powerpoint
from retrieval.types import Box, Fragment, FragmentKind, ParsedDocument

CAPTION, FIGURE = FragmentKind.CAPTION, FragmentKind.FIGURE
PARAGRAPH, ROW = FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW


def picture() -> io.BytesIO:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(buffer, "PNG")
    buffer.seek(0)
    return buffer


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<figure><img src=x><figcaption>Days.</figcaption></figure>", [(FIGURE, "Days.")]),
        ("<figure><figcaption>Days.</figcaption><img src=x></figure>", [(FIGURE, "Days.")]),
        (
            "<figure><img src=x alt='A chart.'><figcaption>Days.</figcaption></figure>",
            [(FIGURE, "A chart. Days.")],
        ),
        (
            "<figure><img src=x alt='Days. So.'><figcaption>Days. So.</figcaption></figure>",
            [(FIGURE, "Days. So.")],
        ),
        (
            "<figure><svg><text>No.</text></svg><figcaption><p>One.<p>Two.</figcaption></figure>",
            [(FIGURE, "One. Two.")],
        ),
        ("<p>Look:<p><img alt='A map'>", [(PARAGRAPH, "Look:"), (FIGURE, "A map")]),
        ("<p>Press <img alt='a key'> now.", [(PARAGRAPH, "Press now.")]),
        (
            "<figure><table><tr><td>a<td>b</table><figcaption>Fees.</figcaption></figure>",
            [(ROW, "a; b"), (CAPTION, "Fees.")],
        ),
        (
            "<figure><img src=x><table><tr><td>a<td>b</table><figcaption>Fees.</figcaption>",
            [(ROW, "a; b"), (CAPTION, "Fees.")],
        ),
        (
            "<figure><pre>x = 1</pre><figcaption>Code.</figcaption></figure>",
            [(FragmentKind.CODE, "x = 1"), (CAPTION, "Code.")],
        ),
        (
            "<figure><img hidden alt=Secret><figcaption>Days.</figcaption></figure>",
            [(CAPTION, "Days.")],
        ),
        (
            "<figure><figure><img src=x><figcaption>One.</figcaption></figure>"
            "<figcaption>All.</figcaption></figure>",
            [(FIGURE, "One."), (CAPTION, "All.")],
        ),
        (
            "<img src=x><table><caption>Fees.</caption><tr><td>a</table>",
            [(CAPTION, "Fees."), (ROW, "a")],
        ),
    ],
)
def test_a_page_says_with_its_elements_what_a_figure_is(
    page: str, found: list[tuple[FragmentKind, str]]
) -> None:
    assert kinds(html.parse(page.encode())) == found


def test_a_figure_quotes_all_that_stands_for_the_picture() -> None:
    document = html.parse(b"<figure><img alt='A chart.'>\n<figcaption>Days.</figcaption></figure>")
    (figure,) = document.fragments
    first, last = figure.sentences
    assert document.source[first.char_start : last.char_end] == (
        "<img alt='A chart.'>\n<figcaption>Days."
    )


def test_an_image_that_stands_alone_in_markdown_is_a_figure() -> None:
    document = markdown.parse(b"Look:\n\n![A map of the campus](map.png)\n\nPress ![a](b) now.\n")
    assert kinds(document) == [
        (PARAGRAPH, "Look:"),
        (FIGURE, "A map of the campus"),
        (PARAGRAPH, "Press now."),
    ]


def test_a_figure_in_a_book_stands_in_its_chapter() -> None:
    image = "<img src='a.png' alt='A chart.'/>"
    body = f"<p>Look.</p>\n<figure>{image}<figcaption>Days.</figcaption></figure>"
    document = epub.parse(book(body, body))
    assert [kind for kind, _ in kinds(document)] == [PARAGRAPH, FIGURE] * 2
    for sentence in sentences(document):
        stands = document.source[sentence.char_start : sentence.char_end]
        assert sentence.text in stands
    assert [sentence.page for sentence in sentences(document)] == [1, 1, 1, 2, 2, 2]


def captions(made: Word) -> list[tuple[FragmentKind, str]]:
    return [each for each in kinds(parsed(made)) if each[0] in (CAPTION, FIGURE)]


def test_a_word_documents_caption_below_above_or_around_a_picture_makes_a_figure() -> None:
    made = docx.Document()
    made.add_picture(picture())
    made.add_paragraph("Days by year", style="Caption")
    made.add_paragraph("Text.")
    made.add_paragraph("Figure 2: Hours by year", style="Caption")
    made.add_picture(picture())
    made.add_paragraph("Text.")
    caption = made.add_paragraph(style="Caption")
    caption.add_run().add_picture(picture())
    caption.add_run("Days by month")
    assert captions(made) == [
        *((FIGURE, "Days by year"), (FIGURE, "Figure 2: Hours by year"), (FIGURE, "Days by month")),
    ]


def test_a_word_documents_other_captions_stay_captions() -> None:
    made = docx.Document()
    made.add_paragraph("Nothing beside it", style="Caption")
    made.add_paragraph("Text.")
    made.add_paragraph("Fees", style="Caption")
    made.add_table(1, 2).cell(0, 0).text = "5"
    made.add_paragraph("Text.")
    made.add_picture(picture())
    made.add_paragraph("Fees by year", style="Caption")
    made.add_table(1, 2).cell(0, 0).text = "6"
    made.add_paragraph("Text.")
    made.add_picture(picture())
    made.add_paragraph("Table 3: Fees", style="Caption")
    made.add_paragraph("Text with an icon ").add_run().add_picture(picture())
    made.add_paragraph("Beside an icon", style="Caption")
    assert [kind for kind, _ in captions(made)] == [CAPTION] * 5


def on_slide(document: ParsedDocument, words: str) -> Fragment:
    return next(each for each in document.fragments if words in each.sentences[0].text)


def test_a_picture_on_a_slide_is_boxed_with_its_caption_unless_nobody_sees_it() -> None:
    made = deck()
    added = slide(made)
    added.shapes.add_picture(picture(), Pt(100), Pt(100), Pt(200), Pt(150))
    hidden = added.shapes.add_picture(picture(), Pt(450), Pt(100), Pt(200), Pt(150))
    hidden._element._nvXxPr.cNvPr.set("hidden", "1")  # noqa: SLF001
    text_box(added, "Figure 1: The office", x=100, y=255)
    text_box(added, "Figure 2: Elsewhere", x=450, y=255)
    text_box(added, "Just beside it", x=100, y=55)
    document = powerpoint.parse(saved(made))
    figure = on_slide(document, "office")
    assert figure.kind is FIGURE
    assert figure.sentences[0].picture == Box(1, 100, 100, 300, 250)
    assert figure.sentences[0].boxes == (Box(1, 100, 255, 300, 295),)
    assert [on_slide(document, words).kind for words in ("Elsewhere", "Just")] == [PARAGRAPH] * 2


def test_a_picture_on_a_slide_is_described_by_who_put_it_there() -> None:
    made = deck()
    added = slide(made, "The library", "Look.")
    described = (
        "A plan of the library.",
        "plan.png",
        "A desk. Description automatically generated",
    )
    for number, text in enumerate(described):
        shown = added.shapes.add_picture(picture(), Pt(100 * number), Pt(300), Pt(90), Pt(60))
        shown._element._nvXxPr.cNvPr.set("descr", text)  # noqa: SLF001
    shown._element._nvXxPr.cNvPr.set("hidden", "1")  # noqa: SLF001
    document = powerpoint.parse(saved(made))
    assert kinds(document) == [(PARAGRAPH, "Look."), (FIGURE, "A plan of the library.")]
    assert sentences(document)[-1].boxes == (Box(1, 0, 300, 90, 360),)


def test_a_chart_on_a_slide_is_a_picture_too() -> None:
    made = deck()
    added = slide(made)
    data = CategoryChartData()
    data.categories = ["2024", "2025"]
    data.add_series("Days", (25, 30))
    place = (Pt(each) for each in (100, 100, 200, 150))
    added.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    text_box(added, "Figure 1: Days of leave", x=100, y=255)
    figure = on_slide(powerpoint.parse(saved(made)), "Days of leave")
    assert figure.sentences[0].picture == Box(1, 100, 100, 300, 250)
