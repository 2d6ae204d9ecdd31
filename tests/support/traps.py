"""Documents made to keep a reader busy, as small as they can be for a size."""

import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import docx

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word(body: str) -> bytes:
    plain, made = BytesIO(), BytesIO()
    docx.Document().save(plain)
    with ZipFile(plain) as archive, ZipFile(made, "w", ZIP_DEFLATED) as changed:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "word/document.xml":
                xml = f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'
                content = xml.encode()
            changed.writestr(name, content)
    return made.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*rows: str) -> str:
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def pdf(pages: int, lines: int) -> bytes:
    """A PDF of many pages that all draw one compressed stream of lines."""
    shown = "(Staff may take leave in August, and in any other month.) Tj T* " * lines
    stream = zlib.compress(f"BT /F1 10 Tf 12 TL 50 800 Td {shown} ET".encode(), 9)
    kids = " ".join(f"{number} 0 R" for number in range(5, 5 + pages))
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
        b"/Resources<</Font<</F1 3 0 R>>>>>>"
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {pages}/Kids[{kids}]>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(stream), stream),
        *[page] * pages,
    ]
    made, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj%bendobj\n" % (number, content)
    table_of = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (count, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n%b" % (count, table_of) + end
