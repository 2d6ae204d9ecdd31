"""EPUB books are read chapter by chapter with the parser of HTML, made stricter for XHTML.

The source is made of the chapters that are read, a line feed between them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from io import BytesIO
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from lxml import etree

from retrieval.errors import UnreadableDocument, shortened
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.css.page_styles import DocumentStyles, ElementSink, SheetCollector
from retrieval.parsing.decoding import decode, require_content, xml_charset
from retrieval.parsing.draft import Draft
from retrieval.parsing.embedded_metadata import stated_in_source
from retrieval.parsing.hiding import Way
from retrieval.parsing.html import HtmlReader, without_code
from retrieval.parsing.limits import LEAST_MARKUP, MOST_MARKUP, MOST_MARKUP_A_BYTE, require_at_most
from retrieval.parsing.office import DAMAGE, require_small
from retrieval.parsing.placed import PlacedText, Source
from retrieval.types import HiddenText, ParsedDocument, Sentence, Stated

DAMAGED = "is damaged, or not an EPUB book; export it as .epub again"
ENCRYPTION = "META-INF/encryption.xml"
_LOCKED = "is encrypted, so that only some reading apps open it; export it as .epub without DRM"
_ENCRYPTED_FLAG = 1
_FONT_MASKS = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
"""They scramble fonts alone, so that these are of use in their book only (EPUB 3.3, 4.2.6)."""
_FONTS = frozenset({".otf", ".ttf", ".ttc", ".woff", ".woff2"})
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
_LONGEST_DOCTYPE = 1_000
_DECLARES = re.compile(rf"<!(?:ENTITY|ATTLIST|DOCTYPE[^>\[]{{0,{_LONGEST_DOCTYPE}}}\[)")


class BookArchive:
    """It reads the parts of a book by their names, and none that its archive does not hold."""

    def __init__(self, archive: ZipFile) -> None:
        """Raise `UnreadableDocument` for what is encrypted, too large or ambiguous."""
        require_small(archive)
        parts = archive.infolist()
        if any(part.flag_bits & _ENCRYPTED_FLAG for part in parts):
            raise UnreadableDocument(
                "is protected by a password; export it as .epub without a password"
            )
        self._archive = archive
        self._names = {part.filename for part in parts}
        if len(self._names) < len(parts):
            raise UnreadableDocument(
                "holds two parts of one name, of which one hides the other; "
                "export it as .epub again"
            )
        self._require_no_drm()

    def holds(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        """Raise `UnreadableDocument` for a part that is missing or too large."""
        if not self.holds(name):
            raise UnreadableDocument(
                f"names a part that it does not hold ({shortened(name)}); export it as .epub again"
            )
        if self._archive.getinfo(name).file_size > MOST_MARKUP:
            raise UnreadableDocument(
                f"has a part of more than {MOST_MARKUP // 1024**2} MB ({shortened(name)}), more "
                "than is read; split it"
            )
        return self._archive.read(name)

    def xml(self, name: str) -> etree._Element:
        """The root of a part of XML; raise `UnreadableDocument` where it declares entities."""
        root = etree.fromstring(self.read(name), _PARSER)
        declared = root.getroottree().docinfo.internalDTD
        if declared is not None and any(declared.iterentities()):
            raise _declares(name)
        return root

    def _require_no_drm(self) -> None:
        if not self.holds(ENCRYPTION):
            return
        for data in named(self.xml(ENCRYPTION), "EncryptedData"):
            ways = {each.get("Algorithm") for each in data if _is(each, "EncryptionMethod")}
            parts = [each.get("URI", "") for each in named(data, "CipherReference")]
            fonts = all(PurePosixPath(part).suffix.lower() in _FONTS for part in parts)
            if not (fonts and ways and ways <= _FONT_MASKS):
                raise UnreadableDocument(_LOCKED)


def require_no_declarations(name: str, text: str) -> None:
    """Raise `UnreadableDocument` where a chapter declares what its words or attributes are."""
    if _DECLARES.search(text):
        raise _declares(name)


def _declares(name: str) -> UnreadableDocument:
    return UnreadableDocument(
        f"declares entities of XML ({shortened(name)}), which are not read; "
        "export it as .epub without them"
    )


def part_at(href: str, of: str) -> str:
    """The name of the part that an address in part `of` leads to; empty where it leads out."""
    try:
        address = urlsplit(href.strip())
    except ValueError:
        return ""
    if address.scheme or address.netloc or not address.path or address.path.startswith("/"):
        return ""
    name = normpath(join(dirname(of), unquote(address.path)))
    return "" if name.startswith("..") else name


def named(above: etree._Element, name: str) -> list[etree._Element]:
    """All elements below of a name, whatever their namespace."""
    return [each for each in above.iter() if _is(each, name)]


def _is(element: etree._Element, name: str) -> bool:
    return str(element.tag).rpartition("}")[2] == name


CONTAINER = "META-INF/container.xml"
_PACKAGE = "application/oebps-package+xml"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_XHTML = frozenset({"application/xhtml+xml", "text/html"})


@dataclass(frozen=True, slots=True)
class Chapter:
    number: int
    """In the spine, from 1."""
    part: str
    is_linear: bool
    """Else people come to it by a link, if at all."""
    is_contents: bool

    @property
    def label(self) -> str:
        return f"chapter {self.number}"


def package_of(archive: BookArchive) -> tuple[str, list[Chapter], list[Stated]]:
    """The title that a book states, the chapters of its spine, and what its metadata say.

    Raise `UnreadableDocument` for a book that names no chapter, or one that cannot be read.
    """
    roots = [
        each.get("full-path", "")
        for each in named(archive.xml(CONTAINER), "rootfile")
        if each.get("media-type") == _PACKAGE
    ]
    if not roots:
        raise UnreadableDocument(DAMAGED)
    package = archive.xml(roots[0])
    titles = (" ".join("".join(map(str, each.itertext())).split()) for each in package.iter(_TITLE))
    chapters = _chapters(package, roots[0])
    if not chapters:
        raise UnreadableDocument("names no chapters in its reading order; export it as .epub again")
    return next(filter(None, titles), ""), chapters, list(_stated(package))


def _stated(package: etree._Element) -> Iterator[Stated]:
    for each in (part for metadata in named(package, "metadata") for part in metadata.iter("*")):
        if each.get("refines") is None and not len(each):
            key = each.get("name") or each.get("property") or etree.QName(each).localname
            value = each.get("content") or "".join(map(str, each.itertext())).strip()
            yield Stated("its metadata", key.rpartition(":")[2], value, describes=False)


def _chapters(package: etree._Element, root: str) -> list[Chapter]:
    items = {each.get("id", ""): each.attrib for each in named(package, "item")}
    found: list[Chapter] = []
    seen: set[str] = set()
    for number, reference in enumerate(named(package, "itemref"), start=1):
        item = items.get(reference.get("idref", ""))
        if item is None:
            raise UnreadableDocument(
                f"names a chapter that it does not list ({shortened(reference.get('idref', ''))}); "
                "export it as .epub again"
            )
        if str(item.get("media-type", "")).startswith("image/"):
            continue
        chapter = _chapter(number, reference, item, root)
        if chapter.part in seen:
            raise UnreadableDocument(
                f"names {shortened(chapter.part)} twice in its reading order; "
                "export it as .epub again"
            )
        seen.add(chapter.part)
        found.append(chapter)
    return found


def _chapter(number: int, reference: etree._Element, item: Mapping[str, str], root: str) -> Chapter:
    kind, href = item.get("media-type", ""), item.get("href", "")
    if kind not in _XHTML:
        raise UnreadableDocument(
            f"has a chapter of a kind that is not read ({shortened(kind)}); export it as .epub "
            "with chapters of XHTML"
        )
    part = part_at(href, root)
    if not part:
        raise UnreadableDocument(
            f"has a chapter outside itself ({shortened(href)}), which is not followed; "
            "export it as .epub again"
        )
    return Chapter(
        number,
        part,
        is_linear=reference.get("linear") != "no",
        is_contents="nav" in (item.get("properties") or "").split(),
    )


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
    """Read a book as people see it; raise `UnreadableDocument`."""
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
        self.draft = Draft(self._moved)
        self._chapter: Chapter | None = None
        """What is read of it moves to where it stands in the book's source, which is at:"""
        self._offset = 0
        self.source = Source()
        self.hidden: list[HiddenText] = []
        self.head_title = ""

    def read(self) -> str:
        """Read all chapters; return the title that the book states."""
        title, chapters, stated = package_of(self._archive)
        self.draft.state(stated)
        for chapter in chapters:
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
        return title

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
