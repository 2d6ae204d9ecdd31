"""HTML is read with the standard library's parser: lenient, and exact about places."""

import re
from collections.abc import Set
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

from retrieval.errors import UnreadableDocument
from retrieval.language.words import words_of
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.css.page_styles import DocumentStyles, ElementSink, SheetCollector
from retrieval.parsing.decoding import decode, html_charset
from retrieval.parsing.elements import TABLE_ROLES
from retrieval.parsing.limits import MOST_UNFINISHED
from retrieval.parsing.placed import Lines, PlacedText, replaced
from retrieval.types import Fragment, FragmentKind, ParsedDocument

_GENERIC = ("div", "span")
_TAG_START = re.compile("<")
_REFERENCE = re.compile(r"&(?:#\d{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{0,40});?")

_CODE = re.compile(r"<(script|style)\b[^<]*(?:<(?!/\1)[^<]*)*", re.IGNORECASE)
"""Up to its end tag, or to the end of the page."""


def parse(content: bytes) -> ParsedDocument:
    """Read a page as people see it; raise `UnreadableDocument` where they see nothing."""
    source = decode(content, html_charset(content))
    page = PlacedText.verbatim(source, 0)

    def read(sink: ElementSink) -> None:
        HtmlReader(sink, page, reads_roles=True).read()

    styles = DocumentStyles().of(source, read, SheetCollector())
    builder = BlockBuilder(source, styles)
    read(builder)
    builder.finish()
    if builder.draft.is_empty:
        raise UnreadableDocument(
            "shows no text without its scripts; save the page as people see it, or as PDF"
        )
    return builder.draft.document(
        source,
        other_title=builder.head_title,
        head=without_code(source),
        hidden=builder.hidden.all(),
    )


class HtmlReader(HTMLParser):
    """It feeds the elements and text of one piece of HTML to a builder."""

    def __init__(
        self, builder: ElementSink, html: PlacedText, *, reads_roles: bool = False
    ) -> None:
        """`reads_roles`: it is a whole page, so that each tag ends where it says."""
        super().__init__(convert_charrefs=False)
        self._reads_roles = reads_roles
        self._named: dict[str, list[str]] = {}
        """By tags that roles make parts of tables, the names of those that are open."""
        self._tables = 0
        self._builder = builder
        self._html = html
        self._lines = Lines(html.text)
        self._unfinished = 0
        self.interesting = _TAG_START

    def read(self) -> None:
        """All of it, to the last unfinished tag."""
        self.feed(self._html.text)
        self.close()

    def clear_cdata_mode(self) -> None:
        """Find tags alone: html.parser searches all the rest for each reference without an end."""
        super().clear_cdata_mode()
        self.interesting = _TAG_START

    def parse_starttag(self, i: int) -> int:
        return self._finished(super().parse_starttag(i))

    def parse_endtag(self, i: int) -> int:
        return self._finished(super().parse_endtag(i))

    def parse_pi(self, i: int) -> int:
        return self._finished(super().parse_pi(i))

    def parse_html_declaration(self, i: int) -> int:
        return self._finished(super().parse_html_declaration(i))

    def _finished(self, end: int) -> int:
        """Where markup ends, -1 if nowhere, which the whole rest was searched for."""
        self._unfinished += end < 0
        if self._unfinished > MOST_UNFINISHED:
            raise UnreadableDocument(
                f"has more than {MOST_UNFINISHED} tags that never end; write `&lt;` for a `<` that "
                "is text, or end the tags"
            )
        return end

    def parse_comment(self, i: int, report: bool = True) -> int:
        """A comment that does not end takes the rest, as in browsers."""
        end = super().parse_comment(i, report)
        return end if end >= 0 else len(self.rawdata)

    def parse_marked_section(self, i: int, report: bool = True) -> int:  # noqa: ARG002
        """`<![` begins a comment in HTML; the standard library takes it for SGML and fails."""
        end = self.rawdata.find(">", i)
        return end + 1 if end >= 0 else len(self.rawdata)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text = self.get_starttag_text() or ""
        start, end = self._place(len(text))
        attributes = dict(attrs)
        is_seen = self._builder.open(self._name(tag, attributes), start, attributes)
        if tag == "br":
            self._builder.add(PlacedText.in_place_of("\n", start, end))
        elif tag == "img" and is_seen:
            alternative = attributes.get("alt") or ""
            self._builder.add_image(PlacedText.in_place_of(alternative, start, end))

    def handle_endtag(self, tag: str) -> None:
        closing = self._html.text.find(">", self._offset())
        length = closing + 1 - self._offset() if closing >= 0 else 0
        name = self._named[tag].pop() if self._named.get(tag) else tag
        self._tables -= name == "table" != tag
        self._builder.close(name, *self._place(length))

    def _name(self, tag: str, attributes: dict[str, str | None]) -> str:
        """The element that a tag is: one of a table, where its role says so."""
        if not self._reads_roles or tag not in _GENERIC:
            return tag
        role = (attributes.get("role") or "").strip().lower()
        name = TABLE_ROLES.get(role, tag)
        name = name if name == "table" or self._tables else tag
        self._tables += name == "table"
        self._named.setdefault(tag, []).append(name)
        return name

    def handle_data(self, data: str) -> None:
        start = self._offset()
        text = self._html[start : start + len(data)]
        self._builder.add(text if self.cdata_elem else unescaped(text))

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines.start_of(line) + column

    def _place(self, length: int) -> tuple[int, int]:
        start = self._offset()
        return self._html.span(start, start + length)


