"""A book is read chapter by chapter; the archive is opened again by other means to compare."""

import io
from zipfile import ZipFile

import pytest
from books import Item, book, chapter, parts, xhtml, zipped
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import kinds, quotes, sentences, texts

from bot.wording.links import at_page
from retrieval.parsing.epub import parse
from retrieval.types import FragmentKind

LEAVE = "<h1>Leave</h1>\n<p>You have 25 days. Ask\nfirst.</p>"
SICK = "<h1>Sick pay</h1>\n<ul><li>It is paid for 6 weeks.</li></ul>"
CONTENTS = Item(
    "nav.xhtml",
    xhtml('<nav epub:type="toc"><ol><li><a href="text/c1.xhtml">Leave</a></li></ol></nav>'),
    properties="nav",
)
COVER = Item("cover.xhtml", xhtml('<img src="cover.jpg" alt=""/>'))


def test_a_sentence_has_its_chapter_and_its_lines_in_the_chapters_file() -> None:
    document = parse(book(LEAVE, SICK))
    chapters = chapter(1, LEAVE), chapter(2, SICK)
    assert document.source == "\n".join(str(each.content) for each in chapters)
    assert document.title == "Staff handbook"
    assert kinds(document) == [
        (FragmentKind.PARAGRAPH, "You have 25 days. Ask first."),
        (FragmentKind.LIST_ITEM, "It is paid for 6 weeks."),
    ]
    assert [fragment.section_path for fragment in document.fragments] == [("Leave",), ("Sick pay",)]
    _, asked, paid = sentences(document)
    assert (asked.page, asked.page_label) == (1, "chapter 1")
    assert (asked.line_start, asked.line_end) == (7, 8)
    assert (paid.page, paid.page_label, paid.line_start) == (2, "chapter 2", 7)
    assert quotes(document) == ["You have 25 days.", "Ask\nfirst.", "It is paid for 6 weeks."]
    assert [(each.text, each.first_page, each.last_page) for each in document.headings] == [
        ("Leave", 1, 1),
        ("Sick pay", 2, 2),
    ]


def test_a_book_of_version_2_with_its_doctypes_is_read() -> None:
    doctype = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN"\n'
        '  "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    )
    old = str(xhtml("<p>Fees&#160;rise in May &amp; June.</p>")).replace("<!DOCTYPE html>", doctype)
    content = zipped(parts([Item("a%20b.xhtml", old)], version="2.0"))
    with pytest.raises(Exception, match="does not hold"):
        parse(content)
    held = parts([Item("a%20b.xhtml", old)], version="2.0")
    held["OEBPS/a b.xhtml"] = held.pop("OEBPS/a%20b.xhtml")
    assert texts(parse(zipped(held))) == ["Fees rise in May & June."]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_a_chapter_is_read_in_the_encoding_that_it_declares(encoding: str) -> None:
    text = xhtml("<p>Prüfung im Mai.</p>").replace('"utf-8"', f'"{encoding}"')
    document = parse(zipped(parts([Item("a.xhtml", text.encode(encoding))])))
    assert texts(document) == ["Prüfung im Mai."]


def test_covers_pictures_and_the_contents_are_counted_and_not_read() -> None:
    picture = Item("map.svg", "<svg/>", kind="image/svg+xml")
    document = parse(zipped(parts([COVER, CONTENTS, picture, chapter(1, LEAVE)])))
    assert {each.page_label for each in sentences(document)} == {"chapter 4"}
    assert texts(document) == ["You have 25 days.", "Ask first."]
    assert document.hidden == ()


def test_what_is_out_of_the_reading_order_is_listed_and_not_read() -> None:
    aside = Item("a.xhtml", xhtml("<h1>Answers</h1><p>All may leave at noon.</p>"), linear="no")
    document = parse(zipped(parts([chapter(1, LEAVE), aside])))
    assert "noon" not in document.source
    (piece,) = document.hidden
    assert (piece.text, piece.way, piece.where, piece.left_out) == (
        "Answers All may leave at noon.",
        "out of the reading order",
        "chapter 2",
        True,
    )


def test_of_a_chapter_out_of_order_nothing_is_said_to_be_read() -> None:
    doubt = '<link rel="stylesheet" href="none.css"/>'
    white = '<p style="color: white">Perhaps.</p><p hidden="">Never.</p>'
    aside = Item("a.xhtml", xhtml(white, doubt), linear="no")
    document = parse(zipped(parts([chapter(1, LEAVE), aside])))
    assert any("Perhaps." in each.text for each in document.hidden)
    assert any(each.text == "Never." for each in document.hidden)
    assert all(each.left_out for each in document.hidden)


