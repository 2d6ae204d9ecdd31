"""An Office file is made sure of here, and asked what it says of itself; nothing in it is run."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812  # zlib names its exception so

from lxml import etree

from retrieval.errors import UnreadableDocument, shortened
from retrieval.parsing.decoding import require_content
from retrieval.parsing.embedded_metadata import stated_beside, stated_in_value
from retrieval.types import Stated

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an encrypted document starts, and one of Office before 2007."""
LARGEST = 200 * 1024 * 1024
"""Bytes once unpacked: more is a mistake, or meant to fill the memory."""
_LARGEST_XML = 64 * 1024 * 1024
"""Bytes of one part of XML, which takes a multiple of that in memory once it is read."""
_MOST_PARTS = 20_000
DAMAGE = (BadZipFile, ZlibError, EOFError, RuntimeError, OSError)
BROKEN = (
    *(*DAMAGE, LookupError, ValueError, TypeError, AttributeError),
    *(SyntaxError, ArithmeticError),
)
"""What libraries raise on their way through a damaged file, beside errors of their own."""
_MACROS = ("macroenabled", "vbaproject", "macrosheet")
"""In the kinds of parts that `_TYPES` lists, in lower case."""
_TYPES = "[content_types].xml"
_DRAWING = "schemas.openxmlformats.org/drawingml/2006"
_MAIN = f"{{http://{_DRAWING}/main}}"
GRAPHIC = f"{_MAIN}graphicData"
"""The element that holds whatever is drawn, of a kind that its `uri` says; these are pictures:"""
DRAWN = frozenset(f"http://{_DRAWING}/{kind}" for kind in ("picture", "chart", "diagram"))


@dataclass(frozen=True, slots=True)
class OfficeFormat:
    program: str
    kind: str
    """Such as "a workbook"."""
    suffix: str

    @property
    def damaged(self) -> str:
        return (
            f"is damaged, or not {self.kind} of {self.program}; open it in {self.program} and save "
            f"it as {self.suffix} again"
        )


def without_text(*, hidden: bool) -> UnreadableDocument:
    """The error for a file that shows none; `hidden`: it holds some all the same."""
    return UnreadableDocument(
        "shows no text, all that it holds is hidden; save it as people should see it"
        if hidden
        else "holds no text; add text to it, or remove it"
    )


def require_sound(content: bytes, of: OfficeFormat) -> None:
    """Raise `UnreadableDocument` for what is empty, encrypted, damaged, too large or has macros."""
    require_content(content)
    if content.startswith(OLE):
        raise UnreadableDocument(
            f"is protected by a password, or made by {of.program} before 2007; "
            f"save it as {of.suffix} without a password"
        )
    try:
        with ZipFile(BytesIO(content)) as archive:
            require_small(archive)
            _require_no_declarations(archive, of)
            _require_no_macros(archive, of)
    except (*DAMAGE, SyntaxError) as error:
        raise UnreadableDocument(of.damaged) from error


_STRICT = b"purl.oclc.org/ooxml"
_NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_RENAMED = {
    b"extendedProperties": b"extended-properties",
    b"customProperties": b"custom-properties",
}


def as_transitional(content: bytes) -> bytes:
    """A file saved as Strict Open XML (ISO/IEC 29500), by the names that libraries know."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = {name.lower(): name for name in archive.namelist()}
            root = names.get("_rels/.rels", "")
            if not root or _STRICT not in archive.read(root):
                return content
            made = BytesIO()
            with ZipFile(made, "w") as renamed:
                for name in archive.namelist():
                    part = archive.read(name)
                    renamed.writestr(name, _NAMESPACE.sub(_known, part) if _is_xml(name) else part)
            return made.getvalue()
    except DAMAGE:
        return content


def _known(found: "re.Match[bytes]") -> bytes:
    last = _RENAMED.get(found[2], found[2])
    return b"http://schemas.openxmlformats.org/" + found[1] + b"/2006/" + last


def require_small(archive: ZipFile) -> None:
    """Raise `UnreadableDocument` for an archive that unpacks to more than is read."""
    parts = archive.infolist()
    unpacked = sum(part.file_size for part in parts)
    largest = max((part.file_size for part in parts if _is_xml(part.filename)), default=0)
    if unpacked > LARGEST or largest > _LARGEST_XML or len(parts) > _MOST_PARTS:
        raise UnreadableDocument(
            f"unpacks to {unpacked // 1024**2} MB in {len(parts)} parts, more than the "
            f"{LARGEST // 1024**2} MB, {_LARGEST_XML // 1024**2} MB a part, that are read; split "
            "it, or make its pictures smaller"
        )


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


def _require_no_macros(archive: ZipFile, of: OfficeFormat) -> None:
    names = {name.lower(): name for name in archive.namelist()}
    types = etree.fromstring(archive.read(names[_TYPES])).iter() if _TYPES in names else ()
    said = [*names, *(str(value).lower() for part in types for value in part.attrib.values())]
    if any(word in each for word in _MACROS for each in said):
        raise UnreadableDocument(f"holds macros; save it as {of.suffix}, which has none")


def _require_no_declarations(archive: ZipFile, of: OfficeFormat) -> None:
    """No program writes them in these formats; entities may refer to files, and multiply."""
    for name in archive.namelist():
        if _is_xml(name) and _declares(archive, name):
            raise UnreadableDocument(
                f"declares entities of XML ({shortened(name)}), as {of.program} never does; "
                f"open it in {of.program} and save it as {of.suffix} again"
            )


class _Told(Exception):
    """Whether a document type stands above the first element, as it may nowhere else."""


class _Prolog:
    """A target of lxml's parser, which knows all encodings that the libraries do."""

    def doctype(self, *_: str | None) -> None:
        raise _Told(True)

    def start(self, *_: object) -> None:
        raise _Told(False)

    def close(self) -> None:
        """As every target."""


