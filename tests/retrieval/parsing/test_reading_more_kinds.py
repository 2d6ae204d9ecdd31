"""Notebooks, Rich Text, reStructuredText, AsciiDoc and old Office files, as people see them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from parsed_documents import assert_places_hold, quotes, sentences, texts
from stating import whose

from bot.lab.proof.places import place_checker
from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing import missing_program, parser_for, suffixes
from retrieval.types import FragmentKind, ParsedDocument


def parsed(file: str, content: str | bytes) -> ParsedDocument:
    held = content.encode() if isinstance(content, str) else content
    read = parser_for(file)(held)
    stands = place_checker(held, file, read.hidden)
    assert all(map(stands, sentences(read), quotes(read)))
    return read


def test_a_notebook_is_read_cell_by_cell() -> None:
    printed = {"output_type": "stream", "name": "stdout", "text": ["250\n"]}
    drawn = {"output_type": "display_data", "data": {"image/png": "iVBO"}, "metadata": {}}
    page = "<table><tr><th><th>Room<th>Seats<tr><th>0<td>Hall<td>250</table>"
    shown = {"data": {"text/html": [page], "text/plain": ["  Room  Seats\n", "0 Hall  250"]}}
    empty = {"data": {"text/html": "<table></table>", "text/plain": "Empty"}}
    cells = [
        {"cell_type": "code", "source": "rooms", "outputs": [shown, empty]},
        {"cell_type": "markdown", "source": ["# Rooms\n", "\n", "The **hall** is free. Ask Ann."]},
        {"cell_type": "markdown", "source": "<!-- a remark -->"},
        {"cell_type": "code", "source": ["n = 250\n", "print(n)"], "outputs": [printed, drawn]},
        {"cell_type": "markdown", "source": "## Keys\n\n- Ask the porter."},
    ]
    read = parsed("a.ipynb", json.dumps({"nbformat": 4, "cells": cells}))
    assert read.title == "Rooms"
    assert [(each.page_label, each.line_start, each.text) for each in sentences(read)] == [
        ("cell 1", 1, "rooms"),
        ("cell 1, output", 1, "0; Room: Hall; Seats: 250"),
        ("cell 1, output", 1, "Empty"),
        ("cell 2", 3, "The hall is free."),
        ("cell 2", 3, "Ask Ann."),
        ("cell 4", 1, "n = 250"),
        ("cell 4", 2, "print(n)"),
        ("cell 4, output", 1, "250"),
        ("cell 5", 3, "Ask the porter."),
    ]
    assert read.fragments[-1].section_path == ("Keys",)
    for content, why in (('{"nbformat": 3}', "before 2014"), ("{}", "no note"), ("[", "no note")):
        with pytest.raises(UnreadableDocument, match=rf"{why}.*; "):
            parser_for("a.ipynb")(content.encode())


RICH = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset238 Arial CE;}}
{\colortbl;\red0\green0\blue0;\red255\green255\blue255;}{\info{\title Rooms}{\author Ann}}
{\header\pard Larkfield\par}\pard\plain\s1\outlinelevel0\b Keys\par
\pard\plain\fs24 A key costs 5 \'80 in K\'f6ln. {\v It was 4. }{\cf2 It was 3. }{\strike It was 2. }
Ask {\field{\*\fldinst{HYPERLINK "http://example.org"}}{\fldrslt Ann}}.
{\footnote\pard\plain Staff alone.\par}\par
{\listtext\pard\plain 3.\tab}\pard\ls1 Knock.\par
\trowd\pard\intbl Room\cell Seats\cell Floor\cell\row
\trowd\pard\intbl Hall\par west\cell 250\cell 1\cell\row
\pard End.\par{\pict\pngblip 89504e47}}"""


def test_rich_text_is_read_by_paragraphs_without_what_is_hidden() -> None:
    read = parsed("a.rtf", RICH)
    assert (read.title, read.fragments[0].section_path) == ("Rooms", ("Keys",))
    assert [(each.paragraph, each.text) for each in sentences(read)] == [
        (2, "A key costs 5 € in Köln."),
        (2, "Ask Ann."),
        (3, "Staff alone."),
        (4, "Knock."),
        (8, "Room: Hall west; Seats: 250; Floor: 1"),
        (11, "End."),
    ]
    assert sentences(read)[3].item_number == 3
    assert [each.text for each in read.hidden] == ["It was 4.", "It was 3.", "It was 2."]
    with pytest.raises(UnreadableDocument, match="all that it holds is hidden; "):
        parser_for("a.rtf")(rb"{\rtf1 {\v It was 4.}}")