def without_code(source: str) -> str:
    """Scripts and style sheets have words of their own: `"audience"` is one of schema.org's."""
    return _CODE.sub("", source)


def unescaped(text: PlacedText) -> PlacedText:
    """With character references read as the characters they stand for."""

    def meant(reference: re.Match[str]) -> PlacedText:
        return PlacedText.in_place_of(unescape(reference[0]), *text.span(*reference.span()))

    return replaced(text, _REFERENCE.finditer(text.text), meant)


FEWEST_WORDS = 4
"""A shorter block may stand in the main text by chance: it counts where it is a line of that, or a
row, whose cells may stand on lines of their own."""


def without_surroundings(page: ParsedDocument) -> ParsedDocument:
    """A page without what stands before and after its main text; all of it where none is found.

    trafilatura says what that is (Barbaresi 2021); as its text stands on no line of the page, it
    only chooses among what was read. What the page says of its readers holds wherever it stands.
    """
    import trafilatura

    text = trafilatura.extract(page.source, favor_recall=True, include_comments=False) or ""
    words, lines = words_of(text), {tuple(words_of(line)) for line in text.splitlines()}
    runs = {
        tuple(words[at : at + length])
        for length in range(1, FEWEST_WORDS + 1)
        for at in range(len(words) - length + 1)
    }
    main = [n for n, each in enumerate(page.fragments) if _is_among(each, lines, runs)]
    if not main:
        return page
    first, last = main[0], main[-1] + 1
    around = (*page.fragments[:first], *page.fragments[last:])
    left_out = tuple(replace(each, kind=FragmentKind.RUNNING) for each in around)
    return replace(
        page,
        fragments=page.fragments[first:last],
        left_out=(*page.left_out, *left_out),
    )


_Words = tuple[str, ...]


def _is_among(block: Fragment, lines: Set[_Words], runs: Set[_Words]) -> bool:
    """By each run of its words; `runs`: those of the main text."""
    values = [each.text[cell.start : cell.end] for each in block.sentences for cell in each.cells]
    words = tuple(words_of(" ".join(values or [each.text for each in block.sentences])))
    if len(words) < FEWEST_WORDS:
        return words in (runs if block.kind is FragmentKind.TABLE_ROW else lines)
    return all(words[n : n + FEWEST_WORDS] in runs for n in range(len(words) - FEWEST_WORDS + 1))
