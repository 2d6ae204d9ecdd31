"""A document of twice the size takes about twice the work to read, whatever stands in it."""

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from types import FrameType

import pytest
from books import book
from traps import paragraph, pdf, table, word
from workbooks import saved, workbook

from retrieval.errors import UnreadableDocument
from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.types import AccessRule, Document, Metadata, Passage

MOST_GROWTH = 2.6
"""Work at twice the size: 2 where it is in proportion, 4 where it is quadratic."""
FRONT = b"---\ntitle: x\n---\n"

CASES: dict[str, tuple[str, int, Callable[[int], bytes]]] = {
    "bold sentences": ("a.md", 300, lambda n: b"**This is bold.** " * n),
    "bold sentences in HTML": ("a.html", 300, lambda n: b"<b>This is bold.</b> " * n),
    "markup around markup": ("a.html", 20, lambda n: (b"<b>" * 100 + b"Hi. " + b"</b>" * 100) * n),
    "code with attributes": ("a.md", 300, lambda n: b"`code`{: .x} and " * n),
    "paragraphs in Word": ("a.docx", 300, lambda n: word(paragraph("Hi there.") * n)),
    "rows in Word": (
        "a.docx",
        200,
        lambda n: word(table(*[f"<w:tc>{paragraph('one 5')}</w:tc>"] * n)),
    ),
    "a long name over many rows": (
        "a.html",
        400,
        lambda n: b"<table><tr><th>" + b"name " * n + b"</th></tr>" + b"<tr><td>5</td></tr>" * n,
    ),
    "a long heading": (
        "a.md",
        400,
        lambda n: b"# Title\n\n## " + b"long " * n + b"\n\n" + b"Hi you.\n\n" * n,
    ),
    "headings": ("a.md", 300, lambda n: b"## Heading\n\nHi there.\n\n" * n),
    "items that lead to others": ("a.md", 1000, lambda n: b"- You may do this:\n" * n),
    "pages of one stream": ("a.pdf", 2, lambda n: pdf(n, 50)),
    "nested blocks": ("a.html", 550, lambda n: b"<div>Hi there. " * n),
    "nested tables": ("a.html", 200, lambda n: b"<table><tr><td>Hi there. " * n),
    "nested lists": ("a.html", 280, lambda n: b"<ul><li>Hi there. " * n),
    "ends of nothing": ("a.html", 600, lambda n: b"<div>" * 50 + b"</p></i>" * n + b"Hi there."),
    "references": ("a.html", 500, lambda n: b"&amp; &#65; &" * n),
    "Liquid tags": ("a.md", 300, lambda n: FRONT + b"{% page some-page %} " * n),
    "chapters of a book": ("a.epub", 40, lambda n: book(*["<h2>Leave</h2><p>Hi there.</p>"] * n)),
    "comments in a book that never end": (
        "a.epub",
        300,
        lambda n: book("<p>Hi.</p>" + "<!-- " * n),
    ),
    "records of values": ("a.csv", 300, lambda n: b"Course,Fee,Due\n" + b"BSc,5,May\n" * n),
    "values of a record": ("a.csv", 300, lambda n: b"a,b,c\n" + b"x," * n),
    "quotations in values": ("a.csv", 300, lambda n: b"a,b,c\n" + b'"x ""y""",5,z\n' * n),
    "rows of a sheet": (
        "a.xlsx",
        150,
        lambda n: saved(workbook({"Fees": [["Course", "Fee", "Due"], *[["BSc", 5, "x"]] * n]})),
    ),
    "comments": ("a.md", 300, lambda n: b"Hi <!-- there --> you.\n\n" * n),
}

BY_LIBRARIES: dict[str, tuple[str, bytes]] = {
    "exclamations": ("a.txt", b"Hi! yes " * 200_000),
    "pieces of a paragraph in Word": (
        "a.docx",
        word(f"<w:p>{'<w:r><w:t>Hi there. </w:t></w:r>' * 60_000}</w:p>"),
    ),
    "digits": ("a.txt", b"1" * 1_000_000),
    "letters": ("a.txt", b"a" * 2_000_000),
    "quotation marks that open": ("a.txt", "“".encode() * 60_000),
    "dots": ("a.txt", b"." * 2_000_000 + b" Hi."),
    "tags that never end": ("a.html", b"<a " * 100_000),
    "end tags that never end": ("a.html", b"Hi.</a " * 500_000),
    "instructions that never end": ("a.html", b"Hi.<?" * 500_000),
    "declarations that never end": ("a.html", b"Hi.<!" * 500_000),
    "comments that never end": ("a.html", b"Hi.<!--" * 500_000),
    "references that never end": ("a.html", b"Hi there;" + b"&#" * 500_000 + b";"),
    "attribute lists that never end": ("a.md", b"*{:" * 30_000),
    "Liquid that never ends": ("a.md", FRONT + b"{%- " + b"a-" * 500_000),
}


def steps(do: Callable[[], object]) -> int:
    """How many lines of Python are run, each time that they are."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> object:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]  # it returns itself
    try:
        do()
    finally:
        sys.settrace(before)
    return count


def read(file: str, content: bytes) -> list[Passage]:
    metadata = Metadata(access=AccessRule())
    document = Document("d", file, "1", datetime(2026, 1, 1, tzinfo=UTC), "Title", metadata)
    return cut(document, parser_for(file)(content))


def size(passages: list[Passage]) -> int:
    """Characters of all that is kept: a name or a heading may be repeated over and over."""
    return sum(
        len(passage.text) + len(passage.heading) + sum(len(s.list_lead) for s in passage.sentences)
        for passage in passages
    )


@pytest.mark.parametrize("case", CASES)
def test_twice_the_document_takes_twice_the_work(case: str) -> None:
    file, size_once, make = CASES[case]
    once, twice = make(size_once), make(2 * size_once)
    read(file, make(1))  # so that imports are not counted
    work = [steps(partial(read, file, content)) for content in (once, twice)]
    assert work[1] / work[0] < MOST_GROWTH
    assert size(read(file, twice)) / size(read(file, once)) < MOST_GROWTH


@pytest.mark.parametrize("case", BY_LIBRARIES)
def test_what_libraries_go_through_is_bounded(case: str) -> None:
    """No line of ours is run more often: in quadratic time these would take hours or days."""
    with suppress(UnreadableDocument):
        assert all(len(s.text) <= 5_000 for p in read(*BY_LIBRARIES[case]) for s in p.sentences)