def test_rich_text_that_looks_in_more_ways_than_are_followed_is_refused() -> None:
    """Else what is hidden behind them would be read."""
    colours = "".join(rf"\red{n // 256}\green{n % 256}\blue0;" for n in range(1, 1_002))
    shown = "".join(rf"\cf{n} It is {n}. " for n in range(1, 1_001))
    with pytest.raises(UnreadableDocument, match="more than 1000 ways"):
        parsed("a.rtf", rf"{{\rtf1{{\colortbl;{colours}}}{shown}{{\v It was 4.}}}}")


@pytest.mark.parametrize(
    ("file", "above"),
    [
        ("a.rtf", r"{\*\userprops {\propname Classification}\proptype30{\staticval HR only}}"),
        ("a.rtf", r"{\*\userprops{\propname MSIP_Label_1_Name}{\staticval Secret}}"),
        ("a.rtf", r"{\header \pard Larkfield\par \pard {\b HR} only\par}"),
        ("a.rtf", r"{\info{\subject {\b HR only}}}"),
        ("a.rtf", r"{\*\annotation{\*\atnref 1}HR only}"),
        ("a.rst", "Title\n=====\n\n.. x\n\n:date: 2026-11-27\n:audience: hr\n"),
        ("a.rst", ":classification: secret\n\nTitle\n=====\n"),
        ("a.rst", ".. meta::\n   :audience: hr\n"),
        ("a.rst", "Title\n=====\n\nText.\n\n.. audience: hr\n"),
        pytest.param(
            "a.adoc", "= Title\nAnn Lee\n:toc:\n:classification: secret\n", marks=pytest.mark.slow
        ),
        pytest.param("a.adoc", "= Title\n:private:\n", marks=pytest.mark.slow),
        pytest.param("a.adoc", "// audience: hr\n\n= Title\n", marks=pytest.mark.slow),
        pytest.param("a.adoc", "Text.\n\n////\naudience: hr\n////\n", marks=pytest.mark.slow),
    ],
)
def test_what_an_author_says_of_readers_is_no_text_alone(file: str, above: str) -> None:
    if missing_program(file):
        pytest.skip("Asciidoctor is not installed")
    text = f"{above}\nAsk the porter.\n"
    with pytest.raises(BadMetadata, match=r"(?i)audience|classification|private|HR only|label"):
        whose(parsed(file, rf"{{\rtf1 {text}}}" if file == "a.rtf" else text))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Box \u-3928? ticked. Fee 5.\par", ["Box ticked.", "Fee 5."]),
        (r"\u57345?{\v It was 4.}\u57600?Fee 5.\par", ["Fee 5."]),
        (r"Fee \u-10179?\u-8704?\u55296? 5.\par", ["Fee \U0001f600\ufffd 5."]),
        (
            r"\trowd\cellx2\cellx3\intbl Person\cell Fee\cell\row"
            r"\trowd\cellx1\cellx2\cellx3\intbl Ann\cell 12\cell 50\cell\row",
            ["Person; Fee", "Ann; 12; 50"],
        ),
    ],
)
def test_rich_text_says_no_more_than_its_file(written: str, read: list[str]) -> None:
    assert texts(parsed("a.rtf", rf"{{\rtf1\ansi {written}}}")) == read


RESTRUCTURED = """\
:orphan:

=====
Rooms
=====

A key costs **5 EUR**. See :ref:`the list <keys>`, ask |who|.

.. |who| replace:: Ann

Keys
----

.. note:: Staff alone
   have one.

.. versionchanged:: 2.0
   Ask the porter.

.. tab-set::

   .. tab-item:: Winter

      Open from 8.

.. toctree::

   secret

.. include:: /etc/passwd

.. only:: internal

   The code is 77.

3. Knock.

+------+-------+
| Room | Seats |
+======+=======+
| Hall | 250   |
| west | chairs|
+------+-------+

.. list-table:: Rates
   :header-rows: 1

   * - Room
     - Rate
   * - Hall
     - 40 EUR

::

   n = 250
"""


def test_restructured_text_is_read_by_lines_with_what_sphinx_adds() -> None:
    read = parsed("a.rst", RESTRUCTURED)
    assert_places_hold(read)
    assert read.title == "Rooms"
    assert list(zip(texts(read), quotes(read), strict=True)) == [
        ("A key costs 5 EUR.", "A key costs **5 EUR**."),
        ("See the list, ask Ann.", "See :ref:`the list <keys>`, ask |who|."),
        ("Staff alone have one.", "Staff alone\n   have one."),
        ("Changed in version 2.0: Ask the porter.", "Ask the porter."),
        ("Winter: Open from 8.", "Open from 8."),
        ("Knock.", "Knock."),
        ("Room: Hall west; Seats: 250 chairs", "Hall | 250   |\n| west | chairs"),
        ("Rates", "Rates"),
        ("Room: Hall; Rate: 40 EUR", "Hall\n     - 40 EUR"),
        ("n = 250", "n = 250"),
    ]
    assert read.fragments[-1].kind is FragmentKind.CODE


