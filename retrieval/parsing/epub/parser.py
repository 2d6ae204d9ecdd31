"""EPUB books are read chapter by chapter with the parser of HTML.

The source is made of the chapters that are read, a line feed between them: those in reading order,
without the navigation document.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

from lxml import etree

from retrieval.errors import UnreadableDocument
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.decoding import decode, xml_charset
from retrieval.parsing.draft import Draft
from retrieval.parsing.epub.archive import (
    DAMAGED,
    BookArchive,
    part_at,
    require_no_declarations,
)
from retrieval.parsing.epub.book import BookDraft
from retrieval.parsing.epub.package import Chapter, package_of
from retrieval.parsing.epub.xhtml import ChapterStyles, XhtmlReader, require_plain_names
from retrieval.parsing.hiding import Way
from retrieval.parsing.html import without_code
from retrieval.parsing.limits import (
    LEAST_MARKUP,
    MOST_MARKUP,
    MOST_MARKUP_A_BYTE,
    require_at_most,
)
from retrieval.parsing.office import DAMAGE
from retrieval.parsing.placed import PlacedText
from retrieval.parsing.stated import stated_in_source
from retrieval.types import HiddenText, ParsedDocument


def parse(content: bytes) -> ParsedDocument:
    """Read a book as people see it.

    Raise `UnreadableDocument` for what is damaged, encrypted, too large or shows no text.
    """
    if not content.strip():
        raise UnreadableDocument("is empty; add text to it, or remove it")
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
        "\n".join(reader.texts),
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
        self._styles = ChapterStyles()
        self._read: dict[str, str] = {}
        """The texts of style sheets, by their parts."""
        self._length = 0
        self.draft = BookDraft()
        self.texts: list[str] = []
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
                self.draft.begin(chapter, self._length)
                builder = self._built(chapter, text, self.draft)
                self.hidden += _in_chapter(chapter, builder.all_hidden())
                self.head_title = self.head_title or builder.head_title
                self.texts.append(text)
                self._length += len(text) + 1
        return package.title

    def _list(self, chapter: Chapter) -> None:
        """What is out of the reading order is not read, and said."""
        text = self._text(chapter)
        if not text:
            return
        aside = Draft()
        pieces = _in_chapter(chapter, self._built(chapter, text, aside).all_hidden())
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
        require_plain_names(text)
        self.draft.state(stated_in_source(without_code(text)))
        return text

    def _built(self, chapter: Chapter, text: str, draft: Draft) -> BlockBuilder:
        page = PlacedText.verbatim(text, 0)
        styles = self._styles.of(page, self._sheets(chapter))
        builder = BlockBuilder(text, styles, draft)
        XhtmlReader(builder, page).read()
        builder.finish()
        return builder

    def _sheets(self, chapter: Chapter) -> Callable[[str], str | None]:
        def sheet(href: str) -> str | None:
            part = part_at(href, chapter.part)
            if not self._archive.holds(part):
                return None
            if part not in self._read:
                self._read[part] = self._archive.read(part).decode("utf-8-sig", errors="replace")
            return self._read[part]

        return sheet


def _in_chapter(chapter: Chapter, hidden: tuple[HiddenText, ...]) -> Iterator[HiddenText]:
    for each in hidden:
        yield replace(each, where=f"{chapter.label}, {each.where}")
