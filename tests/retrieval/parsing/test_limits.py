"""What is longer than is read is cut, told apart or refused by name, and nothing is lost."""

import pytest
from parsed_documents import assert_places_hold, kinds, quotes, texts
from traps import paragraph, pdf, table, word

from retrieval.errors import UnreadableDocument
from retrieval.parsing import parser_for
from retrieval.parsing.limits import LONGEST_HEADING, LONGEST_SENTENCE
from retrieval.types import FragmentKind, ParsedDocument

LONG = ("word " * 2000).strip()


def parsed(file: str, content: str | bytes) -> ParsedDocument:
    return parser_for(file)(content.encode() if isinstance(content, str) else content)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.txt", LONG),
        ("a.txt", f"- {LONG}"),
        ("a.md", f"**{LONG}**"),
        ("a.md", f"- {LONG}"),
        ("a.html", f"<pre>{LONG}</pre>"),
        ("a.html", f"<table><tr><td>{LONG}</td><td>five</td></tr></table>"),
    ],
)
def test_a_long_sentence_is_cut_at_white_space(file: str, content: str) -> None:
    document = parsed(file, content)
    assert_places_hold(document)
    assert all(len(text) <= LONGEST_SENTENCE for text in texts(document))
    assert " ".join(texts(document)).split().count("word") == 2000
    assert all(text in quote for text, quote in zip(texts(document), quotes(document), strict=True))


def test_a_word_without_end_is_cut_anywhere_and_stands_verbatim() -> None:
    document = parsed("a.txt", "x" * 12_000)
    assert quotes(document) == ["x" * 5_000, "x" * 5_000, "x" * 2_000]


def test_a_long_row_in_word_is_read_cell_by_cell() -> None:
    cells = f"<w:tc>{paragraph(LONG)}</w:tc><w:tc>{paragraph('Ask Ann.')}</w:tc>"
    document = parsed("a.docx", word(table(cells)))
    assert texts(document)[-1] == quotes(document)[-1] == "Ask Ann."
    assert all(len(text) <= LONGEST_SENTENCE for text in texts(document))


@pytest.mark.parametrize("file", ["a.md", "a.html"])
def test_a_heading_too_long_for_one_is_a_paragraph(file: str) -> None:
    long = "word " * (LONGEST_HEADING // 5 + 1)
    document = parsed(file, f"# {long}\n\nHi you." if file == "a.md" else f"<h1>{long}</h1>Hi you.")
    assert kinds(document) == [
        (FragmentKind.PARAGRAPH, long.strip()),
        (FragmentKind.PARAGRAPH, "Hi you."),
    ]


def test_a_name_of_a_column_too_long_for_one_is_read_once() -> None:
    rows = "<tr><td>5</td></tr>" * 3
    document = parsed("a.html", f"<table><tr><th>{'word ' * 100}</th></tr>{rows}</table>")
    assert texts(document) == [("word " * 100).strip(), "5", "5", "5"]


SPANS = "<table>" + "<tr><td colspan=1000>a</td></tr>" * 2000 + "</table>"
REPEATED = f"<table><tr><td rowspan=1000>{'word ' * 900}</td></tr>{'<tr><td>b</td></tr>' * 1100}"
WIDE = '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>' + paragraph("Hi.") + "</w:tc>"


@pytest.mark.parametrize(
    ("file", "content", "what"),
    [
        ("a.html", SPANS, "more than 1,000,000 places in a table"),
        ("a.html", f"{REPEATED}</table>" * 2, "more than 5,000,000 characters of text"),
        ("a.pdf", pdf(1, 2000), "more than 100,000 characters on a page"),
        ("a.pdf", pdf(30, 1000), "far more text than a file of its size"),
        ("a.html", "Hi. " + "<a " * 30, "more than 20 tags that never end"),
    ],
    ids=["spans", "repeated cell", "page", "pages", "tags"],
)
def test_what_is_more_than_is_read_is_refused_by_name(
    file: str, content: str | bytes, what: str
) -> None:
    with pytest.raises(UnreadableDocument, match=what):
        parsed(file, content)


def test_runs_of_word_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.parsing.docx.parser.MOST_RUNS", 10)
    with pytest.raises(UnreadableDocument, match="more than 10 paragraphs and runs"):
        parsed("a.docx", word(paragraph("Hi.") * 6))


def test_a_cell_over_thousands_of_millions_of_columns_takes_a_thousand() -> None:
    assert texts(parsed("a.docx", word(table(WIDE, WIDE)))) == ["Hi.", "Hi."]
