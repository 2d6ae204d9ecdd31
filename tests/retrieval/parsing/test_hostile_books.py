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
    large = changed(chapter=str(LEAVE.content) + " " * 1_000_000)
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
