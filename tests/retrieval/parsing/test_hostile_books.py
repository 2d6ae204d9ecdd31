"""Books that are broken, locked, too large or hostile are refused with what to do."""

import io
import warnings
from zipfile import ZipFile

import pytest
from books import CONTAINER, Item, book, chapter, parts, xhtml, zipped
from stating import whose

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.ingest.parser_pool import ParserWorker, ParsingLimits
from retrieval.parsing import parser_for

LEAVE = chapter(1, "<h1>Leave</h1><p>You have 25 days.</p>")
HELD = parts([LEAVE])
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


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_one_cut_short_is_damaged(share: float) -> None:
    assert "export it as .epub again" in refusal(SOUND[: int(len(SOUND) * share)])


def test_empty_ones_say_so() -> None:
    assert refusal(b"").startswith("is empty; ")
    assert "shows no text" in refusal(book("", title=""))
    assert "shows no text" in refusal(zipped(parts([Item("a.xhtml", b"")])))
    assert "names no chapters" in refusal(zipped(parts([])))
    assert "shows no text" in refusal(zipped(parts([Item("a.xhtml", xhtml("Hi."), linear="no")])))


@pytest.mark.parametrize("broken", [b"", b"<a/>", b"words", b"\x00\xff"])
@pytest.mark.parametrize("word", ["container", "opf"])
def test_one_whose_index_is_broken_is_refused(word: str, broken: bytes) -> None:
    assert "export it as .epub again" in refusal(changed(**{word: broken}))


def test_another_archive_is_refused() -> None:
    assert "does not hold (META-INF/container.xml)" in refusal(zipped({"a.txt": "Hi."}))


def test_a_chapter_that_is_missing_is_named() -> None:
    missing = {name: part for name, part in HELD.items() if name != PART}
    assert f"does not hold ({PART})" in refusal(zipped(missing))
    opf = str(HELD["OEBPS/book.opf"]).replace('idref="i0"', 'idref="i9"')
    assert "a chapter that it does not list (i9)" in refusal(changed(opf=opf))


def test_a_chapter_named_twice_is_refused() -> None:
    opf = str(HELD["OEBPS/book.opf"])
    twice = opf.replace("</spine>", '<itemref idref="i0"/></spine>')
    assert "twice in its reading order" in refusal(changed(opf=twice))


@pytest.mark.parametrize(
    "href", ["../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "https://example.org/a.xhtml"]
)
def test_a_chapter_outside_the_book_is_never_opened(href: str) -> None:
    held = {**parts([Item(href, "")]), "../../etc/passwd": xhtml("<p>root:</p>")}
    assert "has a chapter outside itself" in refusal(zipped(held))


def test_names_that_climb_out_of_the_archive_write_nothing_and_are_not_read() -> None:
    held = {**HELD, "../../out.xhtml": xhtml("<p>Climbed.</p>"), "/abs.xhtml": "x"}
    assert "Climbed" not in parser_for("a.epub")(zipped(held)).source


def encryption(way: str, part: str) -> str:
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{way}"/><enc:CipherData>'
        f'<enc:CipherReference URI="{part}"/></enc:CipherData></enc:EncryptedData></encryption>'
    )


MASK = "http://www.idpf.org/2008/embedding"
AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"


@pytest.mark.parametrize(("way", "part"), [(AES, PART), (MASK, PART), (AES, "OEBPS/a.otf")])
def test_one_with_drm_is_refused(way: str, part: str) -> None:
    locked = zipped({**HELD, "META-INF/encryption.xml": encryption(way, part)})
    assert "export it as .epub without DRM" in refusal(locked)


def test_scrambled_fonts_are_no_drm() -> None:
    masked = zipped({**HELD, "META-INF/encryption.xml": encryption(MASK, "OEBPS/a.otf")})
    assert "25 days" in parser_for("a.epub")(masked).source


