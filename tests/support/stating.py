"""Documents that say of themselves who may read them, each as its format has a place for it."""

from io import BytesIO
from zipfile import ZipFile

import docx
from books import chapter, parts, zipped
from workbooks import saved, workbook

from retrieval.metadata.ontology import load_ontology
from retrieval.metadata.statements import Key, statements
from retrieval.types import ParsedDocument, Stated


def whose(parsed: ParsedDocument) -> dict[Key, Stated]:
    """What a document states of our keys; raises `BadMetadata` where it may restrict otherwise."""
    return statements(parsed.stated, load_ontology())


_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_VALUES = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
    'xmlns:pdfx="http://ns.adobe.com/pdfx/1.3/">{said}</rdf:Description></rdf:RDF></x:xmpmeta>'
)


def pdf(*lines: str, xmp: str = "", **info: str) -> bytes:
    """A page with an Info dictionary and an XMP packet, put together by hand."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    stream = f"BT /F1 12 Tf 72 720 Td 14 TL {shown} ET"
    packet = _XMP.format(said=xmp)
    objects = [
        "<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        "/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Type/Metadata/Subtype/XML/Length {len(packet)}>>stream\n{packet}\nendstream",
        f"<<{''.join(f'/{key} ({value})' for key, value in info.items())}>>",
    ]
    out, offsets = "%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    return (
        f"{out}xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer<</Size {size}/Root 1 0 R/Info 7 0 R>>\nstartxref\n{len(out)}\n%%EOF"
    ).encode("latin-1")


def word(
    *paragraphs: str, comment: str = "", head: str = "", keywords: str = "", **custom: str
) -> bytes:
    document, out = docx.Document(), BytesIO()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if comment:
        document.add_comment(document.paragraphs[0].runs, text=comment)
    document.sections[0].header.paragraphs[0].text = head
    document.core_properties.keywords = keywords
    document.save(out)
    properties = "".join(
        f'<property name="{name}"><vt:lpwstr>{value}</vt:lpwstr></property>'
        for name, value in custom.items()
    )
    with ZipFile(out, "a") as archive:
        archive.writestr(
            "docProps/custom.xml",
            f'<Properties xmlns="{_CUSTOM}" xmlns:vt="{_VALUES}">{properties}</Properties>',
        )
    return out.getvalue()


def labelled(name: str, *paragraphs: str) -> bytes:
    """As Microsoft Purview writes a sensitivity label."""
    label = "MSIP_Label_0a1b2c3d-0000-4000-8000-000000000000"
    return word(*paragraphs, **{f"{label}_Enabled": "true", f"{label}_Name": name})


def book(metadata: str, text: str) -> bytes:
    return zipped(parts([chapter(1, f"<p>{text}</p>")], metadata=metadata))


def sheet(*rows: tuple[str, ...]) -> bytes:
    return saved(workbook({"Sheet": rows}))
