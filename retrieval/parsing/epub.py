"""EPUB books are read chapter by chapter with the parser of HTML.

The source is made of the chapters that are read, a line feed between them: those in reading order,
without the navigation document.

A chapter is XHTML. Where HTML ends a comment or a script sooner than XML does, the rest would be
read as text that nobody sees.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html import unescape
from io import BytesIO
from zipfile import ZipFile

from lxml import etree

from retrieval.errors import UnreadableDocument
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.css.page_styles import DocumentStyles, ElementSink, SheetCollector
from retrieval.parsing.decoding import decode, require_content, xml_charset
from retrieval.parsing.draft import Draft
from retrieval.parsing.embedded_metadata import stated_in_source
from retrieval.parsing.epub_archive import (
    DAMAGED,
    BookArchive,
    Chapter,
    package_of,
    part_at,
    require_no_declarations,
)
from retrieval.parsing.hiding import Way
from retrieval.parsing.html import HtmlReader, without_code
from retrieval.parsing.limits import LEAST_MARKUP, MOST_MARKUP, MOST_MARKUP_A_BYTE, require_at_most
from retrieval.parsing.office import DAMAGE
from retrieval.parsing.placed import PlacedText, Source
from retrieval.types import HiddenText, ParsedDocument, Sentence

_CDATA, _CDATA_END = "<![CDATA[", "]]>"
_PREFIXED = re.compile(r"xmlns:[^\s=]{1,100}\s*=\s*[\"']\s*http://www\.w3\.org/1999/xhtml\s*[\"']")
_SHEET_ABOVE = re.compile(r"<\?xml-stylesheet\s([^>]{0,1000})\?>")
_STATED = re.compile(r"""([a-z]{1,20})\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')""")


class XhtmlReader(HtmlReader):
    """Scripts and styles are elements as any other, whose text nobody sees."""

    def set_cdata_mode(self, elem: str, *, escapable: bool = False) -> None:
        """In XML no element changes how markup in it is read."""

    def parse_comment(self, i: int, report: bool = True) -> int:  # noqa: ARG002
        return self._behind("-->", i + len("<!--"))

    def parse_pi(self, i: int) -> int:
        return self._behind("?>", i)

    def parse_html_declaration(self, i: int) -> int:
        if not self.rawdata.startswith(_CDATA, i):
            return super().parse_html_declaration(i)
        end = self._behind(_CDATA_END, i + len(_CDATA))
        start = self._offset()
        inner = end - i - (len(_CDATA_END) if self.rawdata.startswith(_CDATA_END, end - 3) else 0)
        self._builder.add(self._html[start + len(_CDATA) : start + inner])
        return end

    def _behind(self, mark: str, start: int) -> int:
        """Where a mark ends; the rest where it is missing."""
        found = self.rawdata.find(mark, start)
        return found + len(mark) if found >= 0 else len(self.rawdata)


def parse(content: bytes) -> ParsedDocument:
    """Read a book as people see it.

    Raise `UnreadableDocument` for what is damaged, encrypted, too large or shows no text.
    """
    require_content(content)
    try:
        with ZipFile(BytesIO(content)) as archive:
            reader = _Reader(BookArchive(archive), len(content))
            title = reader.read()
    except (*DAMAGE, etree.XMLSyntaxError) as error:
        raise UnreadableDocument(DAMAGED) from error
    if reader.draft.is_empty:
        raise UnreadableDocument(
            "shows no text in its reading order; export it as people should see it"
        )
    return reader.draft.document(
        reader.source.text,
        stated_title=title,
        other_title=reader.head_title,
        head="",
        hidden=tuple(dict.fromkeys(reader.hidden)),
    )


