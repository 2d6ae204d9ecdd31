"""What an Office file says of itself.

It stands in its properties, in its sensitivity label, and beside its text, as in running heads
and comments.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from zipfile import ZipFile

from lxml import etree

from retrieval.parsing.office import DAMAGE
from retrieval.parsing.stated import stated_beside, stated_in_value
from retrieval.types import Stated

_PROPERTIES = re.compile(r"docprops/(?:core|app|custom)\.xml", re.IGNORECASE)
_LABELS = "docmetadata/labelinfo.xml"
_BESIDE = re.compile(r"(?:word|xl|ppt)/(?:.*/)?(?:header|footer|comments?)[\w-]*\.xml", re.I)
_LABEL = re.compile(r"MSIP_Label_[\w-]+_(?P<part>\w+)")
"""A label's parts are properties of their own, of which its name is one (Purview)."""
_LINES = frozenset({"p", "comment", "t", "oddHeader", "oddFooter"})


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
                    if label is None or label["part"] == "Name":
                        yield from stated_in_value(
                            "its document properties", "sensitivity_label" if label else key, value
                        )
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
