"""A document of twice the size takes about twice the work to read, whatever stands in it."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise

import pytest
from books import book, chapter, parts, zipped
from growth import MOST_GROWTH, steps
from traps import paragraph, pdf, table, word
from workbooks import saved, with_parts, workbook

from retrieval.errors import UnreadableDocument
from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.parsing.css import page_styles, sheets
from retrieval.types import AccessRule, Document, Metadata, Passage

CELL = paragraph("one 5")
FRONT = b"---\ntitle: x\n---\n"

CASES: dict[str, tuple[str, int, Callable[[int], bytes]]] = {
    "tabs of a page": ("a.html", 200, lambda n: b"<b role=tab>a</b><p class=tab-pane>b." * n),
    "tabs of MDX": ("a.mdx", 200, lambda n: b"<A/>\n" + b"<Tab name='a'>\n\nb.\n</Tab>\n" * n),
    "bold sentences": ("a.md", 300, lambda n: b"**This is bold.** " * n),
    "bold sentences in HTML": ("a.html", 300, lambda n: b"<b>This is bold.</b> " * n),
    "markup around markup": ("a.html", 20, lambda n: (b"<b>" * 100 + b"Hi. " + b"</b>" * 100) * n),
    "notes": ("a.rst", 300, lambda n: b"word [1]_ " * n + b"\n\n.. [1] note\n"),
    "rows that name others": (
        "a.md",
        150,
        lambda n: b"|a|b|c|\n|-|-|-|\n" + b"|**x**|||\n|g|1|2|\n" * n,
    ),
    "code with attributes": ("a.md", 300, lambda n: b"`code`{: .x} and " * n),
    "paragraphs in Word": ("a.docx", 300, lambda n: word(paragraph("Hi there.") * n)),
    "rows in Word": ("a.docx", 200, lambda n: word(table(*[f"<w:tc>{CELL}</w:tc>"] * n))),
    "a long name over many rows": (
        "a.html",
        400,
        lambda n: b"<table><tr><th>" + b"name " * n + b"</th></tr>" + b"<tr><td>5</td></tr>" * n,
    ),
    "a long heading": ("a.md", 400, lambda n: b"# T\n\n## " + b"long " * n + b"\n\nHi you." * n),
    "headings": ("a.md", 300, lambda n: b"## Heading\n\nHi there.\n\n" * n),
    "items that lead to others": ("a.md", 1000, lambda n: b"- You may do this:\n" * n),
    "pages of one stream": ("a.pdf", 2, lambda n: pdf(n, 50)),
    "nested blocks": ("a.html", 550, lambda n: b"<div>Hi there. " * n),
    "nested tables": ("a.html", 200, lambda n: b"<table><tr><td>Hi there. " * n),
    "nested lists": ("a.html", 280, lambda n: b"<ul><li>Hi there. " * n),
    "ends of nothing": ("a.html", 600, lambda n: b"<div>" * 50 + b"</p></i>" * n + b"Hi there."),
    "references": ("a.html", 500, lambda n: b"&amp; &#65; &" * n),
    "Liquid tags": ("a.md", 300, lambda n: FRONT + b"{% page some-page %} " * n),
    "conditions and code": (
        "a.md",
        200,
        lambda n: b"It is `so`.\n\n{% if x %}\nHi there.\n{% endif %}\n\n" * n,
    ),
    "chapters of a book": ("a.epub", 40, lambda n: book(*["<h2>Leave</h2><p>Hi there.</p>"] * n)),
    "comments in a book that never end": ("a.epub", 300, lambda n: book("Hi." + "<!-- " * n)),
    "records of values": ("a.csv", 300, lambda n: b"Course,Fee,Due\n" + b"BSc,5,May\n" * n),
    "values of a record": ("a.csv", 300, lambda n: b"a,b,c\n" + b"x," * n),
    "quotations in values": ("a.csv", 300, lambda n: b"a,b,c\n" + b'"x ""y""",5,z\n' * n),
    "rows of a sheet": (
        "a.xlsx",
        150,
        lambda n: saved(workbook({"Fees": [["Course", "Fee", "Due"], *[["BSc", 5, "x"]] * n]})),
    ),
    "comments": ("a.md", 300, lambda n: b"Hi <!-- there --> you.\n\n" * n),
    "blocks in deep ones": ("a.html", 80, lambda n: b"<div>" * 400 + b"<h2>Hi</h2><p>there." * n),
    "what nobody sees in deep markup": (
        "a.html",
        300,
        lambda n: b"<b>" * 300 + b"<i>&shy;</i>" * n + b"</b>" * 300 + b"Hi.",
    ),
}

