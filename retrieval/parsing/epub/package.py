"""A book's package document (OPF) names its chapters in reading order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from retrieval.errors import UnreadableDocument, shortened
from retrieval.parsing.epub.archive import DAMAGED, BookArchive, named, part_at
from retrieval.types import Stated

CONTAINER = "META-INF/container.xml"
_PACKAGE = "application/oebps-package+xml"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_XHTML = frozenset({"application/xhtml+xml", "text/html"})


@dataclass(frozen=True, slots=True)
class Chapter:
    """One item of the spine."""

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
    """What is needed of a package document."""

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
