"""Office files that are broken, locked, too large or hostile are refused with what to do."""

import io
import zipfile
from collections.abc import Callable

import decks
import pytest
from traps import paragraph, word
from workbooks import saved, with_parts, workbook

from retrieval.errors import UnreadableDocument
from retrieval.ingest.parser_pool import ParserWorker, ParsingLimits
from retrieval.parsing import parser_for

WORKBOOK = saved(workbook({"Fees": [["Course", "Fee", "Due"], ["BSc", 9250, "May"]]}))
MADE = decks.deck()
decks.slide(MADE, "Leave", "You have 25 days.")
FILES = {
    ".docx": (word(paragraph("You have 25 days.")), "word/document.xml", "word/document.xml"),
    ".xlsx": (WORKBOOK, "xl/workbook.xml", "xl/sharedStrings.xml"),
    ".pptx": (decks.saved(MADE), "ppt/presentation.xml", "ppt/slides/slide1.xml"),
}
"""A sound one of each kind, its main part and one with text."""
TYPES = "[Content_Types].xml"
LEVELS = b'<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">'
BOMB = b'<?xml version="1.0"?><!DOCTYPE x [%s]><x>&b;</x>' % LEVELS


def refusal(suffix: str, content: bytes) -> str:
    with pytest.raises(UnreadableDocument) as refused:
        parser_for(f"a{suffix}")(content)
    return str(refused.value)


