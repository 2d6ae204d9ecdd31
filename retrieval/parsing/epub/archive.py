"""What a book's archive holds is looked at before it is read: nothing is unpacked to disk."""

import re
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from lxml import etree

from retrieval.errors import UnreadableDocument, shortened
from retrieval.parsing.limits import MOST_MARKUP
from retrieval.parsing.office import require_small

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