ASCIIDOC = """\
= Rooms
:toc:

A key costs [line-through]#4# *5 EUR*.footnote:[Staff pay nothing.]

== Keys

WARNING: Ask first.

.Rates
|===
|Room |Rate |Unit

|Hall |40 |hour
|===

. Knock.

include::/etc/passwd[]

// a remark
----
n = 250
----
"""


@pytest.mark.slow
def test_asciidoc_is_read_by_lines_where_asciidoctor_is_installed() -> None:
    if missing_program("a.adoc"):
        with pytest.raises(
            UnreadableDocument, match=r"not installed; install Debian's asciidoctor"
        ):
            parser_for("a.adoc")(ASCIIDOC.encode())
        return
    read = parsed("a.adoc", ASCIIDOC)
    assert_places_hold(read)
    assert [(each.line_start, each.text) for each in sentences(read)] == [
        (4, "A key costs 5 EUR. (Staff pay nothing)"),
        (8, "Ask first."),
        (10, "Rates"),
        (14, "Room: Hall; Rate: 40; Unit: hour"),
        (17, "Knock."),
        (19, "/etc/passwd"),
        (23, "n = 250"),
    ]
    assert read.fragments[1].section_path == ("Keys",)
    assert [each.text for each in read.hidden] == ["4"]


@pytest.mark.slow
@pytest.mark.skipif(bool(missing_program("a.doc")), reason="LibreOffice is not installed")
@pytest.mark.parametrize(("suffix", "before"), [(".doc", "txt"), (".xls", "csv")])
def test_an_old_office_file_is_read_with_libreoffice(
    suffix: str, before: str, tmp_path: Path
) -> None:
    source = tmp_path / f"file.{before}"
    source.write_text("Staff have keys.\n", encoding="utf-8")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", suffix[1:], "--outdir"]
    subprocess.run([*command, str(tmp_path), str(source)], check=True, capture_output=True)
    read = parser_for(f"a{suffix}")((tmp_path / f"file{suffix}").read_bytes())
    assert texts(read) == ["Staff have keys."]


def test_an_old_office_file_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    word = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le")
    with pytest.raises(
        UnreadableDocument, match=r"LibreOffice.*not installed; .*save it as \.docx"
    ):
        parser_for("a.doc")(word)
    assert texts(parser_for("a.doc")(rb"{\rtf1 Rich text.}")) == ["Rich text."]


def test_a_note_of_restructured_text_is_told_within_its_sentence() -> None:
    source = """\
Books [#f]_ and films [1]_ are lent. Ask first. [#g]_

.. [#f] Except maps.
.. [1] For *a* day.
.. [#g] At the desk.
"""
    assert texts(parsed("a.rst", source))[:2] == [
        "Books (Except maps) and films (For a day) are lent.",
        "Ask first.",
    ]


def test_every_kind_of_file_that_is_named_has_a_parser() -> None:
    assert ".md" in suffixes()
    for suffix in suffixes():
        assert callable(parser_for(f"folder/File{suffix.upper()}"))


def test_an_unknown_kind_is_named_with_what_to_do() -> None:
    with pytest.raises(UnreadableDocument, match=r"\.pages.*convert it to one of \.md"):
        parser_for("letter.pages")


@pytest.mark.slow
def test_importing_the_package_loads_no_format_library() -> None:
    code = (
        "import sys, retrieval.parsing\n"
        "names = 'pypdfium2 pdfplumber docx openpyxl pptx lxml pyromark yaml odfdo docutils "
        "striprtf'.split()\n"
        "print([name for name in names if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("suffix", suffixes())
@pytest.mark.parametrize("content", [b"", b" \n\t\n ", b"\x00\x01\x02\xff\xfe\x00 binary \x00"])
def test_a_file_without_text_is_refused_with_a_reason(suffix: str, content: bytes) -> None:
    with pytest.raises(UnreadableDocument, match=r"; .+"):
        parser_for(f"file{suffix}")(content)


@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
def test_a_file_in_another_encoding_is_refused(suffix: str) -> None:
    with pytest.raises(UnreadableDocument, match="save it as UTF-8"):
        parser_for(f"file{suffix}")("Prüfungsordnung".encode("latin-1"))
