"""A book's archive, and its package document (OPF), which names the chapters in reading order.

The archive is looked at before it is read: nothing is unpacked to disk.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from lxml import etree

from retrieval.errors import UnreadableDocument, shortened
from retrieval.parsing.limits import MOST_MARKUP
from retrieval.parsing.office import require_small
from retrieval.types import Stated

DAMAGED = "is damaged, or not an EPUB book; export it as .epub again"
ENCRYPTION = "META-INF/encryption.xml"
_LOCKED = "is encrypted, so that only some reading apps open it; export it as .epub without DRM"
_ENCRYPTED_FLAG = 1
"""Of an entry of an archive: it needs a password."""
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
    """Its name in the archive."""
    is_linear: bool
    """Else people come to it by a link, if at all."""
    is_contents: bool
    """Whether it is the navigation document."""

    @property
    def label(self) -> str:
        return f"chapter {self.number}"


@dataclass(frozen=True, slots=True)
class Package:
    title: str
    """Empty where it states none."""
    chapters: tuple[Chapter, ...]
    """Of the spine, without pictures."""
    stated: tuple[Stated, ...] = ()
    """What its metadata say."""


def package_of(archive: BookArchive) -> Package:
    """Raise `UnreadableDocument` for a book that names no chapter, or one that cannot be read."""
    roots = [
        each.get("full-path", "")
        for each in named(archive.xml(CONTAINER), "rootfile")
        if each.get("media-type") == _PACKAGE
    ]
    if not roots:
        raise UnreadableDocument(DAMAGED)
    package = archive.xml(roots[0])
    titles = (" ".join("".join(map(str, each.itertext())).split()) for each in package.iter(_TITLE))
    chapters = tuple(_chapters(package, roots[0]))
    if not chapters:
        raise UnreadableDocument("names no chapters in its reading order; export it as .epub again")
    return Package(next(filter(None, titles), ""), chapters, tuple(_stated(package)))


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
