"""Whatever a file holds: it is refused with a reason, or every sentence has its place."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import assert_places_hold, folded, sentences, texts

from retrieval.errors import UnreadableDocument
from retrieval.parsing import html, markdown, plain
from retrieval.ports import Parser

PIECES = st.sampled_from(
    [
        *"aBé漢😀1.!?:;,-*_`~#>|[]()</&{}%=\\\"'",
        *(" ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "\u00a0", "\u200b", "\r"),
        *("**bold**", "`code`", "[text](url)", "![alt](src)", "<https://x.org>", "&amp;", "&#x41;"),
        *("# ", "## Head {#id}", "- ", "1. ", "> ", "```\n", "---\n", "***"),
        *("| a | b |\n|---|---|\n", "{: .class}", "[^1]", "[^1]: note", "~~no~~"),
        *("%%", "!!! note\n", '=== "a"\n', ":::note\n", ":::\n", "[[a|b]]", "==", "<%= x %>"),
        *["<p>", "</p>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "<th>", "</table>"],
        *("<div>", "</div>", "<b>", "</b>", "<br>", "<pre>", "</pre>", "<h2>", "</h2>"),
        *("<!--", "-->", "<script>", "</script>"),
        *("<div hidden>", "<img alt='x y'>", "<details>", "<td rowspan=3>"),
        *('{% slack_channel "x" %}', "{% raw %}", "{% endraw %}", "{% comment %}", "{{ x }}", "{%"),
        *("Dr. Who said so.", "It is 3.5 km.", "word"),
    ]
)
WILD = st.lists(PIECES, max_size=60).map("".join)
WORDS = st.lists(
    st.sampled_from(["One", "two.", "Three!", "four,", "Dr.", "five"]), max_size=8
).map(" ".join)


@given(WILD | st.text(max_size=200))
def test_plain_text_is_quoted_word_for_word(text: str) -> None:
    try:
        document = plain.parse(text.encode("utf-8", "replace"))
    except UnreadableDocument:
        return
    assert_places_hold(document)
    for sentence in sentences(document):
        assert folded(document.source[sentence.char_start : sentence.char_end]) == sentence.text


@pytest.mark.parametrize("parse", [markdown.parse, html.parse])
@given(text=WILD | st.text(max_size=200))
def test_marked_up_text_keeps_its_places(parse: Parser, text: str) -> None:
    try:
        document = parse(text.encode("utf-8", "replace"))
    except UnreadableDocument:
        return
    assert_places_hold(document)
    for sentence in sentences(document):
        assert sentence.text == folded(sentence.text)


@pytest.mark.parametrize("parse", [markdown.parse, html.parse, plain.parse])
@given(content=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(parse: Parser, content: bytes) -> None:
    with suppress(UnreadableDocument):
        parse(content)


HIDDEN = st.sampled_from(
    [
        "<!-- xyzzy -->",
        "<script>\nxyzzy\n</script>",
        "<style>xyzzy</style>",
        "<p hidden>xyzzy</p>",
        '<div style="display:none"><p>xyzzy</p></div>',
        "<template>xyzzy</template>",
    ]
)
HIDDEN_IN_MARKDOWN = HIDDEN | st.sampled_from(
    ["{% comment %}xyzzy{% endcomment %}", "{{ xyzzy }}", "[xyzzy]: https://example.org/xyzzy"]
)


@given(st.lists(st.tuples(WORDS, HIDDEN_IN_MARKDOWN), min_size=1, max_size=5))
def test_hidden_words_of_markdown_are_never_read(parts: list[tuple[str, str]]) -> None:
    body = "\n\n".join(f"{words}\n\n{hidden}" for words, hidden in parts)
    document = markdown.parse(f"---\ntitle: T\nkeywords: [xyzzy]\n---\n{body}\n\nEnd.\n".encode())
    assert_places_hold(document)
    assert not any("xyzzy" in text for text in texts(document))
    read = re.findall(r"\w+", " ".join(texts(document)))
    assert read == re.findall(r"\w+", " ".join(words for words, _ in parts) + " End")


@given(st.lists(st.tuples(WORDS, HIDDEN), min_size=1, max_size=5))
def test_hidden_words_of_html_are_never_read(parts: list[tuple[str, str]]) -> None:
    body = "".join(f"<p>{words}</p>{hidden}" for words, hidden in parts)
    document = html.parse(f"<html><body>{body}<p>End.</p></body></html>".encode())
    assert_places_hold(document)
    assert not any("xyzzy" in text for text in texts(document))
    assert texts(document)[-1] == "End."
