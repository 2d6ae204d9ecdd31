"""An Office file is an archive of XML, looked at here before any library opens it.

What it holds is never run and never fetched: a file with macros is refused, no part may declare
entities, links to elsewhere stay text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812  # zlib names its exception so

from retrieval.errors import UnreadableDocument

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an encrypted document starts, and one of Office before 2007."""
LARGEST = 200 * 1024 * 1024
"""Bytes once unpacked: more is a mistake, or meant to fill the memory."""
_LARGEST_XML = 64 * 1024 * 1024
"""Bytes of one part of XML, which takes a multiple of that in memory once it is read."""
_MOST_PARTS = 20_000
DAMAGE = (BadZipFile, ZlibError, EOFError, RuntimeError, OSError, NotImplementedError)
"""What reading a damaged archive raises."""
_DECLARATIONS = tuple(
    word.encode(encoding)
    for word in ("<!DOCTYPE", "<!ENTITY")
    for encoding in ("utf-8", "utf-16-le", "utf-16-be")
)
_PIECE = 1024 * 1024
_DRAWING = "schemas.openxmlformats.org/drawingml/2006"
GRAPHIC = f"{{http://{_DRAWING}/main}}graphicData"
"""The element that holds whatever is drawn, of a kind that its `uri` says; these are pictures:"""
DRAWN = frozenset(f"http://{_DRAWING}/{kind}" for kind in ("picture", "chart", "diagram"))


@dataclass(frozen=True, slots=True)
class OfficeFormat:
    """A format is one program's, in its words."""

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


def require_sound(content: bytes, of: OfficeFormat) -> None:
    """Raise `UnreadableDocument` for what is empty, encrypted, damaged, too large or has macros."""
    if not content.strip():
        raise UnreadableDocument("is empty; add text to it, or remove it")
    if content.startswith(OLE):
        raise UnreadableDocument(
            f"is protected by a password, or made by {of.program} before 2007; "
            f"save it as {of.suffix} without a password"
        )
    try:
        with ZipFile(BytesIO(content)) as archive:
            require_small(archive)
            _require_no_macros(archive, of)
            _require_no_declarations(archive, of)
    except DAMAGE as error:
        raise UnreadableDocument(of.damaged) from error


def require_small(archive: ZipFile) -> None:
    """Raise `UnreadableDocument` for an archive that unpacks to more than is read.

    The sizes are those that it states: none is unpacked beyond its own.
    """
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
    names = {name.lower() for name in archive.namelist()}
    types = archive.read("[Content_Types].xml") if "[content_types].xml" in names else b""
    if any(name.endswith("vbaproject.bin") for name in names) or b"macroEnabled" in types:
        raise UnreadableDocument(f"holds macros; save it as {of.suffix}, which has none")


def _require_no_declarations(archive: ZipFile, of: OfficeFormat) -> None:
    """No program writes them in these formats; entities may refer to files, and multiply."""
    longest = max(map(len, _DECLARATIONS))
    for name in archive.namelist():
        if not _is_xml(name):
            continue
        before = b""
        for piece in _pieces(archive, name):
            looked_at = before + piece
            if any(declared in looked_at for declared in _DECLARATIONS):
                raise UnreadableDocument(
                    f"declares entities of XML ({name}), as {of.program} never does; "
                    f"open it in {of.program} and save it as {of.suffix} again"
                )
            before = looked_at[-longest:]


def _pieces(archive: ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as part:
        while piece := part.read(_PIECE):
            yield piece
