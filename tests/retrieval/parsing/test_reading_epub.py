"""A book is read chapter by chapter; the archive is opened again by other means to compare."""

import io
import warnings
from zipfile import ZipFile

import pytest
from books import CONTAINER, Item, book, chapter, parts, xhtml, zipped
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import kinds, quotes, sentences, texts
from stating import whose

from bot.wording.links import at_page
from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.ingest.parser_pool import ParserWorker, ParsingLimits
from retrieval.parsing import parser_for
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


LEAVE_CHAPTER = chapter(1, "<h1>Leave</h1><p>You have 25 days.</p>")
HELD = parts([LEAVE_CHAPTER])
SOUND = zipped(HELD)
PART = "OEBPS/text/c1.xhtml"


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableDocument) as refused:
        parser_for("a.epub")(content)
    assert "; " in str(refused.value)
    return str(refused.value)


def changed(**parts_by_word: str | bytes) -> bytes:
    names = {"container": "META-INF/container.xml", "opf": "OEBPS/book.opf", "chapter": PART}
    return zipped({**HELD, **{names[word]: part for word, part in parts_by_word.items()}})


def encryption(way: str, part: str) -> str:
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{way}"/><enc:CipherData>'
        f'<enc:CipherReference URI="{part}"/></enc:CipherData></enc:EncryptedData></encryption>'
    )


MASK = "http://www.idpf.org/2008/embedding"
AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"


ENTITY = '<!DOCTYPE html [<!ENTITY a "Pay now."><!ENTITY b "&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
OPF = str(HELD["OEBPS/book.opf"])
LEVELS = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
BOMB = OPF.replace("<package", f'<!DOCTYPE x [<!ENTITY e0 "ha">{LEVELS}]><package', 1)


def locked(way: str, part: str) -> bytes:
    return zipped({**HELD, "META-INF/encryption.xml": encryption(way, part)})