def _declares(archive: ZipFile, name: str) -> bool:
    parser = etree.XMLParser(target=_Prolog(), resolve_entities=False, no_network=True)
    try:
        with archive.open(name) as part:
            etree.parse(part, parser)
    except _Told as told:
        return bool(told.args[0])
    except etree.XMLSyntaxError:
        pass
    return False  # no parser reads it, nor entities in it


def related(part: Any, kind: str, parse: Callable[[bytes], Any]) -> Any:
    """The root of the part that another names as of this kind; None where missing or damaged."""
    try:
        return parse(part.part_related_by(kind).blob)
    except (KeyError, ValueError, SyntaxError):
        return None


def theme_colours(theme: Any) -> dict[str, str]:
    """The colours of a theme by their names, in hexadecimal; None has none."""
    scheme = None if theme is None else theme.find(f".//{_MAIN}clrScheme")
    return {
        str(colour.tag).removeprefix(_MAIN): value.get("lastClr") or value.get("val") or ""
        for colour in (() if scheme is None else scheme)
        for value in colour
    }


_PROPERTIES = re.compile(r"docprops/(?:core|app|custom)\.xml", re.IGNORECASE)
_LABELS = "docmetadata/labelinfo.xml"
_BESIDE = re.compile(r"(?:word|xl|ppt)/(?:.*/)?(?:header|footer|comments?)[\w-]*\.xml", re.I)
_LABEL = re.compile(r"MSIP_Label_[\w-]+_(?P<part>\w+)")
"""A label's parts are properties of their own, of which its name is one (Purview)."""


def stated_in_office(content: bytes) -> Iterator[Stated]:
    """Of a file that was opened before; a damaged part says nothing."""
    named = False
    labelled: list[Stated] = []
    with ZipFile(BytesIO(content)) as archive:
        for part in archive.namelist():
            if _PROPERTIES.fullmatch(part):
                for key, value in _properties(archive, part):
                    label = _LABEL.fullmatch(key)
                    named = named or (label is not None and label["part"] == "Name")
                    yield from stated_in_property(key, value)
            elif part.lower() == _LABELS:
                labelled = [
                    Stated("its sensitivity label", "sensitivity_label", each.get("id"), False)
                    for each in _elements(archive, part)
                    if each.get("removed") != "1" and each.get("enabled") != "0" and each.get("id")
                ]
            elif _BESIDE.fullmatch(part):
                yield from stated_beside(_lines(archive, part), f"its part {part}")
    if not named:
        yield from labelled


def stated_in_property(key: str, value: str) -> Iterator[Stated]:
    """What a property of a file says, of the parts of a label its name."""
    label = _LABEL.fullmatch(key)
    if label is None or label["part"] == "Name":
        name = "sensitivity_label" if label else key
        yield from stated_in_value("its document properties", name, value)


def _properties(archive: ZipFile, part: str) -> Iterator[tuple[str, str]]:
    for each in _elements(archive, part):
        if not len(each):
            parent = each.getparent()
            of_custom = parent.get("name") if parent is not None else None
            yield of_custom or etree.QName(each).localname, (each.text or "").strip()


def _lines(archive: ZipFile, part: str) -> Iterator[str]:
    paragraphs = [e for e in _elements(archive, part) if etree.QName(e).localname in ("p", "text")]
    for each in paragraphs or list(_elements(archive, part))[:1]:
        yield "".join(map(str, each.itertext()))


def _elements(archive: ZipFile, part: str) -> Iterator[etree._Element]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        yield from etree.fromstring(archive.read(part), parser).iter(etree.Element)
    except (*DAMAGE, etree.XMLSyntaxError):
        return