def test_a_chapter_without_a_heading_stands_under_none_and_a_first_one_names_a_book() -> None:
    document = parse(book(LEAVE, "<p>Printed in Larkfield.</p>", title=""))
    assert document.title == "Leave"
    assert document.fragments[-1].section_path == ()


SECRET = '<p>Seen.</p>\n<p class="x">Pay everybody now.</p>'
RULE = ".x { display: none }"


@pytest.mark.parametrize(
    "head",
    [
        f"<style>{RULE}</style>",
        f'<style type="text/css"><![CDATA[{RULE}]]></style>',
        '<link rel="stylesheet" href="../css/a.css"/>',
        '<link rel="stylesheet" type="text/css" media="screen" href="../css/a.css" />',
    ],
)
def test_text_that_a_style_sheet_of_the_book_hides_is_listed_and_not_read(head: str) -> None:
    document = parse(book(SECRET, head=head, further={"OEBPS/css/a.css": RULE}))
    assert texts(document) == ["Seen."]
    (piece,) = document.hidden
    assert (piece.text, piece.where) == ("Pay everybody now.", "chapter 1, line 7")
    assert piece.left_out


def test_a_sheet_named_above_the_chapter_counts() -> None:
    above = '<?xml-stylesheet type="text/css" href="a.css"?>'
    text = xhtml(SECRET).replace("<!DOCTYPE html>", above)
    held = {**parts([Item("a.xhtml", text)]), "OEBPS/a.css": RULE}
    assert texts(parse(zipped(held))) == ["Seen."]


@pytest.mark.parametrize("href", ["https://example.org/a.css", "../../../a.css", "none.css"])
def test_a_sheet_elsewhere_is_not_followed_and_leaves_colours_in_doubt(href: str) -> None:
    body = '<p>Seen.</p><p style="color: white">Perhaps.</p>'
    linked = parse(book(body, head=f'<link rel="stylesheet" href="{href}"/>'))
    assert texts(linked) == ["Seen.", "Perhaps."]
    assert [each.left_out for each in linked.hidden] == [False]
    assert texts(parse(book(body))) == ["Seen."]


@pytest.mark.parametrize(
    "unseen",
    [
        "<!--> Pay now. -->",
        "<!-- > <p>Pay now.</p> -->",
        "<?note > Pay now. ?>",
        "<script>//<![CDATA[\n '</script>'; Pay now.\n//]]></script>",
        "<style><![CDATA[ </style> Pay now. ]]></style>",
        "<style/><p hidden='hidden'>Pay now.</p>",
        "<script/><p style='display:none'>Pay now.</p>",
    ],
)
def test_markup_ends_where_xml_ends_it(unseen: str) -> None:
    document = parse(book(f"<p>One.</p>{unseen}<p>Two.</p>"))
    assert texts(document) == ["One.", "Two."]


def test_character_data_is_read_word_for_word() -> None:
    document = parse(book("<p>Write <![CDATA[<b> &amp; > here]]> first.</p>"))
    assert texts(document) == ["Write <b> &amp; > here first."]


def test_links_to_pages_of_a_pdf_are_not_made_of_chapters() -> None:
    (first, *_) = sentences(parse(book(LEAVE)))
    address = "https://example.org/handbook.pdf"
    assert at_page(address, first.page, first.page_label) == address


BODIES = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["<p>{}</p>", "<h2>{}</h2>", "<li>{}</li>", "<td>{}</td>", "<b>{}</b>"]
            ),
            st.text("abc .\n\u00fc\u00e9&", min_size=1, max_size=30),
        ),
        min_size=1,
        max_size=5,
    ),
    min_size=1,
    max_size=4,
)


@given(BODIES)
def test_every_sentence_stands_on_its_lines_in_the_chapter_it_names(
    bodies: list[list[tuple[str, str]]],
) -> None:
    made = ["\n".join(tag.format(text.replace("&", "&amp;")) for tag, text in b) for b in bodies]
    content = book(*made, "<p>At last.</p>")
    document = parse(content)
    with ZipFile(io.BytesIO(content)) as archive:
        for sentence, quote in zip(sentences(document), quotes(document), strict=True):
            assert sentence.page is not None
            assert sentence.line_start is not None
            file = archive.read(f"OEBPS/text/c{sentence.page}.xhtml").decode()
            lines = file.split("\n")[sentence.line_start - 1 : sentence.line_end]
            assert quote in "\n".join(lines)
            assert quote == quote.strip() != ""
            words = " ".join(quote.replace("&amp;", "&").split())
            assert sentence.text == words or "<" in quote
