"""What a PDF says of itself: in its Info dictionary, and in its XMP packet."""

import re
from collections.abc import Iterator
from io import BytesIO

from lxml import etree
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import PSException, PSLiteral
from pdfminer.utils import decode_text

from retrieval.parsing.stated import stated_in_value
from retrieval.types import Stated

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"


def stated_in_pdf(content: bytes) -> Iterator[Stated]:
    """Of a file that was opened before; what is damaged says nothing."""
    try:
        document = PDFDocument(PDFParser(BytesIO(content)))
        pairs = [(key, resolve1(value)) for info in document.info for key, value in info.items()]
        packet = resolve1(document.catalog.get("Metadata"))
        xmp = packet.get_data() if isinstance(packet, PDFStream) else b""
    except (PSException, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    for key, value in pairs:
        said = value.name if isinstance(value, PSLiteral) else value
        if isinstance(said, bytes | str | int | float):
            said = decode_text(said) if isinstance(said, bytes) else str(said)
            yield from stated_in_value("its document properties", key, said)
    yield from _in_xmp(xmp)


def _in_xmp(packet: bytes) -> Iterator[Stated]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(packet, parser) if packet.strip() else None
    except etree.XMLSyntaxError:
        return
    for each in root.iter(etree.Element) if root is not None else ():
        pairs = [(_local(str(name)), value) for name, value in each.attrib.items()]
        if not len(each):
            pairs.append((_name(each), each.text or ""))
        for key, value in pairs:
            yield from stated_in_value("its XMP", str(key), str(value).strip())


def _name(element: etree._Element) -> str:
    """Of what a value belongs to: an item of a list is its list's."""
    while element.tag.startswith(_RDF) and (parent := element.getparent()) is not None:
        element = parent
    return _local(element.tag)


def _local(name: str) -> str:
    """Without what stands for its namespace, which may be declared nowhere."""
    return re.split("[}:]", name)[-1]