BY_LIBRARIES: dict[str, tuple[str, bytes]] = {
    "exclamations": ("a.txt", b"Hi! yes " * 100_000),
    "pieces of a paragraph in Word": (
        "a.docx",
        word(f"<w:p>{'<w:r><w:t>Hi there. </w:t></w:r>' * 30_000}</w:p>"),
    ),
    "digits": ("a.txt", b"1" * 1_000_000),
    "letters": ("a.txt", b"a" * 1_000_000),
    "quotation marks that open": ("a.txt", "“".encode() * 60_000),
    "dots": ("a.txt", b"." * 1_000_000 + b" Hi."),
    "tags that never end": ("a.html", b"<a " * 100_000),
    "end tags that never end": ("a.html", b"Hi.</a " * 500_000),
    "instructions that never end": ("a.html", b"Hi.<?" * 500_000),
    "declarations that never end": ("a.html", b"Hi.<!" * 500_000),
    "comments that never end": ("a.html", b"Hi.<!--" * 500_000),
    "references that never end": ("a.html", b"Hi there;" + b"&#" * 500_000 + b";"),
    "elements that hold Markdown and never end": ("a.md", b"<div " + b"markdown " * 100_000),
    "attribute lists that never end": ("a.md", b"*{:" * 30_000),
    "Liquid that never ends": ("a.md", FRONT + b"{%- " + b"a-" * 250_000),
}


def sheet(rules: str, body: str = "<p>Hi.") -> bytes:
    return f"<style>{rules}</style>{body}".encode()


def variables(each: int) -> str:
    """Each of the next ones, often; the last is nothing at all."""
    names = "abcdefgh"
    values = [f"--{a}:{f'var(--{b})' * each};" for a, b in pairwise(names)]
    return f"p{{{''.join(values)}--h:;color:var(--a)}}"


def styled_book(chapters: int, rules: int) -> bytes:
    """A book whose chapters share a long sheet, and each has one of its own."""
    held = parts([chapter(n, f"<p>Hi {n}.", head=LINKED.format(n)) for n in range(chapters)])
    shared = "".join(f"@media (min-width:{n}px) {{i b {{color:red}}}}" for n in range(rules))
    return zipped({**held, "OEBPS/text/a.css": shared})


LINKED = "<link rel='stylesheet' href='a.css'/><style>i{{order:{}}}</style>"
MANY, MORE = (",".join(f".a{n}" for n in range(count)) for count in (100, 400))
FEES = saved(workbook({"Fees": [["Course", "Fee"], ["BSc", 5]]}))
COLUMNS = b"".join(b"<col min='%d' max='16384' hidden='1'/>" % n for n in range(1, 400))


def with_columns(sheet: bytes) -> bytes:
    return sheet.replace(b"<sheetData>", b"<cols>" + COLUMNS + b"</cols><sheetData>")


TABLE = "|a" * 90 + "|\n" + "|-" * 90 + "|\n" + "|x\n" * 90 + "\n"

