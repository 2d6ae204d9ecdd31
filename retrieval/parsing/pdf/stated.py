"""What a PDF says of itself: in its Info dictionary, and in its XMP packet."""

from collections.abc import Iterator
from io import BytesIO

from lxml import etree
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import PSException
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
        if isinstance(value, bytes):
            yield from stated_in_value("its document properties", key, decode_text(value))
    yield from _in_xmp(xmp)


def _in_xmp(packet: bytes) -> Iterator[Stated]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(packet, parser) if packet.strip() else None
    for each in root.iter(etree.Element) if root is not None else ():
        pairs = [(etree.QName(name).localname, value) for name, value in each.attrib.items()]
        if not len(each):
            pairs.append((_name(each), each.text or ""))
        for key, value in pairs:
            yield from stated_in_value("its XMP", str(key), str(value).strip())


def _name(element: etree._Element) -> str:
    """Of what a value belongs to: an item of a list is its list's."""
    while element.tag.startswith(_RDF) and (parent := element.getparent()) is not None:
        element = parent
    return str(etree.QName(element).localname)
