from parsed_documents import assert_places_hold, kinds, quotes, sentences, texts

from retrieval.parsing.plain import parse
from retrieval.types import FragmentKind

ITEM, PARAGRAPH = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH

TEXT = """\
The Handbook
============

Leave is earned
every month. It lapses in May.
- One item
  goes on
2) Another one. With two sentences.

SICK LEAVE

Call us.

Forms
-----
See the office.
"""


def test_paragraphs_lists_and_headings_are_told_apart() -> None:
    document = parse(TEXT.encode())
    assert_places_hold(document)
    assert document.title == "The Handbook"
    assert kinds(document) == [
        (PARAGRAPH, "Leave is earned every month. It lapses in May."),
        (ITEM, "One item goes on"),
        (ITEM, "Another one. With two sentences."),
        (PARAGRAPH, "Call us."),
        (PARAGRAPH, "See the office."),
    ]
    assert [fragment.section_path for fragment in document.fragments] == [
        (),
        (),
        (),
        ("SICK LEAVE",),
        ("Forms",),
    ]
    assert quotes(document)[0] == "Leave is earned\nevery month."
    assert [(s.line_start, s.line_end) for s in sentences(document)][:3] == [(4, 5), (5, 5), (6, 7)]


def test_a_warning_in_capitals_is_text() -> None:
    document = parse(b"DO NOT ENTER!\n\nThe lab is closed.\n")
    assert [fragment.section_path for fragment in document.fragments] == [(), ()]


def test_lines_are_counted_the_same_with_carriage_returns() -> None:
    document = parse(TEXT.replace("\n", "\r\n").encode())
    assert_places_hold(document)
    assert sentences(document)[2].line_end == 7


def test_lines_of_columns_are_rows_as_they_are_printed() -> None:
    document = parse(b"Course   Home    Due\nBSc      9,250   May\nMSc      12,500  June\n")
    assert texts(document) == ["Course Home Due", "BSc 9,250 May", "MSc 12,500 June"]