BOMBS: dict[str, tuple[str, bytes]] = {
    "rules within rules that say nothing": ("a.html", sheet(f"{MANY}{{{f'{MANY}{{}}' * 40}}}")),
    "conditions within a long list": (
        "a.html",
        sheet(f"{MORE}{{" + "@media screen{color:red}" * 400 + "}"),
    ),
    "variables of variables of nothing": ("a.html", sheet(variables(40), "<p>Hi." * 20)),
    "one property over and over": ("a.html", sheet(f"p{{{'color:red;' * 800}}}", "<p>Hi." * 100)),
    "selectors within selectors": ("a.html", sheet(f"{':not(' * 900}a{')' * 900}{{color:red}}")),
    "tables that lack most of their cells": ("a.md", (TABLE * 8).encode()),
    "a small book that unpacks to a large one": ("a.epub", book("<p>Hi.</p>" * 40_000)),
    "columns that are stated over and over": (
        "a.xlsx",
        with_parts(FEES, {"xl/worksheets/sheet1.xml": with_columns}),
    ),
    "chapters that share a sheet": ("a.epub", styled_book(60, 60)),
}
"""Small files that were, or could be, multiplied."""
MOST_STEPS = 250
"""Of Python, for each byte of them: reading a plain style sheet takes 100."""


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


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", CASES)
def test_twice_the_document_takes_twice_the_work(case: str) -> None:
    file, size_once, make = CASES[case]
    once, twice = make(size_once), make(2 * size_once)
    read(file, make(1))  # so that imports are not counted
    work = [steps(partial(read, file, content)) for content in (once, twice)]
    assert work[1] / work[0] < MOST_GROWTH
    assert size(read(file, twice)) / size(read(file, once)) < MOST_GROWTH


@pytest.mark.parametrize("case", BOMBS)
def test_what_is_small_costs_little_or_is_refused(case: str) -> None:
    file, content = BOMBS[case]
    assert len(content) < 60_000

    def parse() -> None:
        with suppress(UnreadableDocument):
            parser_for(file)(content)

    sound = {"a.epub": book("<p>Hi."), "a.xlsx": FEES}
    read(file, sound.get(file, b"Hi."))  # so that imports are not counted
    assert steps(parse) < MOST_STEPS * len(content)


@pytest.mark.parametrize(
    "rules",
    [
        f":is({MANY}){{color:red}}",
        f"p{{{''.join(f'--a{n}:1;' for n in range(250))}}}",
        f"p{{{''.join(f'--a{n}:1;' for n in range(250))}}} p{{color:var(--a1)}}",
        "".join(f"p[a*=b{n}]{{color:red}}" for n in range(250)),
    ],
    ids=["lists", "variables", "variables that are used", "attributes"],
)
def test_rules_times_elements_are_bounded(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_styles, "MOST_TESTS", 10_000)
    body = f"<p a='{'b' * 2000}'>Hi.</p>"
    assert parser_for("a.html")(sheet(rules, body)).fragments
    with pytest.raises(UnreadableDocument, match="too many style rules for its size"):
        parser_for("a.html")(sheet(rules, body * 100))


def test_parts_of_selectors_are_bounded() -> None:
    """Each is a bit of every integer by which rules are found."""
    with pytest.raises(UnreadableDocument, match="too many style rules for its size"):
        parser_for("a.html")(sheet(f"{'a ' * 99} {{color:red}}" * 205))


def test_rules_of_all_chapters_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_READ", 550)
    assert parser_for("a.epub")(styled_book(5, 100)).fragments
    with pytest.raises(UnreadableDocument, match="more style rules than are followed"):
        parser_for("a.epub")(styled_book(6, 100))


def test_elements_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_styles, "MOST_ELEMENTS", 100)
    for file, made in (("a.html", b"<i>a</i>" * 101), ("a.epub", book(*["<i>a</i>" * 40] * 3))):
        with pytest.raises(UnreadableDocument, match="more than 100 elements"):
            parser_for(file)(made)


@pytest.mark.parametrize("case", BY_LIBRARIES)
def test_what_libraries_go_through_is_bounded(case: str) -> None:
    """No line of ours is run more often: in quadratic time these would take hours or days."""
    with suppress(UnreadableDocument):
        assert all(len(s.text) <= 5_000 for p in read(*BY_LIBRARIES[case]) for s in p.sentences)