def with_password() -> bytes:
    content = bytearray(SOUND)
    content[content.rfind(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def with_two_parts_of_one_name() -> bytes:
    buffer = io.BytesIO(SOUND)
    with warnings.catch_warnings(), ZipFile(buffer, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(PART, xhtml("<p>Another.</p>"))
    return buffer.getvalue()


def declaring(doctype: str, encoding: str = "utf-8") -> bytes:
    text = xhtml("<p>Hi &b;.</p>").replace("<!DOCTYPE html>", doctype)
    return changed(chapter=text.replace('"utf-8"', f'"{encoding}"').encode(encoding))


PREFIXED = '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:p>Hi.</h:p></h:html>'
REFUSED: dict[str, list[bytes]] = {
    "export it as .epub again": [
        *(SOUND[: int(len(SOUND) * share)] for share in (0.02, 0.3, 0.6, 0.9, 0.99)),
        *(changed(container=broken) for broken in (b"", b"<a/>", b"words", b"\x00\xff")),
        *(changed(opf=broken) for broken in (b"", b"<a/>", b"words", b"\x00\xff")),
    ],
    "is empty; ": [b""],
    "shows no text": [
        book("", title=""),
        zipped(parts([Item("a.xhtml", b"")])),
        zipped(parts([Item("a.xhtml", xhtml("Hi."), linear="no")])),
    ],
    "names no chapters": [zipped(parts([]))],
    "does not hold (META-INF/container.xml)": [zipped({"a.txt": "Hi."})],
    f"does not hold ({PART})": [zipped({name: HELD[name] for name in HELD if name != PART})],
    "a chapter that it does not list (i9)": [
        changed(opf=OPF.replace('idref="i0"', 'idref="i9"')),
    ],
    "twice in its reading order": [
        changed(opf=OPF.replace("</spine>", '<itemref idref="i0"/></spine>')),
    ],
    "has a chapter outside itself": [
        zipped({**parts([Item(href, "")]), "../../etc/passwd": xhtml("<p>root:</p>")})
        for href in (
            *("../../etc/passwd", "/etc/passwd", "file:///etc/passwd"),
            "https://example.org/a.xhtml",
        )
    ],
    "export it as .epub without DRM": [
        *(locked(AES, PART), locked(MASK, PART), locked(AES, "OEBPS/a.otf")),
    ],
    "protected by a password": [with_password()],
    "declares entities of XML": [
        *(declaring(ENTITY, encoding) for encoding in ("utf-8", "utf-16")),
        declaring("<!DOCTYPE html [<!ATTLIST p hidden CDATA 'x'>]>"),
        declaring("<!DOCTYPE html [<!-- > -->]>", "utf-16"),
        changed(
            opf=OPF.replace("<package", f"{OUTSIDE}<package", 1).replace("Staff handbook", "&a;")
        ),
        changed(container=CONTAINER.replace("<container", f"{OUTSIDE}<container", 1)),
    ],
    "; ": [changed(opf=BOMB.replace("<manifest>", '<manifest x="&e11;">'))],
    "two parts of one name": [with_two_parts_of_one_name()],
    "writes its elements with a prefix": [changed(chapter=PREFIXED)],
    "a kind that is not read (application/x-dtbook+xml)": [
        zipped(parts([Item("a.xml", "<dtbook/>", kind="application/x-dtbook+xml")])),
    ],
}


@pytest.mark.parametrize(
    ("why", "content"),
    # by number: a book's bytes hold when it was made, which differs between processes
    [pytest.param(w, c, id=f"{w}-{n}") for w in REFUSED for n, c in enumerate(REFUSED[w])],
)
def test_what_is_broken_locked_or_hostile_is_refused_with_what_to_do(
    why: str, content: bytes
) -> None:
    assert why in refusal(content)


def test_names_that_climb_out_of_the_archive_write_nothing_and_are_not_read() -> None:
    held = {**HELD, "../../out.xhtml": xhtml("<p>Climbed.</p>"), "/abs.xhtml": "x"}
    assert "Climbed" not in parser_for("a.epub")(zipped(held)).source


def test_scrambled_fonts_are_no_drm() -> None:
    assert "25 days" in parser_for("a.epub")(locked(MASK, "OEBPS/a.otf")).source


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    zeros = zipped({**HELD, "a.bin": bytes(201 * 1024 * 1024)})
    assert len(zeros) < 1024 * 1024
    assert "more than the 200 MB" in refusal(zeros)
    spaces = changed(chapter=xhtml("<p>Hi.</p>") + " " * (33 * 1024 * 1024))
    assert "a part of more than 32 MB" in refusal(spaces)


def test_an_archive_that_lies_about_its_size_is_damaged() -> None:
    large = changed(chapter=str(LEAVE_CHAPTER.content) + " " * 1_000_000)
    with ZipFile(io.BytesIO(large)) as archive:
        stated = archive.getinfo(PART).file_size
    lying = large.replace(stated.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != large
    assert "is damaged" in refusal(lying)


@pytest.mark.parametrize(
    "metadata",
    [
        '<meta name="audience" content="staff"/>',
        '<meta property="dcterms:audience">staff</meta>',
    ],
)
def test_a_book_that_says_who_may_read_it_is_kept_from_everyone(metadata: str) -> None:
    with pytest.raises(BadMetadata, match="`audience: staff` in its metadata"):
        whose(parser_for("a.epub")(zipped(parts([LEAVE_CHAPTER], metadata=metadata))))


def test_a_chapter_that_says_who_may_read_it_keeps_the_book_from_everyone() -> None:
    restricted = chapter(2, "<p>Hi.</p>", '<meta name="audience" content="staff"/>')
    with pytest.raises(BadMetadata, match="`audience: staff` in <meta audience>"):
        whose(parser_for("a.epub")(zipped(parts([LEAVE_CHAPTER, restricted]))))


@pytest.mark.slow
def test_many_chapters_of_many_rules_end_in_the_time_of_a_file() -> None:
    rules = "".join(f".a{n} {{ color: white }}" for n in range(2_000))
    content = book(
        *["<p>Hi there.</p>"] * 500,
        head='<link rel="stylesheet" href="a.css"/>',
        further={"OEBPS/text/a.css": rules},
    )
    with ParserWorker(ParsingLimits(processor_seconds=20)) as worker:
        assert worker.parse("a.epub", content).source.count("Hi there.") == 500
