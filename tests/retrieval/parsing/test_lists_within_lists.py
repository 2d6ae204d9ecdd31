"""An item says how many lists its own stands in, so that it is told with what it is part of."""

from collections.abc import Callable

import pytest
import word_files
from decks import deck, saved, slide
from docx import Document
from parsed_documents import sentences

from retrieval.parsing import parser_for
from retrieval.types import FragmentKind

ITEM, PROSE = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH
SAID = [("Handling", 0), ("offices", 1), ("porters", 1), ("night", 2), ("First aid", 0)]
LINES = "\n".join(f"{'    ' * depth}- {text}" for text, depth in SAID)
NESTED = (
    "<ul><li>Handling<ul><li>offices</li><li>porters<ul><li>night</ul></ul></li><li>First aid</ul>"
)


def word() -> bytes:
    made = Document()
    for text, depth in SAID:
        made.add_paragraph(text, f"List Bullet {depth + 1}" if depth else "List Bullet")
    return word_files.saved(made)


def word_by_levels() -> bytes:
    made = Document()
    for text, depth in SAID:
        paragraph = made.add_paragraph(text, "List Bullet")._p  # noqa: SLF001
        numbering = paragraph.get_or_add_pPr().get_or_add_numPr()
        numbering.get_or_add_ilvl().val, numbering.get_or_add_numId().val = depth, 1
    return word_files.saved(made)


def slides() -> bytes:
    made = deck()
    body = slide(made, "Training", "x").placeholders[1].text_frame
    for number, (text, depth) in enumerate(SAID):
        paragraph = body.add_paragraph() if number else body.paragraphs[0]
        paragraph.text, paragraph.level = text, depth
    return saved(made)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.md", LINES.encode),
        ("a.html", NESTED.encode),
        ("a.docx", word),
        ("a.docx", word_by_levels),
        ("a.pptx", slides),
    ],
)
def test_items_tell_how_deep_they_stand(file: str, content: Callable[[], bytes]) -> None:
    told = [(each.text, each.depth) for each in sentences(parser_for(file)(content()))]
    assert [each for each in told if each[0] != "Training"] == SAID


@pytest.mark.parametrize(
    ("page", "read"),
    [
        (
            """<dl><dt>Category A</dt><dd>No people. You sign.</dd>
            <dt>Category B</dt><dd>Adults.</dd></dl>
            <dl><dt>May I smoke?</dt><dd>No. Nor may others.</dd>
            <dt>Fees</dt><dd>None.</dd></dl>""",
            [
                *((ITEM, "Category A", 0), (ITEM, "No people. You sign.", 1)),
                *((ITEM, "Category B", 0), (ITEM, "Adults.", 1), (ITEM, "May I smoke?", 0)),
                *((PROSE, "No.", 0), (PROSE, "Nor may others.", 0)),
                *((ITEM, "Fees", 0), (ITEM, "None.", 1)),
            ],
        ),
        (
            """<dl><dt>What may I bring?</dt><dd><p>Bring:</p><ul><li>tents;<li>bikes.</ul>
            <p>No glass.</p></dd><dt></dt><dd>More.</dd>
            <dt>Barred</dt><dd><p>You never:</p><ul><li>smoke;</ul><p>Pets.</p></dd></dl>""",
            [
                *((ITEM, "What may I bring?", 0), (PROSE, "Bring:", 0), (ITEM, "tents;", 0)),
                *((ITEM, "bikes.", 0), (PROSE, "No glass.", 0), (ITEM, "More.", 1)),
                *((ITEM, "Barred", 0), (ITEM, "You never:", 1), (ITEM, "smoke;", 2)),
                (ITEM, "Pets.", 1),
            ],
        ),
    ],
    ids=["terms and questions", "lists in what they mean"],
)
def test_what_a_term_means_stands_within_it_and_an_answer_below_its_question(
    page: str, read: list[tuple[FragmentKind, str, int]]
) -> None:
    found = parser_for("a.html")(page.encode()).fragments
    assert [(each.kind, s.text, s.depth) for each in found for s in each.sentences] == read