@pytest.fixture(params=FILES)
def suffix(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_an_empty_one_says_so_and_a_locked_one_how_to_unlock_it(suffix: str) -> None:
    assert refusal(suffix, b"").startswith("is empty; ")
    said = refusal(suffix, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    assert "is protected by a password" in said
    assert f"save it as {suffix} without a password" in said


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_one_cut_short_is_damaged(suffix: str, share: float) -> None:
    content = FILES[suffix][0]
    assert f"save it as {suffix} again" in refusal(suffix, content[: int(len(content) * share)])


def test_another_archive_is_damaged(suffix: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "Hi.")
    assert "is damaged, or not " in refusal(suffix, buffer.getvalue())


@pytest.mark.parametrize("instead", [b"", b"<a/>", b"words", b"\x00\xff"])
def test_one_whose_main_part_is_broken_is_damaged(suffix: str, instead: bytes) -> None:
    content, main, _ = FILES[suffix]
    assert "is damaged, or not " in refusal(suffix, with_parts(content, {main: lambda _: instead}))


def test_macros_are_refused_whatever_the_file_and_its_parts_are_called(suffix: str) -> None:
    content, main, _ = FILES[suffix]
    project = f"{main.split('/')[0]}/vbaProject.bin"
    kind = (
        b'<Override PartName="/a.bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>'
    )

    def typed(part: bytes) -> bytes:
        return part.replace(b"</Types>", kind)

    changes: list[tuple[str, Callable[[bytes], bytes]]] = [
        (project, lambda _: b"Sub Run()"),
        (TYPES, lambda part: part.replace(b".main+", b".macroEnabled+")),
        (TYPES, typed),
        (TYPES, lambda part: typed(part).replace(b"UTF-8", b"UTF-16").decode().encode("utf-16")),
    ]
    for change in changes:
        hostile = with_parts(content, dict([change]))
        assert refusal(suffix, hostile).startswith(f"holds macros; save it as {suffix}")


@pytest.mark.parametrize("kind", [".xlsm", ".xltm", ".pptm", ".ppsm", ".potm", ".docm", ".dotm"])
def test_kinds_that_may_hold_macros_are_refused_by_name(kind: str) -> None:
    with pytest.raises(UnreadableDocument, match=rf"\({kind}\).*save it as .+, which has none"):
        parser_for(f"Deck{kind.upper()}")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-7", "utf-32-le"])
def test_entities_are_never_declared(suffix: str, encoding: str) -> None:
    content, _, part = FILES[suffix]
    bomb = BOMB.decode().replace("?>", f' encoding="{encoding}"?>', 1).encode(encoding)
    assert "declares entities" in refusal(suffix, with_parts(content, {part: lambda _: bomb}))


@pytest.mark.parametrize(
    "above",
    [b'<!DOCTYPE x SYSTEM "a.dtd">', b"<!DOCTYPE x>", b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c ]>'],
    ids=["elsewhere", "empty", "damaged"],
)
def test_nor_is_a_type_that_could_declare_them(suffix: str, above: bytes) -> None:
    content, _, part = FILES[suffix]
    hostile = with_parts(content, {part: lambda _: above + b"<x/>"})
    assert "declares entities" in refusal(suffix, hostile)


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(suffix: str) -> None:
    content, _, part = FILES[suffix]
    zeros = with_parts(content, {"media/a.bin": lambda _: bytes(201 * 1024 * 1024)})
    spaces = with_parts(content, {part: lambda xml: xml + b" " * (65 * 1024 * 1024)})
    for hostile in (zeros, spaces):
        assert len(hostile) < 1024 * 1024
        assert "more than the 200 MB" in refusal(suffix, hostile)


def test_an_archive_that_lies_about_its_size_is_damaged(suffix: str) -> None:
    content, _, part = FILES[suffix]
    large = with_parts(content, {part: lambda xml: xml + b" " * 1_000_000})
    with zipfile.ZipFile(io.BytesIO(large)) as archive:
        stated = archive.getinfo(part).file_size
    lying = large.replace(stated.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != large
    assert f"save it as {suffix} again" in refusal(suffix, lying)


def test_links_to_elsewhere_are_never_followed() -> None:
    link = (
        b'<Relationship Id="rId99" TargetMode="External" Target="file:///etc/passwd" Type='
        b'"http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLink"'
        b"/></Relationships>"
    )
    parts = {"xl/_rels/workbook.xml.rels": lambda part: part.replace(b"</Relationships>", link)}
    assert "root:" not in parser_for("a.xlsx")(with_parts(WORKBOOK, parts)).source


def test_groups_within_each_other_end_somewhere() -> None:
    depth = 2_000
    group = "<p:grpSp><p:nvGrpSpPr><p:cNvPr id='9' name='x'/></p:nvGrpSpPr><p:grpSpPr/>"
    nested = (group * depth + "</p:grpSp>" * depth + "</p:spTree>").encode()
    content, _, part = FILES[".pptx"]
    hostile = with_parts(content, {part: lambda xml: xml.replace(b"</p:spTree>", nested)})
    assert "is damaged, or not a presentation" in refusal(".pptx", hostile)


def sheet_of(inner: str) -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    whole = f'<worksheet xmlns="{space}">{inner}</worksheet>'.encode()
    return with_parts(WORKBOOK, {"xl/worksheets/sheet1.xml": lambda _: whole})


def test_a_formula_that_was_never_worked_out_is_said_with_what_to_do() -> None:
    content = saved(workbook({"Fees": [["Item", "Cost"], ["Both", "=1+1"]]}))
    assert "has formulas without what they come to (Fees, B2); open it" in refusal(".xlsx", content)


@pytest.mark.slow
@pytest.mark.parametrize(
    "inner",
    [
        '<sheetData><row r="1"><c r="A1"><v>5</v></c><c r="XFD1"><v>6</v></c></row></sheetData>',
        '<dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="A1048576"><v>5</v></c>'
        "</row></sheetData>",
        '<sheetData><row r="1"><c r="A1"><v>5</v></c></row></sheetData><mergeCells>'
        + '<mergeCell ref="A1:XFD1048576"/>' * 2_000
        + "</mergeCells>",
        '<cols><col min="1" max="16384" width="0"/></cols><sheetData><row r="1"><c r="A1"><v>5</v>'
        "</c></row></sheetData>",
    ],
)
def test_a_sheet_that_claims_to_be_vast_costs_little(inner: str) -> None:
    with ParserWorker(ParsingLimits(megabytes=512, processor_seconds=10)) as worker:
        try:
            assert "5" in worker.parse("a.xlsx", sheet_of(inner)).source
        except UnreadableDocument as error:
            assert "hidden" in str(error)  # noqa: PT017  # the last one shows nothing
        assert worker.parse("b.md", b"Hi there.").source == "Hi there."


@pytest.mark.exhaustive
@pytest.mark.slow
def test_more_cells_than_are_read_are_refused_in_little_memory() -> None:
    row = "".join("<c><v>5</v></c>" for _ in range(1_000))
    rows = f"<row>{row}</row>" * 1_001
    content = sheet_of(f"<sheetData>{rows}</sheetData>")
    with (
        ParserWorker(ParsingLimits(processor_seconds=60)) as worker,
        pytest.raises(UnreadableDocument, match="more than 1,000,000 cells"),
    ):
        worker.parse("a.xlsx", content)