class _Reader:
    """It goes through the chapters once."""

    def __init__(self, archive: BookArchive, size: int) -> None:
        self._most = min(MOST_MARKUP, LEAST_MARKUP + MOST_MARKUP_A_BYTE * size)
        self._markup = 0
        """Characters of it so far, in the reading order and out of it."""
        self._archive = archive
        self._styles = DocumentStyles()
        """Of all chapters, which mostly share their sheets: those are read once."""
        self._read: dict[str, str] = {}
        """The texts of style sheets, by their parts."""
        self.draft = Draft(self._moved)
        self._chapter: Chapter | None = None
        """What is read of it moves to where it stands in the book's source, which is at:"""
        self._offset = 0
        self.source = Source()
        self.hidden: list[HiddenText] = []
        self.head_title = ""

    def read(self) -> str:
        """Read all chapters; return the title that the book states."""
        package = package_of(self._archive)
        self.draft.state(package.stated)
        for chapter in package.chapters:
            if not chapter.is_linear:
                self._list(chapter)
            elif chapter.is_contents:
                self._archive.read(chapter.part)
            elif text := self._text(chapter):
                self._chapter, self._offset = chapter, self.source.end
                self.draft.end_sections()
                builder = self._built(chapter, text, self.draft)
                self.hidden += _in_chapter(chapter, builder.hidden.all())
                self.head_title = self.head_title or builder.head_title
                self.source.add(text)
        return package.title

    def _moved(self, sentence: Sentence) -> Sentence:
        assert self._chapter is not None  # noqa: S101  # one is begun before all text
        return replace(
            sentence,
            char_start=sentence.char_start + self._offset,
            char_end=sentence.char_end + self._offset,
            page=self._chapter.number,
            page_label=self._chapter.label,
        )

    def _list(self, chapter: Chapter) -> None:
        """What is out of the reading order is not read, and said."""
        text = self._text(chapter)
        if not text:
            return
        aside = Draft()
        pieces = _in_chapter(chapter, self._built(chapter, text, aside).hidden.all())
        self.hidden += (each for each in pieces if each.left_out)
        ended = aside.document(text, head="")
        self.draft.state(ended.stated)
        headings = [each.text for each in ended.headings]
        words = [each.text for fragment in ended.fragments for each in fragment.sentences]
        if headings or words:
            said = " ".join([*headings, *words])
            self.hidden.append(HiddenText(said, Way.OUT_OF_ORDER.value, chapter.label))

    def _text(self, chapter: Chapter) -> str:
        """A chapter's markup; empty for an empty file."""
        content = self._archive.read(chapter.part)
        if not content.strip():
            return ""
        text = decode(content, xml_charset(content))
        self._markup += len(text)
        require_at_most(self._markup, self._most, "characters of markup for its size")
        require_no_declarations(chapter.part, text)
        if _PREFIXED.search(text):  # such as `<h:p>`
            raise UnreadableDocument(
                "writes its elements with a prefix (xmlns:...), which is not read; "
                "export it as .epub again"
            )
        self.draft.state(stated_in_source(without_code(text)))
        return text

    def _built(self, chapter: Chapter, text: str, draft: Draft) -> BlockBuilder:
        page = PlacedText.verbatim(text, 0)

        def read(sink: ElementSink) -> None:
            XhtmlReader(sink, page).read()

        collector = SheetCollector(partial(self._sheet, chapter))
        for above in _SHEET_ABOVE.finditer(text):
            stated = {
                each[1]: unescape(each[2] or each[3] or "") for each in _STATED.finditer(above[1])
            }
            if stated.get("alternate") != "yes":
                collector.link(stated)
        builder = BlockBuilder(text, self._styles.of(text, read, collector), draft)
        read(builder)
        builder.finish()
        return builder

    def _sheet(self, chapter: Chapter, href: str) -> str | None:
        """What a chapter links, from the book alone; what is missing leaves colours in doubt."""
        part = part_at(href, chapter.part)
        if not self._archive.holds(part):
            return None
        if part not in self._read:
            self._read[part] = self._archive.read(part).decode("utf-8-sig", errors="replace")
        return self._read[part]


def _in_chapter(chapter: Chapter, hidden: tuple[HiddenText, ...]) -> Iterator[HiddenText]:
    for each in hidden:
        yield replace(each, where=f"{chapter.label}, {each.where}")
