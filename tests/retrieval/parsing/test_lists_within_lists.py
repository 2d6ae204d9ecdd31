"""An item says how many lists its own stands in, so that it is told with what it is part of."""

import io
from collections.abc import Callable

import pytest
from decks import saved, slide
from docx import Document
from parsed_documents import sentences
from pptx import Presentation

from retrieval.parsing import parser_for
from retrieval.types import FragmentKind

SAID = [("Handling", 0), ("offices", 1), ("porters", 1), ("night", 2), ("First aid", 0)]
LINES = "\n".join(f"{'    ' * depth}- {text}" for text, depth in SAID)
NESTED = (
    "<ul><li>Handling<ul><li>offices</li><li>porters<ul><li>night</ul></ul></li><li>First aid</ul>"
)


def word() -> bytes:
    made, file = Document(), io.BytesIO()
    for text, depth in SAID:
        made.add_paragraph(text, f"List Bullet {depth + 1}" if depth else "List Bullet")
    made.save(file)
    return file.getvalue()


def word_by_levels() -> bytes:
    made, file = Document(), io.BytesIO()
    for text, depth in SAID:
        paragraph = made.add_paragraph(text, "List Bullet")._p  # noqa: SLF001
        numbering = paragraph.get_or_add_pPr().get_or_add_numPr()
        numbering.get_or_add_ilvl().val, numbering.get_or_add_numId().val = depth, 1
    made.save(file)
    return file.getvalue()


def slides() -> bytes:
    made = Presentation()
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


def test_what_a_term_means_stands_within_it_and_an_answer_below_its_question() -> None:
    page = """
        <dl><dt>Category A</dt><dd>No people. You sign.</dd><dt>Category B</dt><dd>Adults.</dd></dl>
        <dl><dt>May I smoke?</dt><dd>No. Nor may others.</dd><dt>Fees</dt><dd>None.</dd></dl>
    """
    read = parser_for("a.html")(page.encode())
    item, prose = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH
    told = [(each.kind, [(s.text, s.depth) for s in each.sentences]) for each in read.fragments]
    assert told == [
        (item, [("Category A", 0)]),
        (item, [("No people. You sign.", 1)]),
        (item, [("Category B", 0)]),
        (item, [("Adults.", 1)]),
        (item, [("May I smoke?", 0)]),
        (prose, [("No.", 0), ("Nor may others.", 0)]),
        (item, [("Fees", 0)]),
        (item, [("None.", 1)]),
    ]


def test_what_stands_below_a_list_in_an_answer_or_a_meaning_is_no_item_of_it() -> None:
    page = """
        <dl><dt>What may I bring?</dt><dd><p>Bring:</p><ul><li>tents;<li>bikes.</ul><p>No glass.</p>
        </dd><dt></dt><dd>More.</dd>
        <dt>Barred</dt><dd><p>You never:</p><ul><li>smoke;</ul><p>Pets.</p></dd></dl>
    """
    read = parser_for("a.html")(page.encode())
    item, prose = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH
    told = [(each.kind, *((s.text, s.depth) for s in each.sentences)) for each in read.fragments]
    assert told == [
        (item, ("What may I bring?", 0)),
        (prose, ("Bring:", 0)),
        (item, ("tents;", 0)),
        (item, ("bikes.", 0)),
        (prose, ("No glass.", 0)),
        (item, ("More.", 1)),
        (item, ("Barred", 0)),
        (item, ("You never:", 1)),
        (item, ("smoke;", 2)),
        (item, ("Pets.", 1)),
    ]