def test_an_archive_with_a_password_says_so() -> None:
    locked = bytearray(SOUND)
    at = locked.rfind(b"PK\x01\x02")
    locked[at + 8] |= 1
    assert "protected by a password" in refusal(bytes(locked))


ENTITY = '<!DOCTYPE html [<!ENTITY a "Pay now."><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    "doctype",
    [ENTITY, "<!DOCTYPE html [<!ATTLIST p hidden CDATA 'x'>]>", "<!DOCTYPE html [<!-- > -->]>"],
)
def test_chapters_declare_nothing(doctype: str, encoding: str) -> None:
    text = xhtml("<p>Hi &b;.</p>").replace("<!DOCTYPE html>", doctype)
    declared = text.replace('"utf-8"', f'"{encoding}"').encode(encoding)
    assert "declares entities of XML" in refusal(changed(chapter=declared))


def test_the_index_declares_no_entities() -> None:
    doctype = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    opf = str(HELD["OEBPS/book.opf"]).replace("<package", f"{doctype}<package", 1)
    opf = opf.replace("Staff handbook", "&a;")
    assert "declares entities of XML" in refusal(changed(opf=opf))
    container = CONTAINER.replace("<container", f"{doctype}<container", 1)
    assert "declares entities of XML" in refusal(changed(container=container))


def test_a_bomb_of_entities_costs_little() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<!DOCTYPE x [<!ENTITY e0 "ha">{levels}]>'
    opf = str(HELD["OEBPS/book.opf"]).replace("<package", f"{doctype}<package", 1)
    refusal(changed(opf=opf.replace("<manifest>", '<manifest x="&e11;">')))


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    zeros = zipped({**HELD, "a.bin": bytes(201 * 1024 * 1024)})
    assert len(zeros) < 1024 * 1024
    assert "more than the 200 MB" in refusal(zeros)
    spaces = changed(chapter=xhtml("<p>Hi.</p>") + " " * (33 * 1024 * 1024))
    assert "a part of more than 32 MB" in refusal(spaces)


def test_an_archive_that_lies_about_its_size_is_damaged() -> None:
    large = changed(chapter=str(LEAVE.content) + " " * 1_000_000)
    with ZipFile(io.BytesIO(large)) as archive:
        stated = archive.getinfo(PART).file_size
    lying = large.replace(stated.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != large
    assert "is damaged" in refusal(lying)


def test_two_parts_of_one_name_are_refused() -> None:
    buffer = io.BytesIO(SOUND)
    with warnings.catch_warnings(), ZipFile(buffer, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(PART, xhtml("<p>Another.</p>"))
    assert "two parts of one name" in refusal(buffer.getvalue())


def test_elements_with_a_prefix_are_refused() -> None:
    text = '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:p>Hi.</h:p></h:html>'
    assert "writes its elements with a prefix" in refusal(changed(chapter=text))


def test_a_chapter_of_another_kind_is_named() -> None:
    other = parts([Item("a.xml", "<dtbook/>", kind="application/x-dtbook+xml")])
    assert "a kind that is not read (application/x-dtbook+xml)" in refusal(zipped(other))


@pytest.mark.parametrize(
    "metadata",
    [
        '<meta name="audience" content="staff"/>',
        '<meta property="dcterms:audience">staff</meta>',
    ],
)
def test_a_book_that_says_who_may_read_it_is_kept_from_everyone(metadata: str) -> None:
    with pytest.raises(BadMetadata, match="`audience: staff` in its metadata"):
        whose(parser_for("a.epub")(zipped(parts([LEAVE], metadata=metadata))))


def test_a_chapter_that_says_who_may_read_it_keeps_the_book_from_everyone() -> None:
    restricted = chapter(2, "<p>Hi.</p>", '<meta name="audience" content="staff"/>')
    with pytest.raises(BadMetadata, match="`audience: staff` in <meta audience>"):
        whose(parser_for("a.epub")(zipped(parts([LEAVE, restricted]))))


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
